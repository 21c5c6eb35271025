// Numbers that change in place give the forest that building it anew gives.
#include "engine/state/forest.h"

#include <gtest/gtest.h>

#include <random>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::kNoon;

constexpr int kQueues = 7;
constexpr int kCohorts = 3;

std::string CohortName(int cohort) { return "cohort-" + std::to_string(cohort); }

class Quotas {
 public:
  explicit Quotas(unsigned seed) : random_(seed) {}

  std::int64_t Draw(std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(0, most)(random_);
  }
  testing::Quota AnyQuota() {
    testing::Quota quota{.nominal = Draw(6)};
    if (Draw(2) == 0) quota.borrow = Draw(4);
    if (Draw(2) == 0) quota.lend = Draw(4);
    return quota;
  }
  /// Queue `i` always stands in the same cohort; the last one in none, and then without limits.
  ClusterQueue AnyQueue(int i) {
    const bool alone = i == kQueues - 1;
    testing::Quota quota = alone ? testing::Quota{.nominal = Draw(6)} : AnyQuota();
    ClusterQueue queue = testing::MakeQueue("queue-" + std::to_string(i),
                                            alone ? "" : CohortName(i % kCohorts), {quota}, {});
    queue.fair_weight = static_cast<double>(Draw(3));
    if (Draw(4) == 0) queue.stop_policy = StopPolicy::kHold;
    return queue;
  }
  Cohort AnyCohort(int i) {
    Cohort cohort;
    cohort.name = CohortName(i);
    if (i > 0) cohort.parent = CohortName(i - 1);
    cohort.fair_weight = static_cast<double>(Draw(3));
    return cohort;
  }

 private:
  std::mt19937 random_;
};

void ExpectSame(const QuotaTree& a, const QuotaTree& b) {
  ASSERT_EQ(a.size(), b.size());
  ASSERT_EQ(a.columns(), b.columns());
  for (NodeIndex n = 0; n < a.size(); ++n) {
    EXPECT_EQ(a.node(n).name, b.node(n).name);
    EXPECT_EQ(a.node(n).parent, b.node(n).parent);
    EXPECT_EQ(a.node(n).active, b.node(n).active);
    EXPECT_EQ(a.node(n).weight, b.node(n).weight);
    EXPECT_EQ(a.node(n).height, b.node(n).height);
    for (const ResourceId resource : a.resources()) {
      EXPECT_EQ(a.Lendable(n, resource), b.Lendable(n, resource));
    }
    for (Column c = 0; c < a.columns(); ++c) {
      EXPECT_EQ(a.cell(n, c).nominal, b.cell(n, c).nominal);
      EXPECT_EQ(a.cell(n, c).borrowing_limit, b.cell(n, c).borrowing_limit);
      EXPECT_EQ(a.cell(n, c).lending_limit, b.cell(n, c).lending_limit);
      EXPECT_EQ(a.cell(n, c).subtree, b.cell(n, c).subtree);
      EXPECT_EQ(a.cell(n, c).local, b.cell(n, c).local);
      EXPECT_EQ(a.cell(n, c).potential, b.cell(n, c).potential);
      EXPECT_EQ(a.cell(n, c).usage, b.cell(n, c).usage);
    }
  }
}

/// A world of queues in cohorts, and one alone. Holders are not needed: usage is put on the trees.
World MakeWorld(Quotas& quotas) {
  World world;
  world.catalog.flavors["default"] = testing::MakeFlavor("default");
  for (int i = 0; i < kCohorts; ++i) {
    const Cohort cohort = quotas.AnyCohort(i);
    world.catalog.cohorts[cohort.name] = cohort;
  }
  for (int i = 0; i < kQueues; ++i) {
    const ClusterQueue spec = quotas.AnyQueue(i);
    const QueueId id{static_cast<std::uint32_t>(i)};
    world.queues.push_back(std::make_unique<ClusterQueueState>());
    world.queues.back()->Begin(id, spec);
    world.queue_ids[spec.name] = id;
  }
  RebuildForest(world);
  return world;
}

TEST(Forest, RefillingGivesWhatRebuildingGives) {
  for (unsigned seed = 0; seed < 300 && !::testing::Test::HasFailure(); ++seed) {
    Quotas quotas(seed);
    World world = MakeWorld(quotas);
    ForestChange change;
    for (int i = 0; i < kQueues; ++i) {
      if (quotas.Draw(1) == 0) continue;
      const QueueId id{static_cast<std::uint32_t>(i)};
      ClusterQueue spec = quotas.AnyQueue(i);
      ASSERT_TRUE(SameShape(spec.resource_groups, world.queue(id).spec.resource_groups));
      world.queue(id).spec = std::move(spec);
      change.queues.push_back(id);
    }
    for (int i = 0; i < kCohorts; ++i) {
      if (quotas.Draw(1) == 0) continue;
      world.catalog.cohorts[CohortName(i)] = quotas.AnyCohort(i);
      change.cohorts.push_back(CohortName(i));
    }
    RefillForest(world, change);
    const std::vector<QuotaTree> refilled = world.capacity.trees();
    for (const auto& queue : world.queues) queue->stale = true;
    RebuildForest(world);
    ASSERT_EQ(refilled.size(), world.capacity.trees().size());
    for (std::size_t t = 0; t < refilled.size(); ++t)
      ExpectSame(refilled[t], world.capacity.trees()[t]);
  }
}

TEST(Forest, WhatHasNotChangedNeedsNoLookWhenAQueueComes) {
  for (unsigned seed = 0; seed < 100 && !::testing::Test::HasFailure(); ++seed) {
    Quotas quotas(seed);
    World world = MakeWorld(quotas);
    world.queues[0]->spec = quotas.AnyQueue(0);
    world.queues[0]->stale = true;
    world.queues[0]->requoted = 7;
    RebuildForest(world);
    const std::vector<QuotaTree> quick = world.capacity.trees();
    EXPECT_EQ(quick[world.queues[0]->tree].requoted(), 7) << "the tree knows when it changed";
    for (const auto& queue : world.queues) queue->stale = true;
    RebuildForest(world);
    ASSERT_EQ(quick.size(), world.capacity.trees().size());
    for (std::size_t t = 0; t < quick.size(); ++t) ExpectSame(quick[t], world.capacity.trees()[t]);
  }
}

TEST(Forest, ShapesDifferByWhatTheyNameAndNotByNumbers) {
  const auto groups = [](const std::string& flavor, std::int64_t nominal) {
    testing::Quota quota{.nominal = nominal};
    quota.flavor = flavor;
    return testing::MakeQueue("q", "", {quota}, {}).resource_groups;
  };
  EXPECT_TRUE(SameShape(groups("a", 1), groups("a", 2)));
  EXPECT_FALSE(SameShape(groups("a", 1), groups("b", 1)));
  EXPECT_FALSE(SameShape(groups("a", 1), {}));
}

/// Usage of cohorts is that of charging one after the other, whatever the limits are.
TEST(Forest, ChargingCohortsAtOnceIsChargingStepByStep) {
  for (unsigned seed = 0; seed < 300 && !::testing::Test::HasFailure(); ++seed) {
    Quotas quotas(seed);
    World world = MakeWorld(quotas);
    for (QuotaTree& tree : world.capacity.trees()) {
      for (NodeIndex n = 0; n < tree.size(); ++n) {
        if (!tree.node(n).queue.valid()) continue;
        for (Column c = 0; c < tree.columns(); ++c) tree.AddUsage(n, c, quotas.Draw(9));
      }
      const QuotaTree before = tree;
      tree.ChargeCohorts();
      ExpectSame(before, tree);
    }
  }
}

}  // namespace
}  // namespace muster
