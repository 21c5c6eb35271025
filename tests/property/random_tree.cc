// Drawing a tree: shape first, then quotas, then rules.
#include "tests/property/random_tree.h"

#include <algorithm>

namespace muster::testing {
namespace {

ResourceQuota DrawQuota(Choices& choices, const std::string& resource, bool is_queue,
                        bool has_parent) {
  ResourceQuota quota;
  quota.name = resource;
  quota.nominal = DrawAmount(choices, resource, 6);
  if (has_parent && choices.OneIn(4)) quota.borrowing_limit = DrawAmount(choices, resource, 4);
  if (has_parent && choices.OneIn(4)) {
    quota.lending_limit = DrawAmount(choices, resource, 4);
    if (is_queue) quota.lending_limit = std::min(*quota.lending_limit, quota.nominal);
  }
  return quota;
}

std::vector<std::string> Shuffle(Choices& choices, std::vector<std::string> items) {
  for (std::size_t i = items.size(); i > 1; --i) {
    std::swap(items[i - 1], items[static_cast<std::size_t>(choices.Below(static_cast<int>(i)))]);
  }
  return items;
}

std::vector<ResourceGroup> DrawGroups(Choices& choices, Profile profile,
                                      std::vector<std::string> flavors, bool is_queue,
                                      bool has_parent) {
  flavors = Shuffle(choices, flavors);
  std::vector<ResourceGroup> groups(1);
  const int shape = profile == Profile::kDeep ? 0 : choices.Below(5);
  groups[0].covered_resources = {kCpu, kGpu};
  if (shape == 0) groups[0].covered_resources = {kGpu};
  if (shape == 1 && flavors.size() > 1) {
    groups[0].covered_resources = {kCpu};
    groups.push_back({.covered_resources = {kGpu}, .flavors = {}});
  }
  // Each group takes at least one flavor; a flavor belongs to one group.
  for (std::size_t i = 0; i < flavors.size(); ++i) {
    if (i >= groups.size() && choices.OneIn(4)) continue;
    ResourceGroup& group = groups[i % groups.size()];
    FlavorQuotas quotas{.name = flavors[i], .resources = {}};
    for (const std::string& resource : group.covered_resources) {
      quotas.resources.push_back(DrawQuota(choices, resource, is_queue, has_parent));
    }
    group.flavors.push_back(quotas);
  }
  return groups;
}

std::vector<std::string> AddCohorts(Choices& choices, Profile profile,
                                    const std::vector<std::string>& flavors, World& world) {
  std::vector<std::string> names;
  const bool deep = profile == Profile::kDeep;
  const int count = deep ? choices.Between(2, 4) : choices.Pick<int>({0, 1, 1, 1, 2, 3});
  for (int i = 0; i < count; ++i) {
    Cohort cohort;
    cohort.name = Number("cohort-", i);
    if (i > 0 && (deep || !choices.OneIn(8))) {
      cohort.parent = choices.Flip() ? names.back() : choices.Pick(names);
    }
    const bool has_parent = !cohort.parent.empty();
    if (choices.Flip()) {
      cohort.resource_groups =
          DrawGroups(choices, profile, flavors, /*is_queue=*/false, has_parent);
    }
    names.push_back(cohort.name);
    const bool says_nothing = !has_parent && cohort.resource_groups.empty();
    if (!says_nothing || choices.Flip()) world.emplace_back(cohort);
  }
  return names;
}

std::vector<ClusterQueue> AddQueues(Choices& choices, Profile profile,
                                    const std::vector<std::string>& flavors,
                                    const std::vector<std::string>& cohorts, World& world) {
  std::vector<ClusterQueue> queues;
  const bool deep = profile == Profile::kDeep;
  const int count = deep ? choices.Between(2, 5) : choices.Pick<int>({1, 2, 2, 3, 3, 4});
  for (int i = 0; i < count; ++i) {
    ClusterQueue queue;
    queue.name = Number("queue-", i);
    if (!cohorts.empty() && (deep || !choices.OneIn(8))) queue.cohort = choices.Pick(cohorts);
    queue.resource_groups =
        DrawGroups(choices, profile, flavors, /*is_queue=*/true, !queue.cohort.empty());
    DrawRules(choices, profile, queue);
    queues.push_back(queue);
    world.emplace_back(queue);
    LocalQueue local;
    local.key = {kNamespace, queue.name};
    local.cluster_queue = queue.name;
    world.emplace_back(local);
  }
  return queues;
}

}  // namespace

void DrawRules(Choices& choices, Profile profile, ClusterQueue& queue) {
  using enum PreemptionPolicy;
  PreemptionRules& rules = queue.preemption = {};
  rules.within_cluster_queue = choices.Pick<PreemptionPolicy>(
      {kNever, kLowerPriority, kLowerPriority, kLowerOrNewerEqualPriority});
  rules.reclaim_within_cohort =
      choices.Pick<PreemptionPolicy>({kNever, kLowerPriority, kAny, kAny});
  if (profile == Profile::kDeep) {
    rules.reclaim_within_cohort = choices.Flip() ? kLowerPriority : kAny;
  }
  if (rules.reclaim_within_cohort != kNever && choices.Flip()) {
    rules.borrow_within_cohort = kLowerPriority;
    if (choices.OneIn(3)) rules.max_priority_threshold = choices.Between(-1, 2);
  }
  using enum FungibilityPolicy;
  FlavorFungibility& fungibility = queue.flavor_fungibility = {};
  fungibility.when_can_borrow = choices.Flip() ? kTryNextFlavor : kMayStopSearch;
  fungibility.when_can_preempt = choices.Flip() ? kTryNextFlavor : kMayStopSearch;
  if (fungibility.when_can_borrow == kTryNextFlavor &&
      fungibility.when_can_preempt == kTryNextFlavor && choices.Flip()) {
    fungibility.preference = choices.Flip() ? FungibilityPreference::kPreemptionOverBorrowing
                                            : FungibilityPreference::kBorrowingOverPreemption;
  }
  queue.queueing_strategy =
      choices.OneIn(3) ? QueueingStrategy::kStrictFifo : QueueingStrategy::kBestEffortFifo;
  queue.namespace_selector.emplace();
}

Quantity DrawAmount(Choices& choices, const std::string& resource, int most) {
  const bool halves = resource == kCpu && choices.OneIn(4);
  return halves ? Quantity::Milli(500 * choices.Below(2 * most + 1))
                : Quantity::Units(choices.Below(most + 1));
}

std::vector<ClusterQueue> AddTree(Choices& choices, Profile profile,
                                  const std::vector<std::string>& flavors, World& world) {
  const std::vector<std::string> cohorts = AddCohorts(choices, profile, flavors, world);
  return AddQueues(choices, profile, flavors, cohorts, world);
}

}  // namespace muster::testing
