// ShareRule: how much the nodes of one tree have of what they deserve - the dominant share, or what
// hook `share` of the tree's policy answers.
//
// Method: nodes are noted as they are at that moment, also under a mark with a workload added or
// removed on trial, and measured together: one call for all that was noted.
#ifndef MUSTER_ENGINE_POLICY_SHARE_RULE_H_
#define MUSTER_ENGINE_POLICY_SHARE_RULE_H_

#include <optional>
#include <vector>

#include "engine/policy/policy_calls.h"
#include "engine/quota/dominant_share.h"

namespace muster {

struct NodeShare {
  DominantShare native;
  double scripted = 0;  ///< meaningless under the native rule
};

class ShareRule {
 public:
  /// The rule for the tree of `queue`; `calls` may be null. All must outlive it.
  ShareRule(const World& world, PolicyCalls* calls, const ClusterQueueState& queue);

  /// False: comparing native shares is all there is to it, and measuring costs no call.
  bool scripted() const { return policy_ != nullptr; }
  void Note(NodeIndex n);
  /// Shares of the nodes noted since the last call, in that order.
  std::vector<NodeShare> Measure();
  /// The share of one node as it is now. Precondition: nothing is noted.
  NodeShare Of(NodeIndex n);
  /// < 0, 0 or > 0; smaller deserves more.
  int Compare(const NodeShare& a, const NodeShare& b) const;

 private:
  void Ask();

  const ClusterQueueState& queue_;
  const QuotaTree& tree_;
  PolicyCalls* calls_;
  Policy* policy_ = nullptr;  ///< null: native
  std::optional<PolicyBatch> batch_;
  bool complete_ = true;  ///< every quota of the noted nodes has a column
  std::vector<NodeShare> noted_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_SHARE_RULE_H_
