// Field lists of the objects an administrator applies (muster/spec.h). See engine/codec/fields.h.
#ifndef MUSTER_ENGINE_CODEC_FIELDS_SPEC_H_
#define MUSTER_ENGINE_CODEC_FIELDS_SPEC_H_

#include <concepts>
#include <type_traits>

#include "engine/codec/field_marks.h"
#include "muster/spec.h"

namespace muster {

/// T or const T: lets one declaration serve readers and writers.
template <typename O, typename T>
concept Of = std::same_as<std::remove_const_t<O>, T>;

/// Whether what `v` reads or writes has the fields that came with this version of the encoding.
template <typename V>
bool HasFieldsOf(V& v, int version) {
  if constexpr (requires { v.HasFieldsOf(version); }) {
    return v.HasFieldsOf(version);
  } else {
    return true;
  }
}

/// Passes a byte that encodings older than `version` have here and nothing reads any more.
template <typename V>
void PassFormer(V& v, int version) {
  if constexpr (requires { v.HasFieldsOf(version); }) {
    if (!v.HasFieldsOf(version)) v.Byte();
  }
}

/// A field that encodings older than `version` do not have; there it stays as it is. Only as the
/// last of an object that is encoded alone.
template <typename V, typename T>
void VisitLater(V& v, int version, const char* name, T& member) {
  if (HasFieldsOf(v, version)) v(name, member);
}

/// A truth value that encodings older than `version` do not have. As text it is left out while it
/// is false, so that what was written before is what is written now.
template <typename V, typename T>
void VisitLaterFlag(V& v, int version, const char* name, T& member, const InManifest& at) {
  if constexpr (requires { V::kLeavesOutFalse; }) {
    if (!member) return;
  }
  if (HasFieldsOf(v, version)) VisitPlaced(v, name, member, at);
}

template <typename V>
void VisitFields(V& v, Of<Key> auto& o) {
  v("namespace", o.ns);
  VisitRequired(v, "name", o.name);
}

template <typename V>
void VisitFields(V& v, Of<SelectorRequirement> auto& o) {
  VisitRequired(v, "key", o.key, {.example = "team"});
  VisitRequired(v, "op", o.op, {"operator", "In"});
  v("values", o.values);
}

template <typename V>
void VisitFields(V& v, Of<LabelSelector> auto& o) {
  v("match_labels", o.match_labels);
  v("match_expressions", o.match_expressions);
}

template <typename V>
void VisitFields(V& v, Of<Taint> auto& o) {
  VisitRequired(v, "key", o.key, {.example = "spot"});
  v("value", o.value);
  VisitPlaced(v, "effect", o.effect, {.example = "NoSchedule"});
}

template <typename V>
void VisitFields(V& v, Of<Toleration> auto& o) {
  v("key", o.key);
  VisitPlaced(v, "op", o.op, {"operator"});
  v("value", o.value);
  v("effect", o.effect);
  if (HasFieldsOf(v, 8)) VisitPlaced(v, "seconds", o.seconds, {"tolerationSeconds"});
}

template <typename V>
void VisitFields(V& v, Of<ResourceQuota> auto& o) {
  VisitRequired(v, "name", o.name, {.example = "cpu"});
  VisitRequired(v, "nominal", o.nominal, {"nominalQuota", "10"});
  v("borrowing_limit", o.borrowing_limit);
  v("lending_limit", o.lending_limit);
}

template <typename V>
void VisitFields(V& v, Of<FlavorQuotas> auto& o) {
  VisitRequired(v, "name", o.name, {.example = "default-flavor"});
  VisitRequired(v, "resources", o.resources);
}

template <typename V>
void VisitFields(V& v, Of<ResourceGroup> auto& o) {
  VisitRequired(v, "covered_resources", o.covered_resources);
  VisitRequired(v, "flavors", o.flavors);
}

template <typename V>
void VisitFields(V& v, Of<ResourceFlavor> auto& o) {
  VisitRequired(v, "name", o.name);
  v("node_labels", o.node_labels);
  v("node_taints", o.node_taints);
  v("tolerations", o.tolerations);
  v("topology_name", o.topology_name);
}

template <typename V>
void VisitFields(V& v, Of<FlavorFungibility> auto& o) {
  v("when_can_borrow", o.when_can_borrow);
  v("when_can_preempt", o.when_can_preempt);
  v("preference", o.preference);
}

template <typename V>
void VisitFields(V& v, Of<PreemptionRules> auto& o) {
  v("within_cluster_queue", o.within_cluster_queue);
  v("reclaim_within_cohort", o.reclaim_within_cohort);
  VisitPlaced(v, "borrow_within_cohort", o.borrow_within_cohort, {"borrowWithinCohort.policy"});
  VisitPlaced(v, "max_priority_threshold", o.max_priority_threshold,
              {"borrowWithinCohort.maxPriorityThreshold"});
}

template <typename V>
void VisitFields(V& v, Of<AdmissionCheckRule> auto& o) {
  VisitRequired(v, "name", o.name, {.example = "provisioning"});
  v("on_flavors", o.on_flavors);
}

template <typename V>
void VisitFields(V& v, Of<ConcurrentAdmission> auto& o) {
  VisitPlaced(v, "mode", o.mode, {"migration.mode"});
  VisitPlaced(v, "last_acceptable_flavor", o.last_acceptable_flavor,
              {"migration.constraints.lastAcceptableFlavorName"});
}

template <typename V>
void VisitFields(V& v, Of<ClusterQueue> auto& o) {
  VisitRequired(v, "name", o.name);
  VisitPlaced(v, "cohort", o.cohort, {"spec.cohortName"});
  v("resource_groups", o.resource_groups);
  v("queueing_strategy", o.queueing_strategy);
  v("namespace_selector", o.namespace_selector);
  v("flavor_fungibility", o.flavor_fungibility);
  v("preemption", o.preemption);
  VisitPlaced(v, "fair_weight", o.fair_weight, {"spec.fairSharing"});
  VisitPlaced(v, "admission_mode", o.admission_mode, {"spec.admissionScope.admissionMode"});
  VisitPlaced(v, "admission_checks", o.admission_checks,
              {"spec.admissionChecksStrategy.admissionChecks"});
  v("stop_policy", o.stop_policy);
  VisitTime(v, "deletion", o.deletion);
  VisitLater(v, 4, "fair_sharing", o.fair_sharing);
  VisitLater(v, 4, "admission_scope", o.admission_scope);
  VisitLater(v, 4, "admission_checks_strategy", o.admission_checks_strategy);
  if (HasFieldsOf(v, 8)) {
    VisitPlaced(v, "concurrent_admission", o.concurrent_admission,
                {"spec.concurrentAdmissionPolicy"});
  }
}

template <typename V>
void VisitFields(V& v, Of<Cohort> auto& o) {
  VisitRequired(v, "name", o.name);
  VisitPlaced(v, "parent", o.parent, {"spec.parentName"});
  v("resource_groups", o.resource_groups);
  VisitPlaced(v, "fair_weight", o.fair_weight, {"spec.fairSharing"});
  VisitLater(v, 4, "fair_sharing", o.fair_sharing);
}

template <typename V>
void VisitFields(V& v, Of<FairSharingHistory> auto& o) {
  VisitPlaced(v, "consumed", o.consumed, {"consumedResources"});
  VisitTime(v, "last_update", o.last_update);
}

template <typename V>
void VisitFields(V& v, Of<LocalQueue> auto& o) {
  VisitRequired(v, "key", o.key);
  v("labels", o.labels);
  VisitRequired(v, "cluster_queue", o.cluster_queue);
  v("stop_policy", o.stop_policy);
  VisitPlaced(v, "fair_weight", o.fair_weight, {"spec.fairSharing"});
  VisitPlaced(v, "history", o.history, {"status.fairSharing.admissionFairSharingStatus"});
}

template <typename V>
void VisitFields(V& v, Of<WorkloadPriorityClass> auto& o) {
  VisitRequired(v, "name", o.name);
  VisitRequired(v, "value", o.value, {"value", "1000"});
  VisitPlaced(v, "description", o.description, {"description"});
}

template <typename V>
void VisitFields(V& v, Of<PriorityClass> auto& o) {
  VisitRequired(v, "name", o.name);
  VisitRequired(v, "value", o.value, {"value", "1000"});
  VisitPlaced(v, "global_default", o.global_default, {"globalDefault"});
}

template <typename V>
void VisitFields(V& v, Of<Namespace> auto& o) {
  VisitRequired(v, "name", o.name);
  v("labels", o.labels);
}

template <typename V>
void VisitFields(V& v, Of<LimitRangeItem> auto& o) {
  VisitRequired(v, "type", o.type, {.example = "Container"});
  VisitPlaced(v, "default_requests", o.default_requests, {"defaultRequest"});
  VisitPlaced(v, "default_limits", o.default_limits, {"default"});
  v("min", o.min);
  v("max", o.max);
  v("max_limit_request_ratio", o.max_limit_request_ratio);
}

template <typename V>
void VisitFields(V& v, Of<LimitRange> auto& o) {
  VisitRequired(v, "key", o.key);
  VisitPlaced(v, "items", o.items, {"spec.limits"});
}

template <typename V>
void VisitFields(V& v, Of<RuntimeClass> auto& o) {
  VisitRequired(v, "name", o.name);
  VisitPlaced(v, "overhead", o.overhead, {"overhead.podFixed"});
}

template <typename V>
void VisitFields(V& v, Of<AdmissionCheck> auto& o) {
  VisitRequired(v, "name", o.name);
  VisitPlaced(v, "controller", o.controller, {"spec.controllerName"});
  VisitPlaced(v, "active", o.active, {"status.conditions"});
}

template <typename V>
void VisitFields(V& v, Of<Topology> auto& o) {
  VisitRequired(v, "name", o.name);
  v("levels", o.levels);
}

template <typename V>
void VisitFields(V& v, Of<Node> auto& o) {
  VisitRequired(v, "name", o.name);
  v("labels", o.labels);
  v("taints", o.taints);
  VisitPlaced(v, "allocatable", o.allocatable, {"status.allocatable"});
  VisitPlaced(v, "ready", o.ready, {"status.conditions"});
  v("unschedulable", o.unschedulable);
}

template <typename V>
void VisitFields(V& v, Of<Pod> auto& o) {
  VisitRequired(v, "key", o.key);
  VisitRequired(v, "node", o.node);
  v("requests", o.requests);
}

template <typename V>
void VisitFields(V& v, Of<ResourceTransformation> auto& o) {
  VisitRequired(v, "input", o.input, {.example = "example.com/device"});
  v("strategy", o.strategy);
  v("outputs", o.outputs);
  v("multiply_by", o.multiply_by);
}

template <typename V>
void VisitFields(V& v, Of<FairSharingConfig> auto& o) {
  v("preemption_strategies", o.preemption_strategies);
}

template <typename V>
void VisitFields(V& v, Of<AdmissionFairSharingConfig> auto& o) {
  VisitDuration(v, "usage_half_life", o.usage_half_life, {"usageHalfLifeTime", "168h"});
  VisitDuration(v, "usage_sampling_interval", o.usage_sampling_interval);
  v("resource_weights", o.resource_weights);
}

template <typename V>
void VisitFields(V& v, Of<WaitForPodsReadyConfig> auto& o) {
  VisitDuration(v, "timeout", o.timeout);
  VisitDuration(v, "recovery_timeout", o.recovery_timeout);
  v("block_admission", o.block_admission);
  VisitPlaced(v, "requeuing_timestamp", o.requeuing_timestamp, {"requeuingStrategy.timestamp"});
  VisitPlaced(v, "backoff_base_seconds", o.backoff_base_seconds,
              {"requeuingStrategy.backoffBaseSeconds"});
  VisitPlaced(v, "backoff_max_seconds", o.backoff_max_seconds,
              {"requeuingStrategy.backoffMaxSeconds"});
  VisitPlaced(v, "backoff_limit_count", o.backoff_limit_count,
              {"requeuingStrategy.backoffLimitCount"});
}

template <typename V>
void VisitFields(V& v, Of<Configuration> auto& o) {
  v("fair_sharing", o.fair_sharing);
  v("admission_fair_sharing", o.admission_fair_sharing);
  v("wait_for_pods_ready", o.wait_for_pods_ready);
  VisitPlaced(v, "exclude_resource_prefixes", o.exclude_resource_prefixes,
              {"resources.excludeResourcePrefixes"});
  VisitPlaced(v, "transformations", o.transformations, {"resources.transformations"});
  VisitPlaced(v, "quota_check", o.quota_check, {"resources.quotaCheckStrategy"});
  v("feature_gates", o.feature_gates);
  if (!HasFieldsOf(v, 4)) return;
  VisitDuration(v, "retain_finished", o.retain_finished,
                {"objectRetentionPolicies.workloads.afterFinished"});
  VisitDuration(v, "retain_deactivated", o.retain_deactivated,
                {"objectRetentionPolicies.workloads.afterDeactivatedByKueue"});
  VisitLaterFlag(v, 11, "manage_without_queue", o.manage_without_queue,
                 {"manageJobsWithoutQueueName"});
  if (!HasFieldsOf(v, 11)) return;
  VisitPlaced(v, "managed_namespaces", o.managed_namespaces, {"managedJobsNamespaceSelector"});
  VisitPlaced(v, "frameworks", o.frameworks, {"integrations.frameworks"});
}

template <typename V>
void VisitFields(V& v, Of<EngineConfiguration> auto& o) {
  v("heads_per_cycle", o.heads_per_cycle);
  v("sticky_cure", o.sticky_cure);
  v("preemptor_hold", o.preemptor_hold);
  VisitPlaced(v, "relaxed_durability", o.relaxed_durability, {"durability"});
  v("rollback_after", o.rollback_after);
  VisitLater(v, 4, "keep_finished", o.keep_finished);
  VisitLaterFlag(v, 8, "overcommit_as_kueue", o.overcommit_as_kueue, {"overcommit"});
}

template <typename V>
void VisitFields(V& v, Of<PolicyBinding> auto& o) {
  VisitRequired(v, "name", o.name);
  VisitRequired(v, "policy", o.policy, {.example = "small-first"});
  v("hooks", o.hooks);
  v("cluster_queues", o.cluster_queues);
  v("cohorts", o.cohorts);
  v("params", o.params);
  VisitLater(v, 7, "then", o.then);
  VisitLater(v, 7, "local_queues", o.local_queues);
}

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_FIELDS_SPEC_H_
