// Field lists of a workload and its parts (muster/workload.h). See engine/codec/fields.h.
#ifndef MUSTER_ENGINE_CODEC_FIELDS_WORKLOAD_H_
#define MUSTER_ENGINE_CODEC_FIELDS_WORKLOAD_H_

#include "engine/codec/fields_spec.h"
#include "engine/model/condition_list.h"
#include "muster/workload.h"

namespace muster {

template <typename V>
void VisitFields(V& v, Of<Container> auto& o) {
  v("name", o.name);
  VisitPlaced(v, "requests", o.requests, {"resources.requests"});
  VisitPlaced(v, "limits", o.limits, {"resources.limits"});
  VisitPlaced(v, "restart_always", o.restart_always, {"restartPolicy"});
}

template <typename V>
void VisitFields(V& v, Of<NodeSelectorTerm> auto& o) {
  v("match_expressions", o.match_expressions);
  v("match_fields", o.match_fields);
}

template <typename V>
void VisitFields(V& v, Of<PreferredNodeTerm> auto& o) {
  VisitRequired(v, "weight", o.weight, {.example = "1"});
  v("preference", o.preference);
}

template <typename V>
void VisitFields(V& v, Of<PodMetadata> auto& o) {
  v("labels", o.labels);
  v("annotations", o.annotations);
}

template <typename V>
void VisitFields(V& v, Of<PodTemplate> auto& o) {
  v("metadata", o.metadata);
  v("containers", o.containers);
  v("init_containers", o.init_containers);
  VisitPlaced(v, "pod_requests", o.pod_requests, {"resources.requests"});
  VisitPlaced(v, "pod_limits", o.pod_limits, {"resources.limits"});
  v("overhead", o.overhead);
  VisitPlaced(v, "runtime_class", o.runtime_class, {"runtimeClassName"});
  VisitPlaced(v, "priority_class", o.priority_class, {"priorityClassName"});
  v("node_selector", o.node_selector);
  VisitPlaced(v, "required_node_affinity", o.required_node_affinity,
              {"affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"});
  v("tolerations", o.tolerations);
  if (HasFieldsOf(v, 8)) {
    VisitPlaced(v, "preferred_node_affinity", o.preferred_node_affinity,
                {"affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution"});
  }
}

template <typename V>
void VisitFields(V& v, Of<SliceLayer> auto& o) {
  VisitRequired(v, "level", o.level, {"topology", "cloud.example.com/rack"});
  VisitRequired(v, "size", o.size, {.example = "4"});
}

template <typename V>
void VisitFields(V& v, Of<TopologyRequest> auto& o) {
  v("required", o.required);
  v("preferred", o.preferred);
  v("unconstrained", o.unconstrained);
  VisitPlaced(v, "slices", o.slices, {"podsetSliceRequiredTopologyConstraints"});
  VisitPlaced(v, "pod_set_group", o.pod_set_group, {"podSetGroupName"});
  if (HasFieldsOf(v, 9)) v("segments", o.segments);
}

template <typename V>
void VisitFields(V& v, Of<PodSet> auto& o) {
  VisitRequired(v, "name", o.name);
  v("count", o.count);
  v("min_count", o.min_count);
  VisitPlaced(v, "topology", o.topology, {"topologyRequest"});
  VisitPlaced(v, "pods", o.pods, {"template", "{spec: {containers: [...]}}"});
}

template <typename V>
void VisitFields(V& v, Of<TopologyDomain> auto& o) {
  VisitRequired(v, "values", o.values);
  VisitRequired(v, "count", o.count);
}

template <typename V>
void VisitFields(V& v, Of<TopologyAssignment> auto& o) {
  VisitRequired(v, "levels", o.levels);
  VisitRequired(v, "domains", o.domains);
}

template <typename V>
void VisitFields(V& v, Of<PodSetAssignment> auto& o) {
  VisitRequired(v, "name", o.name);
  v("count", o.count);
  v("flavors", o.flavors);
  v("resource_usage", o.resource_usage);
  VisitPlaced(v, "topology", o.topology, {"topologyAssignment"});
}

template <typename V>
void VisitFields(V& v, Of<Admission> auto& o) {
  VisitRequired(v, "cluster_queue", o.cluster_queue, {.example = "team-a"});
  VisitPlaced(v, "pod_sets", o.pod_sets, {"podSetAssignments"});
}

template <typename O>
concept OfCondition = Of<O, Condition> || Of<O, ConditionView>;

template <typename V>
void VisitFields(V& v, OfCondition auto& o) {
  VisitRequired(v, "type", o.type, {.example = "QuotaReserved"});
  VisitPlaced(v, "status", o.status, {.example = "\"True\""});
  v("reason", o.reason);
  v("message", o.message);
  VisitTime(v, "since", o.since, {"lastTransitionTime"});
}

template <typename V>
void VisitFields(V& v, Of<PodSetUpdate> auto& o) {
  VisitRequired(v, "name", o.name, {.example = "main"});
  v("labels", o.labels);
  v("annotations", o.annotations);
  v("node_selector", o.node_selector);
  v("tolerations", o.tolerations);
}

template <typename V>
void VisitFields(V& v, Of<AdmissionCheckStatus> auto& o) {
  VisitRequired(v, "name", o.name, {.example = "provisioning"});
  VisitPlaced(v, "state", o.state, {.example = "Pending"});
  v("message", o.message);
  VisitTime(v, "since", o.since, {"lastTransitionTime"});
  v("retry_count", o.retry_count);
  v("requeue_after_seconds", o.requeue_after_seconds);
  v("pod_set_updates", o.pod_set_updates);
}

template <typename V>
void VisitFields(V& v, Of<RequeueState> auto& o) {
  v("count", o.count);
  VisitTime(v, "requeue_at", o.requeue_at);
}

template <typename V>
void VisitFields(V& v, Of<ReclaimablePods> auto& o) {
  VisitRequired(v, "pod_set", o.pod_set, {"name", "main"});
  VisitRequired(v, "count", o.count, {.example = "1"});
}

template <typename V>
void VisitFields(V& v, Of<EvictionCount> auto& o) {
  VisitRequired(v, "reason", o.reason, {.example = "Preempted"});
  VisitPlaced(v, "cause", o.cause, {"underlyingCause"});
  VisitRequired(v, "count", o.count, {.example = "1"});
}

/// Those of a status that follow its conditions, wherever they are kept.
template <typename V, typename T>
void VisitRareFields(V& v, T& o) {
  v("reclaimable_pods", o.reclaimable_pods);
  v("admission_checks", o.admission_checks);
  v("requeue_state", o.requeue_state);
  VisitPlaced(v, "past_execution_seconds", o.past_execution_seconds,
              {"accumulatedPastExecutionTimeSeconds"});
  VisitPlaced(v, "open_preemption_gates", o.open_preemption_gates, {"preemptionGates"});
  v("unhealthy_nodes", o.unhealthy_nodes);
  VisitPlaced(v, "evictions", o.evictions, {"schedulingStats.evictions"});
}

template <typename V>
void VisitFields(V& v, Of<WorkloadStatus> auto& o) {
  v("admission", o.admission);
  v("conditions", o.conditions);
  VisitRareFields(v, o);
}

template <typename V>
void VisitFields(V& v, Of<ParentWorkload> auto& o) {
  VisitRequired(v, "name", o.name, {.example = "job-a"});
  VisitRequired(v, "uid", o.uid, {.example = "8d3c"});
}

template <typename V>
void VisitFields(V& v, Of<Workload> auto& o) {
  VisitRequired(v, "key", o.key);
  v("uid", o.uid);
  VisitTime(v, "created", o.created);
  v("labels", o.labels);
  v("annotations", o.annotations);
  VisitPlaced(v, "queue", o.queue, {"spec.queueName"});
  v("pod_sets", o.pod_sets);
  v("priority", o.priority);
  VisitPlaced(v, "priority_source", o.priority_source, {"spec.priorityClassRef"});
  v("priority_class", o.priority_class);
  v("active", o.active);
  VisitPlaced(v, "max_execution_seconds", o.max_execution_seconds,
              {"spec.maximumExecutionTimeSeconds"});
  v("preemption_gates", o.preemption_gates);
  if (HasFieldsOf(v, 8)) v("variant_of", o.variant_of);
  VisitPlaced(v, "status", o.status, {"status"});
}

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_FIELDS_WORKLOAD_H_
