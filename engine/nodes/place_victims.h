// Place victims: which evictions give places to a workload that holds its quota and waits for them.
//
// Method: the search of any preemptor, by the same rules of what may be evicted. As the quota is
// charged already it asks for none more; room on hosts alone decides when enough has left.
#ifndef MUSTER_ENGINE_NODES_PLACE_VICTIMS_H_
#define MUSTER_ENGINE_NODES_PLACE_VICTIMS_H_

#include <optional>
#include <vector>

#include "engine/places/replacement.h"
#include "engine/preempt/preemption_search.h"
#include "engine/state/world.h"

namespace muster {

struct PlacesByEviction {
  std::vector<Victim> victims;
  NewPlaces places;  ///< as they are without the victims
};

/// None: even empty hosts have no room, or nothing that may be evicted makes enough.
std::optional<PlacesByEviction> FindPlacesByEviction(World& world, const WorkloadRecord& workload,
                                                     PreemptionSearch& search);

}  // namespace muster

#endif  // MUSTER_ENGINE_NODES_PLACE_VICTIMS_H_
