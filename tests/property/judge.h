// Engine and oracle on the same world, and what to show when they differ.
#ifndef MUSTER_TESTS_PROPERTY_JUDGE_H_
#define MUSTER_TESTS_PROPERTY_JUDGE_H_

#include <functional>
#include <optional>
#include <string>

#include "tests/oracle/world.h"
#include "tests/property/random_world.h"

namespace muster::testing {

/// One cycle of a new engine over `world`. An error of the engine is a failure of the test.
oracle::Outcome Decide(const World& world);

/// The world after that cycle, once every eviction it ordered is done.
World PassOn(const World& world);

/// What an outcome says, one line per workload.
std::string Describe(const oracle::Outcome& outcome);

/// nullopt when engine and oracle agree on one cycle. Otherwise the smallest world that was found
/// where they do not, as a YAML case, and both outcomes.
std::optional<std::string> FindDisagreement(const World& world);

/// `world` without all that can go while `fails` stays true. What needs a removed queue goes
/// too.
World Shrink(World world, const std::function<bool(const World&)>& fails);

/// `world` without the object at `index` and what needs it, if that is a ClusterQueue.
World Drop(const World& world, std::size_t index);
/// Whether Shrink tries to do without the object.
bool IsDroppable(const Object& object);

/// The world as a file for `muster schedule -f`.
std::string ToCase(const World& world);

}  // namespace muster::testing

#endif  // MUSTER_TESTS_PROPERTY_JUDGE_H_
