// What the build is, for `muster version` and for a service.
#ifndef MUSTER_BINDINGS_CLI_VERBS_VERSION_H_
#define MUSTER_BINDINGS_CLI_VERBS_VERSION_H_

#include "bindings/cli/json.h"

namespace muster::cli {

/// {"muster": "0.1.0", "commit": ..., "compiler": ..., "luajit": ..., "yamlcpp": ...}
Json VersionJson();

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_VERBS_VERSION_H_
