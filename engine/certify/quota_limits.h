// QuotaLimits: the quotas and limits on the way from a ClusterQueue to the root, each with what it
// is short of for a demand; and how much of that one holder of quota could make good by leaving.
//
// What is available to a queue is the least of one term for each limit on its way: what the nodes
// below the limit keep to themselves and do not use, and what the limit itself leaves (see
// quota_algebra.cc). A demand has room when no term is short of it. Usage that is taken away adds
// to a term at most what of it comes up to the way, and of several together at most the sum of
// what each alone would: on its way up a node passes on what it cannot keep to itself, and of that
// the less the more is gone. So sums of these gains are never too low.
#ifndef MUSTER_ENGINE_CERTIFY_QUOTA_LIMITS_H_
#define MUSTER_ENGINE_CERTIFY_QUOTA_LIMITS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "engine/quota/quota_tree.h"
#include "muster/views.h"

namespace muster {

/// One term, for one pair.
struct QuotaLimit {
  std::size_t step = 0;  ///< so many nodes of the way are below it
  NodeIndex node = kNoNode;
  Column column = kNoColumn;
  QuotaField field = QuotaField::kNominalQuota;  ///< of the root: all the quota that there is
  Amount demand = 0;
};

class QuotaLimits {
 public:
  /// Of `queue`, those that are short of `demand` now. What is not short now never is, whatever
  /// leaves. The tree must outlive it.
  QuotaLimits(const QuotaTree& tree, NodeIndex queue, std::span<const Usage> demand);

  /// By pair, then from the queue upwards.
  const std::vector<QuotaLimit>& all() const { return limits_; }
  /// What is missing as the tree is charged now; 0 or less: nothing is. O(depth).
  Amount Missing(const QuotaLimit& limit) const;
  bool AnyMissing() const;
  /// At most so much less is missing at `limit` once `queue` uses `usage` less than now. O(depth).
  Amount Gain(const QuotaLimit& limit, NodeIndex queue, std::span<const Usage> usage) const;

 private:
  const QuotaTree& tree_;
  std::vector<NodeIndex> way_;  ///< the queue first
  std::vector<QuotaLimit> limits_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CERTIFY_QUOTA_LIMITS_H_
