// The workloads among the applied objects: new ones, and those that are submitted again.
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/command/applier.h"
#include "engine/command/scale.h"
#include "engine/kin/elastic_job.h"
#include "engine/kin/slices.h"
#include "engine/life/checks.h"
#include "engine/life/deadlines.h"
#include "engine/life/lifecycle.h"
#include "engine/life/queueing.h"
#include "engine/record/payload.h"
#include "engine/state/records.h"
#include "engine/state/variant_marks.h"
#include "engine/state/whole_workload.h"

namespace muster {
namespace {

/// What the submitter wrote, without what the engine fills in or keeps.
Workload Submitted(Workload workload) {
  workload.status = {};
  workload.uid.clear();
  workload.created = kNoTime;
  return workload;
}

/// The status of one that keeps its quota with the counts of `shrunk`.
WorkloadStatus StatusFor(const Workload& held, const Workload& shrunk) {
  std::vector<PodSetCount> counts;
  for (const PodSet& pods : shrunk.pod_sets) counts.push_back({pods.name, pods.count});
  Workload resized = held;
  MUSTER_CHECK(Resize(resized, counts).ok());
  return resized.status;
}

}  // namespace

Applied Applier::Store(const Workload& spec) { return Store(spec, {}, spec.queue); }

Applied Applier::Store(const Workload& spec, Shared<Series> known, const Text& queue) {
  FollowClass(spec);
  const World::Listed listed = world_.ListNext(spec.key);
  WorkloadRecord& workload = *listed.record;
  if (!listed.is_new) return Resubmit(workload, spec);
  if (known.get() == nullptr) known = Shared<Series>(SeriesOf(spec));
  KeepWorkload(spec, std::move(known), queue, workload);
  if (!spec.status.open_preemption_gates.empty()) {
    CloseUnknownGates(spec.preemption_gates,
                      workload.spec.status.rare.Mutable().open_preemption_gates);
  }
  CompleteNewcomer(world_, workload);
  newcomers_.push_back({workload.id(), false, true});
  return Applied::kCreated;
}

Applied Applier::Submit(const Workload& spec, Understood understood) {
  const Applied applied = Store(spec, std::move(understood.series), understood.queue->name_text);
  if (applied != Applied::kCreated) return applied;
  Newcomer& newcomer = newcomers_.back();
  WorkloadRecord& workload = world_.workload(newcomer.id);
  workload.local_queue = understood.queue->id;
  workload.queue = understood.queue->queue;
  newcomer.resolved = true;
  return applied;
}

Applied Applier::Resubmit(WorkloadRecord& existing, const Workload& spec) {
  Workload as_submitted = Submitted(spec);
  Series series = SeriesOf(spec);
  ResolvePriority(world_, series);
  as_submitted.priority = series.priority;
  as_submitted.priority_source = series.priority_source;
  as_submitted.priority_class = series.priority_class;
  const Workload before = WholeWorkload(existing);
  if (Submitted(before) == as_submitted) return Applied::kUnchanged;
  if (existing.queued()) Dequeue(world_, existing);
  if (before.queue != as_submitted.queue) DropPenalty(world_, existing);
  as_submitted.uid = before.uid;
  as_submitted.created = before.created;
  as_submitted.status = before.status;
  // Of a holder no podsets but those of an elastic job may differ, by their counts.
  const bool shrinks = existing.holds() && before.pod_sets != as_submitted.pod_sets;
  if (shrinks) as_submitted.status = StatusFor(before, as_submitted);
  world_.LeaveRoster(existing);
  CapReclaimablePods(as_submitted);
  CloseUnknownGates(as_submitted.preemption_gates, as_submitted.status.open_preemption_gates);
  KeepWorkload(as_submitted, existing);
  newcomers_.push_back({existing.id(), false, false, shrinks});
  several_times_ |= existing.id().arrival() >= first_arrival_;
  return Applied::kChanged;
}

void Applier::FollowClass(const Workload& slice) {
  if (!slice.status.conditions.empty() || world_.catalog.engine_config.overcommit_as_kueue) return;
  const WorkloadRecord* const holder = HolderBeside(world_, slice);
  if (holder == nullptr) return;
  Workload followed = Submitted(WholeWorkload(*holder));
  if (followed.priority_source == slice.priority_source &&
      followed.priority_class == slice.priority_class) {
    return;
  }
  followed.priority = slice.priority;
  followed.priority_source = slice.priority_source;
  followed.priority_class = slice.priority_class;
  const auto label = slice.labels.find(kPriorityClassLabel);
  if (label != slice.labels.end()) followed.labels[label->first] = label->second;
  Resubmit(world_.workload(holder->id()), followed);
}

// What stands twice in one call came once, at its first place, as it was written last.
void Applier::NameNewcomersOnce() {
  if (!several_times_) return;
  std::map<WorkloadId, std::size_t> places;
  std::vector<Newcomer> once;
  for (const Newcomer& newcomer : newcomers_) {
    const auto [place, is_new] = places.try_emplace(newcomer.id, once.size());
    if (is_new) {
      once.push_back(newcomer);
    } else {
      once[place->second].resolved = false;
      once[place->second].shrinks |= newcomer.shrinks;
    }
  }
  newcomers_ = std::move(once);
}

void Applier::AdmitNewcomer(const Newcomer& newcomer) {
  WorkloadRecord& workload = world_.workload(newcomer.id);
  ResolvePriority(world_, workload);
  NoteSlice(world_, workload);
  NoteVariant(world_, workload);
  if (!newcomer.resolved) ResolveQueues(world_, workload);
  ResolveRequests(world_, workload);
  const KeptStatus& status = workload.spec.status;
  if (const auto reserved = FindCondition(status, condition::kQuotaReserved);
      reserved && reserved->status) {
    workload.reserved_at = reserved->since;
  }
  if (newcomer.is_new) world_.accounts.Count(world_, workload, AccountOf::kSubmitted);
  world_.changes.Touch(workload.id());
  world_.changes.Report(EventKind::kSubmitted, workload.spec.key,
                        [&] { return SubmittedPayload(workload, written_); });
  workload.evicted =
      IsTrue(status, condition::kEvicted) && IsTrue(status, condition::kQuotaReserved);
  RefreshKey(world_, workload);
  SyncChecks(world_, workload);
  SyncDeadline(world_, workload);
  world_.EnterRoster(workload, workload.local_queue);
}

void Applier::NoteShrunk(const WorkloadRecord& workload) {
  if (!workload.holds()) return;
  world_.AdvanceGeneration(workload.holds_in);
  WakeThroughLocalQueue(world_, workload);
}

}  // namespace muster
