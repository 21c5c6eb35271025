// Progress: one line on stderr about long work, for people who look on.
#ifndef MUSTER_BINDINGS_CLI_PROGRESS_H_
#define MUSTER_BINDINGS_CLI_PROGRESS_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "bindings/cli/io.h"

namespace muster::cli {

/// What else tells how far the work is.
enum class Alongside {
  kNothing,
  kOutput,  ///< what is printed on the way, where that goes to a terminal, too
};

class Progress {
 public:
  explicit Progress(Io& io, Alongside alongside = Alongside::kNothing);
  /// Wipes the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Whether it is seen: stderr is a terminal, and the output does not tell as much.
  bool shown() const { return shown_; }
  /// Replaces the line, ten times a second at most unless `at_once`.
  void Show(const std::string& line, bool at_once = false);
  /// What is being done, where so many bytes of manifests or objects take about a second or more.
  void ShowReading(std::size_t bytes);
  void ShowStoring(std::size_t objects);
  /// "WHAT, commit 3 of 9".
  void ShowCommits(std::string_view what, std::int64_t done, std::int64_t total);

 private:
  Io& io_;
  const bool shown_;
  bool written_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_PROGRESS_H_
