// The engine's quota tree against the naive algebra, on every tree of up to four nodes with small
// quotas and limits and in every state of usage that small amounts can reach.
#include "engine/quota/quota_tree.h"

#include <gtest/gtest.h>

#include "tests/oracle/quota.h"
#include "tests/testing/exhaustigen.h"

namespace muster {
namespace {

using testing::Choices;
using testing::Exhaustigen;

const oracle::Fr kFr = {"flavor", "gpu"};

// The values a tree's numbers are taken from.
struct Scope {
  int nodes = 4;
  std::vector<Amount> nominal = {0, 2};
  std::vector<Amount> borrowing = {kNoLimit, 1};
  std::vector<Amount> lending = {kNoLimit, 1};
  std::vector<Amount> steps = {1, 3};  ///< amounts added and removed
};

// The same tree twice; node i of the engine's is names[i] of the oracle's.
struct Pair {
  QuotaTree tree{{FlavorResourceId{0}}, {ResourceId{0}}};
  oracle::Tree naive;
  std::vector<std::string> names;
  std::vector<NodeIndex> queues;

  void Charge(NodeIndex queue, Amount amount) {
    tree.AddUsage(queue, 0, amount);
    naive.Charge(names[queue], {{kFr, amount}});
  }
  void Release(NodeIndex queue, Amount amount) {
    tree.RemoveUsage(queue, 0, amount);
    naive.Release(names[queue], {{kFr, amount}});
  }
};

void AddNode(Choices& choices, const Scope& scope, NodeIndex i, std::vector<NodeIndex>& cohorts,
             Pair& pair) {
  const bool is_root = i == 0;
  const bool is_queue = is_root ? scope.nodes == 1 : choices.Flip();
  QuotaNode node;
  oracle::TreeNode naive;
  node.name = std::to_string(i);
  if (!is_root) node.parent = choices.Pick(cohorts);
  if (!is_root) naive.parent = pair.names[node.parent];
  if (is_queue) node.queue = QueueId{i};
  node.active = naive.active = !is_queue || is_root || i % 2 == 1 || choices.Flip();
  naive.is_queue = is_queue;
  (is_queue ? pair.queues : cohorts).push_back(i);
  pair.names.push_back((is_queue ? "queue/" : "cohort/") + node.name);
  pair.tree.AddNode(node);

  QuotaCell& cell = pair.tree.MutableCell(i, 0);
  oracle::Limits& limits = naive.limits[kFr];
  cell.nominal = limits.nominal = choices.Pick(scope.nominal);
  if (!is_root) cell.borrowing_limit = choices.Pick(scope.borrowing);
  if (!is_root) cell.lending_limit = choices.Pick(scope.lending);
  if (cell.borrowing_limit != kNoLimit) limits.borrowing = cell.borrowing_limit;
  if (cell.lending_limit != kNoLimit) limits.lending = cell.lending_limit;
  pair.naive.nodes[pair.names[i]] = naive;
}

Pair MakeTree(Choices& choices, const Scope& scope) {
  Pair pair;
  std::vector<NodeIndex> cohorts;
  for (NodeIndex i = 0; i < static_cast<NodeIndex>(scope.nodes); ++i) {
    AddNode(choices, scope, i, cohorts, pair);
  }
  pair.tree.Seal();
  return pair;
}

std::string Describe(const Pair& pair) {
  std::string text;
  for (const auto& [name, node] : pair.naive.nodes) {
    const oracle::Limits limits = pair.naive.LimitsOf(name, kFr);
    text += name + (node.active ? "" : " (inactive)") + " in '" + node.parent + "' nominal " +
            std::to_string(limits.nominal);
    if (limits.borrowing) text += " BL " + std::to_string(*limits.borrowing);
    if (limits.lending) text += " LL " + std::to_string(*limits.lending);
    text += " usage " + std::to_string(pair.naive.Usage(name, kFr)) + "\n";
  }
  return text;
}

// What follows from the quotas alone.
bool AgreeOnQuota(const Pair& pair) {
  bool agree = true;
  for (NodeIndex n = 0; n < pair.names.size(); ++n) {
    const std::string& name = pair.names[n];
    const QuotaCell& cell = pair.tree.cell(n, 0);
    agree &= cell.subtree == pair.naive.SubtreeQuota(name, kFr);
    agree &= cell.local == pair.naive.LocalQuota(name, kFr);
    agree &= pair.tree.Potential(n, 0) == pair.naive.Potential(name, kFr);
    if (!pair.naive.nodes.at(name).is_queue) {
      agree &= pair.tree.node(n).height == pair.naive.Height(name);
    }
  }
  return agree;
}

// What follows from quotas and usage.
bool AgreeOnUsage(const Pair& pair) {
  bool agree = true;
  for (NodeIndex n = 0; n < pair.names.size(); ++n) {
    const std::string& name = pair.names[n];
    agree &= pair.tree.cell(n, 0).usage == pair.naive.Usage(name, kFr);
    agree &= pair.tree.LocalAvailable(n, 0) == pair.naive.LocalAvailable(name, kFr);
    agree &= pair.tree.Available(n, 0) == pair.naive.Available(name, kFr);
  }
  for (const NodeIndex queue : pair.queues) {
    for (Amount v = 0; v <= 4; ++v) {
      const BorrowingLevel ours = pair.tree.LevelOf(queue, 0, v);
      const oracle::Level naive = pair.naive.BorrowingLevel(pair.names[queue], kFr, v);
      agree &= ours.level == naive.height && ours.may_reclaim == naive.may_reclaim;
    }
  }
  return agree;
}

// Adds every combination of steps to the queues from `at` on, in every order of removal that the
// recursion passes: the queue added last is emptied first, under a mark or by removal in turn.
bool WalkUsage(Pair& pair, const Scope& scope, std::size_t at) {
  if (!AgreeOnUsage(pair)) return false;
  if (at == pair.queues.size()) return true;
  const NodeIndex queue = pair.queues[at];
  for (const Amount step : scope.steps) {
    pair.Charge(queue, step);
    if (!WalkUsage(pair, scope, at + 1)) return false;
    pair.Release(queue, step);
    if (!AgreeOnUsage(pair)) return false;
  }
  return WalkUsage(pair, scope, at + 1);
}

// Queues filled in order and emptied in the same order: the other order of WalkUsage.
bool FillAndEmptyInOrder(Pair& pair, const Scope& scope) {
  for (const NodeIndex queue : pair.queues) {
    for (const Amount step : scope.steps) pair.Charge(queue, step);
  }
  for (const NodeIndex queue : pair.queues) {
    for (const Amount step : scope.steps) {
      pair.Release(queue, step);
      if (!AgreeOnUsage(pair)) return false;
    }
  }
  return true;
}

// What a mark takes back is what was there; a negative amount stays where it was charged.
bool TakesBack(Pair& pair) {
  const Pair before = pair;
  for (const NodeIndex queue : pair.queues) {
    UsageMark mark(pair.tree);
    pair.Charge(queue, 2);
    pair.Charge(queue, -1);
    if (!AgreeOnUsage(pair)) return false;
    mark.RollBack();
    pair.naive = before.naive;
    if (!AgreeOnUsage(pair)) return false;
  }
  return true;
}

void CheckAll(const Scope& scope) {
  Exhaustigen gen;
  while (gen.Next()) {
    Pair pair = MakeTree(gen, scope);
    ASSERT_TRUE(AgreeOnQuota(pair)) << Describe(pair);
    ASSERT_TRUE(WalkUsage(pair, scope, 0)) << Describe(pair);
    ASSERT_TRUE(FillAndEmptyInOrder(pair, scope)) << Describe(pair);
    ASSERT_TRUE(TakesBack(pair)) << Describe(pair);
  }
}

TEST(QuotaTree, EqualsTheDefinitionsOnEveryTreeOfUpToThreeNodes) {
  for (int nodes = 1; nodes <= 3; ++nodes) {
    CheckAll({.nodes = nodes,
              .nominal = {0, 1, 3},
              .borrowing = {kNoLimit, 0, 2},
              .lending = {kNoLimit, 0, 2}});
  }
}

TEST(QuotaTree, EqualsTheDefinitionsOnEveryTreeOfFourNodes) {
  CheckAll({.nodes = 4, .borrowing = {kNoLimit}, .steps = {3}});
}

TEST(NightQuotaTree, EqualsTheDefinitionsOnEveryTreeOfFourNodesWithMoreLimits) {
  CheckAll({.nodes = 4, .nominal = {0, 2}, .lending = {kNoLimit, 0, 1}, .steps = {1, 3}});
}

}  // namespace
}  // namespace muster
