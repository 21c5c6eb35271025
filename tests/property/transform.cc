// Each transformation touches exactly the fields its law speaks of.
#include "tests/property/transform.h"

#include <algorithm>
#include <set>
#include <utility>

namespace muster::testing {
namespace {

void ScaleQuantity(Quantity& quantity, int factor) {
  quantity = Quantity::FromNano(quantity.nano() * factor);
}

void ScaleAll(ResourceList& list, int factor) {
  for (auto& [resource, quantity] : list) ScaleQuantity(quantity, factor);
}

void ScaleAll(std::vector<ResourceGroup>& groups, int factor) {
  for (ResourceGroup& group : groups) {
    for (FlavorQuotas& flavor : group.flavors) {
      for (ResourceQuota& quota : flavor.resources) {
        ScaleQuantity(quota.nominal, factor);
        if (quota.borrowing_limit) ScaleQuantity(*quota.borrowing_limit, factor);
        if (quota.lending_limit) ScaleQuantity(*quota.lending_limit, factor);
      }
    }
  }
}

void ScaleAll(Admission& admission, int factor) {
  for (PodSetAssignment& pod_set : admission.pod_sets) ScaleAll(pod_set.resource_usage, factor);
}

}  // namespace

World ShuffleObjects(Choices& choices, World world) {
  for (std::size_t i = world.size(); i > 1; --i) {
    std::swap(world[i - 1], world[static_cast<std::size_t>(choices.Below(static_cast<int>(i)))]);
  }
  return world;
}

Renaming::Renaming(Choices& choices, const World& world) {
  for (const Object& object : world) {
    if (std::holds_alternative<Namespace>(object)) continue;
    names_[KeyOf(object).name];
    if (const auto* queue = std::get_if<ClusterQueue>(&object)) names_[queue->cohort];
    if (const auto* workload = std::get_if<Workload>(&object)) names_[workload->uid];
  }
  names_.erase("");
  int number = 100;
  for (auto& [old, name] : names_) {
    number += choices.Between(1, 20);
    name = "n" + std::to_string(number);
  }
}

void Renaming::Rename(std::string& name) const {
  const auto found = names_.find(name);
  if (found != names_.end()) name = found->second;
}

void Renaming::Rename(Text& name) const {
  const auto found = names_.find(name.str());
  if (found != names_.end()) name = found->second;
}

void Renaming::Rename(std::vector<ResourceGroup>& groups) const {
  for (ResourceGroup& group : groups) {
    for (FlavorQuotas& flavor : group.flavors) Rename(flavor.name);
  }
}

void Renaming::Rename(Admission& admission) const {
  Rename(admission.cluster_queue);
  for (PodSetAssignment& pod_set : admission.pod_sets) {
    for (auto& [resource, flavor] : pod_set.flavors) Rename(flavor);
  }
}

World Renaming::Apply(World world) const {
  for (Object& object : world) {
    if (auto* flavor = std::get_if<ResourceFlavor>(&object)) Rename(flavor->name);
    if (auto* cohort = std::get_if<Cohort>(&object)) {
      Rename(cohort->name);
      Rename(cohort->parent);
      Rename(cohort->resource_groups);
    }
    if (auto* queue = std::get_if<ClusterQueue>(&object)) {
      Rename(queue->name);
      Rename(queue->cohort);
      Rename(queue->resource_groups);
    }
    if (auto* queue = std::get_if<LocalQueue>(&object)) {
      Rename(queue->key.name);
      Rename(queue->cluster_queue);
    }
    if (auto* workload = std::get_if<Workload>(&object)) {
      Rename(workload->key.name);
      Rename(workload->uid);
      Rename(workload->queue);
      if (workload->status.admission) Rename(*workload->status.admission);
    }
  }
  return world;
}

oracle::Outcome Renaming::Apply(const oracle::Outcome& outcome) const {
  const auto renamed = [&](Key key) {
    Rename(key.name);
    return key;
  };
  oracle::Outcome result;
  for (const auto& [key, admission] : outcome.admitted) {
    Rename(result.admitted[renamed(key)] = admission);
  }
  for (const auto& [key, why] : outcome.preempted) {
    result.preempted[renamed(key)] = {why.first, renamed(why.second)};
  }
  for (const auto& [key, fate] : outcome.pending) {
    Rename((result.pending[renamed(key)] = fate).cluster_queue);
  }
  return result;
}

World Scale(World world, int factor) {
  for (Object& object : world) {
    if (auto* cohort = std::get_if<Cohort>(&object)) ScaleAll(cohort->resource_groups, factor);
    if (auto* queue = std::get_if<ClusterQueue>(&object)) ScaleAll(queue->resource_groups, factor);
    if (auto* workload = std::get_if<Workload>(&object)) {
      for (PodSet& pod_set : workload->pod_sets) {
        for (Container& container : pod_set.pods.containers) ScaleAll(container.requests, factor);
      }
      if (workload->status.admission) ScaleAll(*workload->status.admission, factor);
    }
  }
  return world;
}

oracle::Outcome Scale(oracle::Outcome outcome, int factor) {
  for (auto& [key, admission] : outcome.admitted) ScaleAll(admission, factor);
  return outcome;
}

World AddIdleQueue(Choices& choices, World world) {
  std::vector<ClusterQueue> queues;
  for (const Object& object : world) {
    if (const auto* queue = std::get_if<ClusterQueue>(&object)) queues.push_back(*queue);
  }
  ClusterQueue idle = choices.Pick(queues);
  idle.name = choices.Flip() ? "a-idle" : "z-idle";
  if (choices.OneIn(4)) idle.cohort.clear();
  for (ResourceGroup& group : idle.resource_groups) {
    for (FlavorQuotas& flavor : group.flavors) {
      for (ResourceQuota& quota : flavor.resources) {
        quota.nominal = Quantity();
        if (quota.lending_limit) quota.lending_limit = Quantity();
        if (idle.cohort.empty()) quota.borrowing_limit = quota.lending_limit = std::nullopt;
      }
    }
  }
  LocalQueue local;
  local.key = {"default", idle.name};
  local.cluster_queue = idle.name;
  world.emplace_back(idle);
  world.emplace_back(local);
  return world;
}

}  // namespace muster::testing
