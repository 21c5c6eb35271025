// What a call of the engine was given, read back from the events it left.
#ifndef MUSTER_BINDINGS_CPP_REPLAY_INPUT_H_
#define MUSTER_BINDINGS_CPP_REPLAY_INPUT_H_

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

/// The reason in the first event of this kind; empty when there is none.
std::string ReasonOf(std::span<const Event> events, EventKind kind);

std::optional<WorkloadUpdate> UpdateOf(std::span<const Event> events);
std::optional<CheckUpdate> CheckUpdateOf(std::span<const Event> events);

struct RecordedChange {
  std::string package;
  std::vector<std::string> hashes;  ///< the activated generation, or all that are active again
};
std::optional<RecordedChange> RecordedChangeOf(std::span<const Event> events);

}  // namespace muster

#endif  // MUSTER_BINDINGS_CPP_REPLAY_INPUT_H_
