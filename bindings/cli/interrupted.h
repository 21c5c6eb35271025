// Interrupted: whether a verb that goes on for ever was asked to end.
#ifndef MUSTER_BINDINGS_CLI_INTERRUPTED_H_
#define MUSTER_BINDINGS_CLI_INTERRUPTED_H_

#include <chrono>
#include <csignal>

namespace muster::cli {

/// While one lives, the first SIGINT or SIGTERM is noted, and a second one ends the process.
/// It leaves signals alone while an Uninterrupted lives on the same thread.
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
  bool heeds_ = false;
  struct sigaction interrupt_before_;
  struct sigaction terminate_before_;
};

/// A verb that runs inside of another program: what signals do there is that program's affair.
class Uninterrupted {
 public:
  Uninterrupted();
  ~Uninterrupted();
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;
};

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_INTERRUPTED_H_
