// Compares what a scenario expects of a cycle with what happened in it.
#ifndef MUSTER_BINDINGS_LAB_SCENARIO_EXPECT_H_
#define MUSTER_BINDINGS_LAB_SCENARIO_EXPECT_H_

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/lab/json.h"

namespace muster::lab {

/// What a step may be expected to have done, in the order of the JSON contract.
inline constexpr std::array<std::string_view, 3> kExpectable = {"admitted", "preempted", "pending"};

struct Mismatch {
  std::string path;  ///< "admitted.default/a.podSets[0].count"
  std::string expected;
  std::string got;
};

/// Every difference between `expect` and `step` (an entry of the JSON contract). Maps match as
/// subsets, null asserts absence, {} asserts an empty map, lists match element by element in full
/// length. A whole `expect: {}` asserts that nothing was admitted, preempted, evicted or left
/// pending.
/// A workload that is not among `workloads` ("namespace/name") is a mismatch of its own, because
/// asserting its absence would always hold.
std::vector<Mismatch> CompareStep(const Json& expect, const Json& step,
                                  const std::set<std::string>& workloads);

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_SCENARIO_EXPECT_H_
