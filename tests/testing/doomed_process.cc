#include "tests/testing/doomed_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

extern char** environ;

namespace muster::testing {
namespace {

using Clock = std::chrono::steady_clock;

void Require(int code, const char* what) {
  if (code != 0) throw std::system_error(code, std::generic_category(), what);
}

}  // namespace

DoomedProcess::DoomedProcess(const std::vector<std::string>& command) {
  int ends[2];
  Require(pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno, "pipe");
  output_ = ends[0];
  std::vector<char*> arguments;
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  const int code =
      posix_spawn(&process_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (code != 0) close(output_);
  Require(code, "posix_spawn");
}

DoomedProcess::~DoomedProcess() {
  if (process_ > 0) Kill();
  close(output_);
}

bool DoomedProcess::Listen(Clock::time_point deadline) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  pollfd event{output_, POLLIN, 0};
  const int ready = poll(&event, 1, static_cast<int>(std::max<decltype(left)>(left, 0)));
  if (ready == 0 || (ready < 0 && errno == EINTR)) return true;
  char bytes[4096];
  const ssize_t size = read(output_, bytes, sizeof(bytes));
  if (size <= 0) return size < 0 && errno == EINTR;
  for (ssize_t i = 0; i < size; ++i) {
    if (bytes[i] == '\n') {
      lines_.push_back(std::move(partial_));
      partial_.clear();
    } else {
      partial_ += bytes[i];
    }
  }
  return true;
}

bool DoomedProcess::WaitFor(const std::string& line, std::chrono::milliseconds limit) {
  const Clock::time_point deadline = Clock::now() + limit;
  std::size_t looked_at = 0;
  while (true) {
    for (; looked_at < lines_.size(); ++looked_at) {
      if (lines_[looked_at] == line) return true;
    }
    if (Clock::now() >= deadline || !Listen(deadline)) return false;
  }
}

void DoomedProcess::Signal(int signal) const { kill(process_, signal); }

void DoomedProcess::Hear() {
  // A moment that is over already: only what is there.
  std::size_t before = 0;
  do {
    before = lines_.size();
    if (!Listen(Clock::now())) return;
  } while (lines_.size() > before);
}

std::vector<std::string> DoomedProcess::Kill(bool* by_us) {
  kill(process_, SIGKILL);
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  if (by_us != nullptr) *by_us = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  while (Listen(Clock::now() + std::chrono::seconds(10))) {
  }
  return lines_;
}

}  // namespace muster::testing
