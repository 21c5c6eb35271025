#include "bindings/manifest/job_objects.h"

#include <algorithm>
#include <map>
#include <utility>

#include "bindings/manifest/job_documents.h"
#include "bindings/manifest/plain.h"
#include "bindings/objects/job_kinds.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/owners.h"
#include "bindings/objects/pod.h"
#include "bindings/objects/pod_group.h"

namespace muster::manifest {
namespace {

struct Found {
  objects::Value object;
  const objects::KindRow* row = nullptr;
  Place place;
};

/// Unpacks lists.
void Collect(objects::Value object, const std::string& file, std::vector<Found>* out) {
  if (object.At("kind").text == "List") {
    for (objects::Value& item : object.Make("items").items) Collect(std::move(item), file, out);
    return;
  }
  Found found;
  found.row = objects::FindKindRow(object);
  const objects::Value& name = object.At({"metadata", "name"});
  found.place = {file, name.line, name.column};
  if (object.TextAt("kind") == "ReplicaSet" && objects::ControllerOf(object).IsNull()) {
    found.row = objects::FindKindRow("apps/v1", "Deployment");
  }
  if (found.row != nullptr && found.row->fill != nullptr) found.row->fill(object);
  found.object = std::move(object);
  out->push_back(std::move(found));
}

class Reading {
 public:
  explicit Reading(const std::vector<Found>& all) : all_(all) {
    setting_.resolves_priorities = false;
    setting_.gates["ElasticJobsViaWorkloadSlices"] = false;
    for (const Found& found : all) setting_.Add(found.object);
  }

  std::vector<JobObject> Read() {
    for (const Found& found : all_) {
      if (found.row == nullptr || objects::QueueOf(found.object).empty()) continue;
      if (objects::ManagedAncestor(found.object, setting_).object != nullptr) continue;
      ReadOne(found);
    }
    for (const auto& [id, pods] : groups_) ReadGroup(pods);
    return std::move(jobs_);
  }

 private:
  void ReadOne(const Found& found) {
    const objects::Value& object = found.object;
    const bool each_is_one = found.row->through_pods && found.row->kind != "StatefulSet";
    if (each_is_one && object.At({"spec", "replicas"}).IntOr(1) > kMostReplicas) return;
    if (found.row->kind == "Deployment") {
      const std::int64_t replicas = object.At({"spec", "replicas"}).IntOr(1);
      const objects::KindRow* row = objects::FindKindRow("v1", "Pod");
      for (std::int64_t i = 0; i < replicas; ++i) {
        Add({objects::PodOfReplica(object, i), row, found.place});
      }
    } else if (found.row->kind == "Pod" && !objects::GroupOf(object).empty()) {
      groups_[{objects::NamespaceOf(object), std::string(objects::GroupOf(object))}].push_back(
          &found);
    } else {
      Add(found);
    }
  }

  void Add(const Found& found) {
    objects::JobWorkloads workloads = objects::WorkloadsOf(*found.row, found.object, setting_);
    for (objects::JobWorkload& workload : workloads.made) {
      JobObject job;
      // A Job is older here than the hash in names.
      if (found.row->kind == "Job") {
        workload.name = "job-" + std::string(objects::NameOf(found.object));
      }
      job.workload_key = {workload.ns, workload.name};
      job.objects = {found.object};
      job.row = found.row;
      job.workload = std::move(workload);
      job.status = found.row->status(found.object, setting_);
      job.place = found.place;
      jobs_.push_back(std::move(job));
    }
  }

  void ReadGroup(const std::vector<const Found*>& pods) {
    std::vector<const objects::Value*> members;
    for (const Found* pod : pods) members.push_back(&pod->object);
    std::stable_sort(members.begin(), members.end(),
                     [](const objects::Value* a, const objects::Value* b) {
                       return objects::NameOf(*a) < objects::NameOf(*b);
                     });
    objects::PodGroupView view = objects::ViewPodGroup(members, setting_);
    JobObject job;
    job.workload_key = {objects::NamespaceOf(*members[0]),
                        std::string(objects::GroupOf(*members[0]))};
    for (const objects::Value* member : members) job.objects.push_back(*member);
    job.row = pods.front()->row;
    if (!view.workload.made.empty()) job.workload = std::move(view.workload.made[0]);
    job.status = objects::PodGroupStatus(members, setting_);
    job.place = pods.front()->place;
    jobs_.push_back(std::move(job));
  }

  const std::vector<Found>& all_;
  objects::Setting setting_;
  std::map<std::pair<std::string, std::string>, std::vector<const Found*>> groups_;
  std::vector<JobObject> jobs_;
};

}  // namespace

JobObjects ReadJobObjects(std::span<const Source> sources) {
  JobObjects out;
  std::vector<Found> all;
  for (const Source& source : sources) {
    PlainDocuments documents = ParsePlain(source.text, source.name);
    if (out.problem.empty()) out.problem = documents.problem;
    for (objects::Value& each : documents.documents) Collect(std::move(each), source.name, &all);
  }
  out.jobs = Reading(all).Read();
  return out;
}

}  // namespace muster::manifest
