// What a workload that quota would let start lacks on hosts: how much the best domains have room
// for, what uses them, whose eviction frees one, and whether even empty ones would be too small.
#ifndef MUSTER_ENGINE_EXPLAIN_PLACE_LACK_H_
#define MUSTER_ENGINE_EXPLAIN_PLACE_LACK_H_

#include <optional>
#include <string>

#include "engine/cycle/entry.h"
#include "engine/state/world.h"

namespace muster {

struct PlaceLack {
  std::string text;    ///< sentences
  std::string cure;    ///< one way, without a stop
  bool never = false;  ///< no flavor of its queue has such a place, were all hosts empty
};

/// `entry` is the nomination of `workload`, which did not fit. None: hosts are not in its way.
/// O(flavors with a topology x a placement + holders of the best domains).
std::optional<PlaceLack> WhatPlacesLack(World& world, const WorkloadRecord& workload,
                                        const Entry& entry);

}  // namespace muster

#endif  // MUSTER_ENGINE_EXPLAIN_PLACE_LACK_H_
