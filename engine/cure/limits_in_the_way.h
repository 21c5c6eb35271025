// Which borrowing and lending limits keep a ClusterQueue from an amount, so that it would have it
// were they high enough.
#ifndef MUSTER_ENGINE_CURE_LIMITS_IN_THE_WAY_H_
#define MUSTER_ENGINE_CURE_LIMITS_IN_THE_WAY_H_

#include <vector>

#include "engine/quota/quota_tree.h"

namespace muster {

struct LimitInTheWay {
  NodeIndex node = kNoNode;
  bool lending = false;
};

/// When the queue should have the amount.
enum class Horizon {
  kNow,   ///< beside all that runs
  kEver,  ///< with no other workload running
};

/// Limits that have to be raised together, and none of them in vain; empty: without any limit it
/// would still not have `asked`. Borrowing limits come first; of lending limits 16 are looked at.
/// O(nodes of the tree) for each limit.
std::vector<LimitInTheWay> LimitsInTheWay(const QuotaTree& tree, NodeIndex queue, Column column,
                                          Amount asked, Horizon horizon);

}  // namespace muster

#endif  // MUSTER_ENGINE_CURE_LIMITS_IN_THE_WAY_H_
