// Which mistakes in a policy its specs would not notice.
#ifndef MUSTER_BINDINGS_LAB_SURVIVING_MUTANTS_H_
#define MUSTER_BINDINGS_LAB_SURVIVING_MUTANTS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "bindings/luajit/mutants.h"
#include "bindings/luajit/policy_package.h"
#include "bindings/luajit/spec_runner.h"

namespace muster::lab {

/// The text of the package's policy.lua; empty when there is none.
std::string PolicyText(const luajit::PackageSource& source);

/// Runs the specs on every mutant of the package: those that nothing noticed. `tried`: how many
/// there were.
std::vector<luajit::Mutant> SurvivingMutants(const luajit::PackageSource& source,
                                             luajit::SpecOptions options, std::size_t* tried);

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_SURVIVING_MUTANTS_H_
