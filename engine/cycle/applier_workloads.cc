// The workloads among the applied objects: new ones, and those that are submitted again.
#include <string>
#include <utility>

#include "engine/cycle/applier.h"
#include "engine/cycle/checks.h"
#include "engine/cycle/deadlines.h"
#include "engine/cycle/lifecycle.h"
#include "engine/cycle/queueing.h"
#include "engine/record/payload.h"
#include "engine/state/records.h"

namespace muster {
namespace {

std::string PaddedSequence(std::int64_t sequence) {
  std::string digits = std::to_string(sequence);
  return std::string(digits.size() < 20 ? 20 - digits.size() : 0, '0') + digits;
}

/// What the submitter wrote, without what the engine fills in or keeps.
Workload Submitted(Workload workload) {
  workload.status = {};
  workload.uid.clear();
  workload.created = kNoTime;
  return workload;
}

}  // namespace

Applied Applier::Store(const Workload& spec) {
  if (WorkloadRecord* existing = world_.FindWorkload(spec.key)) {
    return Resubmit(*existing, spec);
  }
  const WorkloadId id{static_cast<std::uint32_t>(world_.workloads.size())};
  world_.workloads.push_back(std::make_unique<WorkloadRecord>());
  WorkloadRecord& workload = *world_.workloads.back();
  workload.id = id;
  workload.spec = spec;
  CloseUnknownGates(workload.spec);
  if (workload.spec.uid.empty()) workload.spec.uid = PaddedSequence(world_.next_sequence);
  workload.arrival = world_.next_sequence++;
  if (workload.spec.created == kNoTime) workload.spec.created = world_.now;
  world_.ListWorkload(workload);
  newcomers_.push_back({id});
  return Applied::kCreated;
}

Applied Applier::Submit(const Workload& spec, const Understood& understood) {
  const Applied applied = Store(spec);
  if (applied != Applied::kCreated) return applied;
  Newcomer& newcomer = newcomers_.back();
  WorkloadRecord& workload = world_.workload(newcomer.id);
  workload.spec.pod_sets = understood.pod_sets;
  workload.spec.queue = understood.queue->name_text;
  workload.local_queue = understood.queue->id;
  workload.queue = understood.queue->queue;
  newcomer.resolved = true;
  return applied;
}

Applied Applier::Resubmit(WorkloadRecord& existing, const Workload& spec) {
  Workload as_submitted = Submitted(spec);
  if (!as_submitted.priority) ResolvePriority(world_, as_submitted);
  if (Submitted(existing.spec) == as_submitted) return Applied::kUnchanged;
  if (existing.queued()) Dequeue(world_, existing);
  if (existing.spec.queue != as_submitted.queue) DropPenalty(world_, existing);
  as_submitted.uid = existing.spec.uid;
  as_submitted.created = existing.spec.created;
  as_submitted.status = existing.spec.status;
  world_.LeaveRoster(existing);
  CapReclaimablePods(as_submitted);
  CloseUnknownGates(as_submitted);
  existing.spec = std::move(as_submitted);
  newcomers_.push_back({existing.id});
  return Applied::kChanged;
}

void Applier::AdmitNewcomer(const Newcomer& newcomer) {
  WorkloadRecord& workload = world_.workload(newcomer.id);
  ResolvePriority(world_, workload.spec);
  if (!newcomer.resolved) ResolveQueues(world_, workload);
  ResolveRequests(world_, workload);
  const WorkloadStatus& status = workload.spec.status;
  if (const Condition* reserved = FindCondition(status, condition::kQuotaReserved);
      reserved != nullptr && reserved->status) {
    workload.reserved_at = reserved->since;
  }
  world_.changes.Touch(workload.id);
  world_.changes.Report(EventKind::kSubmitted, workload.spec.key,
                        [&] { return SubmittedPayload(workload.spec, written_); });
  workload.evicted =
      IsTrue(status, condition::kEvicted) && IsTrue(status, condition::kQuotaReserved);
  RefreshKey(world_, workload);
  SyncChecks(world_, workload);
  SyncDeadline(world_, workload);
  if (workload.local_queue.valid()) world_.EnterRoster(workload, workload.local_queue);
}

}  // namespace muster
