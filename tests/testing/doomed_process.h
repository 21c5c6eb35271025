// DoomedProcess: runs a command, listens to what it says line by line, and kills it with SIGKILL.
//
// For tests of what survives a kill: the command says on its standard output what it promises.
// Lines it had written completely before it died count, whether they had been read or not.
#ifndef MUSTER_TESTS_TESTING_DOOMED_PROCESS_H_
#define MUSTER_TESTS_TESTING_DOOMED_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace muster::testing {

class DoomedProcess {
 public:
  /// Starts `command` (the program first). Throws std::system_error when that fails.
  explicit DoomedProcess(const std::vector<std::string>& command);
  ~DoomedProcess();
  DoomedProcess(const DoomedProcess&) = delete;
  DoomedProcess& operator=(const DoomedProcess&) = delete;

  /// Waits until it has said `line`. False when `limit` passes or it ends before.
  bool WaitFor(const std::string& line, std::chrono::milliseconds limit);
  void Signal(int signal) const;
  /// Takes what it has said so far; one that is not heard stops when its pipe is full.
  void Hear();
  /// Kills it, waits for its end and returns every line it ever said. True in `by_us` when it was
  /// still running.
  std::vector<std::string> Kill(bool* by_us = nullptr);

 private:
  /// Takes what is there, waiting for it until `deadline`. False at the end of its output.
  bool Listen(std::chrono::steady_clock::time_point deadline);

  pid_t process_ = -1;
  int output_ = -1;
  std::string partial_;
  std::vector<std::string> lines_;
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_DOOMED_PROCESS_H_
