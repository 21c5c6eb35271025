// Finds and activates the policy packages that a call names.
#ifndef MUSTER_BINDINGS_CLI_WORLD_POLICIES_H_
#define MUSTER_BINDINGS_CLI_WORLD_POLICIES_H_

#include <string>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/manifest/manifest.h"
#include "muster/engine.h"

namespace muster::cli {

/// Loads the packages in `folders`, and for every PolicyBinding of `manifests` that names another
/// package the folder policies/NAME beside the binding's file or beside a folder above it. Each is
/// activated at `now`. Prints what is wrong and returns an exit code, kDone when all is well.
int ActivatePolicies(const std::vector<std::string>& folders, const manifest::Manifests& manifests,
                     TimeNs now, Engine& engine, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_POLICIES_H_
