// Cluster-wide classes and what the cluster has, written back.
#include "bindings/manifest/encode.h"
#include "bindings/manifest/manifest.h"

namespace muster::manifest {

static Encoded Encode(YamlArena& arena, const LimitRangeItem& item) {
  MapWriter out(arena);
  out.Put("type", item.type);
  out.Put("default", item.default_limits);
  out.Put("defaultRequest", item.default_requests);
  out.Put("min", item.min);
  out.Put("max", item.max);
  out.Put("maxLimitRequestRatio", item.max_limit_request_ratio);
  return out.node();
}

void EncodeObject(MapWriter& out, const WorkloadPriorityClass& priority) {
  out.Put("metadata", EncodeName(out.arena(), priority.name));
  out.Put("value", priority.value);
  out.Put("description", priority.description);
}

void EncodeObject(MapWriter& out, const PriorityClass& priority) {
  out.Put("metadata", EncodeName(out.arena(), priority.name));
  out.Put("value", priority.value);
  out.PutUnless(false, "globalDefault", priority.global_default);
}

void EncodeObject(MapWriter& out, const Namespace& ns) {
  MapWriter metadata = EncodeName(out.arena(), ns.name);
  metadata.Put("labels", ns.labels);
  out.Put("metadata", metadata);
}

void EncodeObject(MapWriter& out, const LimitRange& range) {
  out.Put("metadata", EncodeKey(out.arena(), range.key));
  MapWriter spec(out.arena());
  spec.Put("limits", range.items);
  out.Put("spec", spec);
}

void EncodeObject(MapWriter& out, const RuntimeClass& runtime) {
  out.Put("metadata", EncodeName(out.arena(), runtime.name));
  MapWriter overhead(out.arena());
  overhead.Put("podFixed", runtime.overhead);
  out.Put("overhead", overhead);
}

void EncodeObject(MapWriter& out, const AdmissionCheck& check) {
  out.Put("metadata", EncodeName(out.arena(), check.name));
  MapWriter spec(out.arena());
  spec.Put("controllerName", check.controller);
  out.Put("spec", spec);
  if (check.active) return;
  MapWriter status(out.arena());
  status.Put("conditions", std::vector<Condition>{{"Active", false, "", "", kNoTime}});
  out.Put("status", status);
}

void EncodeObject(MapWriter& out, const Topology& topology) {
  out.Put("metadata", EncodeName(out.arena(), topology.name));
  YamlNode* levels = out.arena().New(NodeKind::kList);
  for (const std::string& label : topology.levels) {
    MapWriter level(out.arena());
    level.Put("nodeLabel", label);
    levels->items.push_back(level.node());
  }
  MapWriter spec(out.arena());
  spec.Put("levels", Encoded(levels));
  out.Put("spec", spec);
}

void EncodeObject(MapWriter& out, const Node& node) {
  MapWriter metadata = EncodeName(out.arena(), node.name);
  metadata.Put("labels", node.labels);
  out.Put("metadata", metadata);
  MapWriter spec(out.arena());
  spec.Put("taints", node.taints);
  spec.PutUnless(false, "unschedulable", node.unschedulable);
  out.Put("spec", spec);
  MapWriter status(out.arena());
  status.Put("allocatable", node.allocatable);
  status.Put("conditions", std::vector<Condition>{{"Ready", node.ready, "", "", kNoTime}});
  out.Put("status", status);
}

void EncodeObject(MapWriter& out, const Pod& pod) {
  out.Put("metadata", EncodeKey(out.arena(), pod.key));
  MapWriter resources(out.arena());
  resources.Put("requests", pod.requests);
  MapWriter container(out.arena());
  container.Put("name", std::string("main"));
  container.Put("resources", resources);
  YamlNode* containers = out.arena().New(NodeKind::kList);
  containers->items.push_back(container.node());
  MapWriter spec(out.arena());
  spec.Put("nodeName", pod.node);
  spec.Put("containers", Encoded(containers));
  out.Put("spec", spec);
}

}  // namespace muster::manifest
