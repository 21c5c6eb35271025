// See records.h. Requests are computed once per change, never in a cycle.
#include "engine/state/records.h"

#include <algorithm>
#include <utility>

#include "engine/base/amount.h"
#include "engine/base/check.h"
#include "engine/base/find_named.h"
#include "engine/codec/equivalence.h"
#include "engine/model/admissibility.h"
#include "engine/model/limits.h"
#include "engine/model/priority_boost.h"
#include "engine/model/reclaimed_pods.h"
#include "engine/model/requests.h"
#include "engine/state/forest.h"
#include "engine/state/places.h"
#include "engine/state/variant_marks.h"

namespace muster {
namespace {

std::int32_t EffectiveCount(const WorkloadRecord& workload, const PodSet& pod_set) {
  return pod_set.count -
         std::min(pod_set.count,
                  ReclaimedPods(workload.spec.status.rare->reclaimable_pods, pod_set.name));
}

void Charge(UsageList& usage, FlavorResourceId pair, Amount amount) {
  for (Usage& entry : usage) {
    if (entry.fr == pair) {
      entry.amount = Add(entry.amount, amount);
      return;
    }
  }
  usage.push_back({pair, amount});
}

bool HasReserved(const WorkloadRecord& workload) {
  const KeptStatus& status = workload.spec.status;
  return status.admission && IsTrue(status, condition::kQuotaReserved) &&
         !IsTrue(status, condition::kFinished) && !workload.is_job;
}

/// The ClusterQueue that admitted it, mostly that of its LocalQueue; invalid when it is gone.
QueueId AdmittedBy(const World& world, const WorkloadRecord& workload) {
  const Text& name = workload.spec.status.admission->cluster_queue;
  if (workload.queue.valid() && world.queue(workload.queue).name_text == name) {
    return workload.queue;
  }
  const ClusterQueueState* queue = world.FindQueue(name);
  return queue == nullptr ? QueueId{} : queue->id;
}

void Release(World& world, WorkloadRecord& workload, bool forest_stale) {
  DropAdmitted(world, workload);
  DropAdmittedHolder(world, workload);
  ClusterQueueState& queue = world.queue(workload.holds_in);
  queue.holders.Erase(workload);
  world.wake_all |= world.held.Remove(world.names, std::as_const(workload).usage);
  world.NoteHolders(queue);
  const std::span<const Usage> charge = std::as_const(workload).usage;
  if (forest_stale) {
    world.capacity.ReleaseWithoutForest(queue.id, charge);
  } else {
    world.capacity.Release(queue.place(), charge);
  }
  workload.holds_in = {};
  if (!world.capacity.places().empty()) [[unlikely]]
    world.capacity.places().Release(workload.id());
  workload.usage.clear();
  world.accounts.Charge(world, workload);
  SyncUnready(world, workload);
}

/// It is a holder now, and has yet to be charged.
void Hold(World& world, WorkloadRecord& workload, ClusterQueueState& queue,
          SharedList<Usage> usage) {
  workload.usage = std::move(usage);
  workload.holds_in = queue.id;
  if (!world.capacity.places().empty()) [[unlikely]]
    SyncPlaces(world, workload);
  queue.holders.Insert(workload);
  world.held.Add(world.names, std::as_const(workload).usage);
  world.NoteHolders(queue);
  world.accounts.Charge(world, workload);
  SyncUnready(world, workload);
  SyncAdmitted(world, workload);
}

void ChargeHolder(World& world, const WorkloadRecord& workload, const ClusterQueueState& queue) {
  const std::span<const Usage> charge = workload.usage;
  if (KnowsPairs(world, queue.id, charge)) {
    world.capacity.Charge(queue.place(), charge);
  } else {
    world.capacity.ChargeWithoutForest(queue.id, charge);
    RebuildForest(world);  // charges every holder, this one included
  }
}

/// Equal values become the same memory.
template <typename T>
void ShareWith(SharedList<T>& last, SharedList<T>& list) {
  if (std::as_const(last) == list) {
    list = last;
  } else {
    last = list;
  }
}

/// Those of one queue mostly have the same conditions, each at its own time.
void ShareConditions(ClusterQueueState& queue, ConditionList& conditions) {
  if (!conditions.ShareWith(queue.last_conditions)) queue.last_conditions = conditions;
}

/// Lets a holder that was not admitted here share what it has in common with others.
void ShareWithOthers(ClusterQueueState& queue, KeptStatus& status, SharedList<Usage>& usage) {
  ShareWith(queue.last_granted, status.admission->pod_sets);
  ShareWith(queue.last_charge, usage);
  status.admission->cluster_queue = queue.name_text;
  status.conditions.ShareMessage(queue.reserved_message);
  ShareConditions(queue, status.conditions);
}

/// What it had reserved is charged now, or never will be again without another admission.
void EndDormant(World& world, const WorkloadRecord& workload) {
  const auto dormant = world.dormant.find(workload.id());
  if (dormant == world.dormant.end()) return;
  world.wake_all |= world.held.Remove(world.names, std::as_const(dormant->second));
  world.dormant.erase(dormant);
}

/// Keeps World::dormant as its status and the queues say. O(log n) in their number.
void SyncDormant(World& world, const WorkloadRecord& workload, bool should_hold) {
  if (!world.dormant.empty()) EndDormant(world, workload);
  if (should_hold || !HasReserved(workload)) return;
  SharedList<Usage> usage = AdmissionUsage(world, workload).vector();
  world.held.Add(world.names, std::as_const(usage));
  world.dormant.emplace(workload.id(), std::move(usage));
}

RequestForms::Form ComputeForm(World& world, const WorkloadRecord& workload,
                               std::int64_t priority) {
  const Series& series = workload.series();
  const std::vector<const LimitRange*> ranges = world.LimitRangesOf(workload.spec.key.ns);
  const RequestContext context{world.catalog.config, world.catalog.runtime_classes, ranges};
  RequestForms::Form form;
  form.admissible = true;
  std::vector<PodTemplate> filled;
  filled.reserve(series.pod_sets.size());  // EffectivePodSet keeps references into it
  std::vector<EffectivePodSet> effective;
  for (const PodSet& pod_set : series.pod_sets) {
    filled.push_back(FillDefaults(pod_set.pods, context));
    PodSetRequests requests;
    requests.count = pod_set.count;
    requests.effective_count = EffectiveCount(workload, pod_set);
    requests.min_count = pod_set.min_count.value_or(0);
    for (const auto& [name, amount] : PodRequests(filled.back(), world.catalog.config)) {
      requests.per_pod.push_back({world.names.Resource(name), amount});
    }
    std::sort(requests.per_pod.begin(), requests.per_pod.end(),
              [&](const ResourceAmount& a, const ResourceAmount& b) {
                return world.names.VisitedBefore(a.resource, b.resource);
              });
    form.admissible = form.admissible && !Inadmissible(pod_set, filled.back(), context);
    effective.push_back({pod_set, filled.back(), requests.effective_count});
    form.pod_sets.push_back(std::move(requests));
  }
  form.text = PodSetsForm(effective);
  form.hash = RequestForms::HashOf(form.text, priority);
  return form;
}

/// Its queue groups workloads by their form.
void SetForm(World& world, WorkloadRecord& workload, const Hash128& form) {
  const QueuePlace place = PlaceOf(world, workload);
  if (place != QueuePlace::kNone) world.queue(workload.queue).pending.Erase(workload.key);
  workload.key.form = form;
  workload.key.asked = 0;
  if (place == QueuePlace::kHeap) world.queue(workload.queue).pending.Push(workload.key);
  if (place == QueuePlace::kParked) world.queue(workload.queue).pending.Park(workload.key);
  if (place == QueuePlace::kOnHold) world.queue(workload.queue).pending.PutOnHold(workload.key);
}

}  // namespace

void CompleteNewcomer(World& world, WorkloadRecord& workload) {
  if (workload.uid().empty()) {
    workload.key.uid = MadeUid(workload.id().arrival());
  } else {
    world.NoteUid(workload);
  }
  if (workload.created() == kNoTime) workload.key.created = world.now;
}

void ResolveRequests(World& world, WorkloadRecord& workload) {
  const bool gave_up_pods = !workload.spec.status.rare->reclaimable_pods.empty();
  const std::string& ns = workload.spec.key.ns;
  const std::int64_t priority =
      std::int64_t{workload.series().priority.value_or(0)} + BoostOf(world, workload);
  const RequestForms::Form* known =
      world.forms.Find(workload.spec.series, ns, priority, gave_up_pods);
  RequestForms::Form computed;
  if (known == nullptr) {
    computed = ComputeForm(world, workload, priority);
    if (!gave_up_pods) world.forms.Remember(workload.spec.series, ns, priority, computed);
    known = &computed;
  }
  workload.pod_sets = known->pod_sets;
  workload.admissible = known->admissible;
  const auto flavors = AllowedFlavors(world, workload);
  const Hash128 form =
      !flavors ? known->hash : RequestForms::HashOf(known->text + std::string(*flavors), priority);
  if (form == workload.form()) return;
  SetForm(world, workload, form);
  workload.ForgetProgress();
  world.changes.Touch(workload.id());
}

void ForgetResources(World& world) {
  if (!world.names.HasManyUnpaired()) return;
  std::vector<bool> living;
  const auto note = [&living](ResourceId resource) {
    if (resource.value >= living.size()) living.resize(resource.value + 1);
    living[resource.value] = true;
  };
  for (const auto& workload : world.workloads) {
    if (workload == nullptr) continue;
    for (const PodSetRequests& pod_set : std::as_const(*workload).pod_sets) {
      for (const ResourceAmount& each : pod_set.per_pod) note(each.resource);
    }
    for (const FlavorProgress::Tried& tried : workload->progress().tried) note(tried.resource);
  }
  world.forms.Clear();
  ++world.catalog_epoch;  // what was kept of others may have the ids
  world.names.KeepResources(living);
}

ResourceId AsksTooMuch(const FlavorResources& names, std::span<const Usage> usage) {
  for (const Usage& each : usage) {
    const ResourceId resource = names.ResourceOf(each.fr);
    Amount sum = 0;
    for (const Usage& other : usage) {
      if (names.ResourceOf(other.fr) == resource) sum = Add(sum, other.amount);
    }
    if (sum > kMostAsked) return resource;
  }
  return {};
}

std::string TooMuchAsked(const FlavorResources& names, ResourceId resource) {
  const std::string& name = names.ResourceName(resource);
  return "A workload may hold at most " + QuantityOf(name, kMostAsked).ToString() + " " + name +
         " in all, and it asks for more";
}

void ResolveRequestsIn(World& world, std::string_view ns) {
  const Key first{std::string(ns), {}};
  for (auto it = world.local_queue_ids.lower_bound(first);
       it != world.local_queue_ids.end() && it->first.ns == ns; ++it) {
    for (const WorkloadId id : world.WorkloadsOf(world.local_queue(it->second))) {
      ResolveRequests(world, world.workload(id));
    }
  }
  for (auto it = world.without_local_queue.lower_bound(first);
       it != world.without_local_queue.end() && it->first.ns == ns; ++it) {
    for (const WorkloadId id : it->second) ResolveRequests(world, world.workload(id));
  }
}

void CapReclaimablePods(Workload& workload) {
  if (workload.status.reclaimable_pods.empty()) return;
  std::erase_if(workload.status.reclaimable_pods.Mutable(), [&](ReclaimablePods& pods) {
    const PodSet* pod_set = FindNamed(std::as_const(workload).pod_sets, pods.pod_set);
    if (pod_set != nullptr) pods.count = std::min(pods.count, pod_set->count);
    return pod_set == nullptr;
  });
}

void CloseUnknownGates(const SharedList<std::string>& gates, SharedList<std::string>& open) {
  if (open.empty()) return;
  std::erase_if(open.Mutable(), [&](const std::string& gate) {
    return std::find(gates.begin(), gates.end(), gate) == gates.end();
  });
}

void ResolveQueues(World& world, WorkloadRecord& workload) {
  const LocalQueueState* local_queue =
      std::as_const(world).FindLocalQueue(workload.spec.key.ns, workload.spec.queue);
  if (local_queue != nullptr) workload.spec.queue = local_queue->name_text;  // one for all of it
  workload.local_queue = local_queue == nullptr ? LocalQueueId{} : local_queue->id;
  workload.queue = local_queue == nullptr ? QueueId{} : local_queue->queue;
}

void ResolvePriority(const World& world, Series& series) {
  if (series.priority) return;
  const auto label = series.labels.find(kPriorityClassLabel);
  if (label != series.labels.end() && series.priority_source == PriorityClassSource::kNone) {
    series.priority_source = PriorityClassSource::kWorkloadPriorityClass;
    series.priority_class = label->second;
  }
  const auto& classes = world.catalog.workload_priority_classes;
  const auto use_class = [&](const std::string& name) {
    const auto it = classes.find(name);
    if (it == classes.end()) return false;
    series.priority_source = PriorityClassSource::kWorkloadPriorityClass;
    series.priority_class = name;
    series.priority = it->second.value;
    return true;
  };
  if (series.priority_source == PriorityClassSource::kWorkloadPriorityClass) {
    if (use_class(series.priority_class)) return;
  } else if (world.catalog.Gate("WorkloadPriorityClassDefaulting", true) && use_class("default")) {
    return;
  }
  Text pod_class = series.priority_source == PriorityClassSource::kPodPriorityClass
                       ? series.priority_class
                       : Text();
  if (pod_class.empty() && !series.pod_sets.empty()) {
    pod_class = std::as_const(series).pod_sets.front().pods.priority_class;
  }
  const PriorityClass* chosen = nullptr;
  for (const auto& [name, candidate] : world.catalog.priority_classes) {
    if (!pod_class.empty() ? pod_class != name : !candidate.global_default) continue;
    if (chosen == nullptr || candidate.value < chosen->value) chosen = &candidate;
  }
  if (chosen == nullptr) return;
  series.priority_source = PriorityClassSource::kPodPriorityClass;
  series.priority_class = chosen->name;
  series.priority = chosen->value;
}

void ResolvePriority(const World& world, WorkloadRecord& workload) {
  const Series& series = workload.series();
  if (series.priority) return;
  // Most clusters have no class, and then the series stays shared.
  const bool names_class = series.priority_source == PriorityClassSource::kNone &&
                           series.labels.contains(kPriorityClassLabel);
  const bool any =
      !world.catalog.workload_priority_classes.empty() || !world.catalog.priority_classes.empty();
  if (names_class || any) ResolvePriority(world, workload.spec.series.Mutable());
}

std::int32_t BoostOf(const World& world, const WorkloadRecord& workload) {
  if (workload.boosted) return workload.key.boost;
  const SharedMap<LabelMap>& annotations = workload.series().annotations;
  if (annotations.empty() || !world.catalog.Gate(kPriorityBoostGate, false)) return 0;
  const auto written = annotations.find(kPriorityBoostAnnotation);
  return written == annotations.end() ? 0 : ParseBoost(written->second).value_or(0);
}

std::string BoostedBy(const World& world, const WorkloadRecord& workload) {
  const QueueId queue = workload.holds() ? workload.holds_in : workload.queue;
  if (!workload.boosted || workload.key.boost == 0 || !queue.valid()) return {};
  return world.queue(queue).boosted_by;
}

void ResolveKey(const World& world, WorkloadRecord& workload) {
  PendingKey& key = workload.key;
  key.local_queue = workload.local_queue;
  key.priority = workload.series().priority.value_or(0);
  key.boost = BoostOf(world, workload);
  key.timestamp = key.created;
  key.scripted = false;
  key.asked = 0;
  const auto evicted = FindCondition(workload.spec.status, condition::kEvicted);
  if (!evicted || !evicted->status) return;
  const auto& pods_ready = world.catalog.config.wait_for_pods_ready;
  const bool by_eviction =
      !pods_ready || pods_ready->requeuing_timestamp == RequeuingTimestamp::kEviction;
  if (evicted->reason == "AdmissionCheck" ||
      (evicted->reason == "PodsReadyTimeout" && by_eviction)) {
    key.timestamp = evicted->since;
  }
}

UsageList AdmissionUsage(World& world, const WorkloadRecord& workload) {
  UsageList usage;
  for (const PodSetAssignment& assigned : workload.spec.status.admission->pod_sets) {
    const PodSet* spec = FindNamed(workload.series().pod_sets, assigned.name);
    const std::int32_t recorded = std::max(assigned.count, 0);
    const std::int32_t remaining =
        spec == nullptr ? recorded : std::min(recorded, EffectiveCount(workload, *spec));
    for (const auto& [resource, flavor] : assigned.flavors) {
      const auto total = assigned.resource_usage.find(resource);
      Amount amount = total == assigned.resource_usage.end() ? 0 : total->second.ToAmount(resource);
      if (recorded != remaining) amount = recorded == 0 ? 0 : Mul(amount / recorded, remaining);
      Charge(usage, world.names.Pair(world.names.Flavor(flavor), world.names.Resource(resource)),
             amount);
    }
  }
  std::sort(usage.begin(), usage.end(), [](const Usage& a, const Usage& b) { return a.fr < b.fr; });
  return usage;
}

void SyncUnready(World& world, WorkloadRecord& workload) {
  const bool unready = IsUnready(workload);
  if (unready == workload.unready) return;
  world.unready += static_cast<int>(unready) - static_cast<int>(workload.unready);
  workload.unready = unready;
}

bool ShouldHold(const World& world, const WorkloadRecord& workload) {
  if (!HasReserved(workload) || !workload.active) return false;
  const QueueId queue = AdmittedBy(world, workload);
  return queue.valid() && IsCharged(world, workload, world.queue(queue));
}

bool IsDormant(const World& world, const WorkloadRecord& workload) {
  return HasReserved(workload) && !ShouldHold(world, workload);
}

void RefreshHolder(World& world, WorkloadRecord& workload) {
  if (!workload.holds()) return;
  ClusterQueueState& queue = world.queue(workload.holds_in);
  queue.holders.Refresh(workload);
  world.NoteHolders(queue);
}

void HoldQuota(World& world, WorkloadRecord& workload, SharedList<Usage> usage, bool charged) {
  MUSTER_CHECK(!workload.holds());
  ClusterQueueState& queue = world.queue(workload.queue);
  Hold(world, workload, queue, std::move(usage));
  if (!charged) ChargeHolder(world, workload, queue);
}

bool HoldRestored(World& world, WorkloadRecord& workload, RecentCharges& recent, bool deferred) {
  if (!ShouldHold(world, workload)) {
    SyncDormant(world, workload, /*should_hold=*/false);
    return true;
  }
  ClusterQueueState& queue = world.queue(AdmittedBy(world, workload));
  workload.spec.status.admission->cluster_queue = queue.name_text;  // one for all of it
  ShareConditions(queue, workload.spec.status.conditions);
  const SharedList<Usage>* known = recent.Find(workload);
  SharedList<Usage> computed;
  if (known == nullptr) {
    computed = AdmissionUsage(world, workload).vector();
    recent.Remember(workload, computed);
    known = &computed;
  }
  Hold(world, workload, queue, *known);
  if (deferred) {
    queue.holders.DeferNewcomers();
  } else {
    queue.holders.RankNewcomers();
  }
  const std::span<const Usage> charge = *known;
  const bool knows_pairs = KnowsPairs(world, queue.id, charge);
  if (knows_pairs) {
    world.capacity.Charge(queue.place(), charge);
  } else {
    world.capacity.ChargeWithoutForest(queue.id, charge);
  }
  return knows_pairs;
}

bool SyncQuota(World& world, WorkloadRecord& workload, bool forest_stale) {
  const bool should_hold = ShouldHold(world, workload);
  SyncDormant(world, workload, should_hold);
  SharedList<Usage> usage;
  if (should_hold) usage = AdmissionUsage(world, workload).vector();
  if (should_hold == workload.holds() && usage == workload.usage) {
    RefreshHolder(world, workload);
    world.accounts.Charge(world, workload);
    return false;
  }
  if (workload.holds()) Release(world, workload, forest_stale);
  if (should_hold) {
    ClusterQueueState& queue = world.queue(AdmittedBy(world, workload));
    ShareWithOthers(queue, workload.spec.status, usage);
    Hold(world, workload, queue, std::move(usage));
    if (forest_stale) {
      world.capacity.ChargeWithoutForest(queue.id, std::as_const(workload).usage);
    } else {
      ChargeHolder(world, workload, queue);
    }
  } else {
    ForgetSecondPass(world, workload);
  }
  return true;
}

}  // namespace muster
