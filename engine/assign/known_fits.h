// KnownFits: what workloads of one form were given in queues with one offer, taken over while it
// would come out the same.
//
// Jobs come in series from one template, queues offer the same flavors with other quotas, and
// mostly the first flavor of every resource group takes a job. Why the walk over the flavors then
// needs no repeating: it looks at the form, at what the queue offers and how it chooses, at the
// flavors and the configuration, of which a change makes everything here forgotten (see
// World::catalog_epoch), and at quota. Only such assignments are kept in which every group took its
// first flavor as declared, for all pods, without a refusal and at a level of borrowing that ends
// the walk, and no pair was asked for twice. Where each pair fits at the same level, in whichever
// queue with that offer, the walk would stop at the same flavors with the same answer; else it is
// made. Where more than quota limits (Capacity::FollowsFromQuota), nothing is kept.
#ifndef MUSTER_ENGINE_ASSIGN_KNOWN_FITS_H_
#define MUSTER_ENGINE_ASSIGN_KNOWN_FITS_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/assign/assignment.h"
#include "engine/base/hash.h"
#include "engine/base/small_vector.h"
#include "engine/state/world.h"

namespace muster {

class KnownFits {
 public:
  /// To be called before the first Find of a cycle: forgets what holds no longer, and everything
  /// once it is too much to keep.
  void Begin(const World& world);
  /// What Assign would give `workload`, with all its pods and from the first flavor on, but for the
  /// time in its progress; null when that has to be computed. Valid until Begin.
  /// O(pairs x depth).
  const Assignment* Find(const World& world, const ClusterQueueState& queue,
                         const WorkloadRecord& workload);
  /// Keeps what Assign has just given it, if that can be taken over. Precondition: Find has not
  /// found it.
  void Remember(const World& world, const ClusterQueueState& queue, const WorkloadRecord& workload,
                const Assignment& assignment);

 private:
  /// What has to be so again.
  struct Fit {
    FlavorResourceId pair;
    std::int32_t level = 0;
    Amount amount = 0;
  };
  struct Known {
    Hash128 form;
    SmallVector<Fit, 2> fits;
    Assignment assignment;
  };
  struct Asked {
    Hash128 form;
    Hash128 offer;
    bool operator==(const Asked&) const = default;
  };
  struct HashOf {
    std::size_t operator()(const Asked& asked) const { return asked.form.low ^ asked.offer.low; }
  };
  static constexpr std::size_t kMost = 4096;       ///< or two a queue, if that is more
  static constexpr std::size_t kMostVariants = 8;  ///< of one form and offer

  static bool FitsAgain(const QuotaTree& tree, NodeIndex node, const Known& known);

  std::uint64_t epoch_ = 0;  ///< of the world for which everything here holds
  /// Several of one form and offer differ in their levels of borrowing.
  std::unordered_multimap<Asked, Known, HashOf> known_;
  std::vector<const Known*> latest_;  ///< by QueueId, of its offer; null: none
};

}  // namespace muster

#endif  // MUSTER_ENGINE_ASSIGN_KNOWN_FITS_H_
