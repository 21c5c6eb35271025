// Nodes and foreign pods decide where a flavor has a topology, and nowhere else; there its nodes
// have to have a label of each level.
#include <algorithm>
#include <cstddef>
#include <map>
#include <string>

#include "bindings/lab/lint/lint.h"
#include "bindings/lab/read.h"
#include "bindings/lab/words.h"

namespace muster::lab {

using manifest::Diagnostic;

namespace {

/// A warning about the first object of `kind`.
void WarnOfFirst(const manifest::Manifests& manifests, ObjectKind kind, std::string what,
                 std::string cure, std::vector<Diagnostic>* found) {
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    if (KindOf(manifests.objects[i]) != kind) continue;
    found->push_back(Advice(manifests, i, "kind", std::move(what), std::move(cure)));
    return;
  }
}

bool HasTopology(const Object& object) {
  const auto* flavor = std::get_if<ResourceFlavor>(&object);
  return flavor != nullptr && !flavor->topology_name.empty();
}

bool Matches(const Node& node, const ResourceFlavor& flavor) {
  return std::all_of(flavor.node_labels.begin(), flavor.node_labels.end(), [&](const auto& label) {
    const auto own = node.labels.find(label.first);
    return own != node.labels.end() && own->second == label.second;
  });
}

/// A warning where nodes of the flavor have no label of the level.
void CheckLevel(const manifest::Manifests& manifests, std::size_t object,
                const ResourceFlavor& flavor, const std::string& level,
                const std::vector<Node>& nodes, std::vector<Diagnostic>* found) {
  std::size_t without = 0;
  const Node* first = nullptr;
  for (const Node& node : nodes) {
    if (!Matches(node, flavor) || node.labels.contains(level)) continue;
    if (first == nullptr) first = &node;
    ++without;
  }
  if (without == 0) return;
  found->push_back(Advice(manifests, object, "spec.topologyName",
                          Counted(without, "node") + " of flavor " + flavor.name +
                              " without label " + level + ", a level of topology " +
                              flavor.topology_name + ": no pod is placed there",
                          "add it, first to node " + first->name));
}

}  // namespace

std::vector<Diagnostic> LintLevels(const manifest::Manifests& manifests,
                                   const std::vector<Node>& nodes) {
  std::vector<Diagnostic> found;
  std::map<std::string, const Topology*> topologies;
  for (const Object& object : manifests.objects) {
    if (const auto* topology = std::get_if<Topology>(&object)) {
      topologies[topology->name] = topology;
    }
  }
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    if (!HasTopology(manifests.objects[i])) continue;
    const auto& flavor = std::get<ResourceFlavor>(manifests.objects[i]);
    const auto topology = topologies.find(flavor.topology_name);
    if (topology == topologies.end()) continue;
    for (const std::string& level : topology->second->levels) {
      CheckLevel(manifests, i, flavor, level, nodes, &found);
    }
  }
  return found;
}

std::vector<Diagnostic> LintNotDecided(const manifest::Manifests& manifests, const Engine& engine) {
  std::vector<Diagnostic> found;
  const std::vector<Object> there = Read(engine.Objects(ObjectKind::kResourceFlavor));
  const auto has_topology = [](const Object& object) { return HasTopology(object); };
  if (std::any_of(there.begin(), there.end(), has_topology) ||
      std::any_of(manifests.objects.begin(), manifests.objects.end(), has_topology)) {
    return found;
  }
  WarnOfFirst(manifests, ObjectKind::kNode,
              "Nodes are stored and decide nothing: no flavor has a topology",
              "compare flavors with them by muster validate --nodes FILE", &found);
  WarnOfFirst(manifests, ObjectKind::kPod,
              "Pods are stored and decide nothing: they are charged to no quota",
              "leave them out, or write a Job", &found);
  return found;
}

}  // namespace muster::lab
