// What a queue has no quota of any more, its jobs are not charged for, as in Kueue. Nothing evicts
// them, so that is said before it happens.
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "bindings/lab/lint/lint.h"
#include "bindings/lab/read.h"
#include "bindings/lab/words.h"

namespace muster::lab {
namespace {

using Pairs = std::set<std::pair<std::string, std::string>>;  // flavor and resource

Pairs PairsOf(const ClusterQueue& queue) {
  Pairs pairs;
  for (const ResourceGroup& group : queue.resource_groups) {
    for (const FlavorQuotas& flavor : group.flavors) {
      for (const ResourceQuota& quota : flavor.resources) pairs.emplace(flavor.name, quota.name);
    }
  }
  return pairs;
}

/// What a queue loses, and how many jobs hold it.
struct Loss {
  std::size_t object = 0;  ///< of the manifests
  Pairs pairs;
  std::size_t jobs = 0;
  std::set<std::string> flavors;  ///< of `pairs`, those that are held
};

std::map<std::string, Loss> LossesOf(const manifest::Manifests& manifests, const Engine& before) {
  std::map<std::string, std::size_t> applied;
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    const auto* const queue = std::get_if<ClusterQueue>(&manifests.objects[i]);
    if (queue != nullptr) applied[queue->name] = i;
  }
  std::map<std::string, Loss> losses;
  if (applied.empty()) return losses;
  for (const Object& object : Read(before.Objects(ObjectKind::kClusterQueue))) {
    const auto& queue = std::get<ClusterQueue>(object);
    const auto found = applied.find(queue.name);
    if (found == applied.end()) continue;
    Loss loss{found->second, PairsOf(queue), 0, {}};
    const auto& after = std::get<ClusterQueue>(manifests.objects[found->second]);
    for (const auto& pair : PairsOf(after)) loss.pairs.erase(pair);
    if (!loss.pairs.empty()) losses.emplace(queue.name, std::move(loss));
  }
  return losses;
}

void Count(const WorkloadView& workload, std::map<std::string, Loss>* losses) {
  if (!workload.charged || !workload.spec.status.admission) return;
  const Admission& admission = *workload.spec.status.admission;
  const auto found = losses->find(admission.cluster_queue);
  if (found == losses->end()) return;
  bool held = false;
  for (const PodSetAssignment& pod_set : admission.pod_sets) {
    for (const auto& [resource, flavor] : pod_set.flavors) {
      if (!found->second.pairs.contains({flavor, resource})) continue;
      found->second.flavors.insert(flavor);
      held = true;
    }
  }
  if (held) ++found->second.jobs;
}

}  // namespace

std::vector<manifest::Diagnostic> LintTakenFlavors(const manifest::Manifests& manifests,
                                                   const Engine& before) {
  std::vector<manifest::Diagnostic> found;
  std::map<std::string, Loss> losses = LossesOf(manifests, before);
  if (losses.empty()) return found;
  for (const WorkloadView& workload : Read(before.Workloads())) Count(workload, &losses);
  for (const auto& [queue, loss] : losses) {
    if (loss.jobs == 0) continue;
    std::string flavors;
    for (const std::string& flavor : loss.flavors)
      flavors += (flavors.empty() ? "" : ", ") + flavor;
    found.push_back(Advice(manifests, loss.object, "spec.resourceGroups",
                           "this takes " + flavors + " from ClusterQueue " + queue + ": what " +
                               Counted(loss.jobs, "job") +
                               " holds of it is not charged any more, and what runs goes on",
                           "keep it with nominalQuota: 0 until nothing holds it"));
  }
  return found;
}

}  // namespace muster::lab
