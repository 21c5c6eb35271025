// The scheduling part of a PodSpec, strictly; the other fields of Kubernetes are accepted unread.
#include <array>

#include "bindings/manifest/decode.h"
#include "bindings/manifest/kubernetes_fields.h"

namespace muster::manifest {
namespace {

/// resources: {requests, limits, claims} of a container or a pod.
void ReadResources(Fields& owner, ResourceList* requests, ResourceList* limits) {
  if (const auto value = owner.Find("resources")) {
    Fields fields(*value);
    fields.Get("requests", requests);
    fields.Get("limits", limits);
    fields.Accept({"claims"});
  }
}

}  // namespace

static bool Read(const Value& value, Container* out) {
  Fields fields(value);
  fields.Get("name", &out->name);
  ReadResources(fields, &out->requests, &out->limits);
  if (const auto policy = fields.Find("restartPolicy")) {
    constexpr std::array<std::string_view, 3> kPolicies = {"Always", "OnFailure", "Never"};
    out->restart_always = ReadWord(*policy, kPolicies) == std::size_t{0};
  }
  fields.Accept(kContainerFields);
  return true;
}

static bool Read(const Value& value, NodeSelectorTerm* out) {
  Fields fields(value);
  fields.Get("matchExpressions", &out->match_expressions);
  fields.Get("matchFields", &out->match_fields);
  return true;
}

namespace {

void ReadAffinity(const Value& value, PodTemplate* pods) {
  Fields affinity(value);
  affinity.Accept({"podAffinity", "podAntiAffinity"});
  const auto node_affinity = affinity.Find("nodeAffinity");
  if (!node_affinity) return;
  Fields fields(*node_affinity);
  fields.Accept({"preferredDuringSchedulingIgnoredDuringExecution"});
  const auto required = fields.Find("requiredDuringSchedulingIgnoredDuringExecution");
  if (!required) return;
  Fields terms(*required);
  pods->required_node_affinity.emplace();
  terms.Get("nodeSelectorTerms", &*pods->required_node_affinity);
}

}  // namespace

bool Read(const Value& value, PodTemplate* out) {
  Fields spec(value);
  spec.Get("containers", &out->containers);
  spec.Get("initContainers", &out->init_containers);
  ReadResources(spec, &out->pod_requests, &out->pod_limits);
  spec.Get("overhead", &out->overhead);
  spec.Get("runtimeClassName", &out->runtime_class);
  spec.Get("priorityClassName", &out->priority_class);
  spec.Get("nodeSelector", &out->node_selector);
  if (const auto affinity = spec.Find("affinity")) ReadAffinity(*affinity, out);
  spec.Get("tolerations", &out->tolerations);
  spec.Unread("resourceClaims", "devices that are claimed are charged to no quota",
              "request devices by resource name, for example nvidia.com/gpu: 1");
  spec.Accept(kPodSpecFields);
  return true;
}

bool Read(const Value& value, PodTemplateText* out) {
  Fields fields(value);
  Metadata metadata = ReadTemplateMetadata(fields);
  out->annotations = metadata.annotations;
  fields.Get("spec", &out->pods);
  if (!metadata.labels.empty() || !metadata.annotations.empty()) {
    out->pods.metadata = {{std::move(metadata.labels), std::move(metadata.annotations)}};
  }
  return true;
}

}  // namespace muster::manifest
