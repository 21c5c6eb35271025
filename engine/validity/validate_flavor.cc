// Rules of what stands for machines: ResourceFlavor, Topology, Node, Pod.
#include "engine/model/limits.h"
#include "engine/validity/validate_kinds.h"
#include "engine/validity/validate_rules.h"

namespace muster {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";

}  // namespace

void Check(const ResourceFlavor& flavor, ProblemList& problems) {
  CheckName(FieldPath("metadata").Child("name"), flavor.name, problems);
  const FieldPath spec("spec");
  const FieldPath labels = spec.Child("nodeLabels");
  CheckSize(labels, flavor.node_labels.size(), kMaxNodeLabels, problems);
  CheckLabels(labels, flavor.node_labels, problems);
  const FieldPath taints = spec.Child("nodeTaints");
  CheckSize(taints, flavor.node_taints.size(), kMaxNodeTaints, problems);
  CheckTaints(taints, flavor.node_taints, problems);
  const FieldPath tolerations = spec.Child("tolerations");
  CheckSize(tolerations, flavor.tolerations.size(), kMaxFlavorTolerations, problems);
  CheckTolerations(tolerations, flavor.tolerations, problems);
  CheckOptionalName(spec.Child("topologyName"), flavor.topology_name, problems);
  if (!flavor.topology_name.empty() && flavor.node_labels.empty()) {
    problems.Add(labels, "a flavor with a topology needs at least one node label",
                 "give the label that its nodes carry");
  }
}

void Check(const Topology& topology, ProblemList& problems) {
  CheckName(FieldPath("metadata").Child("name"), topology.name, problems);
  const FieldPath spec("spec");
  const FieldPath levels = spec.Child("levels");
  CheckNotEmpty(levels, topology.levels.size(), problems);
  CheckSize(levels, topology.levels.size(), kMaxTopologyLevels, problems);
  CheckUnique(levels, topology.levels, problems);
  for (std::size_t i = 0; i < topology.levels.size(); ++i) {
    const FieldPath level = levels.At(i);
    CheckQualifiedName(level.Child("nodeLabel"), topology.levels[i], "label key", problems);
    if (topology.levels[i] == kHostname && i + 1 != topology.levels.size()) {
      problems.Add(level.Child("nodeLabel"), "kubernetes.io/hostname may only be the lowest level",
                   "move it to the end");
    }
  }
}

void Check(const Node& node, ProblemList& problems) {
  CheckName(FieldPath("metadata").Child("name"), node.name, problems);
  CheckLabels(FieldPath("metadata").Child("labels"), node.labels, problems);
  CheckTaints(FieldPath("spec").Child("taints"), node.taints, problems);
  CheckResources(FieldPath("status").Child("allocatable"), node.allocatable, problems);
}

void Check(const Pod& pod, ProblemList& problems) {
  CheckKey(pod.key, problems);
  CheckOptionalName(FieldPath("spec").Child("nodeName"), pod.node, problems);
  CheckResources(FieldPath("spec").Child("containers"), pod.requests, problems);
}

}  // namespace muster
