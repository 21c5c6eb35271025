// The manual in roff, made of what the verbs declare. `muster man FOLDER` is for the build, and is
// in no help.
#ifndef MUSTER_BINDINGS_CLI_SHELL_MAN_PAGES_H_
#define MUSTER_BINDINGS_CLI_SHELL_MAN_PAGES_H_

#include <memory>
#include <string>
#include <vector>

#include "bindings/cli/command.h"
#include "bindings/cli/io.h"

namespace muster::cli {

/// Writes muster.1 and a page for each verb ("muster-policy-check.1") into `folder`, which is made
/// where it is not there. Returns an exit code.
int WriteManPages(const std::vector<std::unique_ptr<Command>>& commands, const std::string& folder,
                  Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHELL_MAN_PAGES_H_
