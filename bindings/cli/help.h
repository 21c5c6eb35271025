// Help texts, built from what the verbs declare.
#ifndef MUSTER_BINDINGS_CLI_HELP_H_
#define MUSTER_BINDINGS_CLI_HELP_H_

#include <memory>
#include <ostream>
#include <string_view>
#include <vector>

#include "bindings/cli/command.h"

namespace muster::cli {

/// What `muster` is, how to begin, and the verbs by group.
void PrintTopHelp(std::ostream& out, const Paint& paint,
                  const std::vector<std::unique_ptr<Command>>& commands);

/// The verbs that begin with the word `first`, as "ledger"; false: there is none.
bool PrintGroupHelp(std::ostream& out, const Paint& paint,
                    const std::vector<std::unique_ptr<Command>>& commands, std::string_view first);

/// Usage, explanation, examples and options of one verb.
void PrintCommandHelp(std::ostream& out, const Paint& paint, const Command& command,
                      const Flags& flags);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_HELP_H_
