// What is decided about a workload, noted for those that act on it. Each call costs one test where
// no consumer is registered.
#ifndef MUSTER_ENGINE_HAND_OVER_DECIDE_H_
#define MUSTER_ENGINE_HAND_OVER_DECIDE_H_

#include <string_view>

#include "engine/state/workload_record.h"
#include "engine/state/world.h"

namespace muster {

[[gnu::cold]] void NoteStart(World& world, const WorkloadRecord& workload);
[[gnu::cold]] void NoteReserved(World& world, const WorkloadRecord& workload);
[[gnu::cold]] void NotePreempted(World& world, const WorkloadRecord& workload,
                                 const WorkloadRecord& preemptor);
/// An eviction for any other reason, of which the workload knows already.
[[gnu::cold]] void NoteLeaving(World& world, const WorkloadRecord& workload,
                               std::string_view reason);
[[gnu::cold]] void NoteWithdrawn(World& world, const WorkloadRecord& workload);

inline void DecideStart(World& world, const WorkloadRecord& workload) {
  if (world.hand_over.on()) NoteStart(world, workload);
}
inline void DecideReserved(World& world, const WorkloadRecord& workload) {
  if (world.hand_over.on()) NoteReserved(world, workload);
}
inline void DecidePreempted(World& world, const WorkloadRecord& workload,
                            const WorkloadRecord& preemptor) {
  if (world.hand_over.on()) NotePreempted(world, workload, preemptor);
}
inline void DecideLeaving(World& world, const WorkloadRecord& workload, std::string_view reason) {
  if (world.hand_over.on()) NoteLeaving(world, workload, reason);
}
/// `held`: it had quota when it was forgotten.
inline void DecideWithdrawn(World& world, const WorkloadRecord& workload, bool held) {
  if (held && world.hand_over.on()) NoteWithdrawn(world, workload);
}

/// Forgets the decisions that every consumer has acknowledged.
void ForgetAcknowledged(World& world);

}  // namespace muster

#endif  // MUSTER_ENGINE_HAND_OVER_DECIDE_H_
