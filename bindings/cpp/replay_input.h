// What the events of a call say, read back.
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

/// "first/rest" cut at its first slash; without one all of it is the name.
Key CutAtSlash(std::string_view text);

/// The first event of this kind; null when there is none.
const Event* FirstOf(std::span<const Event> events, EventKind kind);

/// New values of a workload, as an Updated event has them.
std::optional<WorkloadUpdate> UpdateOf(std::span<const Event> events);

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
