#include "bindings/manifest/start_objects.h"

#include <algorithm>
#include <utility>

#include "bindings/manifest/admitted_as.h"
#include "bindings/manifest/job_documents.h"
#include "bindings/manifest/known_jobs.h"
#include "bindings/manifest/named_by_uid.h"
#include "bindings/manifest/reporter.h"
#include "bindings/manifest/settle.h"
#include "bindings/manifest/slices.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/pod.h"
#include "bindings/objects/pod_group.h"
#include "bindings/objects/webhook.h"
#include "engine/model/elastic.h"
#include "engine/model/names.h"

namespace muster::manifest {
namespace {

objects::Value ValueOf(const LabelMap& labels) {
  objects::Value out = objects::Value::Map();
  for (const auto& [key, text] : labels) out.Set(key, objects::Value::Text(text));
  return out;
}

objects::Value ValueOf(const std::vector<Toleration>& tolerations) {
  objects::Value out = objects::Value::List();
  for (const Toleration& each : tolerations) {
    objects::Value toleration = objects::Value::Map();
    if (!each.key.empty()) toleration.Set("key", objects::Value::Text(each.key));
    const bool exists = each.op == TolerationOp::kExists;
    toleration.Set("operator", objects::Value::Text(exists ? "Exists" : "Equal"));
    if (!each.value.empty()) toleration.Set("value", objects::Value::Text(each.value));
    if (each.effect != TaintEffect::kNone) {
      toleration.Set("effect", objects::Value::Text(EnumName(each.effect)));
    }
    out.items.push_back(std::move(toleration));
  }
  return out;
}

/// Which the pods of an elastic job carry: the first slice. Empty: it is no such job.
std::string SliceNameOf(const WorkloadView& view) {
  if (!IsElastic(view)) return "";
  const auto first = view.spec.annotations.find(kSliceNameAnnotation);
  return first == view.spec.annotations.end() ? view.spec.key.name : first->second;
}

/// What the pods of each podset get: marks of the queues, and what flavors and checks say.
std::vector<objects::StartInfo> InfosOf(const WorkloadView& view,
                                        const std::vector<PodSetUpdate>& updates, bool is_group,
                                        objects::JobWorkload* workload) {
  objects::JobAdmission admission;
  admission.cluster_queue = view.spec.status.admission->cluster_queue;
  const std::vector<objects::JobPodSet> given = workload->sets;
  if (is_group) workload->sets.clear();
  for (const PodSetAssignment& assigned : view.spec.status.admission->pod_sets) {
    if (is_group) {
      // Its pods may come one by one: the roles of those that are here.
      const auto role = std::find_if(
          given.begin(), given.end(),
          [&assigned](const objects::JobPodSet& set) { return set.name == assigned.name; });
      if (role == given.end()) continue;
      workload->sets.push_back(*role);
    }
    admission.sets.push_back({assigned.name, assigned.count, {}, assigned.topology.has_value()});
  }
  workload->name = view.spec.key.name;
  objects::StartInfos start =
      objects::StartInfosFor(*workload, admission, SliceNameOf(view), objects::Setting());
  for (objects::StartInfo& info : start.infos) {
    for (const PodSetUpdate& update : updates) {
      if (update.name != info.pod_set) continue;
      objects::MergePatch(info.labels, ValueOf(update.labels));
      objects::MergePatch(info.annotations, ValueOf(update.annotations));
      info.node_selector = ValueOf(update.node_selector);
      info.tolerations = ValueOf(update.tolerations);
    }
  }
  return std::move(start.infos);
}

/// The object as it waits, without what only Kueue's own controllers take back. A slice before
/// this one may have left its mark on the templates.
void Hold(const objects::KindRow& row, const objects::JobWorkload& workload, bool is_elastic,
          objects::Value& object) {
  if (row.Is("Pod")) {
    objects::AddGate(object, objects::mark::kAdmissionGate);
    objects::AddGate(object, objects::mark::kTopologyGate);
    return;
  }
  objects::Prepare(row, object, objects::Setting());
  if (!is_elastic) return;
  for (const objects::JobPodSet& set : workload.sets) {
    if (set.place.empty() || object.At(set.place).At("metadata").At("annotations").IsNull()) {
      continue;
    }
    object.Make(set.place).Make({"metadata", "annotations"}).Remove(objects::mark::kWorkload);
  }
}

/// Kueue takes the gate from as many pods as the slice has, one by one. Here all pods that the
/// object makes are those of the slice, but for the workers of a Ray cluster that scales itself.
void OpenElasticGate(const objects::JobWorkload& workload, objects::Value& object) {
  const bool scales_itself = objects::ScalesItself(object);
  for (const objects::JobPodSet& set : workload.sets) {
    if (set.place.empty() || object.At(set.place).IsNull()) continue;
    objects::Value& pod_template = object.Make(set.place);
    const bool is_worker =
        std::find(set.place.begin(), set.place.end(), "workerGroupSpecs") != set.place.end();
    if (scales_itself && is_worker) {
      objects::AddGate(pod_template, objects::mark::kElastic);
    } else {
      objects::RemoveGate(pod_template, objects::mark::kElastic);
    }
  }
}

/// Takes the gate from as many of these pods as the slice has, those with the lowest names first.
/// The cluster is patched, too, but names of pods are its controller's.
void ReleasePods(const WorkloadView& view, std::vector<objects::Value> pods, const std::string& of,
                 std::vector<StartedObject>* started) {
  std::sort(pods.begin(), pods.end(), [](const objects::Value& a, const objects::Value& b) {
    return objects::NameOf(a) < objects::NameOf(b);
  });
  const std::string slice = SliceNameOf(view);
  for (const PodSet& set : view.spec.pod_sets) {
    std::vector<const objects::Value*> gated;
    std::int64_t free = set.count;
    for (const objects::Value& pod : pods) {
      const std::string& phase = pod.At({"status", "phase"}).text;
      if (objects::NamespaceOf(pod) != view.spec.key.ns || phase == "Succeeded" ||
          phase == "Failed" || objects::Annotation(pod, objects::mark::kSliceName) != slice ||
          objects::Label(pod, objects::mark::kPodSet) != set.name) {
        continue;
      }
      if (objects::HasGate(pod, objects::mark::kElastic)) {
        gated.push_back(&pod);
      } else {
        --free;
      }
    }
    for (const objects::Value* pod : gated) {
      if (free-- <= 0) break;
      objects::Value released = *pod;
      objects::RemoveGate(released, objects::mark::kElastic);
      objects::Value patch = objects::MergePatchFor(*pod, released);
      started->push_back({std::move(released), std::move(patch), of});
    }
  }
}

void TakeGates(const objects::JobWorkload& workload, objects::Value& object) {
  for (const objects::JobPodSet& set : workload.sets) {
    if (set.place.empty() || object.At(set.place).IsNull()) continue;
    objects::RemoveGate(object.Make(set.place), objects::mark::kElastic);
  }
}

/// A StatefulSet or LeaderWorkerSet is never held back itself: its pods are, one by one.
Status TakePods(const objects::JobWorkload& workload, const Key& known, JobObject* job) {
  const std::string owner = job->objects.front().At("kind").text + " " +
                            std::string(objects::NameOf(job->objects.front()));
  std::int64_t count = 0;
  for (const objects::JobPodSet& set : workload.sets) count += set.count;
  if (count > kMostReplicas) {
    return Status(StatusCode::kFailedPrecondition,
                  "the " + owner + " is started by its pods, and " + std::to_string(count) +
                      " are too many to write out; give the manifest of each pod when it starts");
  }
  objects::Value prepared = job->objects.front();
  objects::Prepare(*job->row, prepared, objects::Setting());
  job->objects = objects::PodsOf(prepared, workload, objects::Setting());
  // Of an object that had no uid when it was submitted the workload is called otherwise.
  for (objects::Value& pod : job->objects) {
    for (const std::string_view mark : {objects::mark::kPrebuilt, objects::mark::kGroupName}) {
      for (const std::string_view part : {"labels", "annotations"}) {
        if (pod.At({"metadata", part, mark}).text != workload.name) continue;
        pod.Make({"metadata", part}).Set(mark, objects::Value::Text(known.name));
      }
    }
  }
  job->row = objects::FindKindRow("v1", "Pod");
  job->of = owner;
  return Status::Ok();
}

Status Refused(const JobObject& job, const objects::Value& object, const std::string& why) {
  return Status(StatusCode::kFailedPrecondition,
                PlaceText(job.place) + ": " + object.At("kind").text + " " +
                    std::string(objects::NameOf(object)) + " cannot start: it " + why);
}

bool HasRole(const WorkloadView& view, const objects::Value& pod) {
  const std::string role = objects::RoleHash(pod);
  return std::any_of(view.spec.pod_sets.begin(), view.spec.pod_sets.end(),
                     [&role](const PodSet& set) { return set.name == role; });
}

/// Whether it is what was admitted, and of a group which of its pods.
Status CheckAdmitted(const Engine& engine, const WorkloadView& view, JobObject* job) {
  const std::string cure = "; give the manifest as it was admitted, or apply this one";
  if (!job->group) {
    const std::string what = DifferenceFrom(engine, view, *job);
    return what.empty() ? Status::Ok() : Refused(*job, job->objects.front(), what + cure);
  }
  std::vector<objects::Value> pods = PodsWithPlace(view, *job);
  if (pods.empty() && !HasRole(view, job->objects.front())) {
    return Refused(*job, job->objects.front(), std::string(kOtherRole) + cure);
  }
  if (pods.empty()) {
    return Refused(*job, job->objects.front(),
                   "has no place in its pod group, which has all its pods; give it together with "
                   "the pod that it replaces");
  }
  for (const objects::Value& pod : pods) {
    const std::string what = PodDifferenceFrom(engine, view, pod);
    if (!what.empty()) return Refused(*job, pod, what + cure);
  }
  job->objects = std::move(pods);
  return Status::Ok();
}

/// `contradiction`, when given, receives what in the object contradicts its admission, if that is
/// why it does not start.
Result<std::vector<StartedObject>> StartOne(JobObject& job, const Engine& engine,
                                            const WorkloadView& view,
                                            const std::vector<PodSetUpdate>& updates,
                                            std::string* contradiction = nullptr) {
  if (Status checked = CheckAdmitted(engine, view, &job); !checked.ok()) return checked;
  if (job.row->through_pods) {
    if (Status taken = TakePods(job.workload, view.spec.key, &job); !taken.ok()) return taken;
  }
  const std::vector<objects::StartInfo> infos =
      InfosOf(view, updates, job.group.has_value(), &job.workload);
  const bool is_elastic = IsElastic(view);
  std::vector<StartedObject> started;
  for (objects::Value& object : job.objects) {
    Hold(*job.row, job.workload, is_elastic, object);
    // Its gates are written by the start, whether or not it has them: they hold back the pods.
    if (is_elastic && objects::ScalesItself(object)) TakeGates(job.workload, object);
    const objects::Value before = object;
    std::span<const objects::StartInfo> own = infos;
    if (job.objects.size() > 1 || !objects::GroupOf(object, objects::Setting()).empty()) {
      if (job.group) own = {};
      for (std::size_t i = 0; i < infos.size(); ++i) {
        if (infos[i].pod_set == objects::RoleHash(object)) own = std::span(&infos[i], 1);
      }
    }
    const std::string conflict = objects::Start(*job.row, object, job.workload, own);
    if (!conflict.empty()) {
      if (contradiction != nullptr) *contradiction = conflict;
      return Status(StatusCode::kFailedPrecondition,
                    object.At("kind").text + " " + std::string(objects::NameOf(object)) +
                        " cannot start: in this manifest " + conflict +
                        ", which contradicts its admission; give the manifest as it was "
                        "submitted, or take that out of it; where the object itself is so, report "
                        "it (muster observe), which ends its workload as FailedToStart");
    }
    if (is_elastic) OpenElasticGate(job.workload, object);
    objects::Value patch = objects::MergePatchFor(before, object);
    started.push_back({std::move(object), std::move(patch), job.of});
  }
  return started;
}

/// Whether it has lost the uid with which the workload was imported.
bool IsImported(const JobObject& job, const WorkloadView& view) {
  const objects::Value& object = job.objects.front();
  const std::string& uid = object.At({"metadata", "uid"}).text;
  return uid.empty() && !job.group &&
         IsNamedByUid(view.spec, {job.workload_key, object.At("kind").text, uid});
}

}  // namespace

Result<std::vector<StartedObject>> StartObjects(const Engine& engine, const Key& workload,
                                                std::span<const Source> sources) {
  return StartObjects(engine, workload, ReadJobObjects(sources));
}

Result<std::vector<StartedObject>> StartObjects(const Engine& engine, const Key& workload,
                                                JobObjects read) {
  const Result<WorkloadView> view = engine.GetWorkload(workload);
  if (!view.ok()) return view.status();
  const auto updates = engine.PodSetUpdates(workload);
  if (!updates.ok()) return updates.status();
  if (read.mistake) return Status(StatusCode::kInvalidArgument, read.mistake->ToString());
  const LabelMap& annotations = view->spec.annotations;
  const auto first = annotations.find(kSliceNameAnnotation);
  const Key named = first == annotations.end() ? workload : Key{workload.ns, first->second};
  for (JobObject& job : read.jobs) {
    if (NameIn(engine, job) != named && !IsImported(job, *view)) continue;
    const bool scales_itself = IsElastic(*view) && objects::ScalesItself(job.objects.front());
    const std::string of = job.objects.front().At("kind").text + " " +
                           std::string(objects::NameOf(job.objects.front()));
    Result<std::vector<StartedObject>> started = StartOne(job, engine, *view, *updates);
    if (started.ok() && scales_itself) {
      ReleasePods(*view, std::move(read.slice_pods), of, &*started);
    }
    return started;
  }
  return Status(StatusCode::kNotFound, "the manifests hold no object of the workload " +
                                           workload.ToString() +
                                           "; give those that it was submitted from");
}

std::string StartConflict(const Engine& engine, const WorkloadView& view, JobObject job) {
  const auto updates = engine.PodSetUpdates(view.spec.key);
  if (!updates.ok()) {
    const bool contradicts = updates.status().code() == StatusCode::kFailedPrecondition;
    return contradicts ? std::string(updates.status().message()) : "";
  }
  std::string conflict;
  const auto started = StartOne(job, engine, view, *updates, &conflict);
  return started.ok() ? "" : conflict;
}

objects::Value AnswerOf(const Key& workload, std::span<const StartedObject> started) {
  objects::Value answer = objects::Value::Texts({{"workload", workload.ToString()}});
  objects::Value& all = answer.Make("objects");
  all = objects::Value::List();
  for (const StartedObject& each : started) {
    objects::Value one = objects::Value::Map();
    one.Set("patch", each.patch);
    one.Set("object", each.object);
    if (!each.of.empty()) one.Set("podOf", objects::Value::Text(each.of));
    all.items.push_back(std::move(one));
  }
  return answer;
}

std::string ToJson(const Key& workload, std::span<const StartedObject> started) {
  return objects::ToJson(AnswerOf(workload, started));
}

}  // namespace muster::manifest
