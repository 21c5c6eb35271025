// LocalQueues through which nothing can start: their ClusterQueue does not select their namespace,
// or the namespace is not among those that are declared.
#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "bindings/lab/lint/lint.h"
#include "bindings/lab/read.h"
#include "bindings/manifest/quote.h"
#include "engine/model/selector.h"

namespace muster::lab {

using manifest::Diagnostic;

std::vector<Diagnostic> LintLocalQueues(const manifest::Manifests& manifests,
                                        const Engine& engine) {
  const auto is_local = [](const Object& object) {
    return std::holds_alternative<LocalQueue>(object);
  };
  if (!AnyObject(manifests, is_local)) return {};
  std::map<std::string, Namespace> namespaces;
  for (const Object& object : Read(engine.Objects(ObjectKind::kNamespace))) {
    namespaces.emplace(KeyOf(object).name, std::get<Namespace>(object));
  }
  std::map<std::string, ClusterQueue> queues;
  for (const ClusterQueueView& view : Read(engine.ClusterQueues())) {
    queues.emplace(view.spec.name, view.spec);
  }
  std::set<std::string> declared;
  for (const Object& object : manifests.objects) {
    if (const auto* ns = std::get_if<Namespace>(&object)) declared.insert(ns->name);
  }
  std::vector<Diagnostic> found;
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    const auto* local = std::get_if<LocalQueue>(&manifests.objects[i]);
    if (local == nullptr) continue;
    const std::string& name = local->key.ns;
    const auto ns = namespaces.find(name);
    const auto queue = queues.find(local->cluster_queue);
    if (ns == namespaces.end() || queue == queues.end()) continue;
    // One that came to be with its LocalQueue has no label but its name.
    const bool is_bare = ns->second.labels.size() == 1 && !declared.contains(name);
    const auto& selector = queue->second.namespace_selector;
    if (selector && !Selects(*selector, ns->second.labels)) {
      const std::string bare = is_bare ? " (which no Namespace declares)" : "";
      found.push_back(Advice(manifests, i, "spec.clusterQueue",
                             "ClusterQueue " + queue->first + " does not select namespace " + name +
                                 bare + ": nothing in this LocalQueue will ever start",
                             "apply a Namespace " + name +
                                 " with the labels that namespaceSelector asks for, or widen it"));
    } else if (is_bare && !declared.empty()) {
      found.push_back(Advice(manifests, i, "metadata.namespace",
                             "no Namespace declares " + manifest::Quoted(name) +
                                 ", which is created with this LocalQueue",
                             "add kind: Namespace, or correct the name"));
    }
  }
  return found;
}

}  // namespace muster::lab
