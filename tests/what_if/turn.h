// What becomes of one job in its turn, in a world that is changed by hand.
#ifndef MUSTER_TESTS_WHAT_IF_TURN_H_
#define MUSTER_TESTS_WHAT_IF_TURN_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "muster/engine.h"
#include "tests/property/random_world.h"

namespace muster::testing {

inline bool Waits(const Workload& workload) { return !workload.status.admission; }

// The world in which it is the turn of `key`: nothing else waits.
inline World WithoutOthers(const World& world, const Key& key) {
  World alone;
  for (const Object& object : world) {
    const auto* const workload = std::get_if<Workload>(&object);
    if (workload == nullptr || !Waits(*workload) || workload->key == key) alone.push_back(object);
  }
  return alone;
}

// What its first cycle does, from nothing.
enum class Turn { kStarts, kMakesRoom, kWaits };
inline Turn TryTurn(const World& alone, const Key& key) {
  Engine engine;
  EXPECT_TRUE(engine.Apply(alone, kNow, MissingReference::kAccept).ok());
  const Result<CycleResult> cycle = engine.RunCycle(kNow);
  EXPECT_TRUE(cycle.ok());
  if (!cycle->preempted.empty()) return Turn::kMakesRoom;
  const bool starts =
      std::any_of(cycle->admitted.begin(), cycle->admitted.end(),
                  [&](const AdmittedWorkload& admitted) { return admitted.workload == key; });
  return starts ? Turn::kStarts : Turn::kWaits;
}

inline std::vector<ResourceGroup>* GroupsOf(Object& object, ObjectKind kind,
                                            const std::string& name) {
  if (auto* const queue = std::get_if<ClusterQueue>(&object)) {
    return kind == ObjectKind::kClusterQueue && queue->name == name ? &queue->resource_groups
                                                                    : nullptr;
  }
  auto* const cohort = std::get_if<Cohort>(&object);
  return cohort != nullptr && kind == ObjectKind::kCohort && cohort->name == name
             ? &cohort->resource_groups
             : nullptr;
}

inline ResourceQuota* FindQuota(World& world, const QuotaRaise& raise) {
  for (Object& object : world) {
    auto* const groups = GroupsOf(object, raise.kind, raise.name);
    if (groups == nullptr) continue;
    for (ResourceGroup& group : *groups) {
      for (FlavorQuotas& flavor : group.flavors) {
        for (ResourceQuota& quota : flavor.resources) {
          if (flavor.name == raise.flavor && quota.name == raise.resource) return &quota;
        }
      }
    }
  }
  return nullptr;
}

// With the value of one raise.
inline void Put(World& world, const QuotaRaise& raise, Amount value) {
  ResourceQuota* const quota = FindQuota(world, raise);
  ASSERT_NE(quota, nullptr);
  const Quantity quantity =
      raise.resource == "cpu" ? Quantity::Milli(value) : Quantity::Units(value);
  if (raise.field == QuotaField::kNominalQuota) {
    quota->nominal = quantity;
  } else {
    ASSERT_TRUE(quota->borrowing_limit.has_value());
    quota->borrowing_limit = quantity;
  }
}

}  // namespace muster::testing

#endif  // MUSTER_TESTS_WHAT_IF_TURN_H_
