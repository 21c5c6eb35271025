// Whether a podset has a place on hosts that nothing uses, in any flavor of its queue.
#ifndef MUSTER_ENGINE_MISFITS_NO_PLACE_H_
#define MUSTER_ENGINE_MISFITS_NO_PLACE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/requests.h"
#include "engine/state/world.h"
#include "muster/workload.h"

namespace muster {

/// What keeps a podset from every place, and the cure.
struct NoPlace {
  std::string text;
  std::string cure;
};

/// nullopt: there is a place, none is asked for, a leader is looked at with its workers, or hosts
/// cannot tell: none are known, or checks make them. `flavors` are those that take its pods.
/// O(flavors with a topology x a placement).
std::optional<NoPlace> FindNoPlace(const World& world, const ClusterQueueState& queue,
                                   const SharedList<PodSet>& pod_sets, std::size_t pod_set,
                                   const RequestContext& context,
                                   const std::vector<const ResourceFlavor*>& flavors);

}  // namespace muster

#endif  // MUSTER_ENGINE_MISFITS_NO_PLACE_H_
