// See workload_document.h.
#include "bindings/manifest/workload_document.h"

#include <string_view>
#include <utility>

#include "bindings/manifest/containers_digest.h"
#include "bindings/manifest/group_pods.h"
#include "bindings/manifest/job_rules.h"
#include "bindings/manifest/well_known.h"
#include "engine/model/admission_gate.h"
#include "engine/model/elastic.h"
#include "engine/model/on_hold.h"
#include "engine/model/priority_boost.h"

namespace muster::manifest {
namespace {

/// What the queues have read is no mark on pods any more.
void DropMarks(objects::Value& pod_template) {
  for (const std::string_view part : {"labels", "annotations"}) {
    if (pod_template.At({"metadata", part}).IsNull()) continue;
    std::erase_if(pod_template.Make({"metadata", part}).entries,
                  [](const auto& entry) { return entry.first.starts_with("kueue.x-k8s.io/"); });
  }
}

objects::Value PodSetDocument(objects::JobPodSet set) {
  objects::Value out = objects::Value::Map();
  out.Set("name", objects::Value::Text(set.name));
  out.Set("count", objects::Value::Number(set.count));
  if (set.min_count) out.Set("minCount", objects::Value::Number(*set.min_count));
  objects::Value topology = TopologyRequestIn(set);
  if (!topology.Empty()) out.Set("topologyRequest", std::move(topology));
  objects::Value pods = std::move(set.pod_template);
  DropMarks(pods);
  out.Set("template", std::move(pods));
  return out;
}

/// The text, where the mark stands in the object that says it.
objects::Value AtMark(const std::string& text, const objects::Value& mark) {
  objects::Value out = objects::Value::Text(text);
  out.line = mark.line;
  out.column = mark.column;
  return out;
}

/// The first pod template that names the class, where no label of the object does.
const objects::Value& ClassIn(const objects::JobWorkload& workload) {
  static const objects::Value nowhere;
  for (const objects::JobPodSet& set : workload.sets) {
    const objects::Value& named = set.pod_template.At({"spec", "priorityClassName"});
    if (named.text == workload.class_name) return named;
  }
  return nowhere;
}

}  // namespace

objects::Value WorkloadDocument(objects::JobWorkload workload, const objects::Value& object) {
  objects::Value out =
      objects::Value::Texts({{"apiVersion", "kueue.x-k8s.io/v1beta2"}, {"kind", "Workload"}});
  const objects::Value& given = object.At("metadata");
  objects::Value& metadata = out.Make("metadata");
  objects::Value& name = metadata.Make("name");
  name = given.At("name");
  name.kind = objects::ValueKind::kText;
  name.text = workload.name;
  for (const std::string_view key : {"namespace", "creationTimestamp"}) {
    if (given.Has(key)) metadata.Set(key, given.At(key));
  }
  for (const auto& [label, text] : given.At("labels").entries) {
    const bool is_read = label == kQueueNameLabel || label == kPriorityClassLabel ||
                         label == kMaxExecTimeLabel || !label.starts_with("kueue.x-k8s.io/");
    if (is_read) metadata.Make("labels").Set(label, text);
  }
  for (const std::string_view mark :
       {kPriorityBoostAnnotation, kElasticJobAnnotation, kAdmissionGatedByAnnotation}) {
    const objects::Value& text = given.At({"annotations", mark});
    if (!text.IsNull()) metadata.Make("annotations").Set(mark, text);
  }
  for (const std::string_view mark :
       {kPodGroupPodsAnnotation, kPodGroupNotRetriableAnnotation, kPodGroupWaitsAnnotation,
        kContainersAnnotation, kOwnerOfReplicasAnnotation}) {
    const objects::Value* text = workload.annotations.Find(mark);
    if (text != nullptr) metadata.Make("annotations").Set(mark, *text);
  }
  objects::Value& spec = out.Make("spec");
  if (!workload.queue.empty()) {
    spec.Set("queueName", AtMark(workload.queue, given.At({"labels", kQueueNameLabel})));
  }
  if (!workload.class_kind.empty()) {
    const bool own = workload.class_kind == "WorkloadPriorityClass";
    spec.Set("priorityClassRef",
             objects::Value::Texts({{"group", own ? "kueue.x-k8s.io" : "scheduling.k8s.io"},
                                    {"kind", workload.class_kind}}));
    const objects::Value& named =
        own ? given.At({"labels", kPriorityClassLabel}) : ClassIn(workload);
    spec.Make("priorityClassRef").Set("name", AtMark(workload.class_name, named));
  }
  if (workload.max_seconds) {
    spec.Set("maximumExecutionTimeSeconds", objects::Value::Number(*workload.max_seconds));
  }
  objects::Value sets = objects::Value::List();
  for (objects::JobPodSet& set : workload.sets) {
    sets.items.push_back(PodSetDocument(std::move(set)));
  }
  spec.Set("podSets", std::move(sets));
  return out;
}

}  // namespace muster::manifest
