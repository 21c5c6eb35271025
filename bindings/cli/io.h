// Where a verb reads and writes, and how it ends: streams, colour, exit codes.
#ifndef MUSTER_BINDINGS_CLI_IO_H_
#define MUSTER_BINDINGS_CLI_IO_H_

#include <array>
#include <cstddef>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace muster::cli {

/// What the process answers to its caller; kExitCodes says what each means.
enum ExitCode { kDone = 0, kWrongUse = 1, kNo = 2, kRefused = 3 };
inline constexpr std::array<std::pair<ExitCode, std::string_view>, 4> kExitCodes = {{
    {kDone, "done"},
    {kWrongUse,
     "wrong use: the command line makes no sense, or a file, folder or ledger that it names is not "
     "there"},
    {kNo,
     "the answer is no: what was read is wrong, the engine does not take it, there is no such "
     "object, a test failed"},
    {kRefused,
     "it cannot be done: the disk fails, the ledger is damaged or another process holds it"},
}};

/// Beside them, of a verb that a signal ended.
inline constexpr std::pair<std::string_view, std::string_view> kSignalCode = {
    "128+N", "signal N ended it before it was done, as 130 of an interrupt and 143 of SIGTERM"};

enum class Tone { kPlain, kStrong, kGood, kWarning, kBad, kFaint };

/// Colours text, or leaves it alone when the stream is not a terminal or NO_COLOR is set.
class Paint {
 public:
  explicit Paint(bool on = false) : on_(on) {}
  std::string operator()(Tone tone, std::string_view text) const;
  bool on() const { return on_; }

 private:
  bool on_;
};

struct Io {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  Paint paint;      ///< for `out`
  Paint err_paint;  ///< for `err`
  /// How many warnings were counted instead of printed; unset: they are printed.
  std::optional<std::size_t> hidden_warnings = std::nullopt;
  /// The service to ask, and the token to show it, where the command line names none; may be empty.
  std::string server = {};
  std::string token = {};

  /// Writes "muster: MESSAGE" to err and returns `code`.
  int Fail(ExitCode code, std::string_view message);
  void Warn(std::string_view message);
};

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_IO_H_
