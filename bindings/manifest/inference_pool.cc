// See inference_pool.h.
#include "bindings/manifest/inference_pool.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "bindings/manifest/fields.h"
#include "bindings/manifest/metadata.h"
#include "bindings/manifest/place_index.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/well_known.h"
#include "bindings/objects/marks.h"

namespace muster::manifest {
namespace {

/// The labels that its pods have: since version v1 under matchLabels.
const objects::Value& SelectorOf(const objects::Value& pool) {
  const objects::Value& selector = pool.At({"spec", "selector"});
  return selector.Has("matchLabels") ? selector.At("matchLabels") : selector;
}

bool IsVersionOfPool(std::string_view version) {
  return version == "inference.networking.k8s.io/v1" ||
         version == "inference.networking.x-k8s.io/v1alpha2";
}

bool HasLabels(const objects::Value& labels, const objects::Value& wanted) {
  return std::all_of(wanted.entries.begin(), wanted.entries.end(), [&](const auto& entry) {
    return labels.At(entry.first).text == entry.second.text && labels.Has(entry.first);
  });
}

std::string LabelsText(const objects::Value& labels) {
  std::string text;
  for (const auto& [key, value] : labels.entries) {
    text += (text.empty() ? "" : ", ") + key + "=" + value.text;
  }
  return text;
}

/// Labels of pods are texts; in version v1 they stand under matchLabels.
void CheckSelector(const Value& spec) {
  const YamlNode* selector = spec.node().Find("selector");
  if (selector == nullptr || selector->kind != NodeKind::kMap) return;
  const YamlNode* labels = selector->Find("matchLabels");
  const bool has_part = labels != nullptr && labels->kind != NodeKind::kScalar;
  if (has_part && labels->kind != NodeKind::kMap) {
    return spec.decoding().reporter.Error(labels->at, "\"matchLabels\" must be a mapping",
                                          "write labels of its pods: {app: web}");
  }
  for (const YamlEntry& entry : (has_part ? labels : selector)->entries()) {
    if (entry.value->kind == NodeKind::kScalar) continue;
    const bool is_part = !has_part && entry.value->kind == NodeKind::kMap;
    spec.decoding().reporter.Error(
        entry.key->at,
        is_part ? "unknown field " + Quoted(entry.key->text()) + " in \"selector\""
                : "the label " + Quoted(entry.key->text()) + " must be a text",
        is_part ? "write \"matchLabels\"" : "write the value that its pods have");
  }
}

}  // namespace

void PodLabels::Add(const objects::Value& object) {
  const std::string ns = objects::NamespaceOf(object);
  const auto add = [&](const objects::Value& labels) {
    if (labels.entries.empty()) return;
    const auto kept = std::make_shared<const objects::Value>(labels);
    for (const auto& [key, value] : labels.entries)
      by_label_[{ns, key, value.text}].push_back(kept);
  };
  if (object.TextAt("kind") == "Pod") return add(object.At({"metadata", "labels"}));
  const objects::Value& group = object.At({"spec", "leaderWorkerTemplate"});
  add(object.At({"spec", "template", "metadata", "labels"}));
  add(group.At({"leaderTemplate", "metadata", "labels"}));
  add(group.At({"workerTemplate", "metadata", "labels"}));
}

void PodLabels::Add(const PodLabels& other) {
  for (const auto& [label, pods] : other.by_label_) {
    auto& mine = by_label_[label];
    mine.insert(mine.end(), pods.begin(), pods.end());
  }
}

bool PodLabels::Has(std::string_view ns, const objects::Value& wanted) const {
  const std::vector<std::shared_ptr<const objects::Value>>* fewest = nullptr;
  for (const auto& [key, value] : wanted.entries) {
    const auto found = by_label_.find({std::string(ns), key, value.text});
    if (found == by_label_.end()) return false;
    if (fewest == nullptr || found->second.size() < fewest->size()) fewest = &found->second;
  }
  return fewest != nullptr && std::any_of(fewest->begin(), fewest->end(), [&](const auto& labels) {
           return HasLabels(*labels, wanted);
         });
}

bool IsInferencePool(const YamlNode& document) {
  const YamlNode* kind = document.Find("kind");
  return kind != nullptr && kind->text() == "InferencePool";
}

void CheckInferencePool(const Value& value, const objects::Value& pool, const PodLabels& others) {
  Reporter& reporter = value.decoding().reporter;
  const YamlNode& node = value.node();
  const std::size_t errors = reporter.errors();
  {
    Fields fields(value);
    ReadMetadata(fields);
    if (const auto spec = fields.Find("spec")) CheckSelector(*spec);
    fields.Accept({"status"});
  }
  if (reporter.errors() > errors) return;
  const std::string name = "InferencePool " + Quoted(objects::NameOf(pool));
  const Position at = FindPlace(node, "metadata.name");
  if (!IsVersionOfPool(pool.TextAt("apiVersion"))) {
    return reporter.Error(
        FindPlace(node, "apiVersion"),
        "an InferencePool has no apiVersion " + Quoted(pool.TextAt("apiVersion")),
        "write inference.networking.k8s.io/v1 or inference.networking.x-k8s.io/v1alpha2");
  }
  const objects::Value& wanted = SelectorOf(pool);
  if (wanted.entries.empty()) {
    reporter.Error(FindPlace(node, "spec.selector"), name + " selects no pods",
                   "write spec: {selector: {matchLabels: {...}}} with labels of its pods");
    return;
  }
  if (!objects::QueueOf(pool).empty()) {
    reporter.Warning(FindPlace(node, "metadata.labels." + std::string(kQueueNameLabel)),
                     "the label " + Quoted(kQueueNameLabel) + " has no effect on an InferencePool",
                     "write it in metadata.labels of the Deployment of its pods");
  }
  if (others.Has(objects::NamespaceOf(pool), wanted)) return;
  reporter.Warning(at,
                   name +
                       " asks for no quota, and nothing in these files runs the pods that it "
                       "selects (" +
                       LabelsText(wanted) + ")",
                   "give their Deployment, with its queue, as well");
}

}  // namespace muster::manifest
