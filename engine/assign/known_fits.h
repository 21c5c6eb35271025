// KnownFits: what workloads of one form were last given in a queue, taken over while it would come
// out the same.
//
// Jobs come in series from one template, and mostly the first flavor of every resource group takes
// them. Why the walk over the flavors then needs no repeating: it looks at the form, the queue, the
// flavors and the configuration, of which a change makes everything here forgotten (see
// World::catalog_epoch), and at quota. Only such assignments are kept in which every group took its
// first flavor as declared, for all pods, without a refusal and at a level of borrowing that ends
// the walk, and no pair was asked for twice. While each pair fits at the same level again, the walk
// would stop at the same flavors with the same answer; with any other usage of the tree it is made.
#ifndef MUSTER_ENGINE_ASSIGN_KNOWN_FITS_H_
#define MUSTER_ENGINE_ASSIGN_KNOWN_FITS_H_

#include <cstdint>
#include <vector>

#include "engine/assign/assignment.h"
#include "engine/model/prefetch.h"
#include "engine/state/world.h"

namespace muster {

class KnownFits {
 public:
  /// What Assign would give `workload`, with all its pods and from the first flavor on, but for the
  /// time in its progress; null when that has to be computed. Valid until the next Remember or Find
  /// for this queue, or a change of the catalog. O(pairs x depth).
  const Assignment* Find(const World& world, const ClusterQueueState& queue,
                         const WorkloadRecord& workload);
  /// Sends for what Find will look at.
  void PrefetchFor(QueueId queue) const {
    if (queue.value < slots_.size()) Prefetch(&slots_[queue.value], 2 * kCacheLine);
  }
  /// Keeps what Assign has just given it, if that can be taken over.
  void Remember(const World& world, const ClusterQueueState& queue, const WorkloadRecord& workload,
                const Assignment& assignment);

 private:
  /// What has to be so again.
  struct Fit {
    FlavorResourceId pair;
    std::int32_t level = 0;
    Amount amount = 0;
  };
  struct alignas(kCacheLine) Slot {
    Hash128 form;
    bool used = false;
    SmallVector<Fit, 2> fits;  ///< empty: not used, or nothing was asked for
    Assignment assignment;
  };
  static bool FitsAgain(const QuotaTree& tree, NodeIndex node, const Fit& fit);
  Slot& SlotOf(const World& world, QueueId queue);

  std::uint64_t epoch_ = 0;  ///< of the world for which the slots hold
  std::vector<Slot> slots_;  ///< by QueueId
};

}  // namespace muster

#endif  // MUSTER_ENGINE_ASSIGN_KNOWN_FITS_H_
