// What a cycle decided, and the words for it.
#ifndef MUSTER_DECISION_H_
#define MUSTER_DECISION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/types.h"
#include "muster/workload.h"

namespace muster {

/// Why a workload has no quota; the reasons of its QuotaReserved=False condition.
enum class PendingReason : std::uint8_t {
  kNone,  ///< the scheduler has not looked at it yet
  kNoMatchingFlavor,
  kWaitingForQuota,
  kExceedsMaxQuota,
  kTopologyPlacementFailed,
  kWaitingForPreemptedWorkloads,
  kMisconfigured,
  kSuspended,
  kPendingEvaluation,
  kWaitingForPodsReady,
  kAdmissionGated,
  kOnHold,
  kDeactivated,
};
std::string_view ReasonName(PendingReason reason);  ///< "WaitingForQuota"; "" for kNone

enum class PreemptionReason {
  kInClusterQueue,
  kInCohortReclamation,
  kInCohortFairSharing,
  kInCohortReclaimWhileBorrowing,
  kFlavorMigration,  ///< no preemption: a variant of the same job has a flavor that is preferred
  kNodeFailures,  ///< of no preemptor: a node failed, and no other has room for its pods
};
std::string_view ReasonName(PreemptionReason reason);

struct AdmittedWorkload {
  Key workload;
  Admission admission;
  bool admitted = true;  ///< false: quota is reserved, admission checks are still open
  bool operator==(const AdmittedWorkload&) const = default;
};

struct PreemptedWorkload {
  Key workload;
  PreemptionReason reason = PreemptionReason::kInClusterQueue;
  Key by;
  bool operator==(const PreemptedWorkload&) const = default;
};

/// An eviction that a time limit ordered: of readiness, of recovery or of execution.
struct EvictedWorkload {
  Key workload;
  std::string cluster_queue;
  std::string reason;       ///< of its condition Evicted: "PodsReadyTimeout", ...
  bool quota_free = false;  ///< false: charged until its pods are gone
  bool operator==(const EvictedWorkload&) const = default;
};

struct PendingWorkload {
  Key workload;
  std::string cluster_queue;
  bool parked = false;  ///< waits for an event, not in the heap
  PendingReason reason = PendingReason::kNone;
  std::string message;
  /// What was found of its class, with which it is parked; kNone where it was looked at itself.
  PendingReason class_reason = PendingReason::kNone;
  /// Why its queue starts nothing, as "ClusterQueue a is stopped"; empty: its queue is open.
  std::string closed = {};
};

/// A hook that did not answer properly; its native twin decided instead. Of submit: the workload
/// was taken as it came.
struct PolicyFailure {
  std::string policy;
  std::string hook;
  std::string cluster_queue;  ///< whose batch it was
  std::string message;        ///< with file and line where known
  std::int64_t fuel = 0;
  std::int64_t late = 0;  ///< as in HookOutcome
  /// It failed in so many cycles in a row that it should go back, and there is no generation before
  /// it that has not failed as well. 0: it need not, or did.
  std::int64_t stuck_after = 0;
  Key workload = {};  ///< of submit: about which it was asked
  bool operator==(const PolicyFailure&) const = default;
};

/// A package that failed too often went back to its generation before.
struct PolicyRollback {
  std::string policy;
  std::string from;  ///< hash that failed
  std::string to;    ///< hash that decides from the next cycle on
  std::string why;
  bool operator==(const PolicyRollback&) const = default;
};

/// Outcome of one cycle; lists are in the order in which things were decided.
struct CycleResult {
  /// Number of this cycle, from 1. One in which no queue had a head is not counted: it has the last
  /// number.
  std::int64_t cycle = 0;
  TimeNs at = kNoTime;
  /// New quota reservations, and those that hold quota and were given places, or other ones.
  std::vector<AdmittedWorkload> admitted;
  /// Evictions ordered to make room, or because there is none.
  std::vector<PreemptedWorkload> preempted;
  std::vector<EvictedWorkload> evicted;  ///< by time limits, since the cycle before
  std::vector<PolicyFailure> policy_failures;
  std::vector<PolicyRollback> rolled_back;
  /// It decided nothing, and no cycle after it would, however many run: not before another call
  /// than RunCycle, or a later time. Cycles without another call between come to that in the end,
  /// also where a head under StrictFIFO is blocked for ever. One exception: a policy that goes by
  /// the number of the cycle may always change its mind. With one, it is so after as many cycles
  /// without a decision as workloads wait. After a ledger was opened it may be known later.
  bool at_rest = false;

  bool operator==(const CycleResult&) const = default;
  bool idle() const { return at_rest; }
  /// No admission and no preemption. A later cycle may still have both: it looks at other
  /// heads.
  bool DecidedNothing() const { return admitted.empty() && preempted.empty(); }
};

}  // namespace muster

#endif  // MUSTER_DECISION_H_
