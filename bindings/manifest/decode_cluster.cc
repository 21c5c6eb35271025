// What the cluster has: Namespace, Node, Pod, LimitRange, ResourceQuota.
#include <algorithm>
#include <array>

#include "bindings/manifest/decode.h"
#include "bindings/manifest/kubernetes_fields.h"
#include "bindings/manifest/well_known.h"
#include "engine/model/requests.h"

namespace muster::manifest {
namespace {

// The names of LimitRangeType, and volume claims, which no quota of ours knows.
constexpr std::array<std::string_view, 3> kLimitTypes = {"Container", "Pod",
                                                         "PersistentVolumeClaim"};

/// True when the conditions say Ready, or say nothing: a hand-written Node has none.
bool IsReady(Fields& status) {
  std::vector<Condition> conditions;
  if (!status.Get("conditions", &conditions)) return true;
  return std::any_of(conditions.begin(), conditions.end(), [](const Condition& condition) {
    return condition.type == "Ready" && condition.status;
  });
}

bool HasEnded(Fields& document) {
  const auto status = document.Find("status");
  if (!status || status->node().kind != NodeKind::kMap) return false;
  const YamlNode* phase = status->node().Find("phase");
  return phase != nullptr && (phase->text == "Succeeded" || phase->text == "Failed");
}

/// Pods of admitted workloads with a topology are charged with their workload.
bool IsChargedByTopology(const Metadata& metadata) {
  return metadata.labels.contains(kTopologyPodLabel) ||
         std::any_of(kTopologyAnnotations.begin(), kTopologyAnnotations.end(),
                     [&](std::string_view name) { return metadata.annotations.contains(name); });
}

}  // namespace

/// One of spec.limits; nothing when it bounds what no quota knows.
struct LimitText {
  std::optional<LimitRangeItem> item;
};

static bool Read(const Value& value, LimitText* out) {
  Fields fields(value);
  LimitRangeItem& item = out->item.emplace();
  fields.Get("default", &item.default_limits);
  fields.Get("defaultRequest", &item.default_requests);
  fields.Get("min", &item.min);
  fields.Get("max", &item.max);
  // Checked by Kubernetes when a pod is made; no quota depends on it.
  fields.Get("maxLimitRequestRatio", &item.max_limit_request_ratio);
  const auto type = fields.Find("type");
  if (!type) {
    fields.ReportMissing("type", "Container");
    return false;
  }
  const std::optional<std::size_t> index = ReadWord(*type, kLimitTypes);
  if (index && *index < EnumTable<LimitRangeType>::kNames.size()) {
    item.type = static_cast<LimitRangeType>(*index);
  } else {
    out->item.reset();
  }
  return index.has_value();
}

std::optional<Object> DecodeNamespace(const Value& document) {
  Fields fields(document);
  Metadata metadata = ReadMetadata(fields);
  // As the Kubernetes API server does; selectors of ClusterQueues rely on it.
  metadata.labels.emplace(kNamespaceNameLabel, metadata.name);
  fields.Accept({"spec", "status"});
  return Namespace{std::move(metadata.name), std::move(metadata.labels)};
}

std::optional<Object> DecodeNode(const Value& document) {
  Fields fields(document);
  Metadata metadata = ReadMetadata(fields);
  Node node;
  node.name = std::move(metadata.name);
  node.labels = std::move(metadata.labels);
  if (const auto value = fields.Find("spec")) {
    Fields spec(*value);
    spec.Get("taints", &node.taints);
    spec.Get("unschedulable", &node.unschedulable);
    spec.Accept(kNodeSpecFields);
  }
  if (const auto value = fields.Find("status")) {
    Fields status(*value);
    status.Get("allocatable", &node.allocatable);
    node.ready = IsReady(status);
    status.Accept(kNodeStatusFields);
  }
  return node;
}

/// Kueue would queue it; here it would vanish.
void RefuseQueueName(const Value& document) {
  const YamlNode* metadata = document.node().Find("metadata");
  const YamlNode* labels = metadata == nullptr ? nullptr : metadata->Find("labels");
  if (labels == nullptr) return;
  for (const YamlEntry& entry : labels->entries) {
    if (entry.key->text != kQueueNameLabel) continue;
    document.decoding().reporter.Error(
        entry.key->at, "a Pod with the label " + std::string(kQueueNameLabel) + " is not queued",
        "write a Job, or a Workload with the pod's spec as template; a Pod that is in no queue "
        "goes without the label");
  }
}

std::optional<Object> DecodePod(const Value& document) {
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
    if (node != nullptr) pod.node = node->text;
  }
  if (HasEnded(fields) || IsChargedByTopology(metadata)) return std::nullopt;
  return pod;
}

std::optional<Object> DecodeLimitRange(const Value& document) {
  Fields fields(document);
  LimitRange range{ReadMetadata(fields).key(), {}};
  if (const auto value = fields.Find("spec")) {
    Fields spec(*value);
    std::vector<LimitText> limits;
    spec.Get("limits", &limits);
    for (LimitText& limit : limits) {
      if (limit.item) range.items.push_back(std::move(*limit.item));
    }
  }
  return range;
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
