// Policy packages as people name them on a command line.
#ifndef MUSTER_BINDINGS_CLI_AUTHOR_PACKAGES_H_
#define MUSTER_BINDINGS_CLI_AUTHOR_PACKAGES_H_

#include <string>
#include <string_view>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/luajit/policy_package.h"

namespace muster::cli {

/// The package folders behind `words`: each a package, or a folder that holds packages. Prints what
/// is wrong and returns an exit code, kDone when all is well.
int FindPackages(const std::vector<std::string>& words, std::string_view verb, Io& io,
                 std::vector<std::string>* folders);

/// Reads the package and checks it; prints every mistake, of a sound one every doubt. An exit code,
/// kDone when it is sound.
int ReadSoundPackage(const std::string& folder, Io& io, luajit::PackageSource* source);

/// Prints what in a sound package is most likely not meant.
void WarnOfDoubts(const luajit::PackageSource& source, Io& io);

/// What heads the column of a package in a table: the last part of its path.
std::string LastPart(std::string_view folder);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_AUTHOR_PACKAGES_H_
