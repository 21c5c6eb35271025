// ValidateChange: what may not differ between two versions of an object.
#include <algorithm>
#include <variant>

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
  if (before.pod_sets != after.pod_sets) problems.Add(spec.Child("podSets"), what, cure);
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
