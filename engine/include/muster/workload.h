// A workload: one job as the engine sees it. Podsets of identical pods, admitted all or nothing.
#ifndef MUSTER_WORKLOAD_H_
#define MUSTER_WORKLOAD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/quantity.h"
#include "muster/shared_list.h"
#include "muster/shared_map.h"
#include "muster/spec.h"
#include "muster/text.h"
#include "muster/types.h"

namespace muster {

// ---- what the job asks for ---------------------------------------------------------------------

struct Container {
  std::string name;
  ResourceList requests;
  ResourceList limits;
  bool restart_always = false;  ///< on an init container: a sidecar
  bool operator==(const Container&) const = default;
};

/// Requirements of one term are ANDed, terms are ORed.
struct NodeSelectorTerm {
  std::vector<SelectorRequirement> match_expressions;
  std::vector<SelectorRequirement> match_fields;
  bool operator==(const NodeSelectorTerm&) const = default;
};

/// preferredDuringSchedulingIgnoredDuringExecution.
struct PreferredNodeTerm {
  std::int32_t weight = 1;
  NodeSelectorTerm preference;
  bool operator==(const PreferredNodeTerm&) const = default;
};

/// What an admission check may not contradict.
struct PodMetadata {
  LabelMap labels;
  LabelMap annotations;
  bool operator==(const PodMetadata&) const = default;
};

/// The scheduling part of a pod template.
struct PodTemplate {
  SharedList<PodMetadata> metadata;  ///< one, or none where the template has neither
  std::vector<Container> containers;
  std::vector<Container> init_containers;
  ResourceList pod_requests;  ///< spec.resources.requests (pod level)
  ResourceList pod_limits;    ///< spec.resources.limits (pod level)
  std::optional<ResourceList> overhead;
  std::string runtime_class;
  std::string priority_class;
  LabelMap node_selector;
  std::optional<std::vector<NodeSelectorTerm>> required_node_affinity;
  std::vector<Toleration> tolerations;
  std::vector<PreferredNodeTerm> preferred_node_affinity;  ///< read under a feature gate
  bool operator==(const PodTemplate&) const = default;
};

struct SliceLayer {
  std::string level;
  std::int32_t size = 0;
  bool operator==(const SliceLayer&) const = default;
};

struct TopologyRequest {
  std::string required;   ///< level; empty: not asked
  std::string preferred;  ///< level; empty: not asked
  bool unconstrained = false;
  std::vector<SliceLayer> slices;  ///< outermost first
  std::string pod_set_group;
  /// As slices, and on the fewest domains of each level, evenly; beside no slices.
  std::vector<SliceLayer> segments = {};
  bool operator==(const TopologyRequest&) const = default;
};

struct PodSet {
  std::string name;
  std::int32_t count = 1;
  std::optional<std::int32_t> min_count;  ///< partial admission down to this many pods
  std::optional<TopologyRequest> topology;
  PodTemplate pods;  ///< `template` in YAML
  bool operator==(const PodSet&) const = default;
};

// ---- what has become of it ---------------------------------------------------------------------

struct TopologyDomain {
  std::vector<std::string> values;
  std::int32_t count = 0;
  bool operator==(const TopologyDomain&) const = default;
};

struct TopologyAssignment {
  std::vector<std::string> levels;
  std::vector<TopologyDomain> domains;
  bool operator==(const TopologyAssignment&) const = default;
};

struct PodSetAssignment {
  std::string name;
  std::int32_t count = 0;
  std::map<std::string, std::string, std::less<>> flavors;  ///< resource -> flavor
  ResourceList resource_usage;                              ///< total over `count` pods
  std::optional<TopologyAssignment> topology;
  bool operator==(const PodSetAssignment&) const = default;
};

struct Admission {
  Text cluster_queue;
  SharedList<PodSetAssignment> pod_sets;
  bool operator==(const Admission&) const = default;
};

struct Condition {
  Text type;  ///< QuotaReserved, Admitted, PodsReady, Evicted, Preempted, Requeued, ...
  bool status = false;
  Text reason;
  Text message;
  TimeNs since = kNoTime;  ///< lastTransitionTime, whole seconds
  bool operator==(const Condition&) const = default;
};

enum class CheckState { kPending, kReady, kRetry, kRejected };

/// What an admission check adds to the pods of one podset.
struct PodSetUpdate {
  std::string name;
  LabelMap labels;
  LabelMap annotations;
  LabelMap node_selector;
  std::vector<Toleration> tolerations;
  bool operator==(const PodSetUpdate&) const = default;
};

struct AdmissionCheckStatus {
  std::string name;
  CheckState state = CheckState::kPending;
  std::string message;
  TimeNs since = kNoTime;
  std::int32_t retry_count = 0;
  std::optional<std::int32_t> requeue_after_seconds;
  std::vector<PodSetUpdate> pod_set_updates;
  bool operator==(const AdmissionCheckStatus&) const = default;
};

struct RequeueState {
  std::int32_t count = 0;
  TimeNs requeue_at = kNoTime;
  bool operator==(const RequeueState&) const = default;
};

struct ReclaimablePods {
  std::string pod_set;
  std::int32_t count = 0;
  bool operator==(const ReclaimablePods&) const = default;
};

/// How often a workload was evicted for one reason and cause.
struct EvictionCount {
  std::string reason;  ///< "Preempted", "Deactivated", ...
  std::string cause;   ///< of a deactivation: "AdmissionCheck", ...; else empty
  std::int32_t count = 0;
  bool operator==(const EvictionCount&) const = default;
};

struct WorkloadStatus {
  std::optional<Admission> admission;
  std::vector<Condition> conditions;  ///< at most one of each type
  SharedList<ReclaimablePods> reclaimable_pods;
  SharedList<AdmissionCheckStatus> admission_checks;
  std::optional<RequeueState> requeue_state;
  std::int64_t past_execution_seconds = 0;  ///< accumulatedPastExecutionTimeSeconds
  SharedList<std::string> open_preemption_gates;
  SharedList<std::string> unhealthy_nodes;
  SharedList<EvictionCount> evictions;  ///< schedulingStats.evictions
  bool operator==(const WorkloadStatus&) const = default;
};

enum class PriorityClassSource { kNone, kWorkloadPriorityClass, kPodPriorityClass };

/// The Workload of which another one is a variant: the owner reference of a variant.
struct ParentWorkload {
  std::string name;
  std::string uid;
  bool operator==(const ParentWorkload&) const = default;
};

struct Workload {
  Key key;
  Text uid;                  ///< empty: the engine gives the zero-padded sequence number
  TimeNs created = kNoTime;  ///< kNoTime: the time of the call
  SharedMap<LabelMap> labels;
  SharedMap<LabelMap> annotations;
  Text queue;  ///< LocalQueue of the same namespace
  SharedList<PodSet> pod_sets;
  std::optional<std::int32_t> priority;  ///< unset: resolved from the class, else 0
  PriorityClassSource priority_source = PriorityClassSource::kNone;
  Text priority_class;
  bool active = true;
  std::optional<std::int32_t> max_execution_seconds;
  SharedList<std::string> preemption_gates;
  std::optional<ParentWorkload> variant_of;  ///< unset: it is no variant (concurrent admission)
  WorkloadStatus status;  ///< a workload that already holds quota carries it here
  bool operator==(const Workload&) const = default;
};

}  // namespace muster

#endif  // MUSTER_WORKLOAD_H_
