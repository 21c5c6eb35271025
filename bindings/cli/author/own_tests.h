// A package's own specs and goldens, run before it may decide anything.
#ifndef MUSTER_BINDINGS_CLI_AUTHOR_OWN_TESTS_H_
#define MUSTER_BINDINGS_CLI_AUTHOR_OWN_TESTS_H_

#include <string>

#include "muster/status.h"

namespace muster::cli {

/// Runs what `muster policy test` runs for the package in `folder`: ok, also when it has no tests,
/// or kInvalidArgument with every test that failed and its file:line. Safe on any thread. Where
/// `doubt` is not null it is set to why they show nothing, such as that all are pending, or to
/// nothing.
Status RunOwnTests(const std::string& folder, std::string* doubt = nullptr);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_AUTHOR_OWN_TESTS_H_
