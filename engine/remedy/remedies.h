// Remedies: the smallest raises of quotas and limits that would let a workload fit, and how many of
// its pods would fit as things are. Every answer is tried before it is given.
#ifndef MUSTER_ENGINE_REMEDY_REMEDIES_H_
#define MUSTER_ENGINE_REMEDY_REMEDIES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/state/world.h"
#include "muster/views.h"

namespace muster {

inline constexpr std::size_t kMostRemedies = 8;
inline constexpr std::int32_t kMostPodsTried = 256;

/// Alternatives, by flavor in their order and then by place. `counts` are the pods by podset that
/// have to fit; `fits` nominates the workload on the quotas of its tree, which are others while it
/// is called. Each remedy fits, and does not with one less in any raise. Precondition: it does not
/// fit now. O(nodes of the tree) and two calls, and one more for each raise, for each remedy.
std::vector<Remedy> FindRemedies(World& world, const WorkloadRecord& workload,
                                 std::span<const std::int32_t> counts,
                                 const std::function<bool()>& fits);

/// By podset, where some of its pods would fit. `fits` says whether so many pods by podset would;
/// fewer may not where more do, as a flavor walk stops where evictions may help. Looked at are the
/// kMostPodsTried largest numbers for which there is quota. Precondition: it does not fit with all.
std::vector<MostPods> FindMostPods(const World& world, const WorkloadRecord& workload,
                                   const std::function<bool(std::span<const std::int32_t>)>& fits);

}  // namespace muster

#endif  // MUSTER_ENGINE_REMEDY_REMEDIES_H_
