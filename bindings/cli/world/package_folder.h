// Policy packages that the command line names by their folder.
#ifndef MUSTER_BINDINGS_CLI_WORLD_PACKAGE_FOLDER_H_
#define MUSTER_BINDINGS_CLI_WORLD_PACKAGE_FOLDER_H_

#include <string>
#include <vector>

#include "bindings/cli/io.h"
#include "muster/status.h"

namespace muster::cli {

/// Prints why a package could not be read or loaded and returns the exit code: kWrongUse when its
/// folder is not there, as for every file.
int FailPackage(const Status& status, Io& io);

/// The same for the first of `folders` that is not there; kDone when all are.
int NeedPackages(const std::vector<std::string>& folders, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_PACKAGE_FOLDER_H_
