// One place for wording, so that schedule, get, describe and explain say the same thing.
#include "bindings/lab/words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

namespace muster::lab {
namespace {

/// "a", "a and b", "a, b and c".
std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::string AssignedTo(const PodSetAssignment& pod_set) {
  std::map<std::string, std::vector<std::string>, std::less<>> by_flavor;
  for (const auto& [resource, flavor] : pod_set.flavors) by_flavor[flavor].push_back(resource);
  std::vector<std::string> parts;
  for (const auto& [flavor, resources] : by_flavor) {
    parts.push_back(Listed(resources) + " on " + flavor);
  }
  std::string text =
      pod_set.name + " " + std::to_string(pod_set.count) + (pod_set.count == 1 ? " pod" : " pods");
  if (!parts.empty()) text += ": " + Listed(parts);
  return text;
}

/// "cpu than flavor spot", once for each that the engine's message says can never have as much. Not
/// where other podsets are there, too: those could be elsewhere.
std::vector<std::string> NeverEnough(std::string_view message) {
  constexpr std::string_view kResource = "insufficient quota for ", kFlavor = " in flavor ",
                             kAlone = ", previously considered podsets requests (0)";
  std::vector<std::string> found;
  for (std::size_t at = 0; (at = message.find(kResource, at)) != std::string_view::npos;) {
    at += kResource.size();
    const std::size_t flavor = message.find(kFlavor, at);
    const std::size_t end = message.find(',', at);
    if (flavor == std::string_view::npos || end == std::string_view::npos || end < flavor) continue;
    if (!message.substr(end).starts_with(kAlone)) continue;
    const std::size_t name = flavor + kFlavor.size();
    std::string each(message.substr(at, flavor - at));
    each.append(" than flavor ").append(message.substr(name, end - name));
    if (std::find(found.begin(), found.end(), each) == found.end())
      found.push_back(std::move(each));
  }
  return found;
}

/// As InWords, with the flavors and resources that the message names, of which few are told.
std::string Reason(PendingReason reason, std::string_view message) {
  constexpr std::size_t kTold = 2;
  const bool says_all =
      reason == PendingReason::kOnHold || reason == PendingReason::kAdmissionGated;
  if (says_all && !message.empty()) return std::string(message);
  std::vector<std::string> parts;
  if (reason == PendingReason::kExceedsMaxQuota) parts = NeverEnough(message);
  if (parts.empty()) return std::string(InWords(reason));
  const std::size_t more = parts.size() - std::min(parts.size(), kTold);
  parts.resize(parts.size() - more);
  std::string text = "asks for more ";
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : ", more ") + parts[i];
  text += " can ever have";
  if (more > 0) text += ", and so in " + std::to_string(more) + " more";
  return text;
}

/// One that no cycle has looked at, or none since it was evicted, may be parked with equal ones, of
/// which one was.
std::string Waiting(PendingReason reason, bool parked, PendingReason of_class,
                    std::string_view message) {
  const bool evicted =
      reason == PendingReason::kPendingEvaluation && of_class != PendingReason::kNone;
  if (!parked || (reason != PendingReason::kNone && !evicted)) return Reason(reason, message);
  if (of_class == PendingReason::kNone) return "set aside until something changes";
  return std::string(InWords(of_class)) + ", as an equal job that was looked at";
}

}  // namespace

std::string_view InWords(PendingReason reason) {
  switch (reason) {
    case PendingReason::kNone:
      return "not looked at yet";
    case PendingReason::kNoMatchingFlavor:
      return "no flavor takes its pods";
    case PendingReason::kWaitingForQuota:
      return "waits for quota";
    case PendingReason::kExceedsMaxQuota:
      return "asks for more than the flavors tried have";
    case PendingReason::kTopologyPlacementFailed:
      return "no set of nodes fits its topology";
    case PendingReason::kWaitingForPreemptedWorkloads:
      return "waits for preempted jobs to leave";
    case PendingReason::kMisconfigured:
      return "cannot be admitted as written";
    case PendingReason::kSuspended:
      return "its queue is stopped or inactive";
    case PendingReason::kPendingEvaluation:
      return "will be looked at again";
    case PendingReason::kWaitingForPodsReady:
      return "waits until admitted jobs are ready";
    case PendingReason::kAdmissionGated:
      return "its preemption gate is closed";
    case PendingReason::kOnHold:
      return "on hold";
    case PendingReason::kDeactivated:
      return "deactivated";
  }
  return "";
}

std::string WhyItWaits(const WorkloadView& workload) {
  if (workload.phase == WorkloadPhase::kInactive) {
    return std::string(InWords(PendingReason::kDeactivated));
  }
  if (!workload.closed.empty()) return workload.closed;
  return Waiting(workload.reason, workload.parked, workload.class_reason, workload.message);
}

std::string WhyItWaits(const PendingWorkload& workload) {
  if (!workload.closed.empty()) return workload.closed;
  return Waiting(workload.reason, workload.parked, workload.class_reason, workload.message);
}

std::string InWords(const PolicyFailure& failure) {
  return failure.hook + " of policy " + failure.policy + " failed for " + failure.cluster_queue +
         ", the built-in rule decided instead, in every other queue of this policy too: " +
         failure.message;
}

std::string Counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string_view EvictionInWords(std::string_view reason) {
  if (reason == "PodsReadyTimeout") return "its pods were not ready in time";
  if (reason.ends_with("MaximumExecutionTimeExceeded")) return "it has run as long as it may";
  if (reason.ends_with("RequeuingLimitExceeded")) return "it was not ready in time too often";
  return "a time limit has passed";
}

std::string_view InWords(PreemptionReason reason) {
  switch (reason) {
    case PreemptionReason::kInClusterQueue:
      return "a job of its own queue comes before it";
    case PreemptionReason::kInCohortReclamation:
      return "the owner takes back quota it had lent";
    case PreemptionReason::kInCohortFairSharing:
      return "its queue holds more than its fair share";
    case PreemptionReason::kInCohortReclaimWhileBorrowing:
      return "a job of higher priority borrows in its place";
    case PreemptionReason::kFlavorMigration:
      return "the job moves to a flavor that it prefers";
    case PreemptionReason::kNodeFailures:
      return "a node failed, and no other has room for its pods";
  }
  return "";
}

std::string_view Spelled(PreemptionPolicy policy) {
  switch (policy) {
    case PreemptionPolicy::kNever:
      return "Never";
    case PreemptionPolicy::kLowerPriority:
      return "LowerPriority";
    case PreemptionPolicy::kLowerOrNewerEqualPriority:
      return "LowerOrNewerEqualPriority";
    case PreemptionPolicy::kAny:
      return "Any";
  }
  return "";
}

std::string_view Spelled(QueueingStrategy strategy) {
  return strategy == QueueingStrategy::kStrictFifo ? "StrictFIFO" : "BestEffortFIFO";
}

std::string_view Spelled(StopPolicy policy) {
  switch (policy) {
    case StopPolicy::kNone:
      return "None";
    case StopPolicy::kHold:
      return "Hold";
    case StopPolicy::kHoldAndDrain:
      return "HoldAndDrain";
  }
  return "";
}

std::string Assigned(const Admission& admission) {
  std::string text;
  for (const PodSetAssignment& pod_set : admission.pod_sets) {
    if (!text.empty()) text += "; ";
    text += AssignedTo(pod_set);
  }
  return text;
}

std::string ClusterQueueOf(const WorkloadView& workload) {
  const auto& admission = workload.spec.status.admission;
  return admission ? admission->cluster_queue.str() : workload.cluster_queue;
}

std::string Share(double share) {
  if (std::isinf(share)) return "inf";
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", share);
  return text;
}

}  // namespace muster::lab
