// The payloads are those of engine/record/payload.h and the objects themselves.
#include "bindings/cpp/old_command.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings/cpp/replay_input.h"
#include "engine/codec/codec.h"
#include "engine/codec/json_reader.h"
#include "engine/codec/json_values.h"
#include "engine/model/names.h"

namespace muster {
namespace {

Status Unreadable(std::string_view what) {
  return Status(StatusCode::kDataLoss, "an event cannot be read: " + std::string(what));
}

/// Objects of Apply in their order, then the workloads.
Result<std::vector<Object>> AppliedObjects(std::span<const Event> events) {
  std::vector<Object> objects;
  for (const EventKind kind : {EventKind::kObjectApplied, EventKind::kSubmitted}) {
    for (const Event& event : events) {
      if (event.kind != kind) continue;
      const auto object_kind = kind == EventKind::kSubmitted
                                   ? ObjectKind::kWorkload
                                   : EnumFromName<ObjectKind>(CutAtSlash(event.subject).ns);
      if (!object_kind) return Status(StatusCode::kDataLoss, "no kind called " + event.subject);
      Result<Object> object = FromCanonicalJson(*object_kind, event.payload);
      if (!object.ok()) return object.status();
      objects.push_back(std::move(*object));
    }
  }
  return objects;
}

/// What Delete removed; nullopt when no event says so.
std::optional<std::pair<ObjectKind, Key>> DeletedObject(std::span<const Event> events) {
  const Event* event = FirstOf(events, EventKind::kObjectDeleted);
  if (event == nullptr) return std::nullopt;
  const Key subject = CutAtSlash(event->subject);
  const auto kind = EnumFromName<ObjectKind>(subject.ns);
  if (!kind) return std::nullopt;
  return std::pair(*kind, CutAtSlash(subject.name));
}

/// Workloads with an event of this kind, in order.
std::vector<Key> SubjectsOf(std::span<const Event> events, EventKind kind) {
  std::vector<Key> keys;
  for (const Event& event : events) {
    if (event.kind == kind) keys.push_back(CutAtSlash(event.subject));
  }
  return keys;
}

/// Workloads that a call of Cancel named.
std::vector<Key> CancelledBy(std::span<const Event> events) {
  std::vector<Key> keys;
  for (const Event& event : events) {
    const bool old = event.kind == EventKind::kFinished;  // as it was recorded once
    if (old || event.kind == EventKind::kCancelled || event.kind == EventKind::kForgotten) {
      keys.push_back(CutAtSlash(event.subject));
    }
  }
  return keys;
}

/// The reason in the first event of this kind; empty when there is none.
std::string ReasonOf(std::span<const Event> events, EventKind kind) {
  const Event* event = FirstOf(events, kind);
  if (event == nullptr) return {};
  JsonReader json(event->payload);
  json.BeginObject();
  return json.TakeMember("reason") ? json.String() : std::string();
}

std::optional<CheckUpdate> CheckUpdateOf(std::span<const Event> events) {
  const Event* event = FirstOf(events, EventKind::kCheckUpdated);
  if (event == nullptr) return std::nullopt;
  JsonReader json(event->payload);
  AdmissionCheckStatus answer;
  ReadJson(json, answer);
  if (!json.ok()) return std::nullopt;
  return CheckUpdate{CutAtSlash(event->subject),
                     answer.name,
                     answer.state,
                     answer.message,
                     answer.requeue_after_seconds,
                     std::move(answer.pod_set_updates)};
}

/// It said again what was known: nothing came of it but what time alone brings with any call.
Command Repeated() { return command::Finish{}; }

Result<Command> OldApply(std::vector<Object> objects, const Engine& engine) {
  const auto is_workload = [](const Object& o) { return KindOf(o) == ObjectKind::kWorkload; };
  if (std::all_of(objects.begin(), objects.end(), is_workload)) {
    // The other objects were unchanged and left no event, but the lifecycle controller ran.
    const Result<std::vector<Object>> same = engine.Objects(ObjectKind::kConfiguration);
    if (!same.ok()) return same.status();
    objects.insert(objects.end(), same->begin(), same->end());
  }
  return Command(
      command::Apply{std::move(objects), MissingReference::kAsKueue, Submission::kTaken});
}

Command OldSubmit(std::vector<Object> objects) {
  const auto is_workload = [](const Object& o) { return KindOf(o) == ObjectKind::kWorkload; };
  // A namespace among them was created for its workloads, which is done once more.
  const bool created_namespace = std::erase_if(objects, std::not_fn(is_workload)) > 0;
  return command::Apply{std::move(objects),
                        created_namespace ? MissingReference::kRefuse : MissingReference::kAsKueue,
                        Submission::kTaken};
}

Result<Command> OldPolicyChange(std::string_view name, std::span<const Event> events) {
  const auto change = RecordedChangeOf(events);
  if (!change) return Unreadable("PolicyActivated");
  if (name == "activate-policy") {
    return Command(command::ActivatePolicy{change->hashes.front(), change->change});
  }
  return Command(command::RollBackPolicy{change->package, change->hashes, change->change});
}

Result<Command> OldAdvance(std::span<const Event> events) {
  if (FirstOf(events, EventKind::kPolicyStaged) == nullptr) return Command(command::Advance{});
  const auto staging = RecordedStagingOf(events);
  if (!staging) return Unreadable("PolicyStaged");
  return Command(
      command::NoteStaged{staging->package, staging->hash, staging->refused, staging->change});
}

Result<Command> OldEvict(std::span<const Event> events) {
  if (events.empty()) return Repeated();
  const std::vector<Key> workloads = SubjectsOf(events, EventKind::kEvicted);
  if (workloads.size() != 1) return Unreadable("Evicted");
  return Command(command::Evict{workloads.front(), ReasonOf(events, EventKind::kEvicted)});
}

}  // namespace

Result<Command> OldCommand(std::string_view name, std::span<const Event> events,
                           const Engine& engine) {
  if (name == "apply" || name == "submit") {
    Result<std::vector<Object>> objects = AppliedObjects(events);
    if (!objects.ok()) return objects.status();
    if (name == "submit") return OldSubmit(std::move(*objects));
    return OldApply(std::move(*objects), engine);
  }
  if (name == "delete") {
    const auto object = DeletedObject(events);
    if (!object) return Unreadable("ObjectDeleted");
    return Command(command::Delete{object->first, object->second, /*force=*/true});
  }
  if (name == "update") {
    const auto update = UpdateOf(events);
    return update ? Result<Command>(Command(*update)) : Unreadable("Updated");
  }
  if (name == "check") {
    if (events.empty()) return Repeated();
    const auto update = CheckUpdateOf(events);
    return update ? Result<Command>(Command(*update)) : Unreadable("CheckUpdated");
  }
  if (name == "ready") {
    const std::vector<Key> lost = SubjectsOf(events, EventKind::kPodsNotReady);
    if (!lost.empty()) return Command(command::Ready{lost, false});
    return Command(command::Ready{SubjectsOf(events, EventKind::kPodsReady), true});
  }
  if (name == "finish") {
    return Command(command::Finish{SubjectsOf(events, EventKind::kFinished),
                                   ReasonOf(events, EventKind::kFinished) == "Failed"});
  }
  if (name == "cancel") return Command(command::Cancel{CancelledBy(events)});
  if (name == "evict") return OldEvict(events);
  if (name == "evicted") {
    return Command(command::Evicted{SubjectsOf(events, EventKind::kQuotaReleased)});
  }
  if (name == "advance") return OldAdvance(events);
  if (name == "cycle") return Command(command::Cycle{});
  if (name == "activate-policy" || name == "roll-back-policy") return OldPolicyChange(name, events);
  return Unreadable("its command " + std::string(name) + " is unknown");
}

}  // namespace muster
