// Drawing a world: shape first, then quotas and rules, then who runs and who waits.
#include "tests/property/random_world.h"

#include <algorithm>
#include <string>

namespace muster::testing {
namespace {

constexpr const char* kNamespace = "default";
constexpr const char* kCpu = "cpu";
constexpr const char* kGpu = "nvidia.com/gpu";

std::string Number(const char* prefix, int i) { return prefix + std::to_string(i); }

Quantity DrawAmount(Choices& choices, const std::string& resource, int most) {
  const bool halves = resource == kCpu && choices.OneIn(4);
  return halves ? Quantity::Milli(500 * choices.Below(2 * most + 1))
                : Quantity::Units(choices.Below(most + 1));
}

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

std::vector<ResourceGroup> DrawGroups(Choices& choices, std::vector<std::string> flavors,
                                      bool is_queue, bool has_parent) {
  flavors = Shuffle(choices, flavors);
  std::vector<ResourceGroup> groups(1);
  const int shape = choices.Below(5);
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

void DrawRules(Choices& choices, ClusterQueue& queue) {
  using enum PreemptionPolicy;
  PreemptionRules& rules = queue.preemption;
  rules.within_cluster_queue = choices.Pick<PreemptionPolicy>(
      {kNever, kLowerPriority, kLowerPriority, kLowerOrNewerEqualPriority});
  rules.reclaim_within_cohort =
      choices.Pick<PreemptionPolicy>({kNever, kLowerPriority, kAny, kAny});
  if (rules.reclaim_within_cohort != kNever && choices.Flip()) {
    rules.borrow_within_cohort = kLowerPriority;
    if (choices.OneIn(3)) rules.max_priority_threshold = choices.Between(-1, 2);
  }
  using enum FungibilityPolicy;
  FlavorFungibility& fungibility = queue.flavor_fungibility;
  fungibility.when_can_borrow = choices.Flip() ? kTryNextFlavor : kMayStopSearch;
  fungibility.when_can_preempt = choices.Flip() ? kTryNextFlavor : kMayStopSearch;
  if (fungibility.when_can_borrow == kTryNextFlavor &&
      fungibility.when_can_preempt == kTryNextFlavor && choices.Flip()) {
    fungibility.preference = choices.Flip() ? FungibilityPreference::kPreemptionOverBorrowing
                                            : FungibilityPreference::kBorrowingOverPreemption;
  }
  if (choices.OneIn(3)) queue.queueing_strategy = QueueingStrategy::kStrictFifo;
  queue.namespace_selector.emplace();
}

std::vector<std::string> AddCohorts(Choices& choices, const std::vector<std::string>& flavors,
                                    World& world) {
  std::vector<std::string> names;
  const int count = choices.Pick<int>({0, 1, 1, 1, 2, 3, 3});
  for (int i = 0; i < count; ++i) {
    Cohort cohort;
    cohort.name = Number("cohort-", i);
    if (i > 0 && !choices.OneIn(8)) {
      cohort.parent = choices.Flip() ? names.back() : choices.Pick(names);
    }
    const bool has_parent = !cohort.parent.empty();
    if (choices.Flip()) {
      cohort.resource_groups = DrawGroups(choices, flavors, /*is_queue=*/false, has_parent);
    }
    names.push_back(cohort.name);
    const bool says_nothing = !has_parent && cohort.resource_groups.empty();
    if (!says_nothing || choices.Flip()) world.emplace_back(cohort);
  }
  return names;
}

std::vector<ClusterQueue> AddQueues(Choices& choices, const std::vector<std::string>& flavors,
                                    const std::vector<std::string>& cohorts, World& world) {
  std::vector<ClusterQueue> queues;
  const int count = choices.Pick<int>({1, 2, 2, 3, 3, 4});
  for (int i = 0; i < count; ++i) {
    ClusterQueue queue;
    queue.name = Number("queue-", i);
    if (!cohorts.empty() && !choices.OneIn(8)) queue.cohort = choices.Pick(cohorts);
    queue.resource_groups = DrawGroups(choices, flavors, /*is_queue=*/true, !queue.cohort.empty());
    DrawRules(choices, queue);
    queues.push_back(queue);
    world.emplace_back(queue);
    LocalQueue local;
    local.key = {kNamespace, queue.name};
    local.cluster_queue = queue.name;
    world.emplace_back(local);
  }
  return queues;
}

bool Covers(const ClusterQueue& queue, const std::string& resource) {
  return std::any_of(queue.resource_groups.begin(), queue.resource_groups.end(),
                     [&](const ResourceGroup& group) {
                       const auto& covered = group.covered_resources;
                       return std::count(covered.begin(), covered.end(), resource) > 0;
                     });
}

Workload DrawWorkload(Choices& choices, const ClusterQueue& queue, int number) {
  Workload workload;
  workload.key = {kNamespace, Number("w", number)};
  // Neither in the order of names nor of creation, so that a forgotten tie-break shows.
  workload.uid = Number("u", (number * 7) % 10) + std::to_string(number);
  workload.created = kNow - (60 + choices.Below(4)) * 60 * kSecond;
  workload.queue = queue.name;
  if (!choices.OneIn(4)) workload.priority = choices.Between(-1, 2);
  const int pod_sets = choices.OneIn(4) ? 2 : 1;
  for (int i = 0; i < pod_sets; ++i) {
    PodSet pod_set;
    pod_set.name = Number("ps", i);
    pod_set.count = choices.OneIn(3) ? choices.Between(1, 3) : 1;
    Container container;
    container.name = "c";
    for (const char* resource : {kCpu, kGpu}) {
      if (choices.OneIn(4) || (!Covers(queue, resource) && !choices.OneIn(16))) continue;
      const bool nothing = choices.OneIn(12);
      container.requests[resource] = nothing ? Quantity() : DrawAmount(choices, resource, 3);
    }
    pod_set.pods.containers.push_back(container);
    workload.pod_sets.push_back(pod_set);
  }
  return workload;
}

void SetCondition(Workload& workload, const char* type, const char* reason, TimeNs since) {
  workload.status.conditions.push_back(
      {.type = type, .status = true, .reason = reason, .message = "", .since = since});
}

// Gives quota to `workload` in flavors of its queue, whether or not the quota is there.
void Reserve(Choices& choices, const ClusterQueue& queue, const std::vector<std::string>& flavors,
             Workload& workload) {
  Admission admission{.cluster_queue = queue.name, .pod_sets = {}};
  for (const PodSet& pod_set : workload.pod_sets) {
    PodSetAssignment assigned;
    assigned.name = pod_set.name;
    assigned.count = pod_set.count;
    for (const ResourceGroup& group : queue.resource_groups) {
      const bool foreign = choices.OneIn(16);
      const std::string flavor = foreign ? choices.Pick(flavors) : choices.Pick(group.flavors).name;
      for (const std::string& resource : group.covered_resources) {
        const auto asked = pod_set.pods.containers[0].requests.find(resource);
        if (asked == pod_set.pods.containers[0].requests.end()) continue;
        assigned.flavors[resource] = flavor;
        for (int i = 0; i < pod_set.count; ++i) {
          assigned.resource_usage[resource] = assigned.resource_usage[resource] + asked->second;
        }
      }
    }
    admission.pod_sets.push_back(assigned);
  }
  workload.status.admission = admission;
  const TimeNs since = kNow - (1 + choices.Below(4)) * 60 * kSecond;
  SetCondition(workload, "QuotaReserved", "QuotaReserved", since);
  SetCondition(workload, "Admitted", "Admitted", since);
  if (choices.OneIn(8)) SetCondition(workload, "Evicted", "Preempted", since + kSecond);
}

}  // namespace

World MakeRandomWorld(Choices& choices) {
  World world;
  std::vector<std::string> flavors;
  const int flavor_count = choices.Between(1, 3);
  // With the label that every namespace of a cluster has.
  world.emplace_back(Namespace{kNamespace, {{"kubernetes.io/metadata.name", kNamespace}}});
  for (int i = 0; i < flavor_count; ++i) {
    ResourceFlavor flavor;
    flavor.name = Number("flavor-", i);
    flavors.push_back(flavor.name);
    world.emplace_back(flavor);
  }
  const std::vector<std::string> cohorts = AddCohorts(choices, flavors, world);
  const std::vector<ClusterQueue> queues = AddQueues(choices, flavors, cohorts, world);
  const int holders = choices.Between(1, 7);
  const int waiting = choices.Between(1, 6);
  for (int i = 0; i < holders + waiting; ++i) {
    // Half of the holders crowd into the first queue, so that others have quota to reclaim.
    const bool crowd = i < holders && choices.Flip();
    const ClusterQueue queue = crowd ? queues.front() : choices.Pick(queues);
    Workload workload = DrawWorkload(choices, queue, i);
    if (i >= holders && choices.Flip()) workload.priority = 2;
    if (i > holders && choices.OneIn(4)) {
      const auto& before = std::get<Workload>(world.back());
      workload.queue = before.queue;
      workload.priority = before.priority;
      workload.pod_sets = before.pod_sets;
    }
    if (i < holders) Reserve(choices, queue, flavors, workload);
    world.emplace_back(workload);
  }
  return world;
}

}  // namespace muster::testing
