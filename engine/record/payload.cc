// See payload.h.
#include "engine/record/payload.h"

#include "engine/base/time_text.h"
#include "engine/codec/json_fields.h"
#include "engine/codec/json_writer.h"
#include "engine/model/concurrent.h"

namespace muster {
namespace {

void WriteChange(JsonWriter& json, const PolicyChange& change) {
  if (!change.by.empty()) json.Field("by", change.by);
  if (!change.why.empty()) json.Field("why", change.why);
}

void WriteBoost(JsonWriter& json, std::string_view name, std::int32_t boost) {
  if (boost != 0) json.Field(name, boost);
}

}  // namespace

std::string SubmittedPayload(const WorkloadRecord& workload, WrittenMemory& memory) {
  JsonWriter json(&memory);
  WriteJson(json, workload);
  return json.Take();
}

std::string AdmissionPayload(const Admission& admission, std::int32_t boost) {
  JsonWriter json;
  json.BeginObject().Field("clusterQueue", admission.cluster_queue).Key("podSets").BeginArray();
  for (const PodSetAssignment& pod_set : admission.pod_sets) {
    json.BeginObject().Field("name", pod_set.name).Field("count", pod_set.count);
    json.Key("flavors").BeginObject();
    for (const auto& [resource, flavor] : pod_set.flavors) json.Field(resource, flavor);
    json.EndObject().Key("charged").BeginObject();
    for (const auto& [resource, usage] : pod_set.resource_usage) {
      json.Field(resource, usage.ToAmount(resource));
    }
    json.EndObject().EndObject();
  }
  json.EndArray();
  WriteBoost(json, "boost", boost);
  return json.EndObject().Take();
}

std::string PreemptionPayload(std::string_view reason, std::int32_t boost, const Key& by,
                              std::int32_t by_boost) {
  JsonWriter json;
  json.BeginObject().Field("reason", reason).Field("by", by.ToString());
  WriteBoost(json, "boost", boost);
  WriteBoost(json, "byBoost", by_boost);
  return json.EndObject().Take();
}

std::string ActivatedPayload(std::string_view hash, const PolicyChange& change,
                             const std::vector<StoppedHook>& stopped) {
  JsonWriter json;
  json.BeginObject().Field("hash", hash);
  WriteChange(json, change);
  if (!stopped.empty()) {
    json.Key("stopped").BeginArray();
    for (const StoppedHook& each : stopped) {
      json.String(each.package + " " + std::string(HookName(each.hook)));
    }
    json.EndArray();
  }
  return json.EndObject().Take();
}

std::string StagedPayload(std::string_view hash, std::string_view refused,
                          const PolicyChange& change) {
  JsonWriter json;
  json.BeginObject().Field("hash", hash);
  if (!refused.empty()) json.Field("refused", refused);
  WriteChange(json, change);
  return json.EndObject().Take();
}

std::string GenerationsPayload(const std::vector<std::string>& hashes, const PolicyChange& change) {
  JsonWriter json;
  json.BeginObject().Key("active").BeginArray();
  for (const std::string& hash : hashes) json.String(hash);
  json.EndArray();
  WriteChange(json, change);
  return json.EndObject().Take();
}

std::string UpdatePayload(const Workload& workload) {
  JsonWriter json;
  json.BeginObject();
  if (workload.priority) json.Field("priority", *workload.priority);
  json.Field("active", workload.active).Key("reclaimablePods").BeginArray();
  for (const ReclaimablePods& pods : workload.status.reclaimable_pods) {
    json.BeginObject().Field("podSet", pods.pod_set).Field("count", pods.count).EndObject();
  }
  json.EndArray().Key("podSets").BeginArray();
  for (const PodSet& pods : workload.pod_sets) {
    json.BeginObject().Field("podSet", pods.name).Field("count", pods.count).EndObject();
  }
  json.EndArray().Key("openGates").BeginArray();
  for (const std::string& gate : workload.status.open_preemption_gates) json.String(gate);
  return json.EndArray().EndObject().Take();
}

std::string CheckpointPayload(TimeNs at) {
  return JsonWriter().BeginObject().Field("checkpointed", FormatTime(at)).EndObject().Take();
}

std::string CheckPayload(const AdmissionCheckStatus& check) {
  JsonWriter json;
  WriteJson(json, check);
  return json.Take();
}

std::string PolicyFailurePayload(const PolicyFailure& failure) {
  JsonWriter json;
  json.BeginObject()
      .Field("hook", failure.hook)
      .Field("clusterQueue", failure.cluster_queue)
      .Field("message", failure.message)
      .Field("fuel", failure.fuel);
  if (failure.late != 0) json.Field("late", failure.late);
  return json.EndObject().Take();
}

std::string PendingPayload(PendingReason reason, std::string_view message, std::int32_t boost) {
  JsonWriter json;
  json.BeginObject().Field("reason", ReasonName(reason)).Field("message", message);
  WriteBoost(json, "boost", boost);
  return json.EndObject().Take();
}

std::string VariantPayload(const WorkloadRecord& variant) {
  std::string_view flavors = AllowedFlavors(variant.series().annotations).value_or("");
  return JsonWriter()
      .BeginObject()
      .Field("variant", variant.spec.key.ToString())
      .Field("flavor", NextFlavor(flavors))
      .EndObject()
      .Take();
}

std::string ReasonPayload(std::string_view reason) {
  return JsonWriter().BeginObject().Field("reason", reason).EndObject().Take();
}

}  // namespace muster
