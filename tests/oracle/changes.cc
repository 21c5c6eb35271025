// Objects and workloads that change while others run (sections 3.6, 5.6 and 10).
#include <algorithm>

#include "tests/oracle/history.h"

namespace muster::oracle {
namespace {

// Where the object stands in the quota tree; empty: nowhere.
std::string NodeOf(const Object& object) {
  if (std::holds_alternative<ClusterQueue>(object)) return "queue/" + KeyOf(object).name;
  if (std::holds_alternative<Cohort>(object)) return "cohort/" + KeyOf(object).name;
  return "";
}

bool Names(const ClusterQueue& queue, const ResourceFlavor& flavor) {
  for (const ResourceGroup& group : queue.resource_groups) {
    for (const FlavorQuotas& quotas : group.flavors) {
      if (quotas.name == flavor.name) return true;
    }
  }
  return false;
}

// "When resource groups or the tree change."
bool ChangesQuota(const Object& before, const Object& after) {
  if (const auto* queue = std::get_if<ClusterQueue>(&after)) {
    const auto& old = std::get<ClusterQueue>(before);
    return old.cohort != queue->cohort || old.resource_groups != queue->resource_groups;
  }
  if (const auto* cohort = std::get_if<Cohort>(&after)) {
    const auto& old = std::get<Cohort>(before);
    return old.parent != cohort->parent || old.resource_groups != cohort->resource_groups;
  }
  return false;
}

}  // namespace

void History::Happen(const Apply& step) {
  const Key key = KeyOf(step.object);
  const auto place = std::find_if(objects_.begin(), objects_.end(), [&](const Object& other) {
    return KindOf(other) == KindOf(step.object) && KeyOf(other) == key;
  });
  const bool is_new = place == objects_.end();
  if (is_new || *place != step.object) {
    const std::set<std::string> old_tree = TreeOf(NodeOf(step.object));
    const Object before = is_new ? step.object : *place;
    if (is_new) objects_.push_back(step.object);
    if (!is_new) *place = step.object;
    std::set<std::string> tree = TreeOf(NodeOf(step.object));
    for (const std::string& queue : tree) WakeTreeOf(queue);
    tree.insert(old_tree.begin(), old_tree.end());
    for (const std::string& queue : tree) {
      if (is_new || ChangesQuota(before, step.object)) ++queues_[queue].generation;
    }
    if (const auto* queue = std::get_if<LocalQueue>(&step.object)) ChangeLocalQueue(*queue);
    if (const auto* flavor = std::get_if<ResourceFlavor>(&step.object)) {
      for (const auto& [name, memory] : queues_) {
        if (Names(*Find<ClusterQueue>({"", name}), *flavor)) WakeTreeOf(name);
      }
    }
  }
  RunController();
}

// A stopped LocalQueue has none waiting; "a restarted LQ is not subject to" parked classes.
void History::ChangeLocalQueue(const LocalQueue& queue) {
  for (auto& [key, member] : members_) {
    if (Key{key.ns, member.workload.queue} != queue.key) continue;
    const bool queued = member.place != Place::kNone;
    if (MayQueue(member) && !queued) Enqueue(member, /*changed=*/true, /*check_class=*/false);
    if (!MayQueue(member) && queued) Leave(member);
  }
}

void History::Happen(const WorkloadUpdate& step) {
  Member& member = members_.at(step.workload);
  Workload& workload = member.workload;
  const Workload before = workload;
  const Class old_class = ClassOf(member);
  AdvanceGeneration(member);
  if (step.priority) workload.priority = step.priority;
  if (step.active) workload.active = *step.active;
  if (step.reclaimable_pods) workload.status.reclaimable_pods = *step.reclaimable_pods;
  if (ClassOf(member) != old_class) member.progress.clear();  // "the scheduling hash changed"
  const bool reclaimed = before.status.reclaimable_pods != workload.status.reclaimable_pods;
  const bool reprioritized = before.priority != workload.priority;
  const bool holds = workload.status.admission.has_value();
  if (!workload.active || IsTrue(workload, "Finished")) {
    if (member.place != Place::kNone) Leave(member);
    WakeFor(workload);
  } else {
    const bool classed = workload.priority_source == PriorityClassSource::kWorkloadPriorityClass;
    if (holds && (reclaimed || (reprioritized && classed))) WakeFor(workload);
    const bool changed = reclaimed || reprioritized || before.active != workload.active;
    if (MayQueue(member)) Enqueue(member, changed, /*check_class=*/true);
  }
  RunController();
}

}  // namespace muster::oracle
