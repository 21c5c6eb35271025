// See replay_input.h; the payloads are those of engine/record/payload.h and the objects themselves.
#include "bindings/cpp/replay_input.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/codec/codec.h"
#include "engine/codec/json_reader.h"
#include "engine/codec/json_values.h"
#include "engine/model/names.h"

namespace muster {
namespace {

/// A list of podsets and numbers, called `name`.
template <typename Pods>
bool ReadPods(JsonReader& json, std::string_view name, std::vector<Pods>* list) {
  if (!json.TakeMember(name)) return false;
  json.BeginArray();
  while (json.NextElement()) {
    Pods& pods = list->emplace_back();
    json.BeginObject();
    if (json.TakeMember("podSet")) pods.pod_set = json.String();
    if (json.TakeMember("count")) pods.count = static_cast<std::int32_t>(json.Int());
    json.EndObject();
  }
  json.EndArray();
  return json.ok();
}

std::vector<std::string> ReadStrings(JsonReader& json) {
  std::vector<std::string> texts;
  json.BeginArray();
  while (json.NextElement()) texts.push_back(json.String());
  json.EndArray();
  return texts;
}

PolicyChange ReadChange(JsonReader& json) {
  PolicyChange change;
  if (json.TakeMember("by")) change.by = json.String();
  if (json.TakeMember("why")) change.why = json.String();
  return change;
}

}  // namespace

Key CutAtSlash(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return {{}, std::string(text)};
  return {std::string(text.substr(0, slash)), std::string(text.substr(slash + 1))};
}

const Event* FirstOf(std::span<const Event> events, EventKind kind) {
  const auto found = std::find_if(events.begin(), events.end(),
                                  [kind](const Event& event) { return event.kind == kind; });
  return found == events.end() ? nullptr : &*found;
}

std::optional<WorkloadUpdate> UpdateOf(std::span<const Event> events) {
  const Event* event = FirstOf(events, EventKind::kUpdated);
  if (event == nullptr) return std::nullopt;
  WorkloadUpdate update;
  update.workload = CutAtSlash(event->subject);
  JsonReader json(event->payload);
  json.BeginObject();
  if (json.TakeMember("priority")) update.priority = static_cast<std::int32_t>(json.Int());
  if (json.TakeMember("active")) update.active = json.Bool();
  std::vector<ReclaimablePods> reclaimable;
  if (!ReadPods(json, "reclaimablePods", &reclaimable)) return std::nullopt;
  update.reclaimable_pods = std::move(reclaimable);
  if (!ReadPods(json, "podSets", &update.counts.emplace())) return std::nullopt;
  if (!json.TakeMember("openGates")) return std::nullopt;
  json.BeginArray();
  for (update.open_gates.emplace(); json.NextElement();) {
    update.open_gates->push_back(json.String());
  }
  json.EndArray();
  json.EndObject();
  return json.ok() ? std::optional(update) : std::nullopt;
}

std::vector<RecordedLateCall> LateCallsOf(std::span<const Event> events) {
  std::vector<RecordedLateCall> calls;
  for (const Event& event : events) {
    if (event.kind != EventKind::kPolicyFailed) continue;
    RecordedLateCall call;
    call.package = CutAtSlash(event.subject).name;
    JsonReader json(event.payload);
    json.BeginObject();
    if (json.TakeMember("hook")) call.hook = json.String();
    if (json.TakeMember("clusterQueue")) json.String();
    if (json.TakeMember("message")) call.message = json.String();
    if (json.TakeMember("fuel")) call.fuel = json.Int();
    if (json.TakeMember("late")) call.place = json.Int();
    if (json.ok() && call.place > 0) calls.push_back(std::move(call));
  }
  return calls;
}

std::optional<RecordedChange> RecordedChangeOf(const Event& event) {
  RecordedChange change;
  change.package = CutAtSlash(event.subject).name;
  JsonReader json(event.payload);
  json.BeginObject();
  if (event.kind == EventKind::kPolicyActivated) {
    if (json.TakeMember("hash")) change.hashes.push_back(json.String());
    if (change.hashes.empty()) return std::nullopt;
  } else if (event.kind == EventKind::kPolicyRolledBack) {
    if (json.TakeMember("active")) change.hashes = ReadStrings(json);
  } else {
    return std::nullopt;
  }
  change.change = ReadChange(json);
  if (json.TakeMember("stopped")) ReadStrings(json);  // follows from the rest
  json.EndObject();
  return json.ok() ? std::optional(change) : std::nullopt;
}

std::optional<RecordedChange> RecordedChangeOf(std::span<const Event> events) {
  for (const EventKind kind : {EventKind::kPolicyActivated, EventKind::kPolicyRolledBack}) {
    if (const Event* event = FirstOf(events, kind)) return RecordedChangeOf(*event);
  }
  return std::nullopt;
}

std::optional<RecordedStaging> RecordedStagingOf(std::span<const Event> events) {
  const Event* event = FirstOf(events, EventKind::kPolicyStaged);
  if (event == nullptr) return std::nullopt;
  RecordedStaging staging;
  staging.package = CutAtSlash(event->subject).name;
  JsonReader json(event->payload);
  json.BeginObject();
  if (json.TakeMember("hash")) staging.hash = json.String();
  if (json.TakeMember("refused")) staging.refused = json.String();
  staging.change = ReadChange(json);
  json.EndObject();
  return json.ok() ? std::optional(staging) : std::nullopt;
}

}  // namespace muster
