// Every small world of a scope: a tree of cohorts and queues, quotas, rules and a few workloads,
// each taken from a short list of possibilities.
#ifndef MUSTER_TESTS_EXHAUSTIVE_SMALL_WORLD_H_
#define MUSTER_TESTS_EXHAUSTIVE_SMALL_WORLD_H_

#include <optional>
#include <string>
#include <vector>

#include "tests/property/random_world.h"
#include "tests/testing/choices.h"

namespace muster::testing {

/// Quota of one flavor in one node.
struct SmallQuota {
  int nominal = 0;
  std::optional<int> borrowing = std::nullopt;
  std::optional<int> lending = std::nullopt;
};

struct SmallJob {
  std::optional<int> holds;  ///< index of the flavor it runs in; unset: it waits
  int size = 1;
  int priority = 0;
};

struct WorldScope {
  std::vector<int> nodes = {1, 2, 3, 4};  ///< cohorts and queues together
  int flavors = 1;
  std::vector<SmallQuota> queue_quotas = {{.nominal = 2}};
  std::vector<SmallQuota> cohort_quotas = {{}};
  std::vector<PreemptionRules> rules = {{}};          ///< one for all queues
  std::vector<FlavorFungibility> fungibility = {{}};  ///< one for all queues
  std::vector<std::vector<SmallJob>> jobs;            ///< per workload, what it may be
};

World MakeSmallWorld(Choices& choices, const WorldScope& scope);

}  // namespace muster::testing

#endif  // MUSTER_TESTS_EXHAUSTIVE_SMALL_WORLD_H_
