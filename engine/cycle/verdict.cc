// See verdict.h. What keeps a workload from being looked at comes before what it would find then.
#include "engine/cycle/verdict.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "engine/cycle/deadlines.h"
#include "engine/cycle/lifecycle.h"
#include "engine/cycle/nominate.h"
#include "engine/cycle/queueing.h"
#include "engine/model/names.h"
#include "engine/model/time_text.h"
#include "muster/quantity.h"

namespace muster {
namespace {

std::string Counted(std::int64_t workloads) {
  return std::to_string(workloads) + (workloads == 1 ? " workload" : " workloads");
}

std::string EvictionReason(const WorkloadRecord& workload) {
  const auto evicted = FindCondition(workload.spec.status, condition::kEvicted);
  return !evicted ? std::string() : " (" + evicted->reason + ")";
}

class Verdict {
 public:
  Verdict(const World& world, const WorkloadRecord& workload, const Hypothesis& hypothesis,
          Explanation& explanation)
      : world_(world),
        workload_(workload),
        hypothesis_(hypothesis),
        explanation_(explanation),
        name_(workload.spec.key.ToString()) {}

  std::string Text() {
    switch (explanation_.workload.phase) {
      case WorkloadPhase::kAdmitted:
        return name_ + " is admitted.";
      case WorkloadPhase::kReserved:
        return name_ + " holds quota and waits for admission checks: " + OpenChecks() + ".";
      case WorkloadPhase::kEvicting:
        if (!workload_.active) {
          return name_ + " is deactivated: its quota is free, and its pods still have to stop.";
        }
        return name_ + " was evicted" + EvictionReason(workload_) +
               " and holds its quota until its pods are gone.";
      case WorkloadPhase::kFinished:
        return name_ + " has finished.";
      case WorkloadPhase::kInactive:
        return name_ + " is deactivated" + EvictionReason(workload_) +
               " and queues again once it is set active.";
      case WorkloadPhase::kPending:
        break;
    }
    if (!workload_.local_queue.valid()) {
      return "LocalQueue " + workload_.spec.key.ns + "/" + workload_.spec.queue +
             " does not exist.";
    }
    if (!workload_.queue.valid()) return "The ClusterQueue of its LocalQueue does not exist.";
    if (!workload_.queued()) {
      return name_ + " is not queued: its LocalQueue is stopped.";
    }
    const ClusterQueueState& queue = world_.queue(workload_.queue);
    if (!queue.active) {
      return "ClusterQueue " + queue.name() + " is not active: " + queue.inactive_message + ".";
    }
    if (!BackoffExpired(world_, workload_)) return Backoff();
    const Entry& entry = hypothesis_.entry;
    if (!entry.nominated) return entry.message + ".";
    if (entry.assignment().mode == AssignmentMode::kFit) return Fits();
    if (hypothesis_.kept_for != nullptr) return KeptForAnother(*hypothesis_.kept_for);
    if (!entry.victims.empty()) return NeedsRoom(static_cast<std::int64_t>(entry.victims.size()));
    return Shortage(queue);
  }

 private:
  std::string OpenChecks() const {
    std::string text;
    for (const AdmissionCheckStatus& check : workload_.spec.status.rare->admission_checks) {
      if (check.state == CheckState::kReady) continue;
      text += (text.empty() ? "" : ", ") + check.name + " is " + std::string(EnumName(check.state));
    }
    return text;
  }

  std::string Backoff() {
    const auto requeued = FindCondition(workload_.spec.status, condition::kRequeued);
    const auto& state = workload_.spec.status.rare->requeue_state;
    explanation_.until = workload_.deadline();
    if (explanation_.until == kNoTime && state) explanation_.until = state->requeue_at;
    const std::string why =
        !requeued || requeued->status ? "" : "was evicted (" + requeued->reason + ") and ";
    if (explanation_.until == kNoTime) {
      return name_ + " " + why + "is not looked at before its condition Requeued is True.";
    }
    return name_ + " " + why + "is not looked at before " + FormatTime(explanation_.until) +
           ", when its backoff ends.";
  }

  /// The first in the order of names that is admitted and not ready.
  const WorkloadRecord* Unready() const {
    for (const WorkloadId id : world_.WorkloadsByName()) {
      if (world_.workload(id).unready) return &world_.workload(id);
    }
    return nullptr;
  }

  std::string Fits() {
    if (WaitsForPodsReady(world_)) {
      const WorkloadRecord& unready = *Unready();
      explanation_.until = unready.deadline();
      std::string text = name_ +
                         " fits, but nobody is admitted before all that are admitted are "
                         "ready (waitForPodsReady.blockAdmission): " +
                         unready.spec.key.ToString();
      if (world_.unready > 1) text += " and " + std::to_string(world_.unready - 1) + " more";
      text += world_.unready > 1 ? " are not" : " is not";
      if (unready.deadline() == kNoTime) return text + ".";
      return text + ", and has time until " + FormatTime(unready.deadline()) + ".";
    }
    if (world_.queue(workload_.queue).pending.IsParked(workload_.key)) {
      return name_ + " fits, but is parked until something changes in its cohort.";
    }
    if (explanation_.ahead_count == 0) {
      return name_ + " fits and will be looked at in the next cycle.";
    }
    return name_ + " fits, but " + Counted(explanation_.ahead_count) +
           " of its ClusterQueue will be looked at first.";
  }

  std::string KeptForAnother(const WorkloadRecord& keeper) const {
    const auto leaving = static_cast<std::int64_t>(keeper.room().victims.size());
    std::string text = name_ + " would fit, but the room is kept (preemptorHold) for " +
                       keeper.spec.key.ToString() + " of ClusterQueue " +
                       world_.queue(keeper.queue).name();
    if (leaving > 0) {
      text += ", for which " + Counted(leaving) + (leaving == 1 ? " still has" : " still have") +
              " to leave";
    }
    return text + ".";
  }

  std::string NeedsRoom(std::int64_t victims) const {
    if (!HasClosedGate(workload_)) {
      return name_ + " starts once " + Counted(victims) + " made room for it.";
    }
    const auto& open = workload_.spec.status.rare->open_preemption_gates;
    std::string closed;
    for (const std::string& gate : workload_.series().preemption_gates) {
      if (std::find(open.begin(), open.end(), gate) != open.end()) continue;
      closed += (closed.empty() ? "" : ", ") + gate;
    }
    return name_ + " has to evict " + Counted(victims) +
           ", and may not while its preemption gate is closed: " + closed + ".";
  }

  std::string Shortage(const ClusterQueueState& queue) const {
    for (const FlavorAttempt& attempt : explanation_.flavors) {
      for (const ResourceAttempt& resource : attempt.resources) {
        if (resource.requested > resource.maximum) {
          return name_ + " asks for " + FormatAmount(resource.resource, resource.requested) + " " +
                 resource.resource + ", but ClusterQueue " + queue.name() +
                 " can never have more than " + FormatAmount(resource.resource, resource.maximum) +
                 " in flavor " + attempt.flavor + ".";
        }
        if (resource.shortage > 0) {
          return name_ + " is short of " + FormatAmount(resource.resource, resource.shortage) +
                 " " + resource.resource + " in flavor " + attempt.flavor + ": it asks for " +
                 FormatAmount(resource.resource, resource.requested) + ", ClusterQueue " +
                 queue.name() + " has " + FormatAmount(resource.resource, resource.available) +
                 " left, and it may evict nobody who would make room.";
        }
      }
    }
    const std::string message = hypothesis_.entry.assignment().Message(world_.names, workload_);
    return message.empty() ? name_ + " waits for quota." : name_ + ": " + message + ".";
  }

  const World& world_;
  const WorkloadRecord& workload_;
  const Hypothesis& hypothesis_;
  Explanation& explanation_;
  const std::string name_;
};

}  // namespace

void GiveVerdict(const World& world, const WorkloadRecord& workload, const Hypothesis& hypothesis,
                 Explanation& explanation) {
  explanation.verdict = Verdict(world, workload, hypothesis, explanation).Text();
}

}  // namespace muster
