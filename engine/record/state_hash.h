// State hash: one number for everything that decides what the engine does next.
//
// Computed from memory - heap order, parking, markers, progress, backoffs, usage - never from rows,
// so that equality before and after a restart means something. Names, not ids, go in. Where
// policies order the heaps their answers are a function of what goes in, and when they are asked is
// not part of the state: then the hashes of the policies stand for the order.
#ifndef MUSTER_ENGINE_RECORD_STATE_HASH_H_
#define MUSTER_ENGINE_RECORD_STATE_HASH_H_

#include <span>
#include <string>

#include "engine/base/hash.h"
#include "engine/state/world.h"

namespace muster {

/// `policies`: hashes of the active generations. O(state).
Hash128 HashState(const World& world, std::span<const std::string> policies);

}  // namespace muster

#endif  // MUSTER_ENGINE_RECORD_STATE_HASH_H_
