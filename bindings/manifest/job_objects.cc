#include "bindings/manifest/job_objects.h"

#include <algorithm>
#include <map>
#include <utility>

#include "bindings/manifest/job_documents.h"
#include "bindings/manifest/job_rules.h"
#include "bindings/manifest/managed_jobs.h"
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
  bool names_no_queue = false;
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
  if (MayBeInDefaultQueue(object, kinds)) {
    found.names_no_queue = true;
    object.Make({"metadata", "labels"}).Set(objects::mark::kQueue, objects::Value::Text("default"));
  }
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
    setting_.numbers_slices = false;
    for (const Found& found : all) setting_.Add(found.object);
  }

  std::vector<ScaledStatus> TakeScaled() { return std::move(scaled_); }

  std::vector<JobObject> Read() {
    for (const Found& found : all_) {
      if (found.row == nullptr) continue;
      if (found.row->Is("Pod") && ReadPodOfReplicas(found)) continue;
      if (objects::QueueOf(found.object).empty()) continue;
      const objects::Ancestor ancestor = objects::ManagedAncestor(found.object, setting_);
      if (ancestor.object != nullptr) continue;
      const std::size_t before = jobs_.size();
      ReadOne(found);
      for (std::size_t i = before; i < jobs_.size(); ++i) {
        jobs_[i].owners = OwnersOf(found.object, ancestor.missing);
      }
    }
    for (const auto& [workload, pods] : replicas_) ReadReplica(workload, pods);
    for (const auto& [id, pods] : groups_) ReadGroup(pods);
    return std::move(jobs_);
  }

 private:
  /// What makes the pods of replicas: a Deployment, or a ReplicaSet of its own.
  struct ReplicaOwner {
    std::string kind;
    std::string name;
  };

  /// A start has written the workload into all that it starts; else the owner says it, whose own
  /// owner is not known where it is unread.
  std::vector<Key> OwnersOf(const objects::Value& object, const objects::Value* missing) const {
    const std::string ns = objects::NamespaceOf(object);
    std::vector<Key> owners;
    if (missing != nullptr) owners = KeysOfOwner(ns, *missing, setting_);
    for (const std::string_view mark : {objects::mark::kWorkload, objects::mark::kSliceName}) {
      const std::string_view workload = objects::Annotation(object, mark);
      if (!workload.empty()) owners.push_back({ns, std::string(workload)});
    }
    return owners;
  }

  /// By the pod's ReplicaSet, which Deployments name after themselves and their template.
  std::optional<ReplicaOwner> ReplicaOwnerOf(const objects::Value& pod) const {
    const objects::Value& controller = objects::ControllerOf(pod);
    if (controller.TextAt("kind") != "ReplicaSet") return std::nullopt;
    const std::string name(controller.TextAt("name"));
    const objects::Value* set = setting_.Find("ReplicaSet", objects::NamespaceOf(pod), name);
    if (set != nullptr) {
      const objects::Value& above = objects::ControllerOf(*set);
      if (above.IsNull()) return ReplicaOwner{"ReplicaSet", name};
      return ReplicaOwner{std::string(above.TextAt("kind")), std::string(above.TextAt("name"))};
    }
    const std::string hash = "-" + std::string(objects::Label(pod, "pod-template-hash"));
    if (hash.size() == 1 || !name.ends_with(hash)) return ReplicaOwner{"ReplicaSet", name};
    return ReplicaOwner{"Deployment", name.substr(0, name.size() - hash.size())};
  }

  /// Whether it is a pod of replicas, which says nothing of its own.
  bool ReadPodOfReplicas(const Found& found) {
    const objects::Value& pod = found.object;
    const std::optional<ReplicaOwner> owner = ReplicaOwnerOf(pod);
    const std::string_view workload = objects::Annotation(pod, objects::mark::kWorkload);
    if (!owner || (objects::QueueOf(pod).empty() && workload.empty())) return false;
    const std::string ns = objects::NamespaceOf(pod);
    const objects::Value* given = setting_.Find(owner->kind, ns, owner->name);
    if (given != nullptr && !objects::QueueOf(*given).empty()) return true;
    if (!workload.empty()) {
      replicas_[{ns, std::string(workload)}].push_back(&found);
      return true;
    }
    JobObject job;
    job.of = owner->kind + " " + owner->name;
    job.objects = {pod};
    job.row = found.row;
    job.place = found.place;
    const objects::KindRow& deployment = *objects::FindKindRow("apps/v1", "Deployment");
    for (std::string& name : objects::WorkloadNames(deployment, owner->name, "", setting_)) {
      job.owners.push_back({ns, std::move(name)});
    }
    jobs_.push_back(std::move(job));
    return true;
  }

  /// Pods that the same replica was started for, one after another.
  void ReadReplica(const Key& workload, const std::vector<const Found*>& pods) {
    JobObject job;
    job.workload_key = workload;
    job.row = pods.front()->row;
    job.place = pods.front()->place;
    ReplicaPods said;
    job.has_status = true;
    for (const Found* pod : pods) {
      job.objects.push_back(pod->object);
      AddPod(pod->object, &said);
      job.has_status &= pod->object.Has("status");
    }
    job.replica = std::make_shared<ReplicaPods>(std::move(said));
    jobs_.push_back(std::move(job));
  }

  void AddPod(const objects::Value& pod, ReplicaPods* said) const {
    const std::string& phase = pod.At({"status", "phase"}).text;
    said->live += phase != "Succeeded" && phase != "Failed" ? 1 : 0;
    const bool runs = objects::PodRuns(pod, setting_);
    const std::string_view workload = objects::Annotation(pod, objects::mark::kWorkload);
    if (workload.empty()) {
      said->others_run |= runs;
      return;
    }
    ReplicaPods::Pods& of = said->started[std::string(workload)];
    of.run |= runs;
    of.ready |= !objects::TrueCondition(pod, {"Ready"}).empty();
  }

  /// What is given of the replicas of a Deployment.
  std::shared_ptr<const ReplicaPods> PodsOfReplicas(const Found& found) const {
    ReplicaPods out;
    const objects::Value& status = found.object.At("status");
    if (!status.IsNull()) {
      out.there = status.At("replicas").IntOr(0) + status.At("terminatingReplicas").IntOr(0);
      const std::int64_t wanted = found.object.At({"spec", "replicas"}).IntOr(1);
      out.all_ready = wanted > 0 && status.At("readyReplicas").IntOr(0) >= wanted;
    }
    const std::string& kind = found.object.At("kind").text;
    for (const Found& each : all_) {
      if (each.row == nullptr || !each.row->Is("Pod")) continue;
      if (objects::NamespaceOf(each.object) != objects::NamespaceOf(found.object)) continue;
      const std::optional<ReplicaOwner> owner = ReplicaOwnerOf(each.object);
      if (!owner || owner->kind != kind || owner->name != objects::NameOf(found.object)) continue;
      AddPod(each.object, &out);
    }
    return std::make_shared<ReplicaPods>(std::move(out));
  }

  void ReadOne(const Found& found) {
    const objects::Value& object = found.object;
    const std::string_view group =
        found.row->Is("Pod") ? objects::GroupOf(object, setting_) : std::string_view();
    const bool each_is_one = found.row->through_pods && !found.row->Is("StatefulSet");
    if (found.row->runs_elsewhere != nullptr && found.row->runs_elsewhere(object)) return;
    if (each_is_one && object.At({"spec", "replicas"}).IntOr(1) > kMostReplicas) return;
    if (found.row->through_pods) NoteScaled(found);
    if (found.row->Is("Deployment")) {
      const std::int64_t replicas = object.At({"spec", "replicas"}).IntOr(1);
      const objects::KindRow* row = objects::FindKindRow("v1", "Pod");
      const auto pods = PodsOfReplicas(found);
      for (std::int64_t i = 0; i < replicas; ++i) {
        const std::size_t before = jobs_.size();
        Add({objects::PodOfReplica(object, i), row, found.place, found.names_no_queue});
        if (jobs_.size() == before) continue;
        jobs_.back().of = object.At("kind").text + " " + std::string(objects::NameOf(object));
        jobs_.back().replica = pods;
        jobs_.back().has_status = object.Has("status");
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

  void NoteScaled(const Found& found) {
    const objects::Value& object = found.object;
    ScaledStatus scaled;
    scaled.object.kind = object.At("kind").text;
    scaled.object.key = {objects::NamespaceOf(object), std::string(objects::NameOf(object))};
    scaled.object.uid = object.At({"metadata", "uid"}).text;
    scaled.object.replicas = object.At({"spec", "replicas"}).IntOr(1);
    const objects::Value& status = object.At("status");
    if (!status.IsNull()) {
      scaled.there = status.At("replicas").IntOr(0) + status.At("terminatingReplicas").IntOr(0);
    }
    scaled_.push_back(std::move(scaled));
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
      AskPods(found, static_cast<std::ptrdiff_t>(replica), &job);
      job.place = found.place;
      job.has_status = found.object.Has("status");
      job.names_no_queue = found.names_no_queue;
      jobs_.push_back(std::move(job));
    }
  }

  /// Where all pods of a StatefulSet, or of a replica of a LeaderWorkerSet, are given, too, they
  /// know better than its status whether they run and are ready. Some of them know of themselves
  /// alone.
  void AskPods(const Found& owner, std::ptrdiff_t replica, JobObject* job) const {
    const bool is_lws = owner.row->Is("LeaderWorkerSet");
    if (!owner.row->Is("StatefulSet") && !is_lws) return;
    std::int64_t given = 0;
    std::int64_t ready = 0;
    bool runs = false;
    for (const Found& each : all_) {
      if (each.row == nullptr || !each.row->Is("Pod")) continue;
      if (!IsPodOf(owner, replica, each.object)) continue;
      ++given;
      ready += objects::TrueCondition(each.object, {"Ready"}).empty() ? 0 : 1;
      runs |= objects::PodRuns(each.object, setting_);
    }
    std::int64_t all = 0;
    for (const objects::JobPodSet& set : job->workload.sets) all += set.count;
    if (given > 0) job->status.pods_run = runs || (given < all && job->status.pods_run);
    if (given >= all && all > 0) {
      job->status.pods_ready = ready >= all;
      return;
    }
    const std::int64_t wanted = owner.object.At({"spec", "replicas"}).IntOr(1);
    const std::int64_t are = owner.object.At({"status", "readyReplicas"}).IntOr(0);
    job->status.pods_ready = wanted > 0 && are >= wanted;
    // Which of the groups are ready it does not say.
    job->is_ready_known = !is_lws || are == 0 || are >= wanted;
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
    objects::PodGroupView view = objects::ViewPodGroup(members, setting_, true);
    JobObject job;
    job.group = GivenPods{objects::GroupTotalOf(*members[0]), {}, {}};
    for (const objects::Value* member : members) {
      std::string name(objects::NameOf(*member));
      if (objects::FillsPlace(*member)) {
        job.group->members.emplace(std::move(name), objects::RoleHash(*member));
      } else {
        job.group->lost.push_back(std::move(name));
      }
    }
    job.workload_key = {objects::NamespaceOf(*members[0]),
                        std::string(objects::GroupOf(*members[0], setting_))};
    for (const objects::Value* member : members) job.objects.push_back(*member);
    job.row = pods.front()->row;
    if (!view.workload.made.empty()) job.workload = std::move(view.workload.made[0]);
    job.status = objects::PodGroupStatus(members, setting_);
    job.place = pods.front()->place;
    job.names_no_queue = pods.front()->names_no_queue;
    job.has_status = std::all_of(members.begin(), members.end(), [](const objects::Value* member) {
      return member->Has("status");
    });
    jobs_.push_back(std::move(job));
  }

  const std::vector<Found>& all_;
  const std::optional<Key>& only_;
  objects::Setting setting_;
  std::map<std::pair<std::string, std::string>, std::vector<const Found*>> groups_;
  std::map<Key, std::vector<const Found*>> replicas_;  ///< of Deployments that are unread
  std::vector<JobObject> jobs_;
  std::vector<ScaledStatus> scaled_;
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
  Reading reading(all, kinds.declared, only, now);
  out.jobs = reading.Read();
  out.scaled = reading.TakeScaled();
  for (Found& found : all) {
    const bool is_pod = found.row != nullptr && found.row->Is("Pod");
    if (is_pod && !objects::Annotation(found.object, objects::mark::kSliceName).empty()) {
      out.slice_pods.push_back(std::move(found.object));
    }
  }
  out.declared = std::move(declared);
  return out;
}

}  // namespace muster::manifest
