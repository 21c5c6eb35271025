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
  v("requests", o.requests);
  v("limits", o.limits);
  v("restart_always", o.restart_always);
}

template <typename V>
void VisitFields(V& v, Of<NodeSelectorTerm> auto& o) {
  v("match_expressions", o.match_expressions);
  v("match_fields", o.match_fields);
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
  v("pod_requests", o.pod_requests);
  v("pod_limits", o.pod_limits);
  v("overhead", o.overhead);
  v("runtime_class", o.runtime_class);
  v("priority_class", o.priority_class);
  v("node_selector", o.node_selector);
  v("required_node_affinity", o.required_node_affinity);
  v("tolerations", o.tolerations);
}

template <typename V>
void VisitFields(V& v, Of<SliceLayer> auto& o) {
  VisitRequired(v, "level", o.level);
  VisitRequired(v, "size", o.size);
}

template <typename V>
void VisitFields(V& v, Of<TopologyRequest> auto& o) {
  v("required", o.required);
  v("preferred", o.preferred);
  v("unconstrained", o.unconstrained);
  v("slices", o.slices);
  v("pod_set_group", o.pod_set_group);
}

template <typename V>
void VisitFields(V& v, Of<PodSet> auto& o) {
  VisitRequired(v, "name", o.name);
  v("count", o.count);
  v("min_count", o.min_count);
  v("topology", o.topology);
  v("pods", o.pods);
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
  v("topology", o.topology);
}

template <typename V>
void VisitFields(V& v, Of<Admission> auto& o) {
  VisitRequired(v, "cluster_queue", o.cluster_queue);
  v("pod_sets", o.pod_sets);
}

template <typename O>
concept OfCondition = Of<O, Condition> || Of<O, ConditionView>;

template <typename V>
void VisitFields(V& v, OfCondition auto& o) {
  VisitRequired(v, "type", o.type);
  v("status", o.status);
  v("reason", o.reason);
  v("message", o.message);
  VisitTime(v, "since", o.since);
}

template <typename V>
void VisitFields(V& v, Of<PodSetUpdate> auto& o) {
  VisitRequired(v, "name", o.name);
  v("labels", o.labels);
  v("annotations", o.annotations);
  v("node_selector", o.node_selector);
  v("tolerations", o.tolerations);
}

template <typename V>
void VisitFields(V& v, Of<AdmissionCheckStatus> auto& o) {
  VisitRequired(v, "name", o.name);
  v("state", o.state);
  v("message", o.message);
  VisitTime(v, "since", o.since);
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
  VisitRequired(v, "pod_set", o.pod_set);
  VisitRequired(v, "count", o.count);
}

template <typename V>
void VisitFields(V& v, Of<EvictionCount> auto& o) {
  VisitRequired(v, "reason", o.reason);
  v("cause", o.cause);
  VisitRequired(v, "count", o.count);
}

/// Those of a status that follow its conditions, wherever they are kept.
template <typename V, typename T>
void VisitRareFields(V& v, T& o) {
  v("reclaimable_pods", o.reclaimable_pods);
  v("admission_checks", o.admission_checks);
  v("requeue_state", o.requeue_state);
  v("past_execution_seconds", o.past_execution_seconds);
  v("open_preemption_gates", o.open_preemption_gates);
  v("unhealthy_nodes", o.unhealthy_nodes);
  v("evictions", o.evictions);
}

template <typename V>
void VisitFields(V& v, Of<WorkloadStatus> auto& o) {
  v("admission", o.admission);
  v("conditions", o.conditions);
  VisitRareFields(v, o);
}

template <typename V>
void VisitFields(V& v, Of<Workload> auto& o) {
  VisitRequired(v, "key", o.key);
  v("uid", o.uid);
  VisitTime(v, "created", o.created);
  v("labels", o.labels);
  v("annotations", o.annotations);
  v("queue", o.queue);
  v("pod_sets", o.pod_sets);
  v("priority", o.priority);
  v("priority_source", o.priority_source);
  v("priority_class", o.priority_class);
  v("active", o.active);
  v("max_execution_seconds", o.max_execution_seconds);
  v("preemption_gates", o.preemption_gates);
  v("status", o.status);
}

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_FIELDS_WORKLOAD_H_
