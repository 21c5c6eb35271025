// JobSet: a podset for each replicated job.
#include <algorithm>

#include "bindings/objects/job_kinds.h"
#include "bindings/objects/marks.h"

namespace muster::objects {
namespace {

std::int64_t PodsPerReplica(const Value& job) {
  const Value& spec = job.At({"template", "spec"});
  const std::int64_t parallelism = spec.At("parallelism").IntOr(1);
  return std::min(parallelism, spec.At("completions").IntOr(parallelism));
}

JobPodSets JobSetSets(const Value& object, const Setting&) {
  return JobSetPodSets(object.At("spec"), {"spec"});
}

JobStatus JobSetStatus(const Value& object, const Setting&) {
  JobStatus out = ReplicatedStatus(object.At({"status", "replicatedJobsStatus"}),
                                   JobSetPodSets(object.At("spec"), {"spec"}));
  out.pods_ready =
      ReplicatedReady(object.At("spec"), object.At({"status", "replicatedJobsStatus"}));
  // Success wins.
  out.success = !TrueCondition(object, {"Completed"}).empty();
  out.finished = out.success || !TrueCondition(object, {"Failed"}).empty();
  return out;
}

}  // namespace

void FillJobSet(Value& spec) {
  if (!spec.Has("replicatedJobs")) return;
  for (Value& job : spec.Make("replicatedJobs").items) {
    job.Default("replicas", Value::Number(1));
    job.Default("groupName", Value::Text("default"));
  }
}

JobPodSets JobSetPodSets(const Value& spec, const ValuePath& place) {
  JobPodSets out;
  const auto& jobs = spec.At("replicatedJobs").items;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Value& job = jobs[i];
    const std::int64_t replicas = job.At("replicas").IntOr(1);
    JobPodSet set;
    set.name = job.TextAt("name");
    set.count = Times(replicas, PodsPerReplica(job));
    set.place = place;
    const std::string index = std::to_string(i);
    for (const std::string& key : {std::string("replicatedJobs"), index, std::string("template"),
                                   std::string("spec"), std::string("template")}) {
      set.place.push_back(key);
    }
    set.field = "spec.replicatedJobs[" + index + "].template.spec.template.metadata";
    set.pod_template = job.At({"template", "spec", "template"});
    set.topology_labels =
        Value::Texts({{"podIndexLabel", "batch.kubernetes.io/job-completion-index"},
                      {"subGroupIndexLabel", "jobset.sigs.k8s.io/job-index"}});
    set.topology_labels.Set("subGroupCount", Value::Number(replicas));
    out.sets.push_back(std::move(set));
  }
  return out;
}

JobStatus ReplicatedStatus(const Value& list, const JobPodSets& sets) {
  JobStatus out;
  out.reclaimable.emplace();
  for (const JobPodSet& set : sets.sets) {
    for (const Value& each : list.items) {
      if (each.TextAt("name") != set.name) continue;
      const std::int64_t succeeded = each.At("succeeded").IntOr(0);
      const std::int64_t replicas = set.topology_labels.At("subGroupCount").IntOr(1);
      if (succeeded <= 0 || succeeded > replicas) continue;
      out.reclaimable->push_back({set.name, Times(succeeded, set.count / replicas)});
    }
  }
  for (const Value& each : list.items) out.active |= each.At("active").IntOr(0) > 0;
  return out;
}

bool ReplicatedReady(const Value& spec, const Value& list) {
  std::int64_t jobs = 0;
  for (const Value& each : spec.At("replicatedJobs").items) jobs += each.At("replicas").IntOr(1);
  std::int64_t ready = 0;
  for (const Value& each : list.items) {
    ready += each.At("ready").IntOr(0) + each.At("succeeded").IntOr(0);
  }
  return jobs == ready;
}

KindRow JobSetRow() {
  KindRow row;
  row.framework = "jobset.x-k8s.io/jobset";
  row.group = "jobset.x-k8s.io";
  row.version = "v1alpha2";
  row.kind = "JobSet";
  row.suspend = {"spec", "suspend"};
  row.managed_by = {"spec", "managedBy"};
  row.own_manager = "jobset.sigs.k8s.io/jobset-controller";
  row.build_error_hides = true;
  row.checks_groups = true;
  row.fill = [](Value& object) { FillJobSet(object.Make("spec")); };
  row.pod_sets = JobSetSets;
  row.status = JobSetStatus;
  return row;
}

}  // namespace muster::objects
