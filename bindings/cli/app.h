// The program behind main(): finds the verb, parses its options, runs it.
#ifndef MUSTER_BINDINGS_CLI_APP_H_
#define MUSTER_BINDINGS_CLI_APP_H_

#include <string>
#include <vector>

#include "bindings/cli/io.h"

namespace muster::cli {

/// Runs one command line (without the program's name) and returns the exit code.
int RunMuster(const std::vector<std::string>& arguments, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_APP_H_
