// Quota alone, charged otherwise than it is: what a bound or a share looks at.
//
// No other member hears of it. So it may prove that something does not fit, as what quota refuses
// fits nowhere; that something fits, Capacity alone can say.
#ifndef MUSTER_ENGINE_CAPACITY_QUOTA_TRIAL_H_
#define MUSTER_ENGINE_CAPACITY_QUOTA_TRIAL_H_

#include <span>
#include <utility>

#include "engine/quota/quota_tree.h"

namespace muster {

/// What is tried on a tree until it goes out of scope. Trials and marks nest like scopes.
class QuotaTrial {
 public:
  explicit QuotaTrial(QuotaTree& tree) : tree_(tree), mark_(tree) {}
  void Charge(NodeIndex node, std::span<const Usage> usage) { tree_.AddUsage(node, usage); }
  void Release(NodeIndex node, std::span<const Usage> usage) { tree_.RemoveUsage(node, usage); }
  /// The usage of one cell; those above it stay as they are.
  void Suppose(NodeIndex node, Column column, Amount usage) { tree_.Pretend(node, column, usage); }

 private:
  QuotaTree& tree_;
  UsageMark mark_;
};

/// A second copy of a tree, charged otherwise, for as long as it is kept up to date.
class SecondTree {
 public:
  explicit SecondTree(const QuotaTree& tree) : tree_(tree) {}
  void Charge(NodeIndex node, std::span<const Usage> usage) { tree_.AddUsage(node, usage); }
  void Release(NodeIndex node, std::span<const Usage> usage) { tree_.RemoveUsage(node, usage); }
  /// Takes the place of the first, or gives it back.
  void ChangePlaces(QuotaTree& first) { std::swap(tree_, first); }

 private:
  QuotaTree tree_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CAPACITY_QUOTA_TRIAL_H_
