// A batch/v1 Job as the Workload that Kueue would make of it: one podset `main` of as many pods as
// run at once. Labels and annotations of Kueue on the Job say queue, priority and limits.
#include <algorithm>
#include <charconv>

#include "bindings/manifest/forms.h"
#include "bindings/manifest/kubernetes_fields.h"
#include "bindings/manifest/place_index.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/well_known.h"
#include "engine/model/admission_gate.h"
#include "engine/model/elastic.h"
#include "engine/model/priority_boost.h"

namespace muster::manifest {
namespace {

/// The node of metadata.`map`[`key`] of `owner`, to report a mistake in its value.
Value MetadataValue(const Value& owner, std::string_view map, std::string_view key) {
  const YamlNode* node = owner.node().Find("metadata");
  node = node == nullptr ? nullptr : node->Find(map);
  if (node != nullptr) {
    for (const YamlEntry& entry : node->entries) {
      if (entry.key->text == key) return Value(entry, owner.decoding());
    }
  }
  return owner;
}

/// A whole number that is written as the text of a label or annotation.
std::optional<std::int32_t> NumberIn(const LabelMap& values, std::string_view key,
                                     const Value& owner, std::string_view map) {
  const auto entry = values.find(key);
  if (entry == values.end()) return std::nullopt;
  const std::string& text = entry->second;
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  MetadataValue(owner, map, key)
      .Error("must hold a whole number, not " + Quoted(text), "write for example \"3\"");
  return std::nullopt;
}

std::string TextIn(const LabelMap& values, std::string_view key) {
  const auto entry = values.find(key);
  return entry == values.end() ? std::string() : entry->second;
}

/// The topology request that the annotations of a pod template make; nullopt for none.
std::optional<TopologyRequest> TopologyIn(const LabelMap& annotations, const Value& pod_template) {
  TopologyRequest request;
  request.required = TextIn(annotations, kRequiredTopology);
  request.preferred = TextIn(annotations, kPreferredTopology);
  request.unconstrained = TextIn(annotations, kUnconstrainedTopology) == "true";
  request.pod_set_group = TextIn(annotations, kPodSetGroup);
  const std::string slice = TextIn(annotations, kSliceTopology);
  const auto size = NumberIn(annotations, kSliceSize, pod_template, "annotations");
  if (!slice.empty() || size) request.slices.push_back({slice, size.value_or(0)});
  if (const auto text = annotations.find(objects::kSegmentsMark); text != annotations.end()) {
    const auto segments = objects::SegmentsIn(text->second);
    if (segments) {
      for (const auto& [level, pods] : *segments) request.segments.push_back({level, pods});
    } else {
      MetadataValue(pod_template, "annotations", objects::kSegmentsMark)
          .Error("must name levels with their pods, not " + Quoted(text->second),
                 std::string(objects::kSegmentsCure));
    }
  }
  if (request == TopologyRequest()) return std::nullopt;
  return request;
}

/// Kueue would send the job to another cluster.
void RefuseManager(const Value& manager) {
  if (manager.node().text != "kueue.x-k8s.io/multikueue") return;
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
  return std::any_of(list->items.begin(), list->items.end(), [](const YamlNode* condition) {
    const YamlNode* type = condition->Find("type");
    const YamlNode* holds = condition->Find("status");
    return type != nullptr && holds != nullptr && holds->text == "True" &&
           (type->text == "Complete" || type->text == "Failed");
  });
}

/// As Kueue: where a job grows by slices, each is whole.
void CheckElastic(const Metadata& metadata, const PodSet& pods, const Value& job) {
  if (TextIn(metadata.annotations, kElasticJobAnnotation) != "true") return;
  if (pods.min_count) {
    MetadataValue(job, "annotations", kMinParallelismAnnotation)
        .Error("cannot stand beside " + std::string(kElasticJobAnnotation), "keep one of them");
  }
  if (pods.topology && (!pods.topology->required.empty() || !pods.topology->preferred.empty())) {
    MetadataValue(job, "annotations", kElasticJobAnnotation)
        .Error("cannot stand beside a required or preferred topology of the pods",
               "keep one of them, or write " + std::string(kUnconstrainedTopology));
  }
}

PodSet ReadPodSet(Fields& job, const Metadata& metadata) {
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
  pods.min_count =
      NumberIn(metadata.annotations, kMinParallelismAnnotation, job.value(), "annotations");
  if (const auto text = spec.Find("template")) {
    PodTemplateText pod_template;
    Read(*text, &pod_template);
    pods.pods = std::move(pod_template.pods);
    pods.topology = TopologyIn(pod_template.annotations, *text);
  } else {
    spec.ReportMissing("template", "{spec: {containers: [...]}}");
  }
  CheckElastic(metadata, pods, job.value());
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
  Workload workload;
  workload.key = {metadata.ns, "job-" + metadata.name};
  workload.created = metadata.created;
  workload.pod_sets.push_back(ReadPodSet(fields, metadata));
  const bool ended = IsOver(fields);

  workload.queue = TextIn(metadata.labels, kQueueNameLabel);
  workload.priority_class = TextIn(metadata.labels, kPriorityClassLabel);
  if (!workload.priority_class.empty()) {
    workload.priority_source = PriorityClassSource::kWorkloadPriorityClass;
  }
  workload.max_execution_seconds = NumberIn(metadata.labels, kMaxExecTimeLabel, document, "labels");
  workload.labels = std::move(metadata.labels);
  for (const std::string_view name :
       {kPriorityBoostAnnotation, kElasticJobAnnotation, kAdmissionGatedByAnnotation}) {
    const auto mark = metadata.annotations.find(name);
    if (mark != metadata.annotations.end()) workload.annotations[mark->first] = mark->second;
  }
  if (workload.queue.empty()) {
    // As an annotation it was refused above.
    const bool said =
        document.decoding().options.refuse_unread && metadata.annotations.contains(kQueueNameLabel);
    if (!said) ReportUnlabeled(document, "Job", metadata.name);
    return std::nullopt;
  }
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
