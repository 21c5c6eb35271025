// Method: standard streams are files in a temporary directory, so no pipe can fill up and block.
#include "tests/testing/command.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "tests/testing/paths.h"

namespace muster::testing {

namespace {

constexpr int kCannotRun = 127;

/// Between fork and exec: only calls that are safe there. Does not return.
[[noreturn]] void BecomeProgram(const std::vector<char*>& arguments, const CommandOptions& options,
                                const int (&streams)[3]) {
  for (int stream = 0; stream < 3; ++stream) {
    if (dup2(streams[stream], stream) < 0) _exit(kCannotRun);
  }
  if (options.directory && chdir(options.directory->c_str()) != 0) _exit(kCannotRun);
  for (const auto& [name, value] : options.environment) setenv(name.c_str(), value.c_str(), 1);
  execvp(arguments[0], arguments.data());
  _exit(kCannotRun);
}

int ExitCode(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

int Open(const std::filesystem::path& path, int flags) {
  const int fd = open(path.c_str(), flags | O_CLOEXEC, 0600);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), path.string());
  return fd;
}

}  // namespace

CommandResult RunCommand(const std::vector<std::string>& arguments,
                         const CommandOptions& options) {
  const TemporaryDirectory files;
  const int streams[3] = {Open(files.Write("in", options.input), O_RDONLY),
                          Open(files.path() / "out", O_WRONLY | O_CREAT),
                          Open(files.path() / "err", O_WRONLY | O_CREAT)};
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) BecomeProgram(argv, options, streams);
  for (const int stream : streams) close(stream);
  int wait_status = 0;
  while (waitpid(child, &wait_status, 0) < 0 && errno == EINTR) {
  }
  return {ExitCode(wait_status), ReadFile(files.path() / "out"), ReadFile(files.path() / "err")};
}

CommandResult RunMuster(std::vector<std::string> arguments, const CommandOptions& options) {
  arguments.insert(arguments.begin(), MusterBinary().string());
  return RunCommand(arguments, options);
}

}  // namespace muster::testing
