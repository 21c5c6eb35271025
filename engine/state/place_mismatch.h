// Why a flavor cannot place a podset as it asks to be placed, or places what does not ask.
#ifndef MUSTER_ENGINE_STATE_PLACE_MISMATCH_H_
#define MUSTER_ENGINE_STATE_PLACE_MISMATCH_H_

#include <optional>
#include <string>

#include "engine/state/world.h"

namespace muster {

/// In words; nullopt: nothing. The queue matters as one whose flavors all have a topology places
/// every podset. O(log flavors + levels asked for).
std::optional<std::string> PlaceMismatch(const World& world, const ClusterQueueState& queue,
                                         const PodSet& pod_set, const ResourceFlavor& flavor);

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_PLACE_MISMATCH_H_
