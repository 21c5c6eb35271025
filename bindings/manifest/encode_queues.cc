// The objects that hold quota, written back.
#include "bindings/manifest/encode.h"
#include "bindings/manifest/manifest.h"

namespace muster::manifest {

static Encoded Encode(YamlArena& arena, const ResourceQuota& quota) {
  MapWriter out(arena);
  out.Put("name", quota.name);
  out.Put("nominalQuota", quota.nominal);
  out.Put("borrowingLimit", quota.borrowing_limit);
  out.Put("lendingLimit", quota.lending_limit);
  return out.node();
}

static Encoded Encode(YamlArena& arena, const FlavorQuotas& flavor) {
  MapWriter out(arena);
  out.Put("name", flavor.name);
  out.Put("resources", flavor.resources);
  return out.node();
}

Encoded Encode(YamlArena& arena, const ResourceGroup& group) {
  MapWriter out(arena);
  out.Put("coveredResources", group.covered_resources);
  out.Put("flavors", group.flavors);
  return out.node();
}

static Encoded Encode(YamlArena& arena, const AdmissionCheckRule& rule) {
  MapWriter out(arena);
  out.Put("name", rule.name);
  out.Put("onFlavors", rule.on_flavors);
  return out.node();
}

static Encoded Encode(YamlArena& arena, const FlavorFungibility& fungibility) {
  MapWriter out(arena);
  out.Put("whenCanBorrow", fungibility.when_can_borrow);
  out.Put("whenCanPreempt", fungibility.when_can_preempt);
  out.Put("preference", fungibility.preference);
  return out.node();
}

static Encoded Encode(YamlArena& arena, const PreemptionRules& rules) {
  MapWriter out(arena);
  out.Put("withinClusterQueue", rules.within_cluster_queue);
  out.Put("reclaimWithinCohort", rules.reclaim_within_cohort);
  MapWriter borrow(arena);
  borrow.PutUnless(PreemptionPolicy::kNever, "policy", rules.borrow_within_cohort);
  borrow.Put("maxPriorityThreshold", rules.max_priority_threshold);
  out.Put("borrowWithinCohort", borrow);
  return out.node();
}

/// A part that is left out when it has no fields, unless it is written out.
static void PutPart(MapWriter& spec, std::string_view name, const MapWriter& part,
                    Presence presence) {
  if (presence == Presence::kWritten || !part.empty()) spec.Put(name, part.node());
}

void EncodeObject(MapWriter& out, const ResourceFlavor& flavor) {
  out.Put("metadata", EncodeName(out.arena(), flavor.name));
  MapWriter spec(out.arena());
  spec.Put("nodeLabels", flavor.node_labels);
  spec.Put("nodeTaints", flavor.node_taints);
  spec.Put("tolerations", flavor.tolerations);
  spec.Put("topologyName", flavor.topology_name);
  out.Put("spec", spec.node());
}

void EncodeObject(MapWriter& out, const ClusterQueue& queue) {
  MapWriter metadata = EncodeName(out.arena(), queue.name);
  if (queue.deletion != kNoTime) metadata.Put("deletionTimestamp", FormatTime(queue.deletion));
  out.Put("metadata", metadata);
  MapWriter spec(out.arena());
  spec.Put("cohortName", queue.cohort);
  spec.Put("resourceGroups", queue.resource_groups);
  spec.PutUnless(QueueingStrategy::kBestEffortFifo, "queueingStrategy", queue.queueing_strategy);
  spec.Put("namespaceSelector", queue.namespace_selector);
  spec.PutUnless(FlavorFungibility(), "flavorFungibility", queue.flavor_fungibility);
  spec.PutUnless(PreemptionRules(), "preemption", queue.preemption);
  PutFairWeight(spec, queue.fair_weight, queue.fair_sharing);
  MapWriter scope(out.arena());
  scope.PutUnless(AdmissionMode::kNone, "admissionMode", queue.admission_mode);
  PutPart(spec, "admissionScope", scope, queue.admission_scope);
  MapWriter strategy(out.arena());
  strategy.Put("admissionChecks", queue.admission_checks);
  PutPart(spec, "admissionChecksStrategy", strategy, queue.admission_checks_strategy);
  spec.PutUnless(StopPolicy::kNone, "stopPolicy", queue.stop_policy);
  out.Put("spec", spec.node());
}

void EncodeObject(MapWriter& out, const Cohort& cohort) {
  out.Put("metadata", EncodeName(out.arena(), cohort.name));
  MapWriter spec(out.arena());
  spec.Put("parentName", cohort.parent);
  spec.Put("resourceGroups", cohort.resource_groups);
  PutFairWeight(spec, cohort.fair_weight, cohort.fair_sharing);
  out.Put("spec", spec.node());
}

void EncodeObject(MapWriter& out, const LocalQueue& queue) {
  MapWriter metadata = EncodeKey(out.arena(), queue.key);
  metadata.Put("labels", queue.labels);
  out.Put("metadata", metadata);
  MapWriter spec(out.arena());
  spec.Put("clusterQueue", queue.cluster_queue);
  spec.PutUnless(StopPolicy::kNone, "stopPolicy", queue.stop_policy);
  PutFairWeight(spec, queue.fair_weight);
  out.Put("spec", spec.node());
  if (!queue.history) return;
  MapWriter history(out.arena());
  history.Put("consumedResources", queue.history->consumed);
  history.Put("lastUpdate", FormatTime(queue.history->last_update));
  MapWriter sharing(out.arena());
  sharing.Put("admissionFairSharingStatus", history.node());
  MapWriter status(out.arena());
  status.Put("fairSharing", sharing);
  out.Put("status", status);
}

}  // namespace muster::manifest
