// The words for the values of every enum: one table per enum, in the order of its declaration,
// spelt as manifests, statuses and events spell them. Lookup is a short linear search.
#ifndef MUSTER_ENGINE_MODEL_NAMES_H_
#define MUSTER_ENGINE_MODEL_NAMES_H_

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "engine/model/kinds.h"
#include "muster/account.h"
#include "muster/decision.h"
#include "muster/hand_over.h"
#include "muster/journal.h"
#include "muster/object.h"
#include "muster/policy.h"
#include "muster/spec.h"
#include "muster/trace.h"
#include "muster/views.h"
#include "muster/workload.h"

namespace muster {

/// Specialised below: `kNames[static_cast<std::size_t>(value)]` is the word for `value`.
template <typename E>
struct EnumTable;

template <typename E>
constexpr std::string_view EnumName(E value) {
  const auto index = static_cast<std::size_t>(value);
  return index < EnumTable<E>::kNames.size() ? EnumTable<E>::kNames[index] : std::string_view("?");
}

/// The value spelt `name`; an empty name is never one. nullopt for anything else.
template <typename E>
constexpr std::optional<E> EnumFromName(std::string_view name) {
  if (name.empty()) return std::nullopt;
  for (std::size_t i = 0; i < EnumTable<E>::kNames.size(); ++i) {
    if (EnumTable<E>::kNames[i] == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

template <std::size_t N>
using Names = std::array<std::string_view, N>;

// ---- spec.h ------------------------------------------------------------------------------------

template <>
struct EnumTable<SelectorOp> {
  static constexpr Names<6> kNames = {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"};
};
template <>
struct EnumTable<TaintEffect> {
  static constexpr Names<4> kNames = {"", "NoSchedule", "PreferNoSchedule", "NoExecute"};
};
template <>
struct EnumTable<TolerationOp> {
  static constexpr Names<2> kNames = {"Equal", "Exists"};
};
template <>
struct EnumTable<StopPolicy> {
  static constexpr Names<3> kNames = {"None", "Hold", "HoldAndDrain"};
};
template <>
struct EnumTable<Presence> {
  static constexpr Names<2> kNames = {"", "Written"};
};
template <>
struct EnumTable<QueueingStrategy> {
  static constexpr Names<2> kNames = {"BestEffortFIFO", "StrictFIFO"};
};
template <>
struct EnumTable<MigrationMode> {
  static constexpr Names<2> kNames = {"TryPreferredFlavors", "RetainFirstAdmission"};
};
template <>
struct EnumTable<FungibilityPolicy> {
  static constexpr Names<2> kNames = {"MayStopSearch", "TryNextFlavor"};
};
template <>
struct EnumTable<FungibilityPreference> {
  static constexpr Names<2> kNames = {"BorrowingOverPreemption", "PreemptionOverBorrowing"};
};
template <>
struct EnumTable<PreemptionPolicy> {
  static constexpr Names<4> kNames = {"Never", "LowerPriority", "LowerOrNewerEqualPriority", "Any"};
};
template <>
struct EnumTable<AdmissionMode> {
  static constexpr Names<3> kNames = {"", "UsageBasedAdmissionFairSharing",
                                      "NoAdmissionFairSharing"};
};
template <>
struct EnumTable<LimitRangeType> {
  static constexpr Names<2> kNames = {"Container", "Pod"};
};
template <>
struct EnumTable<PreemptionStrategy> {
  static constexpr Names<2> kNames = {"LessThanOrEqualToFinalShare", "LessThanInitialShare"};
};
template <>
struct EnumTable<QuotaCheckStrategy> {
  static constexpr Names<2> kNames = {"BlockUndeclared", "IgnoreUndeclared"};
};
template <>
struct EnumTable<TransformationStrategy> {
  static constexpr Names<2> kNames = {"Retain", "Replace"};
};
template <>
struct EnumTable<RequeuingTimestamp> {
  static constexpr Names<2> kNames = {"Eviction", "Creation"};
};

// ---- workload.h --------------------------------------------------------------------------------

template <>
struct EnumTable<CheckState> {
  static constexpr Names<4> kNames = {"Pending", "Ready", "Retry", "Rejected"};
};
template <>
struct EnumTable<PriorityClassSource> {
  static constexpr Names<3> kNames = {"", "WorkloadPriorityClass", "PriorityClass"};
};

// ---- account.h ---------------------------------------------------------------------------------

template <>
struct EnumTable<AccountBy> {
  static constexpr Names<5> kNames = {"localqueue", "clusterqueue", "namespace", "label", "user"};
};
template <>
struct EnumTable<AccountOf> {
  static constexpr Names<14> kNames = {
      "resource", "preempted", "admissions", "last-admission", "lost",    "submitted", "admitted",
      "finished", "failed",    "cancelled",  "evicted",        "running", "pending",   "held"};
};
template <>
struct EnumTable<AccountOver> {
  static constexpr Names<5> kNames = {"half-life", "window", "calendar-day", "week", "ever"};
};

// ---- object.h, decision.h, trace.h, views.h, journal.h, policy.h -------------------------------

template <>
struct EnumTable<ObjectKind> {
  static constexpr Names<kObjectKinds> kNames = [] {
    Names<kObjectKinds> names;
    for (std::size_t i = 0; i < kObjectKinds; ++i) names[i] = kKinds[i].name;
    return names;
  }();
};
template <>
struct EnumTable<PendingReason> {
  static constexpr Names<13> kNames = {"",
                                       "NoMatchingFlavor",
                                       "WaitingForQuota",
                                       "ExceedsMaxQuota",
                                       "TopologyPlacementFailed",
                                       "WaitingForPreemptedWorkloads",
                                       "Misconfigured",
                                       "Suspended",
                                       "PendingEvaluation",
                                       "WaitingForPodsReady",
                                       "AdmissionGated",
                                       "OnHold",
                                       "Deactivated"};
};
template <>
struct EnumTable<PreemptionReason> {
  static constexpr Names<6> kNames = {"InClusterQueue", "InCohortReclamation",
                                      "InCohortFairSharing", "InCohortReclaimWhileBorrowing",
                                      "FlavorMigration",     "NodeFailures"};
};
template <>
struct EnumTable<DecisionKind> {
  static constexpr Names<8> kNames = {"start", "start-again", "reserve", "make-room",
                                      "evict", "expire",      "refuse",  "withdraw"};
};
template <>
struct EnumTable<FlavorMode> {
  static constexpr Names<5> kNames = {"NoFit", "NoCandidates", "Preempt", "Reclaim", "Fit"};
};
template <>
struct EnumTable<SearchProof> {
  static constexpr Names<6> kNames = {"None", "Minimal", "Bound", "Impossible", "Refused", "Open"};
};
template <>
struct EnumTable<SparingRule> {
  static constexpr Names<6> kNames = {"BorrowWithinCohort", "OwnQuota",   "FairSharing",
                                      "Budget",             "Protection", "Limits"};
};
template <>
struct EnumTable<WorkloadPhase> {
  static constexpr Names<6> kNames = {"Pending",  "QuotaReserved", "Admitted",
                                      "Evicting", "Inactive",      "Finished"};
};
template <>
struct EnumTable<CommandKind> {
  static constexpr Names<kCommandKinds> kNames = {
      "apply",           "submit",           "delete",     "update",  "check",   "ready",
      "finish",          "cancel",           "evict",      "evicted", "advance", "cycle",
      "activate-policy", "roll-back-policy", "note-staged",
      "register-consumer", "acknowledge", "remove-consumer"};
};
template <>
struct EnumTable<MissingReference> {
  static constexpr Names<3> kNames = {"refuse", "accept", "as-kueue"};
};
template <>
struct EnumTable<Submission> {
  static constexpr Names<2> kNames = {"ask", "taken"};
};
template <>
struct EnumTable<Applied> {
  static constexpr Names<3> kNames = {"created", "changed", "unchanged"};
};
template <>
struct EnumTable<AnswerKind> {
  static constexpr Names<kAnswerKinds> kNames = {"done",      "applied", "phase",
                                                   "activated", "cycle",   "cursor",
                                                   "decisions"};
};
template <>
struct EnumTable<EventKind> {
  static constexpr Names<31> kNames = {"ObjectApplied",    "ObjectDeleted",
                                       "Submitted",        "Pending",
                                       "QuotaReserved",    "Admitted",
                                       "Preempted",        "Evicted",
                                       "QuotaReleased",    "Requeued",
                                       "Finished",         "Deactivated",
                                       "CheckUpdated",     "ReclaimablePodsUpdated",
                                       "PriorityChanged",  "Updated",
                                       "PodsReady",        "PodsNotReady",
                                       "PolicyStaged",     "PolicyActivated",
                                       "PolicyRolledBack", "PolicyFailed",
                                       "Cancelled",        "Forgotten",
                                       "Checkpointed",     "Placed",
                                       "CreatedVariant",   "DeletedVariant",
                                       "ActivatedVariant", "DeactivatedVariant",
                                       "PreemptionUngatedVariant"};
};
template <>
struct EnumTable<Hook> {
  static constexpr Names<kHooks> kNames = {"submit", "queue_order",  "cycle_order",
                                           "share",  "flavor_order", "preempt_limits",
                                           "victim", "hold",         "boost",
                                           "domain_order"};
};

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_NAMES_H_
