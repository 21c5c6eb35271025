// See queueing.h. The rules are those of Kueue's queue manager; see the queue section of
// engine/README.md for the reasons to park and the events that wake.
#include "engine/life/queueing.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/prefetch.h"
#include "engine/base/sort_once.h"
#include "engine/life/kept_room.h"
#include "engine/model/admission_gate.h"
#include "engine/state/forest.h"
#include "engine/state/records.h"
#include "engine/state/variant_marks.h"

namespace muster {
namespace {

bool BestEffort(const ClusterQueueState& queue) {
  return queue.spec.queueing_strategy == QueueingStrategy::kBestEffortFifo;
}

/// Its LocalQueue is there and not stopped.
bool HasOpenLocalQueue(const World& world, const WorkloadRecord& workload) {
  return workload.local_queue.valid() &&
         (world.stopped_local_queues == 0 ||
          world.local_queue(workload.local_queue).spec.stop_policy == StopPolicy::kNone);
}

/// What it was on hold for does not matter any more. O(log n) where it was.
void ForgetHold(World& world, WorkloadRecord& workload) {
  if (workload.aside.IsNew() || workload.aside->hold.IsNew()) return;
  if (workload.hold().until != kNoTime) {
    world.hold_ends.erase({workload.hold().until, workload.id()});
  }
  workload.aside.Mutable().hold.Reset();
}

/// It is on hold no more, and what was said about that is no reason any more.
void LeaveHold(World& world, WorkloadRecord& workload) {
  if (workload.hold().policy.empty()) return;
  ForgetHold(world, workload);
  if (workload.reason != PendingReason::kOnHold) return;
  workload.reason = PendingReason::kNone;
  workload.SetMessage({});
}

/// To the heap, without a word in the journal; see WakeQueue.
void Unpark(World& world, WorkloadRecord& workload) {
  ClusterQueueState& queue = world.queue(workload.queue);
  if (queue.pending.IsParked(workload.key)) queue.ordered_at = kNoTime;  // its keys are older
  LeaveHold(world, workload);
  queue.pending.Erase(workload.key);
  workload.key.sticky = queue.pending.IsSticky(workload.id());
  queue.pending.Push(workload.key);
  world.ExpectHead(queue);
}

void ToHeap(World& world, WorkloadRecord& workload) {
  Unpark(world, workload);
  world.changes.Touch(workload.id());
}

/// Parks it alone, or with its class, which wakes without a look at its backoff. Room is not kept
/// for what is not looked at until something changes.
void ToParked(World& world, WorkloadRecord& workload, bool with_class = false) {
  ClusterQueueState& queue = world.queue(workload.queue);
  ForgetRoom(world, workload);
  LeaveHold(world, workload);
  queue.pending.Erase(workload.key);
  workload.key.sticky = false;
  if (with_class) {
    queue.pending.ParkWithClass(workload.key);
  } else {
    queue.pending.Park(workload.key);
  }
  world.NoteParked(queue);
  world.changes.Touch(workload.id());
}

/// A queue has one marker: the workload marked before loses its rank.
void MarkPreemptor(World& world, ClusterQueueState& queue, WorkloadRecord& workload) {
  const std::optional<WorkloadId> before = queue.pending.marked();
  const bool other_in_heap =
      before && *before != workload.id() && queue.pending.InHeap(world.workload(*before).key);
  if (other_in_heap) queue.pending.Erase(world.workload(*before).key);
  queue.pending.Mark(workload.id(), BestEffort(queue));
  world.changes.Touch(queue.id);
  if (other_in_heap) ToHeap(world, world.workload(*before));
}

bool IsImmediate(const ClusterQueueState& queue, RequeueReason reason) {
  if (!BestEffort(queue)) return reason != RequeueReason::kNamespaceMismatch;
  return reason == RequeueReason::kFailedAfterNomination ||
         reason == RequeueReason::kPendingPreemption;
}

/// Forgets the classes of which nothing waits any more: the next one of them is looked at again, to
/// the same end.
void ForgetEmptyClasses(const World& world, ClusterQueueState& queue) {
  std::set<Hash128> waiting;
  for (const PendingKey* key : queue.pending.Parked()) {
    waiting.insert(key->form);
    if (queue.classes.none || queue.classes.fields.empty()) continue;
    waiting.insert(ClassOf(queue.classes, world.workload(key->workload)));
  }
  queue.pending.KeepClasses(waiting);
}

/// Equal workloads get the same answer: they wait with it instead of each costing a cycle.
void ParkClassOf(World& world, ClusterQueueState& queue, const WorkloadRecord& workload,
                 bool policies_had_say) {
  if (!BestEffort(queue) || !world.catalog.Gate("SchedulingEquivalenceHashing", true)) return;
  if (policies_had_say && queue.classes.none) return;
  const ClassRule rule = policies_had_say ? queue.classes : ClassRule();
  const Hash128 form = ClassOf(rule, workload);
  if (queue.pending.HasManyClasses()) ForgetEmptyClasses(world, queue);
  queue.pending.NoteClass(form, {workload.reason, ++queue.turns});
  world.changes.Touch(queue.id);
  if (!rule.fields.empty()) {  // not all of one form are equal
    for (const PendingKey* key : queue.pending.OfForm(workload.form())) {
      WorkloadRecord& equal = world.workload(key->workload);
      if (ClassOf(rule, equal) == form) ToParked(world, equal);
    }
    return;
  }
  if (const auto marked = queue.pending.marked()) {
    WorkloadRecord& preemptor = world.workload(*marked);
    const bool of_class = preemptor.queue == queue.id && preemptor.form() == form;
    if (of_class && queue.pending.InHeap(preemptor.key)) ToParked(world, preemptor);
  }
  const auto kept = world.kept_room.find(queue.id);
  const bool keeper_of_class =
      kept != world.kept_room.end() && world.workload(kept->second).form() == form;
  if (keeper_of_class) ForgetRoomOf(world, queue.id);
  queue.pending.ParkClass(workload.form());
}

/// Workloads lie scattered in memory. Those whose turn is near are prefetched, which changes
/// nothing but the time it takes.
void SendFor(const World& world, std::span<PendingKey* const> parked, std::size_t turn) {
  constexpr std::size_t kKeyAhead = 16;
  constexpr std::size_t kAhead = 8;
  if (turn + kKeyAhead < parked.size()) PrefetchLine(parked[turn + kKeyAhead]);
  if (turn + kAhead >= parked.size()) return;
  const WorkloadRecord& soon = *world.Peek(parked[turn + kAhead]->workload);
  PrefetchLine(&soon.spec.key);
  PrefetchLine(&soon.spec.status);
}

/// Un-parks what may be tried again in one ClusterQueue. The journal learns of it from the queue's
/// turns alone: a workload parked before the last wake is in the heap.
void WakeQueue(World& world, ClusterQueueState& queue) {
  if (!HasParked(queue)) return;
  queue.last_wake = ++queue.turns;
  world.changes.Touch(queue.id);
  queue.pending.PartClasses([&](LocalQueueId id) {
    return !world.SelectsNamespace(queue, world.local_queue(id).spec.key.ns);
  });
  queue.pending.WakeClasses();
  queue.ordered_at = kNoTime;
  if (queue.pending.heap_size() > 0) world.ExpectHead(queue);
  const auto alone = queue.pending.alone();
  const std::vector<PendingKey*> parked(alone.begin(), alone.end());  // un-parking takes from it
  const std::string* ns = nullptr;                                    // neighbours mostly share it
  bool selected = false;
  for (std::size_t turn = 0; turn < parked.size(); ++turn) {
    SendFor(world, parked, turn);
    WorkloadRecord& workload = world.workload(parked[turn]->workload);
    if (ns == nullptr || *ns != workload.spec.key.ns) {
      ns = &workload.spec.key.ns;
      selected = world.SelectsNamespace(queue, *ns);
    }
    if (selected && BackoffExpired(world, workload)) {
      Unpark(world, workload);
    } else {
      world.changes.Touch(workload.id());
    }
  }
}

}  // namespace

bool HasParked(const ClusterQueueState& queue) { return queue.pending.AnyParked(); }

std::string_view AdmissionGatesOf(const World& world, const WorkloadRecord& workload) {
  const SharedMap<LabelMap>& annotations = workload.series().annotations;
  if (annotations.empty()) return {};
  const auto pods = annotations.find(kPodGroupWaitsAnnotation);
  if (pods != annotations.end()) return pods->second;
  if (!world.catalog.Gate(kAdmissionGatedByGate, true)) return {};
  const auto gates = annotations.find(kAdmissionGatedByAnnotation);
  return gates == annotations.end() ? std::string_view() : std::string_view(gates->second);
}

void NoteAdmissionGates(World& world, WorkloadRecord& workload) {
  const bool waits =
      workload.active && !workload.holds() && !IsTrue(workload.spec.status, condition::kFinished);
  const bool gated = waits && !AdmissionGatesOf(world, workload).empty();
  if (!gated && workload.reason != PendingReason::kAdmissionGated) return;
  workload.reason = gated ? PendingReason::kAdmissionGated : PendingReason::kNone;
  const bool is_group = gated && workload.series().annotations.find(kPodGroupWaitsAnnotation) !=
                                     workload.series().annotations.end();
  workload.SetMessage(is_group ? "waits for its pods: " +
                                     std::string(AdmissionGatesOf(world, workload)) + " are there"
                               : std::string());
  world.changes.Touch(workload.id());
}

bool MayQueue(const World& world, const WorkloadRecord& workload) {
  const KeptStatus& status = workload.spec.status;
  return workload.active && !IsTrue(status, condition::kFinished) &&
         !IsTrue(status, condition::kQuotaReserved) && workload.queue.valid() &&
         HasOpenLocalQueue(world, workload) && AdmissionGatesOf(world, workload).empty() &&
         !IsStoodFor(world, workload);
}

void WakeThroughLocalQueue(World& world, const WorkloadRecord& workload) {
  if (HasOpenLocalQueue(world, workload)) WakeTreeOf(world, workload.queue);
}

bool BackoffExpired(const World& world, const WorkloadRecord& workload) {
  const KeptStatus& status = workload.spec.status;
  if (IsFalse(status, condition::kRequeued)) return false;
  const std::optional<RequeueState>& state = status.rare->requeue_state;
  return !state || state->requeue_at == kNoTime || world.now >= state->requeue_at;
}

void Enqueue(World& world, WorkloadRecord& workload, bool changed, bool check_class) {
  ClusterQueueState& queue = world.queue(workload.queue);
  if (!queue.pending.InHeap(workload.key) && queue.pending.IsHere(workload.key) && !changed) return;
  if (!queue.pending.InHeap(workload.key)) {
    if (!BackoffExpired(world, workload)) return ToParked(world, workload);
    if (check_class && ReasonOfClass(queue, workload)) {
      const bool equal = queue.pending.ReasonOfClass(workload.form()).has_value();
      return ToParked(world, workload, equal);
    }
  }
  ToHeap(world, workload);
}

std::optional<PendingReason> ReasonOfClass(const ClusterQueueState& queue,
                                           const WorkloadRecord& workload) {
  const auto reason = queue.pending.ReasonOfClass(workload.form());
  if (reason || queue.classes.none || queue.classes.fields.empty()) return reason;
  return queue.pending.ReasonOfClass(ClassOf(queue.classes, workload));
}

void Dequeue(World& world, WorkloadRecord& workload) {
  if (workload.queue.valid()) {
    ClusterQueueState& queue = world.queue(workload.queue);
    queue.pending.Erase(workload.key);
    if (queue.pending.marked() == workload.id()) world.changes.Touch(queue.id);
    queue.pending.ClearMark(workload.id());
  }
  world.changes.Touch(workload.id());
  ForgetRoom(world, workload);
  LeaveHold(world, workload);
  workload.key.sticky = false;
  workload.key.asked = 0;
  workload.ForgetProgress();
}

void PutOnHold(World& world, WorkloadRecord& workload, PolicyHold hold) {
  ClusterQueueState& queue = world.queue(workload.queue);
  ForgetRoom(world, workload);
  ForgetHold(world, workload);
  workload.key.sticky = false;
  if (hold.until != kNoTime) world.hold_ends.insert({hold.until, workload.id()});
  workload.aside.Mutable().hold = std::move(hold);
  if (!PendingQueue::IsOnHold(workload.key)) queue.pending.PutOnHold(workload.key);
  world.NoteOnHold(queue);
  world.changes.Touch(workload.id());
}

void LetGo(World& world, WorkloadRecord& workload) {
  Enqueue(world, workload, /*changed=*/true, /*check_class=*/true);
}

bool RequeueHead(World& world, WorkloadRecord& workload, RequeueReason reason,
                 bool policies_had_say) {
  ClusterQueueState& queue = world.queue(workload.queue);
  const std::optional<WorkloadId> marked_before = queue.pending.marked();
  const bool sticky_before = workload.key.sticky;
  queue.pending.Erase(workload.key);
  if (reason == RequeueReason::kPendingPreemption) {
    MarkPreemptor(world, queue, workload);
  } else if (world.catalog.engine_config.sticky_cure) {
    if (queue.pending.marked() == workload.id()) world.changes.Touch(queue.id);
    queue.pending.ClearMark(workload.id());
  }
  const bool to_heap = BackoffExpired(world, workload) &&
                       (IsImmediate(queue, reason) || workload.progress().HasUntriedFlavors());
  if (to_heap) {
    ToHeap(world, workload);
    return queue.pending.marked() == marked_before && workload.key.sticky == sticky_before;
  }
  ToParked(world, workload);
  if (reason == RequeueReason::kNoFit || reason == RequeueReason::kPreemptionNoCandidates) {
    ParkClassOf(world, queue, workload, policies_had_say);
    if (BackoffExpired(world, workload) && queue.pending.ReasonOfClass(workload.form())) {
      queue.pending.ParkWithClass(workload.key);
    }
  }
  return false;
}

void WakeTreeNext(World& world, QueueId id) {
  ClusterQueueState& queue = world.queue(id);
  if (std::exchange(queue.wakes_next, true)) return;
  world.wake_next.push_back(id);
  world.changes.Touch(id);
}

void TakeWakesDue(World& world, NextCall next, bool time_passed) {
  const bool waits = world.catalog.engine_config.overcommit_as_kueue && next == NextCall::kCycle;
  if (waits && !time_passed) return;
  for (const QueueId id : std::exchange(world.wake_next, {})) {
    if (world.queues[id.value] == nullptr) continue;
    ClusterQueueState& queue = world.queue(id);
    if (!std::exchange(queue.wakes_next, false)) continue;
    world.changes.Touch(id);
    WakeTreeOf(world, id);
  }
}

void FlushWakes(World& world) {
  if (world.wake_trees.empty() && world.wake_queues.empty() && !world.wake_all) return;
  world.ForgetUnparked();
  if (world.with_parked.empty() && world.wake_queues.empty()) {
    world.wake_trees.clear();
    world.wake_all = false;
    return;
  }
  std::vector<std::uint32_t> trees;
  for (const QueueId id : world.wake_trees) {  // neighbours mostly share a tree
    const std::uint32_t tree = world.queue(id).tree;
    if (trees.empty() || trees.back() != tree) trees.push_back(tree);
  }
  SortOnce(trees);
  std::vector<QueueId> queues = std::move(world.wake_queues);
  for (const QueueId id : world.with_parked) {
    if (std::binary_search(trees.begin(), trees.end(), world.queue(id).tree)) queues.push_back(id);
  }
  if (std::exchange(world.wake_all, false)) queues = world.with_parked;
  SortOnce(queues);
  for (const QueueId id : queues) WakeQueue(world, world.queue(id));
  world.wake_trees.clear();
  world.wake_queues.clear();
}

void RefreshKey(World& world, WorkloadRecord& workload) {
  const QueuePlace place = PlaceOf(world, workload);
  if (place != QueuePlace::kNone) world.queue(workload.queue).pending.Erase(workload.key);
  ResolveKey(world, workload);
  if (place == QueuePlace::kHeap) ToHeap(world, workload);
  if (place == QueuePlace::kParked) world.queue(workload.queue).pending.Park(workload.key);
  if (place == QueuePlace::kOnHold) world.queue(workload.queue).pending.PutOnHold(workload.key);
  RefreshHolder(world, workload);
  if (!world.boosts || workload.to_boost) return;
  workload.to_boost = true;
  world.to_boost.insert(workload.id());
  world.changes.Touch(workload.id());
}

void RefreshKeysOfEvicted(World& world) {
  for (const WorkloadId id : world.WorkloadsByName()) {
    WorkloadRecord& workload = world.workload(id);
    if (IsTrue(workload.spec.status, condition::kEvicted)) RefreshKey(world, workload);
  }
}

}  // namespace muster
