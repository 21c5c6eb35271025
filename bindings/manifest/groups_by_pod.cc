// See groups_by_pod.h.
#include "bindings/manifest/groups_by_pod.h"

#include <variant>
#include <vector>

#include "bindings/manifest/group_pods.h"

namespace muster::manifest {

std::optional<Key> GroupsByPod::OtherGroupOf(const Engine& engine, std::string_view pod,
                                             const Key& own) {
  const auto [groups, is_new] = by_namespace_.try_emplace(own.ns);
  if (is_new) {
    const Result<std::vector<WorkloadView>> all = engine.Workloads(own.ns);
    if (all.ok()) {
      for (const WorkloadView& each : *all) {
        for (const auto& [name, role] : PodsOfGroup(each.spec)) {
          groups->second[name].insert(each.spec.key.name);
        }
      }
    }
  }
  const auto named = groups->second.find(pod);
  if (named == groups->second.end()) return std::nullopt;
  for (const std::string& name : named->second) {
    if (name == own.name) continue;
    const Result<WorkloadView> group = engine.GetWorkload({own.ns, name});
    if (group.ok() && group->phase != WorkloadPhase::kFinished && HasPod(group->spec, pod)) {
      return Key{own.ns, name};
    }
  }
  return std::nullopt;
}

void GroupsByPod::Note(std::span<const Object> objects) {
  for (const Object& object : objects) {
    const auto* workload = std::get_if<Workload>(&object);
    if (workload == nullptr) continue;
    const auto groups = by_namespace_.find(workload->key.ns);
    if (groups == by_namespace_.end()) continue;
    for (const auto& [name, role] : PodsOfGroup(*workload)) {
      groups->second[name].insert(workload->key.name);
    }
  }
}

}  // namespace muster::manifest
