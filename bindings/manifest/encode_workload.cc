// Workloads, written back: podsets with the scheduling part of their templates.
#include "bindings/manifest/encode.h"
#include "bindings/manifest/manifest.h"

namespace muster::manifest {
namespace {

/// resources: {requests, limits}, left out when both are empty.
void PutResources(MapWriter& out, const ResourceList& requests, const ResourceList& limits) {
  MapWriter resources(out.arena());
  resources.Put("requests", requests);
  resources.Put("limits", limits);
  out.Put("resources", resources);
}

/// A list of mappings whose only field is `name`.
Encoded EncodeNames(YamlArena& arena, const SharedList<std::string>& names) {
  YamlNode* list = arena.New(NodeKind::kList);
  for (const std::string& name : names) list->items.push_back(EncodeName(arena, name).node());
  return list;
}

}  // namespace

static Encoded Encode(YamlArena& arena, const Container& container) {
  MapWriter out(arena);
  out.Put("name", container.name);
  PutResources(out, container.requests, container.limits);
  if (container.restart_always) out.Put("restartPolicy", std::string("Always"));
  return out.node();
}

static Encoded Encode(YamlArena& arena, const NodeSelectorTerm& term) {
  MapWriter out(arena);
  out.Put("matchExpressions", term.match_expressions);
  out.Put("matchFields", term.match_fields);
  return out.node();
}

static Encoded EncodeAffinity(YamlArena& arena, const std::vector<NodeSelectorTerm>& terms) {
  MapWriter required(arena);
  required.Put("nodeSelectorTerms", Encode(arena, terms));
  MapWriter node_affinity(arena);
  node_affinity.Put("requiredDuringSchedulingIgnoredDuringExecution", required);
  MapWriter affinity(arena);
  affinity.Put("nodeAffinity", node_affinity);
  return affinity.node();
}

Encoded Encode(YamlArena& arena, const PodTemplate& pods) {
  MapWriter spec(arena);
  spec.Put("containers", pods.containers);
  spec.Put("initContainers", pods.init_containers);
  PutResources(spec, pods.pod_requests, pods.pod_limits);
  spec.Put("overhead", pods.overhead);
  spec.Put("runtimeClassName", pods.runtime_class);
  spec.Put("priorityClassName", pods.priority_class);
  spec.Put("nodeSelector", pods.node_selector);
  if (pods.required_node_affinity) {
    spec.Put("affinity", EncodeAffinity(arena, *pods.required_node_affinity));
  }
  spec.Put("tolerations", pods.tolerations);
  return spec.node();
}

static Encoded Encode(YamlArena& arena, const SliceLayer& layer) {
  MapWriter out(arena);
  out.Put("topology", layer.level);
  out.Put("size", layer.size);
  return out.node();
}

static Encoded Encode(YamlArena& arena, const TopologyRequest& request) {
  MapWriter out(arena);
  out.Put("required", request.required);
  out.Put("preferred", request.preferred);
  out.PutUnless(false, "unconstrained", request.unconstrained);
  if (request.slices.size() == 1) {
    out.Put("podSetSliceRequiredTopology", request.slices[0].level);
    out.Put("podSetSliceSize", request.slices[0].size);
  } else {
    out.Put("podsetSliceRequiredTopologyConstraints", request.slices);
  }
  out.Put("podSetGroupName", request.pod_set_group);
  return out.node();
}

Encoded Encode(YamlArena& arena, const PodSet& pod_set) {
  MapWriter out(arena);
  out.Put("name", pod_set.name);
  out.Put("count", pod_set.count);
  out.Put("minCount", pod_set.min_count);
  out.Put("topologyRequest", pod_set.topology);
  MapWriter pod_template(arena);
  for (const PodMetadata& given : pod_set.pods.metadata) {
    MapWriter metadata(arena);
    metadata.Put("labels", given.labels);
    metadata.Put("annotations", given.annotations);
    pod_template.Put("metadata", metadata);
  }
  pod_template.Put("spec", Encode(arena, pod_set.pods));
  out.Put("template", pod_template);
  return out.node();
}

static Encoded EncodePriorityClass(YamlArena& arena, const Workload& workload) {
  MapWriter ref(arena);
  const bool of_kueue = workload.priority_source == PriorityClassSource::kWorkloadPriorityClass;
  ref.Put("group", std::string(of_kueue ? "kueue.x-k8s.io" : "scheduling.k8s.io"));
  ref.Put("kind", workload.priority_source);
  ref.Put("name", workload.priority_class);
  return ref.node();
}

void EncodeObject(MapWriter& out, const Workload& workload) {
  YamlArena& arena = out.arena();
  MapWriter metadata = EncodeKey(arena, workload.key);
  metadata.Put("uid", workload.uid);
  metadata.Put("creationTimestamp", FormatTime(workload.created));
  metadata.Put("labels", workload.labels);
  metadata.Put("annotations", workload.annotations);
  out.Put("metadata", metadata);
  MapWriter spec(arena);
  spec.Put("queueName", workload.queue);
  spec.Put("podSets", workload.pod_sets);
  spec.Put("priority", workload.priority);
  if (workload.priority_source != PriorityClassSource::kNone) {
    spec.Put("priorityClassRef", EncodePriorityClass(arena, workload));
  }
  spec.PutUnless(true, "active", workload.active);
  spec.Put("maximumExecutionTimeSeconds", workload.max_execution_seconds);
  if (!workload.preemption_gates.empty()) {
    spec.Put("preemptionGates", EncodeNames(arena, workload.preemption_gates));
  }
  out.Put("spec", spec);
  if (workload.status != WorkloadStatus()) out.Put("status", Encode(arena, workload.status));
}

}  // namespace muster::manifest
