// Parts that several kinds share: selectors, taints and tolerations, quotas, conditions.
#include <array>

#include "bindings/manifest/decode.h"
#include "bindings/manifest/weight.h"

namespace muster::manifest {

bool Read(const Value& value, SelectorRequirement* out) {
  Fields fields(value);
  fields.Require("key", &out->key, "team");
  fields.Require("operator", &out->op, "In");
  fields.Get("values", &out->values);
  return true;
}

bool Read(const Value& value, LabelSelector* out) {
  Fields fields(value);
  fields.Get("matchLabels", &out->match_labels);
  fields.Get("matchExpressions", &out->match_expressions);
  return true;
}

bool Read(const Value& value, Taint* out) {
  Fields fields(value);
  fields.Require("key", &out->key, "spot");
  fields.Get("value", &out->value);
  fields.Require("effect", &out->effect, "NoSchedule");
  fields.Accept({"timeAdded"});
  return true;
}

bool Read(const Value& value, Toleration* out) {
  Fields fields(value);
  fields.Get("key", &out->key);
  fields.Get("operator", &out->op);
  fields.Get("value", &out->value);
  fields.Get("effect", &out->effect);
  fields.Accept({"tolerationSeconds"});
  return true;
}

bool Read(const Value& value, ResourceQuota* out) {
  Fields fields(value);
  fields.Require("name", &out->name, "cpu");
  fields.Require("nominalQuota", &out->nominal, "10");
  fields.Get("borrowingLimit", &out->borrowing_limit);
  fields.Get("lendingLimit", &out->lending_limit);
  return true;
}

bool Read(const Value& value, FlavorQuotas* out) {
  Fields fields(value);
  fields.Require("name", &out->name, "default-flavor");
  fields.Get("resources", &out->resources);
  return true;
}

bool Read(const Value& value, ResourceGroup* out) {
  Fields fields(value);
  fields.Get("coveredResources", &out->covered_resources);
  fields.Get("flavors", &out->flavors);
  return true;
}

bool ReadFairWeight(Fields& spec, double* weight) {
  const std::optional<Value> sharing = spec.Find("fairSharing");
  if (!sharing) return false;
  Fields fields(*sharing);
  Quantity quantity;
  if (fields.Get("weight", &quantity)) *weight = WeightOf(quantity);
  return true;
}

bool Read(const Value& value, Condition* out) {
  Fields fields(value);
  fields.Require("type", &out->type, "QuotaReserved");
  if (const std::optional<Value> status = fields.Find("status")) {
    constexpr std::array<std::string_view, 3> kWords = {"True", "False", "Unknown"};
    std::string text;
    if (Read(*status, &text)) out->status = ReadWord(*status, kWords) == std::size_t{0};
  } else {
    fields.ReportMissing("status", "\"True\"");
  }
  fields.Get("reason", &out->reason);
  fields.Get("message", &out->message);
  if (fields.GetTime("lastTransitionTime", &out->since)) out->since = CutToSecond(out->since);
  fields.Accept({"observedGeneration", "lastHeartbeatTime", "lastUpdateTime", "lastProbeTime"});
  return true;
}

}  // namespace muster::manifest
