#include "bindings/manifest/job_objects.h"

#include <algorithm>
#include <map>
#include <utility>

#include "bindings/manifest/job_documents.h"
#include "bindings/manifest/job_rules.h"
#include "bindings/manifest/plain.h"
#include "bindings/manifest/reporter.h"
#include "bindings/manifest/yaml_parser.h"
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

using Rows = std::vector<const objects::KindRow*>;

/// Unpacks lists.
void Collect(objects::Value object, const std::string& file, const objects::Setting& kinds,
             std::vector<Found>* out) {
  if (object.At("kind").text == "List") {
    for (objects::Value& item : object.Make("items").items) {
      Collect(std::move(item), file, kinds, out);
    }
    return;
  }
  Found found;
  found.row = objects::FindKindRow(object.TextAt("apiVersion"), object.TextAt("kind"), kinds);
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
  Reading(const std::vector<Found>& all, const Rows& declared, const std::optional<Key>& only,
          std::optional<TimeNs> now)
      : all_(all), only_(only) {
    if (now) setting_.now = *now / kSecond;
    setting_.declared = declared;
    setting_.resolves_priorities = false;
    setting_.gates["ElasticJobsViaWorkloadSlices"] = false;
    for (const Found& found : all) setting_.Add(found.object);
  }

  std::vector<JobObject> Read() {
    for (const Found& found : all_) {
      if (found.row == nullptr || objects::QueueOf(found.object).empty()) continue;
      const objects::Ancestor ancestor = objects::ManagedAncestor(found.object, setting_);
      if (ancestor.object != nullptr) continue;
      const std::size_t before = jobs_.size();
      ReadOne(found);
      if (ancestor.missing == nullptr) continue;
      for (std::size_t i = before; i < jobs_.size(); ++i) {
        jobs_[i].owners =
            KeysOfOwner(objects::NamespaceOf(found.object), *ancestor.missing, setting_);
      }
    }
    for (const auto& [id, pods] : groups_) ReadGroup(pods);
    return std::move(jobs_);
  }

 private:
  void ReadOne(const Found& found) {
    const objects::Value& object = found.object;
    const std::string_view group =
        found.row->Is("Pod") ? objects::GroupOf(object, setting_) : std::string_view();
    const bool each_is_one = found.row->through_pods && !found.row->Is("StatefulSet");
    if (each_is_one && object.At({"spec", "replicas"}).IntOr(1) > kMostReplicas) return;
    if (found.row->Is("Deployment")) {
      const std::int64_t replicas = object.At({"spec", "replicas"}).IntOr(1);
      const objects::KindRow* row = objects::FindKindRow("v1", "Pod");
      for (std::int64_t i = 0; i < replicas; ++i) {
        const std::size_t before = jobs_.size();
        Add({objects::PodOfReplica(object, i), row, found.place});
        if (jobs_.size() == before) continue;
        jobs_.back().of = object.At("kind").text + " " + std::string(objects::NameOf(object));
        if (only_ && jobs_.back().workload_key != *only_ &&
            jobs_.back().key_without_uid != *only_) {
          jobs_.pop_back();
        }
      }
    } else if (!group.empty()) {
      groups_[{objects::NamespaceOf(object), std::string(group)}].push_back(&found);
    } else {
      Add(found);
    }
  }

  void Add(const Found& found) {
    objects::JobWorkloads workloads = objects::WorkloadsOf(*found.row, found.object, setting_);
    for (std::size_t replica = 0; replica < workloads.made.size(); ++replica) {
      objects::JobWorkload& workload = workloads.made[replica];
      JobObject job;
      if (found.row->Is("Job")) {
        const std::string_view name = objects::NameOf(found.object);
        const std::string& uid = found.object.At({"metadata", "uid"}).text;
        workload.name = JobWorkloadName(name, uid);
        if (!uid.empty()) workload.name_without_uid = JobWorkloadName(name, "");
      }
      job.workload_key = {workload.ns, workload.name};
      if (!workload.name_without_uid.empty()) {
        job.key_without_uid = {workload.ns, workload.name_without_uid};
      }
      job.objects = {found.object};
      job.row = found.row;
      job.workload = std::move(workload);
      job.status = found.row->status(found.object, setting_);
      AskPods(found, static_cast<std::ptrdiff_t>(replica), job.workload, &job.status);
      job.place = found.place;
      job.has_status = found.object.Has("status");
      jobs_.push_back(std::move(job));
    }
  }

  /// Where all pods of a StatefulSet, or of a replica of a LeaderWorkerSet, are given, too, they
  /// know better than its status whether they run. Some of them know of themselves alone.
  void AskPods(const Found& owner, std::ptrdiff_t replica, const objects::JobWorkload& workload,
               objects::JobStatus* status) const {
    if (!owner.row->Is("StatefulSet") && !owner.row->Is("LeaderWorkerSet")) return;
    std::int64_t given = 0;
    bool runs = false;
    for (const Found& each : all_) {
      if (each.row == nullptr || !each.row->Is("Pod")) continue;
      if (!IsPodOf(owner, replica, each.object)) continue;
      ++given;
      runs |= objects::PodRuns(each.object, setting_);
    }
    std::int64_t all = 0;
    for (const objects::JobPodSet& set : workload.sets) all += set.count;
    if (given > 0) status->pods_run = runs || (given < all && status->pods_run);
  }

  static bool IsPodOf(const Found& owner, std::ptrdiff_t replica, const objects::Value& pod) {
    if (objects::NamespaceOf(pod) != objects::NamespaceOf(owner.object)) return false;
    if (owner.row->Is("LeaderWorkerSet")) {
      return objects::Label(pod, "leaderworkerset.sigs.k8s.io/name") ==
                 objects::NameOf(owner.object) &&
             objects::Label(pod, "leaderworkerset.sigs.k8s.io/group-index") ==
                 std::to_string(replica);
    }
    const objects::Value& controller = objects::ControllerOf(pod);
    return controller.TextAt("kind") == owner.row->kind &&
           controller.TextAt("name") == objects::NameOf(owner.object);
  }

  void ReadGroup(const std::vector<const Found*>& pods) {
    // Of a pod that stands there twice the later document is what it is now.
    std::map<std::string_view, const objects::Value*> by_name;
    for (const Found* pod : pods) by_name[objects::NameOf(pod->object)] = &pod->object;
    std::vector<const objects::Value*> members;
    for (const auto& [name, pod] : by_name) members.push_back(pod);
    objects::PodGroupView view = objects::ViewPodGroup(members, setting_);
    JobObject job;
    job.workload_key = {objects::NamespaceOf(*members[0]),
                        std::string(objects::GroupOf(*members[0], setting_))};
    for (const objects::Value* member : members) job.objects.push_back(*member);
    job.row = pods.front()->row;
    if (!view.workload.made.empty()) job.workload = std::move(view.workload.made[0]);
    job.status = objects::PodGroupStatus(members, setting_);
    job.place = pods.front()->place;
    job.has_status = std::all_of(members.begin(), members.end(), [](const objects::Value* member) {
      return member->Has("status");
    });
    jobs_.push_back(std::move(job));
  }

  const std::vector<Found>& all_;
  const std::optional<Key>& only_;
  objects::Setting setting_;
  std::map<std::pair<std::string, std::string>, std::vector<const Found*>> groups_;
  std::vector<JobObject> jobs_;
};

}  // namespace

JobObjects ReadJobObjects(std::span<const Source> sources, const std::optional<Key>& only,
                          std::optional<TimeNs> now) {
  JobObjects out;
  auto declared = std::make_shared<DeclaredKinds>();
  YamlArena arena;
  Reporter reporter;
  std::vector<std::vector<const YamlNode*>> roots;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    reporter.BeginSource(i, sources[i].name);
    roots.push_back(ParseYaml(sources[i].text, arena, reporter));
    for (const YamlNode* root : roots.back()) declared->Read(*root, {}, reporter);
  }
  for (const Diagnostic& each : reporter.Take()) {
    if (each.severity == Severity::kError && !out.mistake) out.mistake = each;
  }
  objects::Setting kinds;
  kinds.declared = declared->rows();
  std::vector<Found> all;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (const YamlNode* root : roots[i]) {
      Collect(PlainOf(*root), sources[i].name, kinds, &all);
    }
  }
  out.jobs = Reading(all, kinds.declared, only, now).Read();
  out.declared = std::move(declared);
  return out;
}

}  // namespace muster::manifest
