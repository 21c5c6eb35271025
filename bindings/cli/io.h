// Where a verb reads and writes, and how it ends: streams, colour, exit codes.
#ifndef MUSTER_BINDINGS_CLI_IO_H_
#define MUSTER_BINDINGS_CLI_IO_H_

#include <cstddef>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace muster::cli {

/// What the process answers to its caller.
enum ExitCode {
  kDone = 0,
  kWrongUse = 1,  ///< the command line makes no sense
  kNo = 2,        ///< the answer is no: invalid input, failed test, no such object
  kRefused = 3,   ///< the engine refused: I/O error, damaged or held ledger
};

enum class Tone { kPlain, kStrong, kGood, kWarning, kBad, kFaint };

/// Colours text, or leaves it alone when the stream is not a terminal or NO_COLOR is set.
class Paint {
 public:
  explicit Paint(bool on = false) : on_(on) {}
  std::string operator()(Tone tone, std::string_view text) const;

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

  /// Writes "muster: MESSAGE" to err and returns `code`.
  int Fail(ExitCode code, std::string_view message);
  void Warn(std::string_view message);
};

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_IO_H_
