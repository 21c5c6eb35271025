// Misfits: what keeps a workload out for good, as the queues are now.
//
// Quota that others hold does not matter here: compared is with what a queue could use alone in its
// tree, and hosts are looked at empty. A podset takes one flavor for each resource group, of those
// that take its pods; the least that it may start with counts.
#ifndef MUSTER_ENGINE_MISFITS_MISFITS_H_
#define MUSTER_ENGINE_MISFITS_MISFITS_H_

#include <vector>

#include "engine/state/world.h"
#include "muster/status.h"
#include "muster/workload.h"

namespace muster {

/// Why the workload could not start in the queue it names even if everything were idle; empty: it
/// could, or the queue does not exist. O(podsets * flavors * resources), and a placement for each
/// podset that is placed and each flavor with a topology.
std::vector<Problem> FindMisfits(const World& world, const Workload& workload);

}  // namespace muster

#endif  // MUSTER_ENGINE_MISFITS_MISFITS_H_
