// ValidateChange: what may not differ between two versions of an object.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/model/reclaimed_pods.h"
#include "engine/validity/validate.h"
#include "engine/validity/validate_kinds.h"
#include "engine/validity/validate_rules.h"

namespace muster {
namespace {

constexpr char kRecreate[] = "write the old value, or delete the object and apply it again";

void CheckSame(const FieldPath& path, const std::string& before, const std::string& after,
               ProblemList& problems) {
  if (before == after) return;
  problems.Add(path, "may not change from " + Quote(before) + " to " + Quote(after), kRecreate);
}

void CheckChange(const ResourceFlavor& before, const ResourceFlavor& after, ProblemList& problems) {
  if (before.topology_name.empty()) return;
  const FieldPath spec("spec");
  CheckSame(spec.Child("topologyName"), before.topology_name, after.topology_name, problems);
  if (before.node_labels != after.node_labels) {
    problems.Add(spec.Child("nodeLabels"), "may not change once topologyName is set", kRecreate);
  }
}

void CheckChange(const ClusterQueue& before, const ClusterQueue& after, ProblemList& problems) {
  if (before.concurrent_admission == after.concurrent_admission) return;
  problems.Add(FieldPath("spec").Child("concurrentAdmissionPolicy"),
               "may not come, go or change while the queue exists", kRecreate);
}

void CheckChange(const LocalQueue& before, const LocalQueue& after, ProblemList& problems) {
  CheckSame(FieldPath("spec").Child("clusterQueue"), before.cluster_queue, after.cluster_queue,
            problems);
}

void CheckChange(const AdmissionCheck& before, const AdmissionCheck& after, ProblemList& problems) {
  CheckSame(FieldPath("spec").Child("controllerName"), before.controller, after.controller,
            problems);
}

void CheckChange(const Topology& before, const Topology& after, ProblemList& problems) {
  if (before.levels == after.levels) return;
  problems.Add(FieldPath("spec").Child("levels"), "the levels of a topology may not change",
               kRecreate);
}

void CheckReclaimable(const Workload& before, const Workload& after, ProblemList& problems) {
  const FieldPath status("status");
  const FieldPath list = status.Child("reclaimablePods");
  for (const ReclaimablePods& pods : before.status.reclaimable_pods) {
    const std::int32_t now = ReclaimedPods(after.status.reclaimable_pods, pods.pod_set);
    if (now >= pods.count) continue;
    problems.Add(list.Entry(pods.pod_set),
                 "may not fall from " + std::to_string(pods.count) + " to " + std::to_string(now) +
                     " while quota is reserved",
                 "write " + std::to_string(pods.count) + " or more");
  }
}

std::string AmountText(const ResourceList& amounts, const std::string& resource) {
  const auto found = amounts.find(resource);
  return found == amounts.end() ? "none" : found->second.ToString();
}

/// "1 of cpu, not 2", of the first resource of which they differ; empty: they do not.
std::string OtherAmount(const ResourceList& before, const ResourceList& after,
                        std::string_view as = "") {
  for (const ResourceList* const list : {&before, &after}) {
    for (const auto& [resource, amount] : *list) {
      const std::string had = AmountText(before, resource);
      const std::string wanted = AmountText(after, resource);
      if (had != wanted) {
        return had + " of " + resource + std::string(as) + ", not " + wanted;
      }
    }
  }
  return "";
}

/// What pods of a podset were and would be, as words behind "with"; empty: they are the same.
std::string OtherPods(const PodTemplate& before, const PodTemplate& after) {
  using Containers = std::vector<Container> PodTemplate::*;
  for (const Containers list : {&PodTemplate::containers, &PodTemplate::init_containers}) {
    const std::vector<Container>& had = before.*list;
    const std::vector<Container>& wanted = after.*list;
    const bool is_init = list == &PodTemplate::init_containers;
    if (had.size() != wanted.size()) {
      return std::to_string(had.size()) + (is_init ? " init" : "") + " containers, not " +
             std::to_string(wanted.size());
    }
    for (std::size_t i = 0; i < had.size(); ++i) {
      if (had[i] == wanted[i]) continue;
      if (had[i].name != wanted[i].name) {
        return "container " + Quote(had[i].name) + ", not " + Quote(wanted[i].name);
      }
      std::string other = OtherAmount(had[i].requests, wanted[i].requests);
      if (other.empty()) other = OtherAmount(had[i].limits, wanted[i].limits, " as limit");
      if (!other.empty()) return other + " in container " + Quote(had[i].name);
    }
  }
  const std::string other = OtherAmount(before.pod_requests, after.pod_requests);
  if (!other.empty()) return other + " for the whole pod";
  if (before.node_selector != after.node_selector) return "another nodeSelector";
  if (before.tolerations != after.tolerations) return "other tolerations";
  return before == after ? "" : "another template";
}

/// Each podset of which they differ, at its place: `what` says that it may not.
void CheckPodSets(const Workload& before, const Workload& after, const std::string& what,
                  const std::string& cure, ProblemList& problems) {
  const FieldPath spec("spec");
  const FieldPath list = spec.Child("podSets");
  const auto& had = before.pod_sets;
  const auto& wanted = after.pod_sets;
  if (had.size() != wanted.size()) {
    return problems.Add(list,
                        what + " with " + std::to_string(had.size()) +
                            (had.size() == 1 ? " podset, not " : " podsets, not ") +
                            std::to_string(wanted.size()),
                        cure);
  }
  for (std::size_t i = 0; i < had.size(); ++i) {
    if (had[i] == wanted[i]) continue;
    const FieldPath set = list.At(i);
    const std::string in = " in podset " + Quote(had[i].name);
    const std::string pods = OtherPods(had[i].pods, wanted[i].pods);
    if (had[i].name != wanted[i].name) {
      problems.Add(set.Child("name"),
                   what + " with a podset " + Quote(had[i].name) + ", not " + Quote(wanted[i].name),
                   cure);
    } else if (had[i].count != wanted[i].count) {
      problems.Add(set.Child("count"),
                   what + " with " + std::to_string(had[i].count) + " pods" + in + ", not " +
                       std::to_string(wanted[i].count),
                   cure);
    } else if (!pods.empty()) {
      problems.Add(set.Child("template"), what + " with " + pods + in, cure);
    } else {
      const bool is_topology = had[i].topology != wanted[i].topology;
      problems.Add(set.Child(is_topology ? "topologyRequest" : "minCount"),
                   what + " with another " + (is_topology ? "topology request" : "minimum") + in,
                   cure);
    }
  }
}

bool HasEnded(const Workload& workload) {
  const auto& conditions = workload.status.conditions;
  return std::any_of(conditions.begin(), conditions.end(),
                     [](const Condition& each) { return each.type == "Finished" && each.status; });
}

/// A name that is a variant's is no other job's.
void CheckVariant(const Workload& before, const Workload& after, ProblemList& problems) {
  if (!before.variant_of) return;
  const std::string& job = before.variant_of->name;
  if (after.variant_of && after.variant_of->name == job) return;
  problems.Add(FieldPath("metadata").Child("name"), "is the name of a variant of the job " + job,
               "give another name; what " + job + " says all its variants do");
}

void CheckChange(const Workload& before, const Workload& after, ProblemList& problems) {
  CheckVariant(before, after, problems);
  if (!ReservesQuota(before)) return;
  const bool ended = HasEnded(before);
  const std::string what = ended ? "may not change: workload " + before.key.ToString() +
                                       " has ended, and this is another one of its name"
                                 : "may not change while quota is reserved: workload " +
                                       before.key.ToString() + " holds it";
  const std::string cure = ended ? "forget the old one first (muster cancel " +
                                       before.key.ToString() + "), or write another name"
                                 : "write the old value, or submit another workload";
  const FieldPath spec("spec");
  if (before.queue != after.queue) problems.Add(spec.Child("queueName"), what, cure);
  if (before.pod_sets != after.pod_sets && ended) problems.Add(spec.Child("podSets"), what, cure);
  if (before.pod_sets != after.pod_sets && !ended) {
    CheckPodSets(before, after, what, cure, problems);
  }
  if (before.max_execution_seconds != after.max_execution_seconds) {
    problems.Add(spec.Child("maximumExecutionTimeSeconds"), what, cure);
  }
  if (!ReservesQuota(after)) return;
  CheckReclaimable(before, after, problems);
  if (before.status.admission && after.status.admission &&
      *before.status.admission != *after.status.admission) {
    problems.Add(FieldPath("status").Child("admission"), "may not change while it is set",
                 "evict the workload instead");
  }
}

/// Kinds all of whose fields may change.
template <typename T>
void CheckChange(const T&, const T&, ProblemList&) {}

}  // namespace

void ValidateChange(const Object& before, const Object& after, std::size_t index,
                    std::vector<Problem>& out) {
  ProblemList problems(index, Strictness::kStrict, out);
  std::visit(
      [&]<typename T>(const T& old_spec) {
        if (const T* new_spec = std::get_if<T>(&after)) CheckChange(old_spec, *new_spec, problems);
      },
      before);
}

}  // namespace muster
