// EquivalenceForm: compact JSON of what scheduling looks at. JSON because its quoting makes the
// text unambiguous whatever names contain.
#include "engine/codec/equivalence.h"

#include "engine/codec/fields.h"
#include "engine/codec/json_fields.h"
#include "engine/codec/json_writer.h"
#include "engine/model/requests.h"

namespace muster {
namespace {

void WriteRequests(JsonWriter& json, std::string_view key,
                   const std::vector<Container>& containers) {
  json.Key(key).BeginArray();
  for (const Container& container : containers) WriteJson(json, container.requests);
  json.EndArray();
}

void WritePodSet(JsonWriter& json, const EffectivePodSet& pod_set) {
  const PodTemplate& pods = pod_set.filled;
  json.BeginObject();
  json.Field("name", pod_set.spec.name);
  json.Field("count", pod_set.count);
  json.Key("min_count");
  WriteJson(json, pod_set.spec.min_count);
  json.Key("topology");
  WriteJson(json, pod_set.spec.topology);
  WriteRequests(json, "containers", pods.containers);
  WriteRequests(json, "init_containers", pods.init_containers);
  json.Key("requests");
  WriteJson(json, PodResources(pods));
  json.Field("runtime_class", pods.runtime_class);
  json.Key("node_selector");
  WriteJson(json, pods.node_selector);
  json.Key("affinity");
  WriteJson(json, pods.required_node_affinity);
  json.Key("tolerations");
  WriteJson(json, pods.tolerations);
  json.EndObject();
}

}  // namespace

std::string PodSetsForm(std::span<const EffectivePodSet> pod_sets) {
  JsonWriter json;
  json.BeginArray();
  for (const EffectivePodSet& pod_set : pod_sets) WritePodSet(json, pod_set);
  json.EndArray();
  return json.Take();
}

std::string EquivalenceForm(std::int64_t effective_priority, std::string_view pod_sets_form) {
  std::string form = "{\"priority\":" + std::to_string(effective_priority) + ",\"pod_sets\":";
  form.append(pod_sets_form).append("}");
  return form;
}

}  // namespace muster
