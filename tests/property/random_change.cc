// Each change keeps the object valid: no limits without a parent, no cycle of cohorts.
#include "tests/property/random_change.h"

#include <algorithm>

#include "tests/property/random_tree.h"

namespace muster::testing {
namespace {

std::vector<std::string> FlavorsOf(const World& world) {
  std::vector<std::string> names;
  for (const Object& object : world) {
    if (const auto* flavor = std::get_if<ResourceFlavor>(&object)) names.push_back(flavor->name);
  }
  return names;
}

// A cohort that exists; those of lower name than `below`, so that none is its own ancestor.
std::string PickCohort(Choices& choices, const World& world, const std::string& below) {
  std::vector<std::string> names = {""};
  for (const Object& object : world) {
    const auto* cohort = std::get_if<Cohort>(&object);
    if (cohort != nullptr && (below.empty() || cohort->name < below)) names.push_back(cohort->name);
  }
  return choices.Pick(names);
}

void DropLimits(std::vector<ResourceGroup>& groups) {
  for (ResourceGroup& group : groups) {
    for (FlavorQuotas& flavor : group.flavors) {
      for (ResourceQuota& quota : flavor.resources) {
        quota.borrowing_limit = quota.lending_limit = std::nullopt;
      }
    }
  }
}

void ChangeQuota(Choices& choices, bool has_parent, std::vector<ResourceGroup>& groups) {
  if (groups.empty()) return;
  ResourceGroup& group =
      groups[static_cast<std::size_t>(choices.Below(static_cast<int>(groups.size())))];
  const int flavors = static_cast<int>(group.flavors.size());
  auto& resources = group.flavors[static_cast<std::size_t>(choices.Below(flavors))].resources;
  const int count = static_cast<int>(resources.size());
  ResourceQuota& quota = resources[static_cast<std::size_t>(choices.Below(count))];
  quota.nominal = DrawAmount(choices, quota.name, 6);
  if (has_parent && choices.OneIn(4)) quota.borrowing_limit = DrawAmount(choices, quota.name, 3);
  if (quota.lending_limit) quota.lending_limit = std::min(*quota.lending_limit, quota.nominal);
}

// Takes out the first flavor of a group, or puts in one that the queue does not have yet.
void ChangeFlavors(Choices& choices, const World& world, std::vector<ResourceGroup>& groups) {
  ResourceGroup& group =
      groups[static_cast<std::size_t>(choices.Below(static_cast<int>(groups.size())))];
  if (group.flavors.size() > 1 && choices.Flip()) {
    group.flavors.erase(group.flavors.begin());
    return;
  }
  for (const std::string& name : FlavorsOf(world)) {
    const bool known = std::any_of(groups.begin(), groups.end(), [&](const ResourceGroup& g) {
      return std::any_of(g.flavors.begin(), g.flavors.end(),
                         [&](const FlavorQuotas& flavor) { return flavor.name == name; });
    });
    if (known) continue;
    FlavorQuotas added = group.flavors.front();
    added.name = name;
    group.flavors.insert(choices.Flip() ? group.flavors.begin() : group.flavors.end(), added);
    return;
  }
}

// Written out or not, it means the same.
Presence DrawPresence(Choices& choices) {
  return choices.Flip() ? Presence::kWritten : Presence::kAbsent;
}

void Change(Choices& choices, const World& world, ClusterQueue& queue) {
  switch (choices.Below(11)) {
    case 0:
    case 1:
    case 2:
      return ChangeQuota(choices, !queue.cohort.empty(), queue.resource_groups);
    case 3:
      return ChangeFlavors(choices, world, queue.resource_groups);
    case 4:
      queue.cohort = PickCohort(choices, world, "");
      if (queue.cohort.empty()) DropLimits(queue.resource_groups);
      return;
    case 5:
    case 6:
      queue.stop_policy = choices.Pick<StopPolicy>(
          {StopPolicy::kNone, StopPolicy::kNone, StopPolicy::kHold, StopPolicy::kHoldAndDrain});
      return;
    case 7:
      DrawRules(choices, Profile::kBroad, queue);
      return;
    case 8:
      queue.fair_sharing = DrawPresence(choices);
      queue.admission_checks_strategy = DrawPresence(choices);
      return;
    case 9:
      queue.admission_mode = choices.Pick<AdmissionMode>(
          {AdmissionMode::kNone, AdmissionMode::kUsageBased, AdmissionMode::kNoFairSharing});
      return;
    default:
      return;  // the same once more
  }
}

void Change(Choices& choices, const World& world, Cohort& cohort) {
  if (choices.OneIn(3)) cohort.parent = PickCohort(choices, world, cohort.name);
  if (cohort.parent.empty()) DropLimits(cohort.resource_groups);
  if (choices.Flip()) ChangeQuota(choices, !cohort.parent.empty(), cohort.resource_groups);
  if (choices.OneIn(4)) cohort.fair_sharing = DrawPresence(choices);
}

void Change(Choices& choices, const World&, LocalQueue& queue) {
  if (choices.OneIn(3)) {
    queue.fair_weight = choices.Pick<double>({0.5, 1, 2});
    return;
  }
  queue.stop_policy = choices.Pick<StopPolicy>(
      {StopPolicy::kNone, StopPolicy::kNone, StopPolicy::kHold, StopPolicy::kHoldAndDrain});
}

}  // namespace

Object ChangeSomething(Choices& choices, World& world) {
  std::vector<Object*> changeable;
  for (Object& object : world) {
    const ObjectKind kind = KindOf(object);
    const int times = kind == ObjectKind::kClusterQueue ? 4 : kind == ObjectKind::kCohort ? 2 : 1;
    const bool may = kind == ObjectKind::kClusterQueue || kind == ObjectKind::kCohort ||
                     kind == ObjectKind::kLocalQueue;
    for (int i = 0; may && i < times; ++i) changeable.push_back(&object);
  }
  Object& object = *choices.Pick(changeable);
  if (auto* queue = std::get_if<ClusterQueue>(&object)) Change(choices, world, *queue);
  if (auto* cohort = std::get_if<Cohort>(&object)) Change(choices, world, *cohort);
  if (auto* queue = std::get_if<LocalQueue>(&object)) Change(choices, world, *queue);
  return object;
}

}  // namespace muster::testing
