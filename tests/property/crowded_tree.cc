#include "tests/property/crowded_tree.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "tests/testing/builders.h"

namespace muster::testing {
namespace {

/// A flavor may be in one group alone: with both resources.
void Join(std::vector<ResourceGroup>& groups) {
  for (std::size_t i = 1; i < groups.size(); ++i) {
    std::vector<ResourceQuota>& all = groups[0].flavors[0].resources;
    all.push_back(groups[i].flavors[0].resources[0]);
    groups[0].covered_resources.push_back(groups[i].covered_resources[0]);
  }
  if (!groups.empty()) groups.resize(1);
}

}  // namespace

std::vector<Object> MakeCrowdedTree(Choices& choices) {
  Configuration configuration;
  FairSharingConfig fair;
  if (choices.OneIn(3)) {
    fair.preemption_strategies = {
        choices.Pick<PreemptionStrategy>({PreemptionStrategy::kLessThanOrEqualToFinalShare,
                                          PreemptionStrategy::kLessThanInitialShare})};
  }
  configuration.fair_sharing = fair;
  std::vector<Object> objects = {MakeNamespace(), MakeFlavor("f"), MakeFlavor("g"), configuration};
  const auto quotas = [&](int most) {
    std::vector<Quota> all;
    for (const char* resource : {"cpu", "gpus"}) {
      Quota quota{"f", resource, choices.Below(most + 1)};
      if (choices.OneIn(6)) quota.borrow = choices.Below(5);
      if (choices.OneIn(6)) quota.lend = std::min<std::int64_t>(choices.Below(3), quota.nominal);
      all.push_back(quota);
    }
    return all;
  };
  const int cohorts = choices.Between(1, 5);
  for (int i = 0; i < cohorts; ++i) {
    Cohort cohort{"c" + std::to_string(i), "", MakeGroups({}), 1.0};
    if (i > 0) cohort.parent = "c" + std::to_string(choices.Below(i));
    std::vector<Quota> own = quotas(6);
    for (Quota& quota : own) {
      if (i == 0) quota.borrow = quota.lend = std::nullopt;
    }
    cohort.resource_groups = MakeGroups(own);
    cohort.fair_weight = choices.Pick<double>({1, 1, 1, 0.5, 2, 0});
    Join(cohort.resource_groups);
    objects.emplace_back(cohort);
  }
  const std::vector<PreemptionPolicy> policies = {PreemptionPolicy::kNever, PreemptionPolicy::kAny,
                                                  PreemptionPolicy::kLowerPriority,
                                                  PreemptionPolicy::kLowerOrNewerEqualPriority};
  const std::vector<PreemptionPolicy> within = {policies[0], policies[2], policies[3]};
  const bool alike = choices.Flip();  // neighbours then share their view
  const PreemptionRules rules{choices.Pick(within), choices.Pick(policies),
                              PreemptionPolicy::kNever, std::nullopt};
  int jobs = 0;
  for (int i = choices.Between(3, 12); i > 0; --i) {
    const std::string name = "q" + std::to_string(10 + i);
    ClusterQueue queue =
        MakeQueue(name, "c" + std::to_string(choices.Below(cohorts)), quotas(2), rules);
    if (!alike) queue.preemption.within_cluster_queue = choices.Pick(within);
    if (!alike) queue.preemption.reclaim_within_cohort = choices.Pick(policies);
    queue.fair_weight = choices.Pick<double>({1, 1, 1, 1, 0.5, 2, 0});
    Join(queue.resource_groups);
    objects.emplace_back(queue);
    objects.push_back(MakeLocalQueue(name));
    for (int job = choices.Below(5); job > 0; --job) {
      const ResourceList request = {{"cpu", Quantity::Units(choices.Below(3))},
                                    {"gpus", Quantity::Units(choices.Below(2))}};
      Workload holder = MakeWorkload("w" + std::to_string(++jobs), name, request, choices.Below(3));
      holder.created = kNoon + choices.Below(3) * kSecond;
      holder = Holding(holder, name, "f", kNoon + choices.Below(3) * kSecond);
      if (choices.OneIn(10)) {
        holder.status.conditions.push_back({"Evicted", true, "Preempted", "", kNoon});
      }
      objects.emplace_back(holder);
    }
    const ResourceList request = {{"cpu", Quantity::Units(choices.Below(4))},
                                  {"gpus", Quantity::Units(choices.Below(3))}};
    Workload head = MakeWorkload("head-" + name, name, request, choices.Below(4));
    head.created = kNoon + choices.Below(3) * kSecond;
    objects.emplace_back(head);
  }
  return objects;
}

}  // namespace muster::testing
