// Documents by field lists, and by hand those whose mapping is no list of fields.
#include "bindings/manifest/decode.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "bindings/manifest/forms.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/well_known.h"
#include "engine/model/requests.h"

namespace muster::manifest {
namespace {

/// Reads the metadata of a document and takes from it what the object has.
template <typename T>
void TakeMetadata(Fields& document, T* object) {
  if constexpr (HasName<T>) {
    Metadata metadata = ReadMetadata(document);
    if constexpr (requires { object->uid; }) object->uid = metadata.uid;
    if constexpr (requires { object->created; }) object->created = metadata.created;
    if constexpr (requires { object->deletion; }) object->deletion = metadata.deletion;
    if constexpr (requires { object->labels; }) object->labels = std::move(metadata.labels);
    if constexpr (requires { object->annotations; }) {
      object->annotations = std::move(metadata.annotations);
    }
    if constexpr (requires { object->variant_of; }) {
      object->variant_of = std::move(metadata.owner);
    }
    if constexpr (requires { object->key; }) {
      object->key = metadata.key();
    } else {
      object->name = std::move(metadata.name);
    }
  } else {
    ReadSingletonMetadata(document);
  }
}

template <typename T>
std::optional<Object> DecodeDocument(const Value& document) {
  Fields fields(document);
  Sections sections(fields);
  T object;
  TakeMetadata(fields, &object);
  ReadFields(sections, &object);
  return object;
}

/// Its switches stand in the document or below spec.
template <>
std::optional<Object> DecodeDocument<EngineConfiguration>(const Value& document) {
  Fields fields(document);
  Sections sections(fields);
  EngineConfiguration config;
  TakeMetadata(fields, &config);
  ReadFields(sections, &config);
  if (const auto value = fields.Find("spec")) {
    Fields spec(*value);
    Sections below(spec);
    ReadFields(below, &config);
    for (const YamlEntry& entry : value->node().entries()) {
      if (document.node().Find(entry.key->text()) == nullptr) continue;
      spec.Refuse(entry.key->text(), Quoted(entry.key->text()) + " is given twice",
                  "keep the one below spec");
    }
  }
  return config;
}

bool HasEnded(Fields& document) {
  const auto status = document.Find("status");
  if (!status || status->node().kind != NodeKind::kMap) return false;
  const YamlNode* phase = status->node().Find("phase");
  return phase != nullptr && (phase->text() == "Succeeded" || phase->text() == "Failed");
}

/// Pods of admitted workloads with a topology are charged with their workload.
bool IsChargedByTopology(const Metadata& metadata) {
  return metadata.labels.contains(kTopologyPodLabel) ||
         std::any_of(kTopologyAnnotations.begin(), kTopologyAnnotations.end(),
                     [&](std::string_view name) { return metadata.annotations.contains(name); });
}

/// Kueue would queue it; here it would vanish.
void RefuseQueueName(const Value& document) {
  const YamlNode* metadata = document.node().Find("metadata");
  const YamlNode* labels = metadata == nullptr ? nullptr : metadata->Find("labels");
  if (labels == nullptr) return;
  for (const YamlEntry& entry : labels->entries()) {
    if (entry.key->text() != kQueueNameLabel) continue;
    document.decoding().reporter.Error(
        entry.key->at, "a Pod with the label " + std::string(kQueueNameLabel) + " is not queued",
        "write a Job, or a Workload with the pod's spec as template; a Pod that is in no queue "
        "goes without the label");
  }
}

/// Its requests are those that its containers come to.
template <>
std::optional<Object> DecodeDocument<Pod>(const Value& document) {
  Fields fields(document);
  const Metadata metadata = ReadMetadata(fields);
  RefuseQueueName(document);
  Pod pod{metadata.key(), {}, {}};
  if (const auto spec = fields.Find("spec")) {
    PodTemplate pods;
    Read(*spec, &pods);
    const Configuration config;
    pod.requests = PodResources(FillDefaults(std::move(pods), {config, {}, {}}));
    const YamlNode* node = spec->node().Find("nodeName");
    if (node != nullptr) pod.node = node->text();
  }
  if (HasEnded(fields) || IsChargedByTopology(metadata)) {
    if (!document.decoding().step_update) return std::nullopt;
    pod.node.clear();  // it takes no room any more
  }
  return pod;
}

/// In a step of a scenario a Workload names one that exists, and what of it changes; with podsets
/// it is submitted as a whole.
bool IsStepUpdate(const Value& document) {
  if (!document.decoding().step_update) return false;
  const YamlNode* spec = document.node().Find("spec");
  return spec == nullptr || spec->Find("podSets") == nullptr;
}

void ReadStepUpdate(Fields& fields, Workload* workload) {
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

template <>
std::optional<Object> DecodeDocument<Workload>(const Value& document) {
  Fields fields(document);
  Workload workload;
  TakeMetadata(fields, &workload);
  if (IsStepUpdate(document)) {
    Workload update;
    update.key = workload.key;
    ReadStepUpdate(fields, &update);
    return update;
  }
  Sections sections(fields);
  ReadFields(sections, &workload);
  return workload;
}

}  // namespace

Decoder DecoderOf(ObjectKind kind) {
  constexpr auto kDecoders = []<std::size_t... i>(std::index_sequence<i...>) {
    return std::array<Decoder, kObjectKinds>{
        DecodeDocument<std::variant_alternative_t<i, Object>>...};
  }
  (std::make_index_sequence<kObjectKinds>());
  return kDecoders[static_cast<std::size_t>(kind)];
}

NamespaceQuota DecodeResourceQuota(const Value& document) {
  Fields fields(document);
  NamespaceQuota quota{ReadMetadata(fields).key(), {}, {}};
  quota.place = document.decoding().reporter.PlaceAt(document.at());
  if (const auto value = fields.Find("spec")) {
    Fields spec(*value);
    spec.Get("hard", &quota.hard);
    // Of other scopes it shows only later which pods are counted.
    std::vector<std::string> scopes;
    spec.Get("scopes", &scopes);
    const bool counts_jobs = std::all_of(scopes.begin(), scopes.end(), [](const auto& scope) {
      return scope == "NotTerminating" || scope == "NotBestEffort";
    });
    if (spec.Find("scopeSelector") || !counts_jobs) quota.hard.clear();
  }
  fields.Accept({"status"});
  return quota;
}

}  // namespace muster::manifest
