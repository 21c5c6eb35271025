// Interrupted: whether a verb that goes on for ever was asked to end.
#ifndef MUSTER_BINDINGS_CLI_INTERRUPTED_H_
#define MUSTER_BINDINGS_CLI_INTERRUPTED_H_

#include <chrono>
#include <csignal>

namespace muster::cli {

/// While one lives, the first SIGINT or SIGTERM is noted, and a second one ends the process.
class Interrupted {
 public:
  Interrupted();
  ~Interrupted();
  Interrupted(const Interrupted&) = delete;
  Interrupted& operator=(const Interrupted&) = delete;

  /// Waits until then; at once true when the process was asked to end before.
  bool Within(std::chrono::milliseconds time) const;

  /// What a shell expects of a process that such a signal ended; 0: none came.
  int ExitCode() const;

 private:
  struct sigaction interrupt_before_;
  struct sigaction terminate_before_;
};

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_INTERRUPTED_H_
