// What is sound in a package and still most likely not meant.
#ifndef MUSTER_BINDINGS_LUAJIT_PACKAGE_DOUBTS_H_
#define MUSTER_BINDINGS_LUAJIT_PACKAGE_DOUBTS_H_

#include <vector>

#include "bindings/luajit/policy_package.h"

namespace muster::luajit {

/// Inputs in `reads`, accounts, labels and zones that are declared and that no hook reads; a folder
/// that is not called as the package is. By line. Precondition: CheckPackage finds nothing. Where a
/// view goes out of sight of the source, what is declared counts as read.
std::vector<PackageProblem> DoubtsAbout(const PackageSource& source);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_PACKAGE_DOUBTS_H_
