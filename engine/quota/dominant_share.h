// Dominant resource share: how far a node of a cohort tree is beyond its own quota (fair sharing).
//
//   over_r  = sum over flavors of max(0, usage - subtreeQuota)
//   ratio   = max over resources r with lendable_r > 0 of over_r * 1000 / lendable_r
//   share   = 0 if ratio = 0, +inf if weight = 0, else ratio / weight
// lendable_r is the potential capacity of the parent, summed over flavors. Doubles as in Kueue, to
// the bit; quotas themselves never become floating point.
#ifndef MUSTER_ENGINE_QUOTA_DOMINANT_SHARE_H_
#define MUSTER_ENGINE_QUOTA_DOMINANT_SHARE_H_

#include "engine/quota/quota_tree.h"

namespace muster {

struct DominantShare {
  double ratio = 0;  ///< before weighting
  double weight = 1;
  bool borrowing = false;  ///< some amount is over quota, even when nothing is lendable
  bool IsInfinite() const { return weight == 0 && ratio > 0; }
  double Value() const;  ///< may be +inf
};

/// What `n` uses beyond its own quota of `resource`, flavor by flavor. O(columns).
Amount Overuse(const QuotaTree& tree, NodeIndex n, ResourceId resource);
/// over * 1000 / lendable as a double; 0 when either is not positive.
double OveruseRatio(Amount over, Amount lendable);

/// The node's share on current usage; a root has share 0. O(columns).
DominantShare ShareOf(const QuotaTree& tree, NodeIndex n);

/// < 0, 0 or > 0. A borrower of weight 0 is above everything else; two of them compare by ratio.
int CompareShares(const DominantShare& a, const DominantShare& b);

}  // namespace muster

#endif  // MUSTER_ENGINE_QUOTA_DOMINANT_SHARE_H_
