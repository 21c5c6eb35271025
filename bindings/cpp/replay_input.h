// What a call of the engine was given, read back from the events it left.
#ifndef MUSTER_BINDINGS_CPP_REPLAY_INPUT_H_
#define MUSTER_BINDINGS_CPP_REPLAY_INPUT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "muster/engine.h"

namespace muster {

/// Objects of Apply in their order, then the workloads. kDataLoss when one cannot be read.
Result<std::vector<Object>> AppliedObjects(std::span<const Event> events);

/// What Delete removed; nullopt when no event says so.
std::optional<std::pair<ObjectKind, Key>> DeletedObject(std::span<const Event> events);

/// Workloads with an event of this kind, in order.
std::vector<Key> SubjectsOf(std::span<const Event> events, EventKind kind);

/// Workloads that a call of Cancel named.
std::vector<Key> CancelledBy(std::span<const Event> events);

/// The reason in the first event of this kind; empty when there is none.
std::string ReasonOf(std::span<const Event> events, EventKind kind);

std::optional<WorkloadUpdate> UpdateOf(std::span<const Event> events);
std::optional<CheckUpdate> CheckUpdateOf(std::span<const Event> events);

/// A call of a policy that failed because of the time it took.
struct RecordedLateCall {
  std::string package;
  std::string hook;
  std::string message;
  std::int64_t fuel = 0;
  std::int64_t place = 0;  ///< HookOutcome::late
};
std::vector<RecordedLateCall> LateCallsOf(std::span<const Event> events);

/// An activation or a rollback.
struct RecordedChange {
  std::string package;
  std::vector<std::string> hashes;  ///< the activated generation, or all that are active again
  PolicyChange change;
};
std::optional<RecordedChange> RecordedChangeOf(const Event& event);
/// The first of them among `events`.
std::optional<RecordedChange> RecordedChangeOf(std::span<const Event> events);

/// What NoteStaged was given.
struct RecordedStaging {
  std::string package;
  std::string hash;
  std::string refused;
  PolicyChange change;
};
std::optional<RecordedStaging> RecordedStagingOf(std::span<const Event> events);

}  // namespace muster

#endif  // MUSTER_BINDINGS_CPP_REPLAY_INPUT_H_
