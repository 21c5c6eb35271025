// What is stored and decides nothing is said once for each kind, at its first object.
#include <cstddef>
#include <string>

#include "bindings/lab/lint/lint.h"

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

}  // namespace

std::vector<Diagnostic> LintUnread(const manifest::Manifests& manifests) {
  std::vector<Diagnostic> found;
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    const auto* flavor = std::get_if<ResourceFlavor>(&manifests.objects[i]);
    if (flavor == nullptr || flavor->topology_name.empty()) continue;
    found.push_back(Advice(manifests, i, "spec.topologyName",
                           "flavor " + flavor->name +
                               " has a topology, and no decision looks at "
                               "its nodes: only quota bounds what starts there",
                           "remove topologyName"));
  }
  return found;
}

std::vector<Diagnostic> LintNotDecided(const manifest::Manifests& manifests) {
  std::vector<Diagnostic> found;
  WarnOfFirst(manifests, ObjectKind::kNode, "Nodes are stored and decide nothing",
              "compare flavors with them by muster validate --nodes FILE", &found);
  WarnOfFirst(manifests, ObjectKind::kPod,
              "Pods are stored and decide nothing: they are charged to no quota",
              "leave them out, or write a Job", &found);
  return found;
}

}  // namespace muster::lab
