// What a workload that cannot start lacks, over all flavors that were tried: resource by resource
// how much is asked, how much is left, what evictions could free, and whether it is for ever.
#ifndef MUSTER_ENGINE_EXPLAIN_LACK_H_
#define MUSTER_ENGINE_EXPLAIN_LACK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/cycle/entry.h"
#include "engine/state/world.h"
#include "muster/views.h"

namespace muster {

struct PlaceLack;

struct Lack {
  std::string text;    ///< sentences
  std::string cure;    ///< one sentence without a stop
  bool never = false;  ///< as objects are now, it lacks it whatever else leaves
};

/// By podset, how many pods an explanation is about.
std::vector<std::int32_t> PodsAskedFor(const WorkloadRecord& workload,
                                       const Explanation& explanation);

/// `entry` is the traced nomination of `workload`, which found neither room nor victims;
/// `explanation` has its flavors; `places`: what its hosts lack, null if that is not in the way.
/// O(flavors x resources x nodes of the tree).
Lack WhatItLacks(const World& world, const WorkloadRecord& workload, const Entry& entry,
                 const Explanation& explanation, const PlaceLack* places);

}  // namespace muster

#endif  // MUSTER_ENGINE_EXPLAIN_LACK_H_
