// The objects an administrator applies, as plain data: Kueue's object model, field for field.
//
// Defaults are those of the Kueue API (v1beta2); older versions of the API are translated by the
// manifest binding. The engine copies what it is given and owns nothing of the caller's.
#ifndef MUSTER_SPEC_H_
#define MUSTER_SPEC_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/quantity.h"
#include "muster/types.h"

namespace muster {

// ---- building blocks ---------------------------------------------------------------------------

enum class SelectorOp { kIn, kNotIn, kExists, kDoesNotExist, kGt, kLt };  ///< Gt, Lt: nodes only

struct SelectorRequirement {
  std::string key;
  SelectorOp op = SelectorOp::kIn;
  std::vector<std::string> values;
  bool operator==(const SelectorRequirement&) const = default;
};

/// metav1.LabelSelector; an empty one selects everything.
struct LabelSelector {
  LabelMap match_labels;
  std::vector<SelectorRequirement> match_expressions;
  bool operator==(const LabelSelector&) const = default;
};

enum class TaintEffect { kNone, kNoSchedule, kPreferNoSchedule, kNoExecute };

struct Taint {
  std::string key;
  std::string value;
  TaintEffect effect = TaintEffect::kNoSchedule;
  bool operator==(const Taint&) const = default;
};

enum class TolerationOp { kEqual, kExists };

struct Toleration {
  std::string key;  ///< empty with kExists: tolerates every taint
  TolerationOp op = TolerationOp::kEqual;
  std::string value;
  TaintEffect effect = TaintEffect::kNone;             ///< kNone: every effect
  std::optional<std::int64_t> seconds = std::nullopt;  ///< tolerationSeconds; unset: for ever
  bool operator==(const Toleration&) const = default;
};

struct ResourceQuota {
  std::string name;  ///< resource name
  Quantity nominal;
  std::optional<Quantity> borrowing_limit;  ///< unset: no limit
  std::optional<Quantity> lending_limit;    ///< unset: lends all
  bool operator==(const ResourceQuota&) const = default;
};

struct FlavorQuotas {
  std::string name;  ///< ResourceFlavor
  std::vector<ResourceQuota> resources;
  bool operator==(const FlavorQuotas&) const = default;
};

struct ResourceGroup {
  std::vector<std::string> covered_resources;
  std::vector<FlavorQuotas> flavors;  ///< in order of preference
  bool operator==(const ResourceGroup&) const = default;
};

enum class StopPolicy { kNone, kHold, kHoldAndDrain };

/// Whether a part that says no more than its absence does is written out. Kueue takes the two for
/// different specs: each that comes or goes is a change, and wakes.
enum class Presence { kAbsent, kWritten };

// ---- objects -----------------------------------------------------------------------------------

struct ResourceFlavor {
  std::string name;
  LabelMap node_labels;
  std::vector<Taint> node_taints;
  std::vector<Toleration> tolerations;
  std::string topology_name;  ///< empty: none
  bool operator==(const ResourceFlavor&) const = default;
};

enum class QueueingStrategy { kBestEffortFifo, kStrictFifo };
enum class FungibilityPolicy { kMayStopSearch, kTryNextFlavor };
enum class FungibilityPreference { kBorrowingOverPreemption, kPreemptionOverBorrowing };
enum class PreemptionPolicy { kNever, kLowerPriority, kLowerOrNewerEqualPriority, kAny };
enum class AdmissionMode { kNone, kUsageBased, kNoFairSharing };

struct FlavorFungibility {
  FungibilityPolicy when_can_borrow = FungibilityPolicy::kMayStopSearch;
  FungibilityPolicy when_can_preempt = FungibilityPolicy::kTryNextFlavor;
  std::optional<FungibilityPreference> preference;  ///< unset: BorrowingOverPreemption
  bool operator==(const FlavorFungibility&) const = default;
};

struct PreemptionRules {
  PreemptionPolicy within_cluster_queue = PreemptionPolicy::kNever;
  PreemptionPolicy reclaim_within_cohort = PreemptionPolicy::kNever;
  PreemptionPolicy borrow_within_cohort = PreemptionPolicy::kNever;  ///< kNever or kLowerPriority
  std::optional<std::int32_t> max_priority_threshold;                ///< unset: no ceiling
  bool operator==(const PreemptionRules&) const = default;
};

struct AdmissionCheckRule {
  std::string name;
  std::vector<std::string> on_flavors;  ///< empty: every flavor
  bool operator==(const AdmissionCheckRule&) const = default;
};

enum class MigrationMode { kTryPreferredFlavors, kRetainFirstAdmission };

/// A job stands in the queue as variants, one for each flavor (Kueue's concurrent admission).
struct ConcurrentAdmission {
  MigrationMode mode = MigrationMode::kTryPreferredFlavors;
  std::string last_acceptable_flavor;  ///< none behind it is moved to; empty: no limit
  bool operator==(const ConcurrentAdmission&) const = default;
};

struct ClusterQueue {
  std::string name;
  std::string cohort;  ///< empty: none
  std::vector<ResourceGroup> resource_groups;
  QueueingStrategy queueing_strategy = QueueingStrategy::kBestEffortFifo;
  std::optional<LabelSelector> namespace_selector;  ///< unset: selects no namespace
  FlavorFungibility flavor_fungibility;
  PreemptionRules preemption;
  double fair_weight = 1.0;
  AdmissionMode admission_mode = AdmissionMode::kNone;
  std::vector<AdmissionCheckRule> admission_checks;
  StopPolicy stop_policy = StopPolicy::kNone;
  TimeNs deletion = kNoTime;  ///< metadata.deletionTimestamp: it only waits for its holders to end
  Presence fair_sharing = Presence::kAbsent;               ///< fairSharing with weight 1
  Presence admission_scope = Presence::kAbsent;            ///< admissionScope without a mode
  Presence admission_checks_strategy = Presence::kAbsent;  ///< without a check
  std::optional<ConcurrentAdmission> concurrent_admission;
  bool operator==(const ClusterQueue&) const = default;
};

struct Cohort {
  std::string name;
  std::string parent;  ///< empty: a root
  std::vector<ResourceGroup> resource_groups;
  double fair_weight = 1.0;
  Presence fair_sharing = Presence::kAbsent;  ///< fairSharing with weight 1
  bool operator==(const Cohort&) const = default;
};

/// History of a LocalQueue under admission fair sharing, as its status carries it.
struct FairSharingHistory {
  ResourceList consumed;
  TimeNs last_update = kNoTime;
  bool operator==(const FairSharingHistory&) const = default;
};

struct LocalQueue {
  Key key;
  LabelMap labels;
  std::string cluster_queue;
  StopPolicy stop_policy = StopPolicy::kNone;
  double fair_weight = 1.0;
  std::optional<FairSharingHistory> history;  ///< read when the queue is created, then the engine's
  bool operator==(const LocalQueue&) const = default;
};

struct WorkloadPriorityClass {
  std::string name;
  std::int32_t value = 0;
  std::string description;
  bool operator==(const WorkloadPriorityClass&) const = default;
};

/// scheduling.k8s.io PriorityClass.
struct PriorityClass {
  std::string name;
  std::int32_t value = 0;
  bool global_default = false;
  bool operator==(const PriorityClass&) const = default;
};

struct Namespace {
  std::string name;
  LabelMap labels;
  bool operator==(const Namespace&) const = default;
};

enum class LimitRangeType { kContainer, kPod };

struct LimitRangeItem {
  LimitRangeType type = LimitRangeType::kContainer;
  ResourceList default_requests;  ///< defaultRequest
  ResourceList default_limits;    ///< default
  ResourceList min;
  ResourceList max;
  ResourceList max_limit_request_ratio;
  bool operator==(const LimitRangeItem&) const = default;
};

struct LimitRange {
  Key key;
  std::vector<LimitRangeItem> items;
  bool operator==(const LimitRange&) const = default;
};

struct RuntimeClass {
  std::string name;
  ResourceList overhead;
  bool operator==(const RuntimeClass&) const = default;
};

struct AdmissionCheck {
  std::string name;
  std::string controller;
  bool active = true;  ///< its Active condition; a check without one counts as active
  bool operator==(const AdmissionCheck&) const = default;
};

struct Topology {
  std::string name;
  std::vector<std::string> levels;  ///< node labels, highest first
  bool operator==(const Topology&) const = default;
};

struct Node {
  std::string name;
  LabelMap labels;
  std::vector<Taint> taints;
  ResourceList allocatable;
  bool ready = true;
  bool unschedulable = false;
  bool operator==(const Node&) const = default;
};

/// A pod that Muster did not admit; it only takes room on its node.
struct Pod {
  Key key;
  std::string node;
  ResourceList requests;
  bool operator==(const Pod&) const = default;
};

// ---- configuration -----------------------------------------------------------------------------

enum class PreemptionStrategy { kLessThanOrEqualToFinalShare, kLessThanInitialShare };
enum class QuotaCheckStrategy { kBlockUndeclared, kIgnoreUndeclared };
enum class TransformationStrategy { kRetain, kReplace };
enum class RequeuingTimestamp { kEviction, kCreation };

struct ResourceTransformation {
  std::string input;
  TransformationStrategy strategy = TransformationStrategy::kRetain;
  ResourceList outputs;
  std::string multiply_by;  ///< empty: factor only
  bool operator==(const ResourceTransformation&) const = default;
};

struct FairSharingConfig {
  std::vector<PreemptionStrategy> preemption_strategies = {
      PreemptionStrategy::kLessThanOrEqualToFinalShare, PreemptionStrategy::kLessThanInitialShare};
  bool operator==(const FairSharingConfig&) const = default;
};

struct AdmissionFairSharingConfig {
  DurationNs usage_half_life = 0;
  DurationNs usage_sampling_interval = 300 * kSecond;
  std::map<std::string, double, std::less<>> resource_weights;  ///< absent: 1
  bool operator==(const AdmissionFairSharingConfig&) const = default;
};

struct WaitForPodsReadyConfig {
  DurationNs timeout = 1800 * kSecond;
  std::optional<DurationNs> recovery_timeout;  ///< unset: timeout
  bool block_admission = false;
  RequeuingTimestamp requeuing_timestamp = RequeuingTimestamp::kEviction;
  std::int32_t backoff_base_seconds = 60;
  std::int32_t backoff_max_seconds = 3600;
  std::optional<std::int32_t> backoff_limit_count;  ///< unset: for ever
  bool operator==(const WaitForPodsReadyConfig&) const = default;
};

/// config.kueue.x-k8s.io Configuration: what changes decisions. Absent parts are off.
struct Configuration {
  std::optional<FairSharingConfig> fair_sharing;
  std::optional<AdmissionFairSharingConfig> admission_fair_sharing;
  std::optional<WaitForPodsReadyConfig> wait_for_pods_ready;
  std::vector<std::string> exclude_resource_prefixes;
  std::vector<ResourceTransformation> transformations;
  QuotaCheckStrategy quota_check = QuotaCheckStrategy::kBlockUndeclared;
  std::map<std::string, bool, std::less<>> feature_gates;
  /// objectRetentionPolicies.workloads: how long a workload is kept after it finished, or after the
  /// engine deactivated it by itself and its pods are gone. 0: not at all. Unset: for ever.
  std::optional<DurationNs> retain_finished;
  std::optional<DurationNs> retain_deactivated;
  /// Which objects of job kinds become workloads: also those that name no queue (the engine minds
  /// this alone: a workload need not name one then), in which namespaces, of which frameworks of
  /// Kueue. Unset: in all but its own namespaces; all kinds. What reads manifests decides by it.
  bool manage_without_queue = false;
  std::optional<LabelSelector> managed_namespaces;
  std::optional<std::vector<std::string>> frameworks;
  bool operator==(const Configuration&) const = default;
};

/// muster.dev EngineConfiguration: Muster's own switches; the defaults are Kueue's behaviour.
struct EngineConfiguration {
  std::int32_t heads_per_cycle = 1;
  bool sticky_cure = false;
  bool preemptor_hold = false;
  bool relaxed_durability = false;
  std::int32_t rollback_after = 3;
  std::optional<std::int32_t> keep_finished;  ///< the newest so many are kept; unset: all
  bool overcommit_as_kueue = false;           ///< exceeds what Kueue exceeds
  bool operator==(const EngineConfiguration&) const = default;
};

/// muster.dev PolicyBinding: which package decides what, for which queues.
struct PolicyBinding {
  std::string name;
  std::string policy;                       ///< package name; its active generation is used
  std::vector<std::string> hooks;           ///< empty: all the package defines
  std::vector<std::string> cluster_queues;  ///< empty together with cohorts: every queue
  std::vector<std::string> cohorts;         ///< binds the subtree
  std::map<std::string, std::string, std::less<>> params;
  /// Packages asked after `policy`, in this order: of keys of order, what they say counts where all
  /// before are equal. Parameters are those of `policy` alone.
  std::vector<std::string> then = {};
  /// LocalQueues as "namespace/name", and then nothing else: queue_order of the package decides
  /// which of their jobs takes the place in the ClusterQueue that one of them has.
  std::vector<std::string> local_queues = {};
  bool operator==(const PolicyBinding&) const = default;
};

}  // namespace muster

#endif  // MUSTER_SPEC_H_
