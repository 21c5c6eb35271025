// See job_pass.h. The order of the steps is that of Kueue's reconciler.
#include "engine/concurrent/job_pass.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "engine/base/words.h"
#include "engine/concurrent/made_variant.h"
#include "engine/hand_over/decide.h"
#include "engine/kin/variants.h"
#include "engine/life/checks.h"
#include "engine/life/deadlines.h"
#include "engine/life/lifecycle.h"
#include "engine/life/queueing.h"
#include "engine/life/variant_gates.h"
#include "engine/life/variants.h"
#include "engine/model/concurrent.h"
#include "engine/model/limits.h"
#include "engine/record/payload.h"
#include "engine/state/records.h"
#include "engine/state/variant_marks.h"
#include "engine/state/whole_workload.h"

namespace muster {
namespace {

constexpr std::string_view kDeletedVariant = "DeletedVariant";

bool HasEnded(const WorkloadRecord& workload) {
  return IsTrue(workload.spec.status, condition::kFinished);
}

std::string FlavorOf(const WorkloadRecord& variant) {
  auto flavors = AllowedFlavors(variant.series().annotations);
  return flavors ? std::string(NextFlavor(*flavors)) : std::string();
}

void Report(World& world, EventKind kind, const WorkloadRecord& job,
            const WorkloadRecord& variant) {
  world.changes.Report(kind, job.spec.key, [&] { return VariantPayload(variant); });
}

}  // namespace

bool JobPass::HasQuota() const { return IsTrue(job_.spec.status, condition::kQuotaReserved); }

WorkloadRecord* JobPass::Running() {
  return running_ == nullptr ? nullptr : &world_.workload(running_->id());
}

bool JobPass::EvictJob(std::string_view reason, std::string_view message) {
  return HasQuota() && OrderEviction(world_, job_, reason, message);
}

bool JobPass::Run() {
  if (!job_.is_job) return Begin();
  if (HasEnded(job_)) return FinishVariants();
  if (job_.queue.valid() && !WantsVariants(world_, job_)) return GiveBack();
  bool changed = MakeVariants();
  variants_ = VariantsOf(world_, job_);
  running_ = RunningVariant(world_, job_);
  if (PassEvictions()) return true;
  changed |= Activate();
  if (changed) return true;
  changed |= FollowStatus();
  changed |= TryAgain();
  changed |= UngateDue(world_, job_);
  SyncDeadline(world_, job_);
  return changed;
}

bool JobPass::Begin() {
  if (!WantsVariants(world_, job_) || HasEnded(job_) || HasQuota() || job_.holds()) return false;
  if (job_.queued()) Dequeue(world_, job_);
  job_.is_job = true;
  world_.jobs[job_.id()];
  KeptStatus& status = job_.spec.status;
  if (!status.rare->admission_checks.empty()) status.rare.Mutable().admission_checks.clear();
  if (job_.active) job_.reason = PendingReason::kNone;
  job_.ForgetWaiting();
  world_.changes.Touch(job_.id());
  return true;
}

bool JobPass::GiveBack() {
  for (const WorkloadId id : VariantsOf(world_, job_)) {
    WorkloadRecord& variant = world_.workload(id);
    Report(world_, EventKind::kDeletedVariant, job_, variant);
    ForgetWorkload(world_, variant, kDeletedVariant);
  }
  world_.jobs.erase(job_.id());
  job_.is_job = false;
  world_.changes.Touch(job_.id());
  SyncQuota(world_, job_);
  RefreshKey(world_, job_);
  SyncChecks(world_, job_);
  SyncDeadline(world_, job_);
  if (MayQueue(world_, job_)) Enqueue(world_, job_, true, true);
  return true;
}

bool JobPass::FinishVariants() {
  bool changed = false;
  const ConditionView finished = *FindCondition(job_.spec.status, condition::kFinished);
  for (const WorkloadId id : VariantsOf(world_, job_)) {
    WorkloadRecord& variant = world_.workload(id);
    if (HasEnded(variant)) continue;
    EndWorkload(world_, variant, finished.reason, finished.message);
    changed = true;
  }
  return changed;
}

bool JobPass::MakeVariants() {
  if (!job_.queue.valid()) return false;
  bool changed = false;
  std::set<std::string> made;
  const ClusterQueueState& queue = world_.queue(job_.queue);
  for (const WorkloadId id : VariantsOf(world_, job_)) {
    WorkloadRecord& variant = world_.workload(id);
    const bool stays = PreferenceOf(queue, variant) && variant.spec.queue == job_.spec.queue;
    changed |= stays ? Follow(variant) : Discard(variant);
    if (stays) made.insert(FlavorOf(variant));
  }
  if (queue.spec.resource_groups.empty()) return changed;
  for (const FlavorQuotas& flavor : queue.spec.resource_groups.front().flavors) {
    const bool full = world_.workload_index.size() >= kMaxWorkloads;
    if (made.contains(flavor.name) || full) continue;
    Make(flavor.name);
    changed = true;
  }
  return changed;
}

void JobPass::Make(std::string_view flavor) {
  Workload wanted = VariantFor(job_, flavor);
  wanted.key.name = NameOfVariant(world_, job_.spec.key, flavor);
  WorkloadRecord& variant = *world_.ListNext(wanted.key).record;
  KeepWorkload(wanted, variant);
  CompleteNewcomer(world_, variant);
  JoinJob(world_, job_, variant);
  NoteVariant(world_, variant);
  ResolveQueues(world_, variant);
  ResolveRequests(world_, variant);
  world_.changes.Touch(variant.id());
  Report(world_, EventKind::kCreatedVariant, job_, variant);
  RefreshKey(world_, variant);
  SyncChecks(world_, variant);
  SyncDeadline(world_, variant);
  world_.EnterRoster(variant, variant.local_queue);
  SyncQuota(world_, variant);
  NoteAdmissionGates(world_, variant);
  if (MayQueue(world_, variant)) Enqueue(world_, variant, true, true);
}

bool JobPass::Follow(WorkloadRecord& variant) {
  if (HasEnded(variant)) return false;
  Workload wanted = VariantFor(job_, FlavorOf(variant));
  const Workload now = WholeWorkload(variant);
  wanted.key = now.key;
  wanted.uid = now.uid;
  wanted.created = now.created;
  wanted.active = now.active;
  const auto reclaimable = wanted.status.reclaimable_pods;
  wanted.status = now.status;
  wanted.status.reclaimable_pods = reclaimable;
  if (wanted == now) return false;
  UpdateWorkload(world_, variant, wanted);
  return true;
}

bool JobPass::Discard(WorkloadRecord& variant) {
  if (HasQuota() && RunningVariant(world_, job_) == &variant) {
    return EvictJob(eviction::kConcurrentAdmission, "No variant is running");
  }
  Report(world_, EventKind::kDeletedVariant, job_, variant);
  ForgetWorkload(world_, variant, kDeletedVariant);
  return true;
}

bool JobPass::PassEvictions() {
  bool changed = MoveToPreferred();
  for (const WorkloadId id : variants_) {
    WorkloadRecord& variant = world_.workload(id);
    if (!variant.evicted) continue;
    if (HasQuota() && &variant == running_) {
      changed |= EvictJob(eviction::kVariantEvicted, "Admitted variant was evicted");
    } else {
      CompleteEviction(world_, variant);
      changed = true;
    }
  }
  if (job_.evicted && running_ != nullptr) {
    const ConditionView evicted = *FindCondition(job_.spec.status, condition::kEvicted);
    // The backoff is the job's. Its variant goes to no place behind its siblings, which would only
    // make the job migrate.
    const bool late = evicted.reason == eviction::kPodsReadyTimeout;
    const std::string reason = late ? "JobEvicted" : std::string(evicted.reason);
    const std::string message(evicted.message);
    changed |= OrderEviction(world_, *Running(), reason, message);
  }
  return changed;
}

const WorkloadRecord& JobPass::BestAdmitted() const {
  for (const WorkloadId id : variants_) {
    const WorkloadRecord& variant = world_.workload(id);
    if (!variant.evicted && IsTrue(variant.spec.status, condition::kAdmitted)) return variant;
  }
  return *running_;
}

bool JobPass::MoveToPreferred() {
  if (!HasQuota() || running_ == nullptr || running_->evicted) return false;
  const WorkloadRecord& best = BestAdmitted();
  return &best != running_ && OrderMigration(world_, *Running(), best);
}

bool JobPass::TryAgain() {
  if (running_ != nullptr || HasQuota()) return false;
  for (const WorkloadId id : variants_) {
    WorkloadRecord& variant = world_.workload(id);
    if (PlaceOf(world_, variant) == QueuePlace::kHeap) return false;
    const auto requeued = FindCondition(variant.spec.status, condition::kRequeued);
    const bool left = requeued && !requeued->status &&
                      requeued->reason == eviction::kFlavorMigration && MayQueue(world_, variant);
    if (!left) continue;
    SetCondition(variant.spec.status, condition::kRequeued, true, "MigrationFailed", "",
                 world_.now);
    world_.changes.Touch(id);
    world_.changes.Report(EventKind::kRequeued, variant.spec.key,
                          [] { return ReasonPayload("MigrationFailed"); });
    Enqueue(world_, variant, true, true);
    return true;
  }
  return false;
}

bool JobPass::IsToBeActive(const WorkloadRecord& variant) const {
  if (!job_.active || !BackoffExpired(world_, job_)) return false;
  if (running_ == nullptr) return true;
  const WorkloadRecord& best = BestAdmitted();
  if (&variant == running_ || &variant == &best || !job_.queue.valid()) return variant.active;
  const ClusterQueueState& queue = world_.queue(job_.queue);
  const auto& policy = queue.spec.concurrent_admission;
  if (!policy || policy->mode == MigrationMode::kRetainFirstAdmission) return false;
  return PreferenceOf(queue, variant) < PreferenceOf(queue, best) &&
         !WhyNoMigration(world_, variant);
}

bool JobPass::Activate() {
  bool changed = false;
  for (const WorkloadId id : variants_) {
    WorkloadRecord& variant = world_.workload(id);
    if (HasEnded(variant)) continue;
    const bool active = IsToBeActive(variant);
    if (active == variant.active) continue;
    Report(world_, active ? EventKind::kActivatedVariant : EventKind::kDeactivatedVariant, job_,
           variant);
    SetActive(world_, variant, active);
    changed = true;
  }
  return changed;
}

bool JobPass::FollowStatus() {
  if (running_ == nullptr) {
    return EvictJob(eviction::kConcurrentAdmission, "No variant is running");
  }
  WorkloadRecord& variant = *Running();
  if (!HasQuota()) {
    if (variant.evicted || !variant.active || !job_.active) return false;
    AdmitAs(world_, job_, variant);
    return true;
  }
  bool changed = false;
  KeptStatus& status = job_.spec.status;
  if (!job_.evicted && !(*status.admission == *variant.spec.status.admission)) {
    status.admission = *variant.spec.status.admission;
    world_.changes.Touch(job_.id());
    world_.changes.Report(EventKind::kPlaced, job_.spec.key,
                          [&] { return AdmissionPayload(*status.admission, job_.key.boost); });
    DecideStart(world_, job_);
    changed = true;
  }
  const bool ready = IsTrue(status, condition::kPodsReady);
  if (ready != IsTrue(variant.spec.status, condition::kPodsReady)) {
    MarkReady(world_, variant, ready);
    changed = true;
  }
  return changed;
}

}  // namespace muster
