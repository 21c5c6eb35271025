// See verdict.h. What keeps a workload from being looked at comes before what it would find then.
#include "engine/explain/verdict.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/sooner.h"
#include "engine/base/time_text.h"
#include "engine/explain/kin_words.h"
#include "engine/explain/lack.h"
#include "engine/kin/preemption_gates.h"
#include "engine/life/deadlines.h"
#include "engine/life/lifecycle.h"
#include "engine/life/queueing.h"
#include "engine/model/admission_gate.h"
#include "engine/model/elastic.h"
#include "engine/model/limits.h"
#include "engine/model/names.h"
#include "engine/model/on_hold.h"
#include "engine/policy/hold_rule.h"
#include "engine/state/held_amounts.h"
#include "engine/state/records.h"

namespace muster {
namespace {

std::string Counted(std::int64_t workloads) {
  return std::to_string(workloads) + (workloads == 1 ? " workload" : " workloads");
}

std::string EvictionReason(const WorkloadRecord& workload) {
  const auto evicted = FindCondition(workload.spec.status, condition::kEvicted);
  return !evicted ? std::string() : " (" + evicted->reason + ")";
}

/// What it lacks to become a candidate again; empty where nothing can be done about it.
std::string CureOfInactive(const ClusterQueueState& queue) {
  if (queue.inactive_reason == "Stopped") {
    return "set spec.stopPolicy of ClusterQueue " + queue.name() + " to None";
  }
  if (queue.inactive_reason == "Terminating") return "name another queue";
  return "apply what is missing, or take it out of ClusterQueue " + queue.name();
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
        return name_ + " is admitted" + Deadline() + ".";
      case WorkloadPhase::kReserved:
        return WhyItIsNotAdmitted();
      case WorkloadPhase::kEvicting:
        Cure("report that its pods are gone");
        if (!workload_.active) {
          return name_ + " is deactivated" + EvictionReason(workload_) +
                 ": its quota is free, and its pods still have to stop.";
        }
        return name_ + " was evicted" + EvictionReason(workload_) +
               " and holds its quota until its pods are gone.";
      case WorkloadPhase::kFinished:
        return name_ + " has finished" + EndedBy() + ".";
      case WorkloadPhase::kInactive:
        return WhyItIsInactive();
      case WorkloadPhase::kPending:
        break;
    }
    return workload_.queued() ? WhyItWaits() : WhyItIsNotQueued();
  }

 private:
  void Cure(std::string cure) { explanation_.cure = std::move(cure); }
  std::string Say(KinVerdict kin) {
    Cure(std::move(kin.cure));
    return std::move(kin.text);
  }

  /// Of one that ended for another reason than its job's end.
  std::string EndedBy() const {
    const auto finished = FindCondition(workload_.spec.status, condition::kFinished);
    if (!finished || finished->reason == word::kSucceeded || finished->reason == word::kFailed ||
        finished->reason == kSliceReplaced) {
      return "";
    }
    return ": " + finished->reason.str() + ", " + finished->message.str();
  }

  /// Until when it may go on as it is; sets `until` to the nearer of two.
  std::string Deadline() {
    const TimeNs ready_by = ReadyBy(world_, workload_);
    const TimeNs end = ExecutionEnd(workload_);
    explanation_.until = Sooner(ready_by, end);
    std::string text;
    if (ready_by != kNoTime) {
      Cure("report its pods ready");
      text += ", has to be ready by " + FormatTime(ready_by) + " (waitForPodsReady)";
    }
    if (end != kNoTime) {
      text += std::string(text.empty() ? "," : ", and") + " may run until " + FormatTime(end) +
              " (maximumExecutionTimeSeconds)";
    }
    return text;
  }

  std::string WhyItIsInactive() {
    const auto& annotations = workload_.series().annotations;
    if (const auto hold = annotations.find(kOnHoldAnnotation); hold != annotations.end()) {
      Cure("correct its object, and observe it once its controller has taken it");
      return name_ + " is on hold: the status of its object says " + std::string(hold->second) +
             ".";
    }
    const bool has_replicas = annotations.find(kOwnerOfReplicasAnnotation) != annotations.end();
    Cure(has_replicas ? "scale it up, if its object has no replicas for it; else set it active"
                      : "set it active");
    return name_ + " is deactivated" + EvictionReason(workload_) + " and queues again once it is " +
           (has_replicas ? "scaled up or set active." : "set active.");
  }

  std::string WhyItIsNotQueued() {
    const std::string local_queue = workload_.spec.key.ns + "/" + std::string(workload_.spec.queue);
    if (!workload_.local_queue.valid()) {
      Cure("apply that LocalQueue, or submit the workload to another one");
      return "LocalQueue " + local_queue + " does not exist.";
    }
    const LocalQueue& spec = world_.local_queue(workload_.local_queue).spec;
    if (!workload_.queue.valid()) {
      Cure("apply that ClusterQueue, or let the LocalQueue name another one");
      return "ClusterQueue " + spec.cluster_queue + " of its LocalQueue " + local_queue +
             " does not exist.";
    }
    const std::string_view gates = AdmissionGatesOf(world_, workload_);
    if (!gates.empty() && spec.stop_policy == StopPolicy::kNone) {
      const auto& annotations = workload_.series().annotations;
      if (annotations.find(kPodGroupWaitsAnnotation) != annotations.end()) {
        Cure("apply the other pods of the group; they may come one by one");
        return name_ + " waits for the total of its pod group: " + std::string(gates) +
               " are there.";
      }
      Cure("take each gate out of its annotation once what it stands for is done");
      return name_ + " is not queued before its admission gates are gone: " + std::string(gates) +
             ".";
    }
    if (auto parent = VerdictOnParent(world_, workload_)) return Say(*std::move(parent));
    Cure("set spec.stopPolicy of LocalQueue " + local_queue + " to None");
    return name_ + " is not queued: its LocalQueue " + local_queue + " is stopped.";
  }

  std::string WhyItWaits() {
    const ClusterQueueState& queue = world_.queue(workload_.queue);
    if (!queue.active) {
      Cure(CureOfInactive(queue));
      return "ClusterQueue " + queue.name() + " is not active: " + queue.inactive_message + ".";
    }
    if (!BackoffExpired(world_, workload_)) return Backoff();
    if (!hypothesis_.hold.policy.empty()) return OnHold(hypothesis_.hold);
    const Entry& entry = hypothesis_.entry;
    if (!entry.nominated) return Inadmissible(queue);
    const bool fits = entry.assignment().mode == AssignmentMode::kFit;
    if (auto kin = VerdictOnSiblings(world_, workload_, fits)) return Say(*std::move(kin));
    if (fits) return Fits(queue);
    if (hypothesis_.kept_for != nullptr) return KeptForAnother(*hypothesis_.kept_for);
    if (!entry.victims.empty()) return NeedsRoom(queue);
    const PlaceLack* places = hypothesis_.places ? &*hypothesis_.places : nullptr;
    Lack lack = WhatItLacks(world_, workload_, entry, explanation_, places);
    Cure(std::move(lack.cure));
    explanation_.never = lack.never;
    return std::move(lack.text) + HeadInTheWay(queue);
  }

  std::string OnHold(const PolicyHold& hold) {
    explanation_.until = hold.until;
    Cure("do what policy " + hold.policy + " asks for" +
         (hold.until == kNoTime ? "" : ", or wait until then"));
    return name_ + " is " + HoldMessage(hold) + ".";
  }

  /// A check before its flavors were looked at failed.
  std::string Inadmissible(const ClusterQueueState& queue) {
    const Entry& entry = hypothesis_.entry;
    const std::string& ns = workload_.spec.key.ns;
    if (entry.requeue == RequeueReason::kNamespaceMismatch && !queue.spec.namespace_selector) {
      Cure("write `namespaceSelector: {}` in the spec of ClusterQueue " + queue.name() +
           ": it has none, which selects no namespace");
    } else if (entry.requeue == RequeueReason::kNamespaceMismatch) {
      Cure("give namespace " + ns + " labels that spec.namespaceSelector of ClusterQueue " +
           queue.name() + " selects, or widen the selector");
    } else if (!world_.catalog.namespaces.contains(ns)) {
      Cure("apply Namespace " + ns);
    } else if (entry.reason == PendingReason::kMisconfigured) {
      Cure("change its requests, or the rule that they break");
    }
    return name_ + ": " + std::string(entry.message) + ".";
  }

  /// It holds quota. Nodes that checks had made are looked at once more after them.
  std::string WhyItIsNotAdmitted() {
    const std::string open = OpenChecks();
    if (open.empty()) {
      Cure("free room on the nodes that it may use, or add such nodes");
      return name_ + " holds quota, its checks are Ready, and it waits for places on nodes.";
    }
    Cure("report these checks Ready");
    return name_ + " holds quota and waits for admission checks: " + open + ".";
  }

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
      Cure("set its condition Requeued to True, or submit it anew");
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

  /// What quota would give of a resource, no workload may hold.
  void SayAtMost(const std::string& resource) {
    for (FlavorAttempt& attempt : explanation_.flavors) {
      for (ResourceAttempt& each : attempt.resources) {
        if (each.resource != resource) continue;
        each.mode = attempt.mode = FlavorMode::kNoFit;
        each.maximum = std::min(each.maximum, kMostAsked);
        attempt.chosen = false;
      }
    }
  }

  std::string Fits(const ClusterQueueState& queue) {
    const std::span<const Usage> usage = hypothesis_.entry.assignment().usage;
    const ResourceId large = AsksTooMuch(world_.names, usage);
    if (large.valid()) {
      explanation_.never = true;
      SayAtMost(world_.names.ResourceName(large));
      return name_ + " never starts: " + TooMuchAsked(world_.names, large) + ".";
    }
    const ResourceId beyond = BeyondCounting(world_, usage);
    if (beyond.valid()) {
      Cure("others have to end first");
      return name_ + " would fit by quota, but waits: " + TooMuchHeld(world_.names, beyond) + ".";
    }
    if (WaitsForPodsReady(world_)) return WaitsForReadiness();
    if (queue.pending.IsParked(workload_.key)) {
      Cure("change something in its cohort: a quota, a flavor, or a workload that ends");
      return name_ + " fits" + WithPods() + ", but" + IsParked();
    }
    if (hypothesis_.foreseen.first != nullptr) return OtherHeadFirst(hypothesis_.foreseen);
    if (explanation_.ahead_count == 0) {
      return name_ + " fits" + WithPods() + " and will be looked at in the next cycle.";
    }
    if (queue.spec.queueing_strategy == QueueingStrategy::kStrictFifo) {
      return name_ + " fits" + WithPods() + "." + HeadInTheWay(queue);
    }
    return name_ + " fits" + WithPods() + ", but " + Counted(explanation_.ahead_count) +
           " of its ClusterQueue will be looked at first.";
  }

  /// " with 5 of 8 pods"; empty: with all.
  std::string WithPods() const {
    std::int64_t given = 0;
    std::int64_t asked = 0;
    for (const PodSetAssignmentPlan& plan : hypothesis_.entry.assignment().pod_sets) {
      given += plan.count;
    }
    for (const PodSetRequests& pod_set : workload_.pod_sets) asked += pod_set.effective_count;
    if (given == asked) return "";
    return " with " + std::to_string(given) + " of " + std::to_string(asked) + " pods";
  }

  /// A cycle decides about another head first, which takes what it needs.
  std::string OtherHeadFirst(const Foreseen& foreseen) {
    const WorkloadRecord& first = *foreseen.first;
    const ClusterQueueState& queue = world_.queue(first.queue);
    const std::string other = first.spec.key.ToString();
    const std::string text =
        name_ + " fits" + WithPods() + ", but " + other + " of ClusterQueue " + queue.name();
    const bool strict = queue.spec.queueing_strategy == QueueingStrategy::kStrictFifo;
    if (foreseen.outcome == Outcome::kNoCandidates) {
      Cure("let " + other + " start or leave" +
           (strict
                ? ", or set queueingStrategy of ClusterQueue " + queue.name() + " to BestEffortFIFO"
                : ""));
      return text +
             " goes first and reserves what it needs, though it cannot start and may evict " +
             "none that would make room" +
             (strict ? ": as the head of a StrictFIFO queue it does so in each cycle." : ".");
    }
    if (foreseen.outcome == Outcome::kAdmitted)
      return text + " goes first and takes what it needs.";
    Cure("report that the pods of those that leave for " + other + " are gone");
    return text + " goes first and reserves what it needs, in each cycle until " +
           (foreseen.victims == 0 ? "evicted workloads are gone."
                                  : Counted(foreseen.victims) + " made room for that one.");
  }

  /// " is parked until something changes", with what the last cycle said.
  std::string IsParked() {
    Cure("change something in its cohort: a quota, a flavor, or a workload that ends");
    const std::string_view last = ReasonName(workload_.reason);
    return " is parked until something changes in its cohort" +
           (last.empty() ? std::string() : " (the last cycle said " + std::string(last) + ")") +
           ".";
  }

  /// ", but t/head comes first"; empty: it is the head, or no other may pass the head anyway.
  std::string ComesFirst(const ClusterQueueState& queue) const {
    const bool strict = queue.spec.queueing_strategy == QueueingStrategy::kStrictFifo;
    if (strict || explanation_.ahead.empty()) return "";
    const std::int64_t more = explanation_.ahead_count - 1;
    return ", but " + explanation_.ahead.front().workload.ToString() +
           (more == 0 ? " comes first" : " and " + std::to_string(more) + " more come first");
  }

  /// Under StrictFIFO none passes the head; empty where that is not what keeps it waiting.
  std::string HeadInTheWay(const ClusterQueueState& queue) {
    if (queue.spec.queueing_strategy != QueueingStrategy::kStrictFifo) return "";
    if (explanation_.ahead.empty()) return "";
    const Key& head = explanation_.ahead.front().workload;
    const std::string way = "let " + head.ToString() +
                            " start or leave, or set queueingStrategy "
                            "of ClusterQueue " +
                            queue.name() + " to BestEffortFIFO";
    explanation_.cure += (explanation_.cure.empty() ? "" : "; before that, ") + way;
    const std::string_view last = ReasonName(world_.FindWorkload(head)->reason);
    return " ClusterQueue " + queue.name() + " is StrictFIFO: none passes its head " +
           head.ToString() + (last.empty() ? "" : ", which waits (" + std::string(last) + ")") +
           ".";
  }

  std::string WaitsForReadiness() {
    const WorkloadRecord& unready = *Unready();
    explanation_.until = unready.deadline();
    Cure("report the pods of " + unready.spec.key.ToString() + " ready");
    std::string text = name_ +
                       " fits, but none is admitted before all that are admitted are ready "
                       "(waitForPodsReady.blockAdmission): " +
                       unready.spec.key.ToString();
    if (world_.unready > 1) text += " and " + std::to_string(world_.unready - 1) + " more";
    text += world_.unready > 1 ? " are not" : " is not";
    if (unready.deadline() == kNoTime) return text + ".";
    return text + ", and has time until " + FormatTime(unready.deadline()) + ".";
  }

  std::string KeptForAnother(const WorkloadRecord& keeper) {
    const auto leaving = static_cast<std::int64_t>(keeper.room().victims.size());
    std::string text = name_ + " would fit, but the room is kept (preemptorHold) for " +
                       keeper.spec.key.ToString() + " of ClusterQueue " +
                       world_.queue(keeper.queue).name();
    if (leaving > 0) {
      Cure("report that the pods of those are gone");
      text += ", for which " + Counted(leaving) + (leaving == 1 ? " still has" : " still have") +
              " to leave";
    }
    return text + ".";
  }

  std::string NeedsRoom(const ClusterQueueState& queue) {
    const std::vector<Victim>& victims = hypothesis_.entry.victims;
    const auto count = static_cast<std::int64_t>(victims.size());
    if (HasClosedGate(workload_)) {
      Cure("open the gate");
      return name_ + " has to evict " + Counted(count) +
             ", and may not while its preemption gate is closed: " + ClosedGates() + ".";
    }
    const auto leaving = std::count_if(victims.begin(), victims.end(), [&](const Victim& victim) {
      return world_.workload(victim.workload).evicted;
    });
    if (leaving == count) {
      Cure("report that their pods are gone");
    }
    const std::string room = " once " + Counted(count) + " made room for it" +
                             (leaving == count ? ", told to leave already: " : ": ") +
                             Names(victims);
    if (leaving < count && queue.pending.IsParked(workload_.key)) {
      return name_ + " could start" + WithPods() + room + "; but it" + IsParked();
    }
    const std::string places = hypothesis_.places ? " " + hypothesis_.places->text : "";
    return name_ + " starts" + WithPods() + room + ComesFirst(queue) + "." + places +
           HeadInTheWay(queue);
  }

  std::string ClosedGates() const {
    const auto& open = workload_.spec.status.rare->open_preemption_gates;
    std::string closed;
    for (const std::string& gate : workload_.series().preemption_gates) {
      if (std::find(open.begin(), open.end(), gate) != open.end()) continue;
      closed += (closed.empty() ? "" : ", ") + gate;
    }
    return closed;
  }

  std::string Names(const std::vector<Victim>& victims) const {
    constexpr std::size_t kNamed = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(victims.size(), kNamed); ++i) {
      text += (i == 0 ? "" : ", ") + world_.workload(victims[i].workload).spec.key.ToString();
    }
    return victims.size() <= kNamed
               ? text
               : text + " and " + std::to_string(victims.size() - kNamed) + " more";
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
