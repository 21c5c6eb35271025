// Engine::State: what the public Engine hides.
#ifndef MUSTER_ENGINE_CYCLE_ENGINE_STATE_H_
#define MUSTER_ENGINE_CYCLE_ENGINE_STATE_H_

#include <optional>

#include "engine/cycle/cycle_memory.h"
#include "engine/cycle/shadow.h"
#include "engine/policy/policy_table.h"
#include "engine/record/stored_state.h"
#include "engine/state/world.h"
#include "muster/engine.h"

namespace muster {

struct Engine::State {
  Journal* journal = nullptr;
  World world;
  PolicyTable policies;
  CycleMemory memory;
  std::optional<muster::Shadow> shadow;  ///< of a candidate that is compared, if there is one
  Status poisoned;  ///< not ok once an invariant broke; the engine is read-only then

  StoredEngine stored;  ///< as restored; names the policies to attach

  /// Hands what the running call changed to the journal and waits until it is stored.
  Status MakeDurable(CommandKind kind);
  /// Time never goes back.
  void AdvanceTo(TimeNs now) {
    if (world.now == kNoTime || now > world.now) world.now = now;
  }
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_ENGINE_STATE_H_
