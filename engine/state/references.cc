// Looks every name up in the call's own objects and in the world, so that order does not matter.
#include "engine/state/references.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "engine/model/limits.h"
#include "engine/state/catalog_tables.h"
#include "engine/state/records.h"
#include "engine/state/whole_workload.h"

namespace muster {
namespace {

/// Classes that every Kubernetes has.
bool IsBuiltIn(std::string_view priority_class) { return priority_class.starts_with("system-"); }

class ReferenceChecker {
 public:
  ReferenceChecker(const World& world, std::span<const Object> objects)
      : world_(world), objects_(objects) {}

  std::vector<Problem> Check() {
    for (index_ = 0; index_ < objects_.size(); ++index_) {
      std::visit([this](const auto& object) { Visit(object); }, objects_[index_]);
    }
    return std::move(problems_);
  }

 private:
  template <typename T>
  void Visit(const T&) {}  // refers to nothing

  void Visit(const ResourceFlavor& flavor) {
    if (flavor.topology_name.empty()) return;
    Require(ObjectKind::kTopology, {"", flavor.topology_name}, "spec.topologyName");
  }

  void Visit(const ClusterQueue& queue) {
    for (std::size_t g = 0; g < queue.resource_groups.size(); ++g) {
      const auto& flavors = queue.resource_groups[g].flavors;
      for (std::size_t f = 0; f < flavors.size(); ++f) {
        Require(ObjectKind::kResourceFlavor, {"", flavors[f].name},
                "spec.resourceGroups[" + std::to_string(g) + "].flavors[" + std::to_string(f) +
                    "].name");
      }
    }
    for (std::size_t c = 0; c < queue.admission_checks.size(); ++c) {
      Require(ObjectKind::kAdmissionCheck, {"", queue.admission_checks[c].name},
              "spec.admissionChecksStrategy.admissionChecks[" + std::to_string(c) + "].name");
    }
  }

  void Visit(const Cohort& cohort) {
    for (std::size_t g = 0; g < cohort.resource_groups.size(); ++g) {
      const auto& flavors = cohort.resource_groups[g].flavors;
      for (std::size_t f = 0; f < flavors.size(); ++f) {
        Require(ObjectKind::kResourceFlavor, {"", flavors[f].name},
                "spec.resourceGroups[" + std::to_string(g) + "].flavors[" + std::to_string(f) +
                    "].name");
      }
    }
  }

  void Visit(const LocalQueue& queue) {
    Require(ObjectKind::kClusterQueue, {"", queue.cluster_queue}, "spec.clusterQueue");
  }

  void Visit(const Workload& workload) {
    Require(ObjectKind::kLocalQueue, {workload.key.ns, workload.queue}, "spec.queueName");
    if (workload.status.admission) Visit(*workload.status.admission);
    for (std::size_t i = 0; i < workload.pod_sets.size(); ++i) {
      Require(ObjectKind::kRuntimeClass, {"", workload.pod_sets[i].pods.runtime_class},
              PodSpecField(i) + "runtimeClassName");
    }
    if (workload.priority) return;  // resolved already: the class is only a note
    for (std::size_t i = 0; i < workload.pod_sets.size(); ++i) {
      const std::string& name = workload.pod_sets[i].pods.priority_class;
      if (IsBuiltIn(name)) continue;
      Require(ObjectKind::kPriorityClass, {"", name}, PodSpecField(i) + "priorityClassName");
    }
    const auto label = workload.labels.find(kPriorityClassLabel);
    if (label != workload.labels.end() && workload.priority_source == PriorityClassSource::kNone) {
      Require(ObjectKind::kWorkloadPriorityClass, {"", label->second},
              "metadata.labels[" + std::string(kPriorityClassLabel) + "]");
    }
    if (workload.priority_source == PriorityClassSource::kWorkloadPriorityClass) {
      Require(ObjectKind::kWorkloadPriorityClass, {"", workload.priority_class},
              "spec.priorityClassRef.name");
    } else if (workload.priority_source == PriorityClassSource::kPodPriorityClass) {
      Require(ObjectKind::kPriorityClass, {"", workload.priority_class},
              "spec.priorityClassRef.name");
    }
  }

  void Visit(const Admission& admission) {
    Require(ObjectKind::kClusterQueue, {"", admission.cluster_queue},
            "status.admission.clusterQueue");
    for (std::size_t i = 0; i < admission.pod_sets.size(); ++i) {
      for (const auto& [resource, flavor] : admission.pod_sets[i].flavors) {
        Require(ObjectKind::kResourceFlavor, {"", flavor},
                "status.admission.podSetAssignments[" + std::to_string(i) + "].flavors[" +
                    resource + "]");
      }
    }
  }

  void Visit(const PolicyBinding& binding) {
    for (std::size_t q = 0; q < binding.cluster_queues.size(); ++q) {
      Require(ObjectKind::kClusterQueue, {"", binding.cluster_queues[q]},
              "spec.clusterQueues[" + std::to_string(q) + "]");
    }
    for (std::size_t q = 0; q < binding.local_queues.size(); ++q) {
      const std::string& name = binding.local_queues[q];
      const std::size_t slash = name.find('/');
      if (slash == std::string::npos) continue;
      Require(ObjectKind::kLocalQueue, {name.substr(0, slash), name.substr(slash + 1)},
              "spec.localQueues[" + std::to_string(q) + "]");
    }
  }

  static std::string PodSpecField(std::size_t pod_set) {
    return "spec.podSets[" + std::to_string(pod_set) + "].template.spec.";
  }

  void Require(ObjectKind kind, const Key& key, std::string field) {
    if (key.name.empty() && kind != ObjectKind::kLocalQueue) return;  // a field that is required
    if (key.name.size() > kMaxNameLength) return;                     // reported as such
    if (ObjectExists(world_, kind, key) || InThisCall(kind, key)) return;
    if (key.name.empty()) {
      if (MayNameNone()) return;
      problems_.push_back({index_, std::move(field), "names no LocalQueue to wait in",
                           "write spec.queueName", true});
      return;
    }
    const std::string name = key.ns.empty() ? key.name : key.ToString();
    problems_.push_back({index_, std::move(field),
                         "there is no " + std::string(KindName(kind)) + " " + name,
                         "apply it in the same call, or correct the name", true});
  }

  /// Names of the call's own objects are gathered when one is first looked for.
  /// Whether workloads without a queue wait for one, by a Configuration of this call or before.
  bool MayNameNone() const {
    for (const Object& object : objects_) {
      const auto* config = std::get_if<Configuration>(&object);
      if (config != nullptr) return config->manage_without_queue;
    }
    return world_.catalog.config.manage_without_queue;
  }

  bool InThisCall(ObjectKind kind, const Key& key) {
    if (known_.empty()) {
      for (const Object& object : objects_) known_.insert({KindOf(object), KeyOf(object)});
    }
    return known_.contains({kind, key});
  }

  const World& world_;
  std::span<const Object> objects_;
  std::set<std::pair<ObjectKind, Key>> known_;
  std::size_t index_ = 0;
  std::vector<Problem> problems_;
};

}  // namespace

bool RefersToQueueAlone(const Workload& workload) {
  const bool by_class =
      !workload.priority && (workload.priority_source != PriorityClassSource::kNone ||
                             workload.labels.contains(kPriorityClassLabel));
  for (const PodSet& pod_set : workload.pod_sets) {
    if (!pod_set.pods.runtime_class.empty()) return false;
    if (!workload.priority && !pod_set.pods.priority_class.empty()) return false;
  }
  return !by_class && !workload.status.admission;
}

std::vector<Problem> MissingReferences(const World& world, std::span<const Object> objects) {
  return ReferenceChecker(world, objects).Check();
}

std::vector<std::string> ReferencesTo(const World& world, ObjectKind kind, const Key& key) {
  std::vector<std::string> names;
  const auto add = [&names](const Object& object) {
    const Key owner = KeyOf(object);
    names.push_back(std::string(KindName(KindOf(object))) + " " +
                    (owner.ns.empty() ? owner.name : owner.ToString()));
  };
  const auto is_inside = [&](const Key& object) {
    return kind == ObjectKind::kNamespace && object.ns == key.name;
  };
  // What would miss the object if it were the only one of its name.
  const auto look_at = [&](const Object& object) {
    const World empty;
    for (const Problem& problem : MissingReferences(empty, std::span(&object, 1))) {
      const std::string name = key.ns.empty() ? key.name : key.ToString();
      if (problem.field.starts_with("status.")) continue;  // what holds its quota is asked below
      if (problem.what != "there is no " + std::string(KindName(kind)) + " " + name) continue;
      add(object);
    }
    if (is_inside(KeyOf(object))) add(object);
  };
  // A name of a cohort need not stand for a Cohort, so none is missing; the object counts all the
  // same: its quota and limits go with it.
  const auto lies_below = [&](const std::string& cohort) {
    return kind == ObjectKind::kCohort && cohort == key.name;
  };
  const auto binds_below = [&](const PolicyBinding& binding) {
    return std::any_of(binding.cohorts.begin(), binding.cohorts.end(), lies_below);
  };
  for (const auto& [name, flavor] : world.catalog.flavors) look_at(flavor);
  for (const auto& [name, cohort] : world.catalog.cohorts) {
    look_at(cohort);
    if (lies_below(cohort.parent)) add(cohort);
  }
  for (const auto& [name, binding] : world.catalog.policy_bindings) {
    look_at(binding);
    if (binds_below(binding)) add(binding);
  }
  for (const auto& [name, limits] : world.catalog.limit_ranges) look_at(limits);
  for (const auto& [name, id] : world.queue_ids) {
    const ClusterQueue& queue = world.queue(id).spec;
    look_at(queue);
    if (lies_below(queue.cohort)) add(queue);
  }
  for (const auto& [name, id] : world.local_queue_ids) look_at(world.local_queue(id).spec);
  for (const WorkloadId id : world.WorkloadsByName()) {
    const WorkloadRecord& workload = world.workload(id);
    if (IsTrue(workload.spec.status, condition::kFinished)) continue;
    const bool held = kind == ObjectKind::kClusterQueue && workload.holds() &&
                      world.queue(workload.holds_in).name() == key.name;
    if (held) names.push_back("Workload " + workload.spec.key.ToString());
    look_at(WholeWorkload(workload));
  }
  return names;
}

}  // namespace muster
