// What proves a policy package: its own specs and goldens, run before it may decide anything, and
// the mistakes in it that they would not notice.
#ifndef MUSTER_BINDINGS_LAB_SPECS_H_
#define MUSTER_BINDINGS_LAB_SPECS_H_

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "bindings/luajit/mutants.h"
#include "bindings/luajit/policy_package.h"
#include "bindings/luajit/spec_runner.h"
#include "muster/status.h"

namespace muster::lab {

/// Runs what `muster policy test` runs for the package in `folder`: ok, also when it has no tests,
/// or kInvalidArgument with every test that failed and its file:line. Safe on any thread. Where
/// `doubt` is not null it is set to why they show nothing, such as that all are pending, or to
/// nothing.
Status RunOwnTests(const std::string& folder, std::string* doubt = nullptr);

/// How many passed, failed and are pending.
std::array<std::size_t, 3> CountVerdicts(const std::vector<luajit::SpecCase>& cases);

/// "policies/x/policy_spec.lua:12".
std::string PlaceOf(const luajit::SpecCase& each);

/// Why tests that did not fail show nothing: there are none, or all are pending; empty: they do.
std::string WhyNothingIsShown(const std::vector<luajit::SpecCase>& cases);

/// "3 passed, 1 failed, 1 pending".
std::string SpecTotals(const std::vector<luajit::SpecCase>& cases);

/// The text of the package's policy.lua; empty when there is none.
std::string PolicyText(const luajit::PackageSource& source);

struct MutantRun {
  std::size_t all = 0;                    ///< that there are
  std::size_t tried = 0;                  ///< fewer when the time was up
  std::vector<luajit::Mutant> survivors;  ///< of those tried, that nothing noticed
};

/// Runs the specs on the mutants of the package, one by one in the order of the source. None is
/// begun once `seconds` have passed.
MutantRun TryMutants(const luajit::PackageSource& source, luajit::SpecOptions options,
                     double seconds);

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_SPECS_H_
