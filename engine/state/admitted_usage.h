// AdmittedUsage: what the admitted workloads of one LocalQueue hold, for admission fair sharing.
//
// Kept as workloads are admitted and end: a LocalQueue may have any number of them, and is asked
// with every admission. Kept only while admission fair sharing is on. How many holders of a
// ClusterQueue are admitted is kept beside it, always, for views of queues.
#ifndef MUSTER_ENGINE_STATE_ADMITTED_USAGE_H_
#define MUSTER_ENGINE_STATE_ADMITTED_USAGE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/name_table.h"
#include "muster/quantity.h"

namespace muster {

struct World;
struct WorkloadRecord;

class AdmittedUsage {
 public:
  /// O(usage x resources).
  void Add(const FlavorResources& names, std::span<const Usage> usage);
  /// Precondition: it was added.
  void Remove(const FlavorResources& names, std::span<const Usage> usage);
  void Clear() { totals_.clear(); }
  /// In natural units; a resource of which a workload holds 0 is listed. O(resources).
  ResourceList List(const FlavorResources& names) const;

 private:
  struct Total {
    ResourceId resource;
    Amount amount = 0;
    std::int64_t count = 0;  ///< charges that are in it
  };
  Total& Of(ResourceId resource);
  std::vector<Total> totals_;  ///< in no order that means anything
};

/// To be called after every change of what the workload holds, of its admission and of its
/// LocalQueue: counts it there and among the admitted_holders of its ClusterQueue, or no longer.
/// What it holds must not change while it is counted.
void SyncAdmitted(World& world, WorkloadRecord& workload);
/// It is not counted in its LocalQueue, until SyncAdmitted.
void DropAdmitted(World& world, WorkloadRecord& workload);
/// It is about to release its quota: it is no admitted holder of its ClusterQueue any more.
void DropAdmittedHolder(World& world, WorkloadRecord& workload);
/// Counts all anew: admission fair sharing was turned on or off. O(workloads).
void RecountAdmitted(World& world);

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_ADMITTED_USAGE_H_
