// Engine::Run: what every call that changes something has in common.
#ifndef MUSTER_ENGINE_CYCLE_ENGINE_RUN_H_
#define MUSTER_ENGINE_CYCLE_ENGINE_RUN_H_

#include "engine/cycle/engine_state.h"
#include "engine/cycle/queueing.h"
#include "engine/model/check.h"
#include "engine/policy/policy_ticks.h"

namespace muster {

// Runs a command at `now` and makes what it changed durable. A broken invariant poisons the engine,
// and so does a commit that fails: nobody may see what was not stored, so the state is dropped.
template <typename Function>
Status Engine::Run(CommandKind kind, TimeNs now, Function command) {
  if (!state_->poisoned.ok()) return state_->poisoned;
  try {
    const TimeNs before = state_->world.now;
    state_->AdvanceTo(now);
    state_->world.changes = Changes{};
    state_->world.changes.recording = state_->journal != nullptr;
    WakeByTicks(state_->world, state_->policies, before);
    FlushWakes(state_->world);
    Status status = command(state_->world);
    FlushWakes(state_->world);
    if (status.ok()) status = state_->MakeDurable(kind);
    return status;
  } catch (const InvariantBroken& broken) {
    state_->poisoned = Status(StatusCode::kInternal, broken.what());
    return state_->poisoned;
  }
}

inline Status UnknownWorkload(const Key& key) {
  return Status(StatusCode::kNotFound, "there is no workload " + key.ToString());
}

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_ENGINE_RUN_H_
