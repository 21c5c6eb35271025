// What a shell proposes for the word that is being typed. `muster complete -- WORD...` is for the
// scripts beside this file, and is in no help.
//
// WORD... is what stands behind `muster` up to the cursor; the last one, maybe empty, is to be
// completed. Answers come one a line, with a tab and an explanation where there is one. `:files`,
// `:ledgers` and `:folders` ask the shell to propose those. A word `--option=value` is completed as
// a whole, but where the shell has split it at the `=`.
#ifndef MUSTER_BINDINGS_CLI_SHELL_COMPLETE_H_
#define MUSTER_BINDINGS_CLI_SHELL_COMPLETE_H_

#include <memory>
#include <string>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/io.h"

namespace muster::cli {

/// Prints the proposals. Always kDone: half a command line is no mistake.
int Complete(const std::vector<std::unique_ptr<Command>>& commands,
             const std::vector<std::string>& words, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHELL_COMPLETE_H_
