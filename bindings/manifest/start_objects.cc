#include "bindings/manifest/start_objects.h"

#include <utility>

#include "bindings/objects/pod.h"
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

/// What the pods of each podset get: marks of the queues, and what flavors and checks say.
std::vector<objects::StartInfo> InfosOf(const WorkloadView& view,
                                        const std::vector<PodSetUpdate>& updates,
                                        objects::JobWorkload* workload) {
  objects::JobAdmission admission;
  admission.cluster_queue = view.spec.status.admission->cluster_queue;
  for (const PodSetAssignment& assigned : view.spec.status.admission->pod_sets) {
    admission.sets.push_back({assigned.name, assigned.count, {}, assigned.topology.has_value()});
  }
  workload->name = view.spec.key.name;
  objects::StartInfos start = objects::StartInfosFor(*workload, admission, "", objects::Setting());
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

/// The object as it waits, without what only Kueue's own controllers take back.
void Hold(const objects::KindRow& row, objects::Value& object) {
  if (!row.Is("Pod")) return objects::Prepare(row, object, objects::Setting());
  objects::AddGate(object, "kueue.x-k8s.io/admission");
  objects::AddGate(object, "kueue.x-k8s.io/topology");
}

Result<std::vector<StartedObject>> StartOne(JobObject& job, const WorkloadView& view,
                                            const std::vector<PodSetUpdate>& updates) {
  if (job.row->through_pods) {
    return Status(
        StatusCode::kFailedPrecondition,
        "a " + std::string(job.row->kind) + " is started by its pods; give those that it makes");
  }
  const std::vector<objects::StartInfo> infos = InfosOf(view, updates, &job.workload);
  std::vector<StartedObject> started;
  for (objects::Value& object : job.objects) {
    Hold(*job.row, object);
    const objects::Value before = object;
    std::span<const objects::StartInfo> own = infos;
    if (job.objects.size() > 1 || !objects::GroupOf(object, objects::Setting()).empty()) {
      for (std::size_t i = 0; i < infos.size(); ++i) {
        if (infos[i].pod_set == objects::RoleHash(object)) own = std::span(&infos[i], 1);
      }
    }
    const std::string conflict = objects::Start(*job.row, object, job.workload, own);
    if (!conflict.empty()) {
      return Status(StatusCode::kFailedPrecondition,
                    "the flavors contradict the template, whose " + conflict);
    }
    objects::Value patch = objects::MergePatchFor(before, object);
    started.push_back({std::move(object), std::move(patch)});
  }
  return started;
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
    if (job.workload_key == named || job.key_without_uid == named)
      return StartOne(job, *view, *updates);
  }
  return Status(StatusCode::kNotFound, "the manifests hold no object of the workload " +
                                           workload.ToString() +
                                           "; give those that it was submitted from");
}

std::string ToJson(const Key& workload, std::span<const StartedObject> started) {
  objects::Value answer = objects::Value::Texts({{"workload", workload.ToString()}});
  objects::Value& all = answer.Make("objects");
  all = objects::Value::List();
  for (const StartedObject& each : started) {
    objects::Value one = objects::Value::Map();
    one.Set("patch", each.patch);
    one.Set("object", each.object);
    all.items.push_back(std::move(one));
  }
  return objects::ToJson(answer);
}

}  // namespace muster::manifest
