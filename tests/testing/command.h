// Runs a program the way a person does and keeps what it said.
#ifndef MUSTER_TESTS_TESTING_COMMAND_H_
#define MUSTER_TESTS_TESTING_COMMAND_H_

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace muster::testing {

struct CommandResult {
  int exit_code = -1;  ///< 128 + signal when a signal ended it, as in a shell
  std::string out;
  std::string err;
};

struct CommandOptions {
  std::string input;                                             ///< standard input
  std::optional<std::filesystem::path> directory;                ///< working directory
  std::vector<std::pair<std::string, std::string>> environment;  ///< set on top of ours
};

/// Runs `arguments` (the program first) without a shell and waits for it. Throws
/// std::system_error when it cannot be started; a missing program is exit code 127.
CommandResult RunCommand(const std::vector<std::string>& arguments,
                         const CommandOptions& options = {});

/// RunCommand of the `muster` binary.
CommandResult RunMuster(std::vector<std::string> arguments, const CommandOptions& options = {});

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_COMMAND_H_
