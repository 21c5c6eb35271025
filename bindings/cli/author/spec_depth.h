// How much specs prove: what of a policy they reach, and which mistakes in it they would notice.
#ifndef MUSTER_BINDINGS_CLI_AUTHOR_SPEC_DEPTH_H_
#define MUSTER_BINDINGS_CLI_AUTHOR_SPEC_DEPTH_H_

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/luajit/coverage.h"
#include "bindings/luajit/mutants.h"
#include "bindings/luajit/policy_package.h"
#include "bindings/luajit/spec_runner.h"

namespace muster::cli {

/// Percent, then every missed line and branch with its place.
void PrintCoverage(const luajit::PackageSource& source, const luajit::Coverage& coverage,
                   std::ostream& out);

void PrintMutants(const luajit::PackageSource& source, const std::vector<luajit::Mutant>& survivors,
                  std::size_t tried, std::ostream& out);

/// Lines that nothing reaches on which loading tries a package.
void PrintNotTried(const luajit::PackageSource& source, std::ostream& out);

/// How many of the mutants that were tried some test noticed, without their places.
void PrintNoticed(std::size_t noticed, std::size_t tried, std::size_t all, std::ostream& out);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_AUTHOR_SPEC_DEPTH_H_
