// Workloads: pod templates, priority in both versions, gates, counts that are not there.
#include <array>
#include <string>
#include <utility>

#include "bindings/manifest/forms.h"
#include "bindings/manifest/kubernetes_fields.h"
#include "bindings/manifest/quote.h"

namespace muster::manifest {
namespace {

// priorityClassSource of v1beta1 and priorityClassRef.group of v1beta2, by PriorityClassSource.
constexpr std::array<std::string_view, 3> kSources = {"", "kueue.x-k8s.io/workloadpriorityclass",
                                                      "scheduling.k8s.io/priorityclass"};
constexpr std::array<std::string_view, 3> kGroups = {"", "kueue.x-k8s.io", "scheduling.k8s.io"};

void ReadOldPriorityClass(Fields& spec, Workload* workload) {
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

/// An assignment without a count, as old versions wrote it, stands for all pods.
void FillCounts(Workload* workload) {
  if (!workload->status.admission) return;
  for (PodSetAssignment& assigned : workload->status.admission->pod_sets) {
    if (assigned.count >= 0) continue;
    assigned.count = 0;
    for (const PodSet& pod_set : workload->pod_sets) {
      if (pod_set.name == assigned.name) assigned.count = pod_set.count;
    }
  }
}

}  // namespace

bool Read(const Value& value, PodTemplateText* out) {
  Fields fields(value);
  Metadata metadata = ReadTemplateMetadata(fields);
  out->annotations = metadata.annotations;
  fields.Get("spec", &out->pods);
  if (!metadata.labels.empty() || !metadata.annotations.empty()) {
    out->pods.metadata = {{std::move(metadata.labels), std::move(metadata.annotations)}};
  }
  return true;
}

bool TemplateSpec::Read(const Value& value, PodTemplate* out) {
  PodTemplateText text;
  manifest::Read(value, &text);
  *out = std::move(text.pods);
  return true;
}

Encoded TemplateSpec::Write(YamlArena& arena, const PodTemplate& pods) {
  MapWriter out(arena);
  for (const PodMetadata& metadata : pods.metadata) out.Put("metadata", Encode(arena, metadata));
  out.Put("spec", Encode(arena, pods));
  return out.node();
}

void Form<PodTemplate>::ReadRest(Sections& sections, PodTemplate*) {
  const auto gates = sections.root().Find("schedulingGates");
  if (!gates || !gates->ExpectList()) return;
  for (const YamlNode* item : gates->node().items()) {
    std::string name;
    Fields(gates->Item(*item)).Require("name", &name, "example.com/mine");
  }
}

void Form<TopologyRequest>::ReadRest(Sections& sections, TopologyRequest* request) {
  Fields& fields = sections.root();
  SliceLayer layer;
  const bool has_level = fields.Get("podSetSliceRequiredTopology", &layer.level);
  const bool has_size = fields.Get("podSetSliceSize", &layer.size);
  if (!has_level && !has_size) return;
  if (!request->slices.empty()) {
    fields.Refuse("podsetSliceRequiredTopologyConstraints",
                  "the slices of this podset are given twice",
                  "keep podsetSliceRequiredTopologyConstraints or podSetSliceRequiredTopology");
  }
  request->slices.push_back(std::move(layer));
}

void Form<TopologyRequest>::WriteRest(MapSections& out, const TopologyRequest& request) {
  if (request.slices.size() != 1) return;
  out.At("").Put("podSetSliceRequiredTopology", request.slices[0].level);
  out.At("").Put("podSetSliceSize", request.slices[0].size);
}

bool OpenGates::Read(const Value& value, SharedList<std::string>* open) {
  if (!value.ExpectList()) return false;
  for (const YamlNode* item : value.node().items()) {
    Fields fields(value.Item(*item));
    std::string name;
    bool is_open = false;
    fields.Require("name", &name, "gate");
    if (const auto position = fields.Find("position")) {
      Word<0, "Open", "Closed">::Read(*position, &is_open);
    }
    fields.Accept({"lastTransitionTime"});
    if (is_open) open->push_back(std::move(name));
  }
  return true;
}

Encoded OpenGates::Write(YamlArena& arena, const SharedList<std::string>& open) {
  YamlNode* list = arena.New(NodeKind::kList);
  for (const std::string& name : open) {
    MapWriter gate(arena);
    gate.Put("name", name);
    gate.Put("position", Text(arena, "Open"));
    arena.Append(list, gate.node());
  }
  return list;
}

bool PriorityClassRef::Read(const Value& value, Workload* workload) {
  Fields fields(value);
  fields.Require("name", &workload->priority_class, "prod-priority");
  const auto group = fields.Find("group");
  const auto kind = fields.Find("kind");
  if (!group) {
    fields.ReportMissing("group", kGroups[1]);
    return false;
  }
  const std::optional<std::size_t> source = ReadWord(*group, kGroups);
  if (!source) return false;
  workload->priority_source = static_cast<PriorityClassSource>(*source);
  const std::string_view expected = EnumName(workload->priority_source);
  if (!kind) {
    fields.ReportMissing("kind", expected);
  } else if (kind->node().text() != expected) {
    kind->Error("cannot be " + Quoted(kind->node().text()) + " in the group " +
                    std::string(kGroups[*source]),
                "write " + std::string(expected));
  }
  return true;
}

Encoded PriorityClassRef::Write(YamlArena& arena, const Workload& workload) {
  if (workload.priority_source == PriorityClassSource::kNone) return nullptr;
  MapWriter ref(arena);
  ref.Put("group", Text(arena, kGroups[static_cast<std::size_t>(workload.priority_source)]));
  ref.Put("kind", workload.priority_source);
  ref.Put("name", workload.priority_class);
  return ref.node();
}

void Form<Workload>::ReadRest(Sections& sections, Workload* workload) {
  FillCounts(workload);
  Fields* spec = sections.Find("spec");
  if (spec == nullptr) return;
  if (spec->decoding().v1beta1) return ReadOldPriorityClass(*spec, workload);
  for (const std::string_view old : {"priorityClassName", "priorityClassSource"}) {
    spec->Refuse(old, Quoted(old) + " is a field of v1beta1",
                 "write priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, "
                 "name: ...}");
  }
}

}  // namespace muster::manifest
