// A batch/v1 Job as the Workload that Kueue would make of it: one podset `main` of as many pods as
// run at once. Labels and annotations of Kueue on the Job say queue, priority and limits.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "bindings/manifest/containers_digest.h"
#include "bindings/manifest/forms.h"
#include "bindings/manifest/job_rules.h"
#include "bindings/manifest/kubernetes_fields.h"
#include "bindings/manifest/place_index.h"
#include "bindings/manifest/plain.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/well_known.h"
#include "bindings/manifest/workload_marks.h"
#include "engine/model/admission_gate.h"
#include "engine/model/elastic.h"
#include "engine/model/priority_boost.h"

namespace muster::manifest {
namespace {

const objects::KindRow& JobKind() { return *objects::FindKindRow("batch/v1", "Job"); }

/// As data, with what the API fills in. Its owners are left to what reads them.
objects::Value PlainJob(const Value& document) {
  objects::Value job = PlainOf(document.node());
  if (job.At("metadata").IsMap()) job.Make("metadata").Remove("ownerReferences");
  JobKind().fill(job);
  return job;
}

/// A whole number that is written as the text of a label or annotation. What is none was refused by
/// the rules of the kind.
std::optional<std::int32_t> NumberIn(const LabelMap& values, std::string_view key) {
  const auto entry = values.find(key);
  if (entry == values.end()) return std::nullopt;
  const auto number = objects::WholeNumber(entry->second);
  if (!number || *number > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  return static_cast<std::int32_t>(*number);
}

/// The topology request that the annotations of the pod template make; nullopt for none.
std::optional<TopologyRequest> TopologyOf(const objects::JobPodSets& sets,
                                          const Value& pod_template) {
  if (!sets.error.empty()) return std::nullopt;  // refused by a rule
  const objects::Value asked = TopologyRequestIn(sets.sets.front());
  if (asked.Empty()) return std::nullopt;
  YamlArena arena;
  TopologyRequest request;
  Read(Value(*NodeOf(asked, pod_template.at(), arena), "annotations", pod_template.decoding()),
       &request);
  if (request == TopologyRequest()) return std::nullopt;
  return request;
}

/// Kueue would send the job to another cluster.
void RefuseManager(const Value& manager) {
  if (manager.node().text() != "kueue.x-k8s.io/multikueue") return;
  manager.decoding().Unread(manager.at(),
                            "\"managedBy\" has no effect: no job is sent to another "
                            "cluster",
                            "remove it");
}

/// As Kueue, which queues no Job that is over.
bool IsOver(Fields& job) {
  const auto status = job.Find("status");
  const YamlNode* list = status ? status->node().Find("conditions") : nullptr;
  if (list == nullptr) return false;
  return std::any_of(list->items().begin(), list->items().end(), [](const YamlNode* condition) {
    const YamlNode* type = condition->Find("type");
    const YamlNode* holds = condition->Find("status");
    return type != nullptr && holds != nullptr && holds->text() == "True" &&
           (type->text() == "Complete" || type->text() == "Failed");
  });
}

PodSet ReadPodSet(Fields& job, const Metadata& metadata, const objects::JobPodSets& sets) {
  PodSet pods;
  pods.name = "main";
  const auto value = job.Find("spec");
  if (!value) {
    job.ReportMissing("spec", "{template: {spec: {containers: [...]}}}");
    return pods;
  }
  Fields spec(*value);
  std::int32_t parallelism = 1;
  std::optional<std::int32_t> completions;
  bool suspend = false;  // either way: Muster says when the job may start
  spec.Get("parallelism", &parallelism);
  spec.Get("completions", &completions);
  spec.Get("suspend", &suspend);
  if (const auto manager = spec.Find("managedBy")) RefuseManager(*manager);
  spec.Accept(kJobSpecFields);
  pods.count = std::min(parallelism, completions.value_or(parallelism));
  pods.min_count = NumberIn(metadata.annotations, kMinParallelismAnnotation);
  if (const auto text = spec.Find("template")) {
    PodTemplateText pod_template;
    const std::size_t errors = text->decoding().reporter.errors();
    Read(*text, &pod_template);
    const bool is_queued = metadata.labels.contains(kQueueNameLabel);
    if (is_queued && pod_template.pods.containers.empty() &&
        text->decoding().reporter.errors() == errors) {
      text->Error("has no containers", "write {spec: {containers: [...]}}");
    }
    pods.pods = std::move(pod_template.pods);
    pods.topology = TopologyOf(sets, *text);
  } else {
    spec.ReportMissing("template", "{spec: {containers: [...]}}");
  }
  return pods;
}

}  // namespace

void ReportUnlabeled(const Value& document, std::string_view kind, const std::string& name) {
  Reporter& reporter = document.decoding().reporter;
  const Position at = FindPlace(document.node(), "metadata.name");
  const std::string what =
      std::string(kind) + " " + Quoted(name) + " has no label " + std::string(kQueueNameLabel);
  if (document.decoding().options.allow_unlabeled) {
    reporter.Warning(at, what + " and is skipped", "it is neither stored nor charged to any quota");
  } else {
    reporter.Error(at, what + " and would go around the quota",
                   "add the label with the name of a LocalQueue");
  }
}

std::optional<Object> DecodeJob(const Value& document) {
  Fields fields(document);
  Metadata metadata = ReadMetadata(fields);
  CheckUid(document.node(), document.decoding().reporter);
  CheckOwners(document.node(), document.decoding().reporter);
  const objects::Value job = PlainJob(document);
  Workload workload;
  workload.key = {metadata.ns, JobWorkloadName(metadata.name, metadata.uid)};
  workload.created = metadata.created;
  const objects::JobPodSets sets = objects::BuildPodSets(JobKind(), job, objects::Setting());
  workload.pod_sets.push_back(ReadPodSet(fields, metadata, sets));
  const bool ended = IsOver(fields);

  workload.queue = TextIn(metadata.labels, kQueueNameLabel);
  workload.priority_class = TextIn(metadata.labels, kPriorityClassLabel);
  if (!workload.priority_class.empty()) {
    workload.priority_source = PriorityClassSource::kWorkloadPriorityClass;
  }
  workload.max_execution_seconds = NumberIn(metadata.labels, kMaxExecTimeLabel);
  workload.labels = std::move(metadata.labels);
  for (const std::string_view name : {kPriorityBoostAnnotation, kElasticJobAnnotation,
                                      kAdmissionGatedByAnnotation, kSyncCompletionsAnnotation}) {
    const auto mark = metadata.annotations.find(name);
    if (mark != metadata.annotations.end()) workload.annotations[mark->first] = mark->second;
  }
  const std::string digest = ContainersDigest(sets.sets);
  if (!digest.empty()) workload.annotations[std::string(kContainersAnnotation)] = digest;
  if (workload.queue.empty() && !document.decoding().needs_no_queue) {
    // As an annotation it was refused above.
    const bool said =
        document.decoding().options.refuse_unread && metadata.annotations.contains(kQueueNameLabel);
    if (!said) ReportUnlabeled(document, "Job", metadata.name);
    return std::nullopt;
  }
  ReportRules(JobKind(), document.node(), job, objects::Setting(), document.decoding().reporter);
  if (ended) {
    document.decoding().reporter.Warning(
        FindPlace(document.node(), "status"),
        "Job " + Quoted(metadata.name) + " has ended and is skipped",
        "remove status to queue it anew");
    return std::nullopt;
  }
  return workload;
}

}  // namespace muster::manifest
