#include "tests/conformance/kinds/world.h"

#include <algorithm>
#include <set>

#include "bindings/objects/job_kinds.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/owners.h"
#include "bindings/objects/pod.h"
#include "bindings/objects/pod_group.h"

namespace muster::conformance {
namespace {

using objects::JobPodSet;
using objects::JobWorkload;
using objects::Value;
namespace mark = objects::mark;

std::string KeyOf(const std::string& ns, const std::string& name) { return ns + "/" + name; }

bool SameContainers(const JobPodSet& a, const JobPodSet& b) {
  return a.pod_template.At({"spec", "containers"}) == b.pod_template.At({"spec", "containers"}) &&
         a.pod_template.At({"spec", "initContainers"}) ==
             b.pod_template.At({"spec", "initContainers"});
}

/// Whether the workload still says what the object asks for.
bool Matches(const HeldWorkload& held, const JobWorkload& fresh, bool counts_matter) {
  const JobWorkload& old = held.workload;
  if (old.max_seconds != fresh.max_seconds || old.sets.size() != fresh.sets.size()) return false;
  for (std::size_t i = 0; i < old.sets.size(); ++i) {
    const JobPodSet& a = old.sets[i];
    const JobPodSet& b = fresh.sets[i];
    const std::int64_t count =
        held.admitted && i < held.admission.sets.size() ? held.admission.sets[i].count : a.count;
    if (counts_matter && count != b.count) return false;
    if (!held.admitted && a.min_count != b.min_count) return false;
    if (!SameContainers(a, b)) return false;
    if (!held.admitted && !(a.pod_template.At({"spec", "tolerations"}) ==
                            b.pod_template.At({"spec", "tolerations"}))) {
      return false;
    }
  }
  return true;
}

void RemoveFinalizer(Value& pod) {
  Value& metadata = pod.Make("metadata");
  Value* list = metadata.Find("finalizers");
  if (list == nullptr) return;
  std::erase_if(list->items, [](const Value& each) { return each.text == mark::kManaged; });
  if (list->items.empty()) metadata.Remove("finalizers");
}

}  // namespace

std::string Target::Name() const {
  return std::string(row->kind) + "/" + std::string(objects::NameOf(object));
}

void KindWorld::AddSurrounding(const Value& object) {
  setting.Add(object);
  if (object.TextAt("kind") != "Workload") return;
  HeldWorkload held;
  held.workload.ns = objects::NamespaceOf(object);
  held.workload.name = objects::NameOf(object);
  held.workload.queue = object.At({"spec", "queueName"}).text;
  for (const Value& set : object.At({"spec", "podSets"}).items) {
    JobPodSet made;
    made.name = set.TextAt("name");
    made.count = set.At("count").IntOr(1);
    made.pod_template = set.At("template");
    made.topology = set.At("topologyRequest");
    held.workload.sets.push_back(std::move(made));
  }
  workloads[KeyOf(held.workload.ns, held.workload.name)] = std::move(held);
}

void KindWorld::Store(Value object, const objects::KindRow& row) {
  setting.Add(object);
  Target target;
  target.earlier = object;
  target.object = std::move(object);
  target.row = &row;
  targets.push_back(std::move(target));
}

void KindWorld::Remember() {
  for (Target& target : targets) target.earlier = target.object;
}

Target* KindWorld::Find(const std::string& name, const std::string& ns) {
  for (Target& target : targets) {
    if (!target.deleted && target.Name() == name && objects::NamespaceOf(target.object) == ns) {
      return &target;
    }
  }
  return nullptr;
}

HeldWorkload* KindWorld::Of(const Target& target) {
  for (auto& [key, held] : workloads) {
    if (held.target == target.Name() && held.workload.ns == objects::NamespaceOf(target.object)) {
      return &held;
    }
  }
  return nullptr;
}

void KindWorld::Put(JobWorkload workload, const std::string& target, bool by_group) {
  HeldWorkload held;
  const std::string key = KeyOf(workload.ns, workload.name);
  if (workload.annotations.Has(mark::kElastic)) held.slice = workload.name;
  held.workload = std::move(workload);
  held.target = target;
  held.by_group = by_group;
  workloads[key] = std::move(held);
}

void KindWorld::Settle() {
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (!targets[i].deleted) Reconcile(targets[i]);
    }
    ReconcileGroups();
  }
}

void KindWorld::SuspendChild(Target& target) {
  const objects::KindRow& row = *target.row;
  if (row.suspend.empty() || !setting.IsEnabled(row.framework)) return;
  if (!setting.SelectsNamespace(objects::NamespaceOf(target.object))) return;
  const objects::Ancestor ancestor = objects::ManagedAncestor(target.object, setting);
  if (ancestor.object == nullptr || objects::IsSuspended(row, target.object)) return;
  // What grows by itself holds its pods back by gates.
  const objects::KindRow* owner = objects::FindKindRow(*ancestor.object);
  if (owner != nullptr && objects::IsElastic(*owner, *ancestor.object, setting)) return;
  const std::string name = std::string(ancestor.object->TextAt("kind")) + "/" +
                           std::string(objects::NameOf(*ancestor.object));
  for (const auto& [key, held] : workloads) {
    if (held.target == name && held.admitted) return;
  }
  target.object.Make(row.suspend) = Value::Bool(true);
  Changed(target);
}

void KindWorld::Reconcile(Target& target) {
  const objects::KindRow& row = *target.row;
  SuspendChild(target);
  if (row.kind == "Pod" && !objects::GroupOf(target.object, setting).empty()) return;
  if (!objects::IsReconciled(row, target.object, setting)) return;
  if (row.through_pods) {
    ReconcileReplicas(target);
    return MarkPods(target);
  }
  if (!objects::PrebuiltOf(target.object, setting).empty()) return ReconcilePrebuilt(target);
  HeldWorkload* held = Of(target);
  const objects::JobStatus status = row.status(target.object, setting);
  if (status.finished) return End(target, held, status.success);
  if (objects::FollowCluster(row, target.object, setting)) Changed(target);
  objects::JobWorkloads fresh = objects::WorkloadsOf(row, target.object, setting);
  if (fresh.made.empty()) return;
  if (held == nullptr) {
    // Pods that are still active would be counted twice.
    if (!status.active) Put(std::move(fresh.made[0]), target.Name(), false);
    return;
  }
  if (!held->finished.empty()) return;
  const std::string key = KeyOf(held->workload.ns, held->workload.name);
  Follow(target, *held, std::move(fresh.made[0]));
  const auto still = workloads.find(key);
  if (still != workloads.end()) AgreeOnSuspension(target, still->second);
}

void KindWorld::End(Target& target, HeldWorkload* held, bool success) {
  if (held != nullptr && held->finished.empty()) held->finished = success ? "Succeeded" : "Failed";
  if (target.row->kind != "Pod") return;
  RemoveFinalizer(target.object);
  Changed(target);
}

void KindWorld::AgreeOnSuspension(Target& target, HeldWorkload& held) {
  if (target.row->suspend.empty()) return;
  const bool suspended = objects::IsSuspended(*target.row, target.object);
  if (held.admitted && suspended) {
    StartOne(held);
  } else if (!held.admitted && !suspended &&
             !objects::IsElastic(*target.row, target.object, setting)) {
    objects::Stop(*target.row, target.object, held.workload);
    Changed(target);
  }
}

void KindWorld::ReconcilePrebuilt(Target& target) {
  const std::string ns = objects::NamespaceOf(target.object);
  const auto found =
      workloads.find(KeyOf(ns, std::string(objects::PrebuiltOf(target.object, setting))));
  if (found == workloads.end()) return;
  HeldWorkload& held = found->second;
  held.workload.owners = {target.Name()};
  const objects::JobWorkloads fresh = objects::WorkloadsOf(*target.row, target.object, setting);
  if (fresh.made.empty() || !Matches(held, fresh.made[0], true)) return;
  held.target = target.Name();
  held.workload.queue = objects::QueueOf(target.object);
}

void KindWorld::Follow(Target& target, HeldWorkload& held, JobWorkload fresh) {
  const objects::KindRow& row = *target.row;
  const bool elastic = objects::IsElastic(row, target.object, setting);
  if (!Matches(held, fresh, !elastic)) return Replace(target, held, std::move(fresh));
  if (elastic && !Matches(held, fresh, true)) {
    bool grows = false;
    for (std::size_t i = 0; i < fresh.sets.size(); ++i) {
      grows |= fresh.sets[i].count > held.workload.sets[i].count;
    }
    if (held.admitted && grows) {
      fresh.annotations.Set(mark::kSliceName, Value::Text(held.slice));
      fresh.annotations.Set(mark::kSliceFor,
                            Value::Text(held.workload.ns + "/" + held.workload.name));
      return Put(std::move(fresh), target.Name() + " grown", false);
    }
    for (std::size_t i = 0; i < fresh.sets.size(); ++i) {
      held.workload.sets[i].count = fresh.sets[i].count;
      if (held.admitted) held.admission.sets[i].count = fresh.sets[i].count;
    }
  }
  if (!held.admitted) held.workload.queue = fresh.queue;
  const bool adds = held.workload.class_kind.empty() && !fresh.class_kind.empty();
  if (held.workload.class_kind == "PriorityClass" || (adds && held.admitted)) return;
  held.workload.priority = fresh.priority;
  held.workload.class_kind = fresh.class_kind;
  held.workload.class_name = fresh.class_name;
}

void KindWorld::Replace(Target& target, HeldWorkload& held, JobWorkload fresh) {
  if (!held.admitted) {
    fresh.name = held.workload.name;
    held.workload = std::move(fresh);
    return;
  }
  objects::Stop(*target.row, target.object, held.workload);
  Changed(target);
  workloads.erase(KeyOf(held.workload.ns, held.workload.name));
  objects::JobWorkloads again = objects::WorkloadsOf(*target.row, target.object, setting);
  if (!again.made.empty()) Put(std::move(again.made[0]), target.Name(), false);
}

void KindWorld::ReconcileReplicas(Target& target) {
  objects::JobWorkloads fresh = objects::WorkloadsOf(*target.row, target.object, setting);
  const bool is_set = target.row->kind == "StatefulSet";
  std::set<std::string> wanted;
  for (JobWorkload& each : fresh.made) {
    const std::string key = KeyOf(each.ns, each.name);
    wanted.insert(key);
    const auto found = workloads.find(key);
    if (found == workloads.end()) {
      Put(std::move(each), target.Name(), true);
      continue;
    }
    HeldWorkload& held = found->second;
    held.on_hold = false;
    if (!held.admitted) held.workload.queue = each.queue;
    if (is_set || held.workload.class_kind == "PriorityClass") continue;
    held.workload.priority = each.priority;
    held.workload.class_kind = each.class_kind;
    held.workload.class_name = each.class_name;
  }
  for (auto at = workloads.begin(); at != workloads.end();) {
    const bool too_many = at->second.target == target.Name() && !wanted.contains(at->first) &&
                          fresh.held.empty() &&
                          at->second.workload.ns == objects::NamespaceOf(target.object);
    if (too_many && is_set) {
      at->second.on_hold = true;
      at->second.admitted = false;
      ++at;
    } else {
      at = too_many ? workloads.erase(at) : std::next(at);
    }
  }
}

void KindWorld::MarkPods(Target& owner) {
  for (Target& pod : targets) {
    if (pod.deleted || pod.row->kind != "Pod") continue;
    if (objects::NamespaceOf(pod.object) != objects::NamespaceOf(owner.object)) continue;
    if (objects::MarkPodOf(owner.object, pod.object, setting)) Changed(pod);
  }
}

void KindWorld::ReconcileGroups() {
  std::map<std::pair<std::string, std::string>, std::vector<Target*>> groups;
  for (Target& pod : targets) {
    if (pod.deleted || pod.row->kind != "Pod") continue;
    const std::string group(objects::GroupOf(pod.object, setting));
    if (group.empty() || !objects::IsReconciled(*pod.row, pod.object, setting)) continue;
    groups[{objects::NamespaceOf(pod.object), group}].push_back(&pod);
  }
  for (auto& [id, members] : groups) {
    std::sort(members.begin(), members.end(), [](const Target* a, const Target* b) {
      return objects::NameOf(a->object) < objects::NameOf(b->object);
    });
    ReconcileGroup(id.first, id.second, members);
  }
}

void KindWorld::ReconcileGroup(const std::string& ns, const std::string& name,
                               const std::vector<Target*>& members) {
  const auto found = workloads.find(KeyOf(ns, name));
  if (found != workloads.end()) {
    if (!found->second.by_group && setting.GateIsOn("PodIntegrationValidateGroupOwner")) return;
    found->second.by_group = true;
    std::vector<std::string>& owners = found->second.workload.owners;
    for (const Target* member : members) {
      if (std::find(owners.begin(), owners.end(), member->Name()) == owners.end()) {
        owners.push_back(member->Name());
      }
    }
    return;
  }
  std::vector<const Value*> pods;
  for (const Target* member : members) pods.push_back(&member->object);
  const objects::PodGroupView view = objects::ViewPodGroup(pods, setting);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto in = [&](const std::vector<const Value*>& list) {
      return std::find(list.begin(), list.end(), pods[i]) != list.end();
    };
    if (in(view.excess)) {
      members[i]->deleted = true;
    } else if (in(view.finalize)) {
      RemoveFinalizer(members[i]->object);
    }
  }
  for (const JobWorkload& made : view.workload.made) Put(made, "", true);
}

void KindWorld::Admit(const Value& admission) {
  for (auto& [key, held] : workloads) {
    if (held.admitted || !held.finished.empty() || held.on_hold) continue;
    held.admission.cluster_queue = admission.TextAt("clusterQueue");
    held.admission.checks = admission.At("checks").items;
    for (const JobPodSet& set : held.workload.sets) {
      objects::PodSetAdmission one;
      one.name = set.name;
      one.count = set.count;
      if (admission.Has("flavor")) one.flavors = {admission.At("flavor").text};
      for (const Value& given : admission.At("podSets").items) {
        if (given.TextAt("name") != set.name) continue;
        one.count = given.At("count").IntOr(one.count);
        one.has_topology = given.At("topology").IsTrue();
        if (!given.Has("flavors")) continue;
        std::map<std::string, std::string> by_resource;
        for (const auto& [resource, flavor] : given.At("flavors").entries) {
          by_resource[resource] = flavor.text;
        }
        one.flavors.clear();
        for (const auto& [resource, flavor] : by_resource) {
          if (std::find(one.flavors.begin(), one.flavors.end(), flavor) == one.flavors.end()) {
            one.flavors.push_back(flavor);
          }
        }
      }
      held.admission.sets.push_back(std::move(one));
    }
    held.admitted = true;
    StartOne(held);
  }
}

std::vector<Target*> KindWorld::PodsOf(const HeldWorkload& held) {
  std::vector<Target*> pods;
  for (Target& target : targets) {
    if (target.deleted || target.row->kind != "Pod") continue;
    if (objects::NamespaceOf(target.object) != held.workload.ns) continue;
    const bool is_member = held.by_group &&
                           objects::GroupOf(target.object, setting) == held.workload.name &&
                           objects::Label(target.object, mark::kManaged) == "true";
    if (is_member || held.target == target.Name()) pods.push_back(&target);
  }
  return pods;
}

void KindWorld::StartOne(HeldWorkload& held) {
  const objects::StartInfos start =
      objects::StartInfosFor(held.workload, held.admission, held.slice, setting);
  Target* target = Find(held.target, held.workload.ns);
  std::string conflict = start.conflict;
  if (held.by_group) {
    if (conflict.empty()) StartPods(held, start.infos);
    return;
  }
  if (target == nullptr) return;
  // That is no conflict: it is tried again.
  if (target->row->lacks != nullptr && target->row->lacks(target->object)) return;
  if (conflict.empty()) {
    conflict = objects::Start(*target->row, target->object, held.workload, start.infos);
  }
  if (!conflict.empty()) {
    held.finished = "FailedToStart";
    if (target->row->kind == "Pod") RemoveFinalizer(target->object);
  }
  Changed(*target);
}

void KindWorld::StartPods(HeldWorkload& held, const std::vector<objects::StartInfo>& infos) {
  for (Target* pod : PodsOf(held)) {
    const std::string role = objects::RoleHash(pod->object);
    for (const objects::StartInfo& info : infos) {
      const bool fits = info.pod_set == role || infos.size() == 1;
      if (!fits || !objects::HasGate(pod->object, mark::kAdmissionGate)) continue;
      const std::string conflict =
          objects::Start(*pod->row, pod->object, held.workload, std::span(&info, 1));
      if (!conflict.empty()) {
        held.finished = "FailedToStart";
        RemoveFinalizer(pod->object);
      }
      Changed(*pod);
    }
  }
}

void KindWorld::Evict() {
  for (auto& [key, held] : workloads) {
    if (!held.admitted || !held.finished.empty()) continue;
    const std::vector<Target*> pods = PodsOf(held);
    held.admitted = false;
    for (Target* pod : pods) {
      if (objects::IsSuspended(*pod->row, pod->object)) continue;
      pod->deleted = true;
      if (!held.by_group && pod->object.At({"metadata", "finalizers"}).IsList()) {
        held.finished = "OwnerNotFound";
      }
    }
    Target* target = Find(held.target, held.workload.ns);
    if (target == nullptr || target->row->through_pods || target->row->kind == "Pod") continue;
    objects::Stop(*target->row, target->object, held.workload);
    Changed(*target);
  }
}

void KindWorld::Patch(const std::string& name, const Value& patch) {
  for (Target& target : targets) {
    if (!name.empty() && target.Name() != name) continue;
    objects::MergePatch(target.object, patch);
    Changed(target);
  }
}

}  // namespace muster::conformance
