// Help texts, built from what the verbs declare.
#ifndef MUSTER_BINDINGS_CLI_HELP_H_
#define MUSTER_BINDINGS_CLI_HELP_H_

#include <memory>
#include <ostream>
#include <vector>

#include "bindings/cli/command.h"

namespace muster::cli {

/// What `muster` is, how to begin, and the verbs by group.
void PrintTopHelp(std::ostream& out, const Paint& paint,
                  const std::vector<std::unique_ptr<Command>>& commands);

/// Usage, explanation, examples and options of one verb.
void PrintCommandHelp(std::ostream& out, const Paint& paint, const Command& command,
                      const Flags& flags);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_HELP_H_
