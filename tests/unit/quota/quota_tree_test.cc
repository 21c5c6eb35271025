// The quota algebra on the worked example of the specification: cohort `org` (own 4) contains
// cohort `ml` (own 2, lends 5, borrows 6) and queue `c` (8); `ml` contains queues `a` (10, lends 4)
// and `b` (6, borrows 3). Usage: a 9, b 7, c 5.
#include "engine/quota/quota_tree.h"

#include <gtest/gtest.h>

#include "engine/base/check.h"

namespace muster {
namespace {

constexpr Column kOnly = 0;

QuotaNode Node(const char* name, NodeIndex parent, QueueId queue, bool active = true) {
  QuotaNode node;
  node.name = name;
  node.parent = parent;
  node.queue = queue;
  node.active = active;
  return node;
}

class WorkedExample : public ::testing::Test {
 protected:
  WorkedExample() : tree_({FlavorResourceId{0}}, {ResourceId{0}}) {
    org_ = Add("org", kNoNode, false, 4, kNoLimit, kNoLimit);
    ml_ = Add("ml", org_, false, 2, 6, 5);
    a_ = Add("a", ml_, true, 10, kNoLimit, 4);
    b_ = Add("b", ml_, true, 6, 3, kNoLimit);
    c_ = Add("c", org_, true, 8, kNoLimit, kNoLimit);
    tree_.Seal();
    tree_.AddUsage(a_, kOnly, 9);
    tree_.AddUsage(b_, kOnly, 7);
    tree_.AddUsage(c_, kOnly, 5);
  }

  NodeIndex Add(const char* name, NodeIndex parent, bool queue, Amount nominal, Amount borrow,
                Amount lend) {
    const QueueId id = queue ? QueueId{next_queue_++} : QueueId{};
    const NodeIndex index = tree_.AddNode(Node(name, parent, id));
    tree_.MutableCell(index, kOnly) = {nominal, borrow, lend, 0, 0, 0, 0};
    return index;
  }

  void ExpectRow(NodeIndex n, Amount subtree, Amount local, Amount usage, Amount local_available,
                 Amount available, Amount potential) {
    EXPECT_EQ(tree_.cell(n, kOnly).subtree, subtree);
    EXPECT_EQ(tree_.cell(n, kOnly).local, local);
    EXPECT_EQ(tree_.cell(n, kOnly).usage, usage);
    EXPECT_EQ(tree_.LocalAvailable(n, kOnly), local_available);
    EXPECT_EQ(tree_.Available(n, kOnly), available);
    EXPECT_EQ(tree_.Potential(n, kOnly), potential);
  }

  void ExpectRemovingRestores() {
    for (const NodeIndex n : {a_, b_, c_}) {
      for (Amount v = 0; v < 20; ++v) {
        std::vector<Amount> before;
        for (NodeIndex m = 0; m < tree_.size(); ++m) before.push_back(tree_.cell(m, kOnly).usage);
        tree_.AddUsage(n, kOnly, v);
        tree_.RemoveUsage(n, kOnly, v);
        for (NodeIndex m = 0; m < tree_.size(); ++m) {
          EXPECT_EQ(tree_.cell(m, kOnly).usage, before[m]) << "node " << m << ", amount " << v;
        }
      }
    }
  }

  QuotaTree tree_;
  std::uint32_t next_queue_ = 0;
  NodeIndex org_, ml_, a_, b_, c_;
};

TEST_F(WorkedExample, EveryColumnOfTheTable) {
  ExpectRow(a_, 10, 6, 9, 0, 8, 24);
  ExpectRow(b_, 6, 0, 7, 0, 2, 9);
  ExpectRow(c_, 8, 0, 5, 0, 9, 17);
  ExpectRow(ml_, 12, 7, 10, 0, 8, 18);
  ExpectRow(org_, 17, 0, 8, 0, 9, 17);
  EXPECT_EQ(tree_.node(ml_).height, 1);
  EXPECT_EQ(tree_.node(org_).height, 2);
}

TEST_F(WorkedExample, BorrowingLevelsReachAsHighAsTheRequestMust) {
  const auto level = [&](NodeIndex n, Amount v) {
    const BorrowingLevel l = tree_.LevelOf(n, kOnly, v);
    return std::pair(l.level, l.may_reclaim);
  };
  EXPECT_EQ(level(a_, 1), std::pair(0, true));
  EXPECT_EQ(level(a_, 3), std::pair(2, false));
  EXPECT_EQ(level(b_, 1), std::pair(1, true));
  EXPECT_EQ(level(c_, 2), std::pair(0, true));
  EXPECT_EQ(level(c_, 5), std::pair(2, false));
}

TEST_F(WorkedExample, UsageBeyondTheUnlentPartBubblesUp) {
  tree_.AddUsage(a_, kOnly, 2);
  EXPECT_EQ(tree_.cell(a_, kOnly).usage, 11);
  EXPECT_EQ(tree_.cell(ml_, kOnly).usage, 12);
  EXPECT_EQ(tree_.cell(org_, kOnly).usage, 10);
}

TEST_F(WorkedExample, RemovingWhatWasAddedRestoresEveryNode) { ExpectRemovingRestores(); }

// What fills local quota first reaches the parents in part only, and so goes back.
TEST_F(WorkedExample, RemovingWhatFilledLocalQuotaFirstRestoresEveryNode) {
  tree_.RemoveUsage(a_, kOnly, 9);
  tree_.RemoveUsage(b_, kOnly, 7);
  tree_.RemoveUsage(c_, kOnly, 5);
  EXPECT_EQ(tree_.cell(org_, kOnly).usage, 0);
  ExpectRemovingRestores();
}

TEST_F(WorkedExample, AMarkTakesBackWhatWasTriedAndMarksNest) {
  const Amount before = tree_.cell(org_, kOnly).usage;
  {
    UsageMark outer(tree_);
    tree_.AddUsage(c_, kOnly, 3);
    {
      UsageMark inner(tree_);
      tree_.RemoveUsage(c_, kOnly, 8);
      EXPECT_EQ(tree_.cell(c_, kOnly).usage, 0);
    }
    EXPECT_EQ(tree_.cell(c_, kOnly).usage, 8);
    outer.RollBack();
    EXPECT_EQ(tree_.cell(c_, kOnly).usage, 5);
    tree_.AddUsage(c_, kOnly, 1);
  }
  EXPECT_EQ(tree_.cell(c_, kOnly).usage, 5);
  EXPECT_EQ(tree_.cell(org_, kOnly).usage, before);
}

TEST_F(WorkedExample, WhatAMarkKeepsStays) {
  {
    UsageMark mark(tree_);
    tree_.AddUsage(c_, kOnly, 3);
    mark.Keep();
    tree_.AddUsage(c_, kOnly, 1);
  }
  EXPECT_EQ(tree_.cell(c_, kOnly).usage, 8);
}

TEST_F(WorkedExample, AvailableGoesNegativeWhenUsageExceedsQuotaButFitsNeverDoes) {
  tree_.AddUsage(c_, kOnly, 20);
  EXPECT_LT(tree_.Available(org_, kOnly), 0);
  const Usage one{FlavorResourceId{0}, 1};
  const Usage none{FlavorResourceId{0}, 0};
  EXPECT_FALSE(tree_.Fits(c_, std::span(&one, 1)));
  EXPECT_TRUE(tree_.Fits(c_, std::span(&none, 1))) << "nothing always fits";
}

TEST(QuotaTree, UnlimitedQuotaStaysUnlimitedUpTheTree) {
  QuotaTree tree({FlavorResourceId{0}}, {ResourceId{0}});
  const NodeIndex root = tree.AddNode(Node("root", kNoNode, {}));
  const NodeIndex queue = tree.AddNode(Node("q", root, {0}));
  tree.MutableCell(queue, kOnly).nominal = kUnlimited;
  tree.Seal();
  EXPECT_EQ(tree.cell(root, kOnly).subtree, kUnlimited);
  tree.AddUsage(queue, kOnly, 1'000'000);
  EXPECT_EQ(tree.Available(queue, kOnly), kUnlimited);
}

TEST(QuotaTree, AnInactiveQueueCountsItsQuotaButIsNoChild) {
  QuotaTree tree({FlavorResourceId{0}}, {ResourceId{0}});
  const NodeIndex root = tree.AddNode(Node("root", kNoNode, {}));
  const NodeIndex queue = tree.AddNode(Node("q", root, {0}, /*active=*/false));
  tree.MutableCell(queue, kOnly).nominal = 3;
  tree.Seal();
  EXPECT_EQ(tree.node(root).height, 0);
  EXPECT_EQ(tree.cell(root, kOnly).subtree, 3);
}

TEST(QuotaTree, ChargingAPairTheTreeDoesNotKnowIsABrokenInvariant) {
  QuotaTree tree({FlavorResourceId{0}}, {ResourceId{0}});
  const NodeIndex queue = tree.AddNode(Node("q", kNoNode, {0}));
  tree.Seal();
  const std::vector<Usage> unknown{{FlavorResourceId{7}, 1}};
  EXPECT_THROW(tree.AddUsage(queue, unknown), InvariantBroken);
}

}  // namespace
}  // namespace muster
