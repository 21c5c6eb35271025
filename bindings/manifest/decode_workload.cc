// Workload: podsets, priority, gates. Its status is read in decode_status.cc.
#include <array>

#include "bindings/manifest/decode.h"
#include "bindings/manifest/quote.h"

namespace muster::manifest {
namespace {

// priorityClassSource of v1beta1 and priorityClassRef.group of v1beta2, by PriorityClassSource.
constexpr std::array<std::string_view, 3> kSources = {"", "kueue.x-k8s.io/workloadpriorityclass",
                                                      "scheduling.k8s.io/priorityclass"};
constexpr std::array<std::string_view, 3> kGroups = {"", "kueue.x-k8s.io", "scheduling.k8s.io"};

void ReadPriorityClassRef(const Value& value, Workload* workload) {
  Fields fields(value);
  fields.Require("name", &workload->priority_class, "prod-priority");
  const auto group = fields.Find("group");
  const auto kind = fields.Find("kind");
  if (!group) return fields.ReportMissing("group", std::string(kGroups[1]));
  const std::optional<std::size_t> source = ReadWord(*group, kGroups);
  if (!source) return;
  workload->priority_source = static_cast<PriorityClassSource>(*source);
  const std::string_view expected = EnumName(workload->priority_source);
  if (!kind) {
    fields.ReportMissing("kind", expected);
  } else if (kind->node().text != expected) {
    kind->Error(
        "cannot be " + Quoted(kind->node().text) + " in the group " + std::string(kGroups[*source]),
        "write " + std::string(expected));
  }
}

void ReadPriority(Fields& spec, Workload* workload) {
  spec.Get("priority", &workload->priority);
  if (!spec.decoding().v1beta1) {
    if (const auto ref = spec.Find("priorityClassRef")) ReadPriorityClassRef(*ref, workload);
    for (const std::string_view old : {"priorityClassName", "priorityClassSource"}) {
      spec.Refuse(old, Quoted(old) + " is a field of v1beta1",
                  "write priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, "
                  "name: ...}");
    }
    return;
  }
  spec.Get("priorityClassName", &workload->priority_class);
  if (const auto source = spec.Find("priorityClassSource")) {
    const std::optional<std::size_t> index = ReadWord(*source, kSources);
    if (index) workload->priority_source = static_cast<PriorityClassSource>(*index);
  }
  // Before there was a source, the name was that of a PriorityClass for pods.
  if (workload->priority_class.empty()) {
    workload->priority_source = PriorityClassSource::kNone;
  } else if (workload->priority_source == PriorityClassSource::kNone) {
    workload->priority_source = PriorityClassSource::kPodPriorityClass;
  }
  spec.Refuse("priorityClassRef", "\"priorityClassRef\" is a field of v1beta2",
              "write priorityClassName and priorityClassSource");
}

}  // namespace

/// {name: ...}, the only field of gates and of unhealthy nodes.
struct NameOnly {
  std::string name;
};

static bool Read(const Value& value, NameOnly* out) {
  Fields fields(value);
  fields.Require("name", &out->name, "gate");
  return true;
}

static bool Read(const Value& value, SliceLayer* out) {
  Fields fields(value);
  fields.Require("topology", &out->level, "cloud.example.com/rack");
  fields.Require("size", &out->size, "4");
  return true;
}

bool Read(const Value& value, TopologyRequest* out) {
  Fields fields(value);
  fields.Get("required", &out->required);
  fields.Get("preferred", &out->preferred);
  fields.Get("unconstrained", &out->unconstrained);
  fields.Get("podSetGroupName", &out->pod_set_group);
  fields.Accept({"podIndexLabel", "subGroupIndexLabel", "subGroupCount"});
  SliceLayer layer;
  const bool has_level = fields.Get("podSetSliceRequiredTopology", &layer.level);
  const bool has_size = fields.Get("podSetSliceSize", &layer.size);
  if (!fields.decoding().v1beta1) {
    fields.Get("podsetSliceRequiredTopologyConstraints", &out->slices);
  }
  if (!has_level && !has_size) return true;
  if (!out->slices.empty()) {
    fields.Refuse("podsetSliceRequiredTopologyConstraints",
                  "the slices of this podset are given twice",
                  "keep podsetSliceRequiredTopologyConstraints or podSetSliceRequiredTopology");
  }
  out->slices.push_back(std::move(layer));
  return true;
}

static bool Read(const Value& value, PodSet* out) {
  Fields fields(value);
  out->name = "main";
  fields.Get("name", &out->name);
  fields.Get("count", &out->count);
  fields.Get("minCount", &out->min_count);
  fields.Get("topologyRequest", &out->topology);
  PodTemplateText pod_template;
  if (!fields.Find("template")) fields.ReportMissing("template", "{spec: {containers: [...]}}");
  fields.Get("template", &pod_template);
  out->pods = std::move(pod_template.pods);
  return true;
}

/// In a step of a scenario a Workload names one that exists, and what of it changes; with podsets
/// it is submitted as a whole.
static bool IsStepUpdate(const Value& document) {
  if (!document.decoding().step_update) return false;
  const YamlNode* spec = document.node().Find("spec");
  return spec == nullptr || spec->Find("podSets") == nullptr;
}

static void ReadStepUpdate(Fields& fields, Workload* workload) {
  constexpr std::string_view kCure =
      "in an apply step give priority, active or status.reclaimablePods only";
  if (const auto value = fields.Find("spec")) {
    Fields spec(*value);
    spec.Get("priority", &workload->priority);
    spec.Get("active", &workload->active);
    for (const std::string_view fixed :
         {"queueName", "priorityClassRef", "priorityClassName", "maximumExecutionTimeSeconds"}) {
      spec.Refuse(fixed, "a step cannot change " + Quoted(fixed), std::string(kCure));
    }
  }
  if (const auto value = fields.Find("status")) {
    Fields status(*value);
    status.Get("reclaimablePods", &workload->status.reclaimable_pods);
    for (const std::string_view fixed : {"conditions", "admission", "admissionChecks"}) {
      status.Refuse(fixed, "a step cannot change " + Quoted(fixed), std::string(kCure));
    }
  }
}

std::optional<Object> DecodeWorkload(const Value& document) {
  Fields fields(document);
  Metadata metadata = ReadMetadata(fields);
  Workload workload;
  workload.key = metadata.key();
  if (IsStepUpdate(document)) {
    ReadStepUpdate(fields, &workload);
    return workload;
  }
  workload.uid = metadata.uid;
  workload.created = metadata.created;
  workload.labels = std::move(metadata.labels);
  workload.annotations = std::move(metadata.annotations);
  if (const auto value = fields.Find("spec")) {
    Fields spec(*value);
    spec.Get("queueName", &workload.queue);
    spec.Get("podSets", &workload.pod_sets);
    ReadPriority(spec, &workload);
    spec.Get("active", &workload.active);
    spec.Get("maximumExecutionTimeSeconds", &workload.max_execution_seconds);
    std::vector<NameOnly> gates;
    if (!fields.decoding().v1beta1) spec.Get("preemptionGates", &gates);
    for (NameOnly& gate : gates) workload.preemption_gates.push_back(std::move(gate.name));
  }
  fields.Get("status", &workload.status);
  // An assignment without a count, as old versions wrote it, stands for all pods.
  if (workload.status.admission) {
    for (PodSetAssignment& assigned : workload.status.admission->pod_sets) {
      if (assigned.count >= 0) continue;
      assigned.count = 0;
      for (const PodSet& pod_set : workload.pod_sets) {
        if (pod_set.name == assigned.name) assigned.count = pod_set.count;
      }
    }
  }
  return workload;
}

}  // namespace muster::manifest
