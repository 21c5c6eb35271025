// RoomBound: what would be available if all left that may have to, for any preemptor of
// a tree.
//
// False proves that no set of candidates makes enough room, because all together do not: taking
// usage away never makes less available, and the sums it takes are never too low. It looks at quota
// alone, so it proves that whatever else limits, monotone or not. What the queues
// of a tree could give is taken from it once for all preemptors that may evict the same; of that, a
// question looks at the path of its own queue alone, on which what this queue gives by the rules
// for others is put back and what it gives by its own rules is taken. A queue whose usage changes
// is renewed on its path.
#ifndef MUSTER_ENGINE_PREEMPT_ROOM_BOUND_H_
#define MUSTER_ENGINE_PREEMPT_ROOM_BOUND_H_

#include <optional>
#include <vector>

#include "engine/preempt/candidates.h"
#include "engine/state/world.h"

namespace muster {

class RoomBound {
 public:
  /// All queues but the preemptor's own give what `policy` lets `request` take of them, those alone
  /// that use more of a contested pair than is theirs. Both must outlive this.
  /// O(queues x priorities x pairs).
  RoomBound(World& world, const PreemptionRequest& request, PreemptionPolicy policy);
  /// The queue's usage is another one now. Candidates of it that are gone count on, which keeps the
  /// bound sound. O(depth x pairs), and once a queue O(priorities x pairs).
  void Renew(NodeIndex queue);
  /// The tree must be as it was then, but for what was renewed, and the request like that one: in
  /// contested pairs, and in what `policy` looks at.
  /// O(depth x pairs + priorities x pairs of the own queue).
  bool MayMakeRoom(const PreemptionRequest& request, bool allow_borrowing) const;

 private:
  /// What a queue gives if it gives anything.
  struct Gift {
    bool given = false;
    std::optional<std::vector<Usage>> most;  ///< once asked for
  };

  /// Says what the node uses, and what comes through of it above.
  void Set(NodeIndex n, Column c, Amount usage);
  Amount& UsageAt(NodeIndex n, Column c) { return usage_[std::size_t{n} * tree_.columns() + c]; }

  World& world_;
  const PreemptionRequest& request_;
  PreemptionPolicy policy_;
  QuotaTree& tree_;
  std::vector<Gift> gifts_;    ///< by node
  std::vector<Amount> usage_;  ///< nodes x columns, with all that is given taken away
  std::vector<Amount> left_;   ///< of the queue that is being renewed, by column
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_ROOM_BOUND_H_
