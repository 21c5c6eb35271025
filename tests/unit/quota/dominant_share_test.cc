// Dominant resource share: value, flag, comparison.
#include "engine/quota/dominant_share.h"

#include <gtest/gtest.h>

#include <cmath>

namespace muster {
namespace {

/// Cohort of two queues with 4 each and 4 of its own, two resources.
class Shares : public ::testing::Test {
 protected:
  Shares() : tree_({FlavorResourceId{0}, FlavorResourceId{1}}, {ResourceId{0}, ResourceId{1}}) {
    root_ = AddNode("root", kNoNode, {});
    x_ = AddNode("x", root_, {0});
    y_ = AddNode("y", root_, {1}, 2);
    z_ = AddNode("z", root_, {2}, 0);
    for (const NodeIndex n : {root_, x_, y_}) tree_.MutableCell(n, 0).nominal = 4;
    tree_.Seal();
  }
  NodeIndex AddNode(const char* name, NodeIndex parent, QueueId queue, double weight = 1) {
    QuotaNode node;
    node.name = name;
    node.parent = parent;
    node.queue = queue;
    node.weight = weight;
    return tree_.AddNode(node);
  }
  QuotaTree tree_;
  NodeIndex root_, x_, y_, z_;
};

TEST_F(Shares, IsTheOverUseOverWhatTheParentCouldLendInThousandths) {
  tree_.AddUsage(x_, 0, 6);
  EXPECT_DOUBLE_EQ(ShareOf(tree_, x_).Value(), 2 * 1000.0 / 12);
  EXPECT_TRUE(ShareOf(tree_, x_).borrowing);
}

TEST_F(Shares, WeightDividesIt) {
  tree_.AddUsage(y_, 0, 8);
  EXPECT_DOUBLE_EQ(ShareOf(tree_, y_).Value(), 4 * 1000.0 / 12 / 2);
}

TEST_F(Shares, WithinQuotaAndAtTheRootItIsZero) {
  tree_.AddUsage(x_, 0, 4);
  EXPECT_EQ(ShareOf(tree_, x_).Value(), 0);
  EXPECT_FALSE(ShareOf(tree_, x_).borrowing);
  tree_.AddUsage(x_, 0, 100);
  EXPECT_EQ(ShareOf(tree_, root_).Value(), 0);
}

TEST_F(Shares, BorrowingWhatNobodyCanLendSetsTheFlagWithoutAShare) {
  tree_.AddUsage(x_, 1, 5);
  EXPECT_EQ(ShareOf(tree_, x_).Value(), 0);
  EXPECT_TRUE(ShareOf(tree_, x_).borrowing);
}

TEST_F(Shares, ABorrowerOfWeightZeroIsAboveEverythingAndTwoCompareByRatio) {
  tree_.AddUsage(z_, 0, 1);
  tree_.AddUsage(x_, 0, 11);
  const DominantShare infinite = ShareOf(tree_, z_);
  EXPECT_TRUE(std::isinf(infinite.Value()));
  EXPECT_GT(CompareShares(infinite, ShareOf(tree_, x_)), 0);
  EXPECT_LT(CompareShares(ShareOf(tree_, x_), infinite), 0);
  DominantShare more = infinite;
  more.ratio += 1;
  EXPECT_LT(CompareShares(infinite, more), 0);
  EXPECT_EQ(CompareShares(infinite, infinite), 0);
}

TEST_F(Shares, AQueueOfWeightZeroThatDoesNotBorrowHasShareZero) {
  EXPECT_EQ(ShareOf(tree_, z_).Value(), 0);
  EXPECT_FALSE(ShareOf(tree_, z_).IsInfinite());
}

}  // namespace
}  // namespace muster
