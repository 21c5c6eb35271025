// State hash: one number for everything that decides what the engine does next.
//
// Computed from memory - heap order, parking, markers, progress, backoffs, usage - never from rows,
// so that equality before and after a restart means something. Names, not ids, go in.
#ifndef MUSTER_ENGINE_RECORD_STATE_HASH_H_
#define MUSTER_ENGINE_RECORD_STATE_HASH_H_

#include "engine/model/hash.h"
#include "engine/state/world.h"

namespace muster {

/// O(state).
Hash128 HashState(const World& world);

}  // namespace muster

#endif  // MUSTER_ENGINE_RECORD_STATE_HASH_H_
