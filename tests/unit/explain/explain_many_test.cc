// Explanations of what waits among many: lists are cut, counts are not, and what is not listed is
// judged like what is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "engine/model/limits.h"
#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using ::testing::Each;
using ::testing::Field;
using testing::Holding;
using ::testing::IsEmpty;
using testing::kNoon;
using testing::MakeWorkload;
using ::testing::SizeIs;
using Fate = CandidateTrace::Fate;

constexpr PreemptionRules kLower{PreemptionPolicy::kLowerPriority, PreemptionPolicy::kAny,
                                 PreemptionPolicy::kNever, std::nullopt};
constexpr PreemptionRules kNobody{};

class ExplainMany : public ::testing::Test {
 protected:
  /// Queues a and b, each with quota for so many cpu and gpu.
  void Build(std::int64_t nominal, PreemptionRules rules) {
    const std::vector<testing::Quota> quotas{{.nominal = nominal},
                                             {.flavor = "gpus", .resource = "gpu", .nominal = 10}};
    const std::vector<Object> objects{testing::MakeNamespace(),
                                      testing::MakeFlavor("default"),
                                      testing::MakeFlavor("gpus"),
                                      testing::MakeQueue("a", "co", quotas, rules),
                                      testing::MakeQueue("b", "co", quotas, rules),
                                      testing::MakeLocalQueue("a"),
                                      testing::MakeLocalQueue("b")};
    ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
  }
  void Hold(const std::string& name, int count, const std::string& queue,
            const ResourceList& request, int priority = 0) {
    std::vector<Workload> holders;
    for (int i = 0; i < count; ++i) {
      Workload holder = MakeWorkload(name + std::to_string(i), queue, request, priority);
      holder = Holding(std::move(holder), queue);
      auto& flavors = holder.status.admission->pod_sets[0].flavors;
      if (flavors.contains("gpu")) flavors["gpu"] = "gpus";
      holders.push_back(std::move(holder));
    }
    ASSERT_TRUE(engine_.Submit(holders, kNoon).ok());
  }
  Explanation ExplainNew(const Workload& workload) {
    EXPECT_TRUE(engine_.Submit(std::span(&workload, 1), kNoon).ok());
    const std::string before = *engine_.StateHash();
    const Result<Explanation> explanation = engine_.Explain(workload.key);
    EXPECT_TRUE(explanation.ok());
    EXPECT_EQ(*engine_.StateHash(), before);
    return *explanation;
  }
  static std::ptrdiff_t WithFate(const Explanation& explanation, Fate fate) {
    return std::count_if(explanation.candidates.begin(), explanation.candidates.end(),
                         [&](const CandidateTrace& each) { return each.fate == fate; });
  }

  Engine engine_;
};

TEST_F(ExplainMany, ListsThatAreNotCutAreWhole) {
  Build(10, kLower);
  Hold("low-", 10, "a", Cpu(1));
  Hold("other-", 10, "b", Cpu(1));
  const Explanation explanation = ExplainNew(MakeWorkload("w", "a", Cpu(2), 1));
  EXPECT_EQ(explanation.holder_count, 20);
  ASSERT_THAT(explanation.holders, SizeIs(20));
  EXPECT_EQ(explanation.holders[0].workload.name, "low-0") << "as they came";
  EXPECT_EQ(explanation.holders[10].workload.name, "other-0");
  EXPECT_THAT(explanation.candidates, SizeIs(10));
  EXPECT_FALSE(explanation.more_candidates);
}

TEST_F(ExplainMany, EverybodyIsCountedAndAFewAreNamed) {
  Build(500, kNobody);
  Hold("a-", 500, "a", Cpu(1));
  Hold("b-", 500, "b", Cpu(1));
  const Explanation explanation = ExplainNew(MakeWorkload("w", "a", Cpu(1), 1));
  EXPECT_EQ(explanation.holder_count, 1000);
  EXPECT_THAT(explanation.holders, SizeIs(kMaxHolders));
  EXPECT_THAT(explanation.holders, Each(Field(&HolderView::evictable, false)));
}

TEST_F(ExplainMany, HoldersOfEveryPairCount) {
  Build(100, kNobody);
  Hold("both-", 10, "a", {{"cpu", Quantity::Units(10)}, {"gpu", Quantity::Units(1)}});
  Hold("cpu-", 100, "b", Cpu(1));
  Hold("gpu-", 10, "b", {{"gpu", Quantity::Units(1)}});
  const Explanation explanation = ExplainNew(
      MakeWorkload("w", "a", {{"cpu", Quantity::Units(1)}, {"gpu", Quantity::Units(1)}}));
  EXPECT_EQ(explanation.holder_count, 10 + 100 + 10 + 10);
}

TEST_F(ExplainMany, WhoUsesNoneOfItDoesNotCount) {
  Build(10, kNobody);
  Hold("none-", 3, "a", Cpu(0));
  Hold("all", 1, "a", Cpu(20));
  const Explanation explanation = ExplainNew(MakeWorkload("w", "a", Cpu(1)));
  EXPECT_EQ(explanation.holder_count, 1);
  EXPECT_THAT(explanation.holders, SizeIs(1));
}

TEST_F(ExplainMany, ThoseWhoMayBeEvictedAreNamedFirst) {
  Build(50, kLower);
  Hold("equal-", 45, "a", Cpu(1), 5);
  Hold("low-", 5, "a", Cpu(1), 1);
  Hold("b-", 50, "b", Cpu(1));
  const Explanation explanation = ExplainNew(MakeWorkload("w", "a", Cpu(1), 5));
  ASSERT_THAT(explanation.holders, SizeIs(kMaxHolders));
  for (std::size_t i = 0; i < kMaxHolders; ++i) {
    EXPECT_EQ(explanation.holders[i].evictable, i < 5) << i;
  }
  EXPECT_EQ(explanation.holders[0].workload.name, "low-0");
  EXPECT_EQ(explanation.holder_count, 100);
}

TEST_F(ExplainMany, AllWhomItWouldTakeAreListed) {
  Build(60, kLower);
  Hold("low-", 60, "a", Cpu(1));
  Hold("other-", 60, "b", Cpu(1));
  const Explanation explanation = ExplainNew(MakeWorkload("w", "a", Cpu(30), 1));
  EXPECT_EQ(WithFate(explanation, Fate::kVictim), 30);
  EXPECT_THAT(explanation.candidates, SizeIs(30));
  EXPECT_TRUE(explanation.more_candidates);
  std::set<Key> names;
  for (const CandidateTrace& candidate : explanation.candidates) names.insert(candidate.workload);
  EXPECT_THAT(names, SizeIs(30)) << "once each";
  Result<CycleResult> cycle = engine_.RunCycle(kNoon);
  ASSERT_TRUE(cycle.ok());
  for (const PreemptedWorkload& victim : cycle->preempted) {
    EXPECT_TRUE(names.contains(victim.workload)) << victim.workload.name;
  }
}

/// The search names those of b; the holders named are those of a.
TEST_F(ExplainMany, WhoIsNotListedWasLookedAtInVainToo) {
  Build(60, kLower);
  Hold("low-", 30, "a", Cpu(1));
  Hold("high-", 15, "a", Cpu(1), 9);
  Hold("b-", 75, "b", Cpu(1));
  const Explanation explanation = ExplainNew(MakeWorkload("w", "a", Cpu(60), 1));
  EXPECT_THAT(explanation.verdict, ::testing::HasSubstr("evictions could free at most"));
  EXPECT_THAT(explanation.verdict, ::testing::HasSubstr("is short of 60 cpu"));
  EXPECT_EQ(WithFate(explanation, Fate::kNotEnough), 20);
  EXPECT_TRUE(explanation.more_candidates);
  EXPECT_EQ(explanation.candidates[0].cluster_queue, "b");
  EXPECT_EQ(explanation.holders[0].cluster_queue, "a");
  EXPECT_THAT(explanation.holders, Each(Field(&HolderView::evictable, false)));
  EXPECT_EQ(explanation.holder_count, 120);
}

TEST_F(ExplainMany, WhomAStrategyProtectsAsAWholeIsNamedSo) {
  Build(10,
        {PreemptionPolicy::kNever, PreemptionPolicy::kAny, PreemptionPolicy::kNever, std::nullopt});
  Configuration fair;
  fair.fair_sharing.emplace();
  const std::vector<Object> more{fair, testing::MakeQueue("lender", "co", {{.nominal = 80}})};
  ASSERT_TRUE(engine_.Apply(more, kNoon).ok());
  Hold("a-", 50, "a", Cpu(1));
  Hold("b-", 50, "b", Cpu(1));
  const Explanation explanation = ExplainNew(MakeWorkload("w", "a", Cpu(1), 1));
  EXPECT_THAT(explanation.candidates, SizeIs(kMaxCandidates));
  EXPECT_THAT(explanation.candidates, Each(Field(&CandidateTrace::fate, Fate::kProtected)));
  EXPECT_TRUE(explanation.more_candidates);
}

TEST_F(ExplainMany, AFewAmongVeryManyOthersAreCountedAlsoWhereNobodyFindsThem) {
  const int many = static_cast<int>(kMaxHoldersRead) + 10;
  Build(many, kNobody);
  Hold("cpu-", many, "a", Cpu(1));
  Hold("gpu-", 20, "a", {{"gpu", Quantity::Units(1)}}, 5);
  const Explanation explanation = ExplainNew(MakeWorkload("w", "a", {{"gpu", Quantity::Units(1)}}));
  EXPECT_EQ(explanation.holder_count, 20);
  EXPECT_THAT(explanation.holders, IsEmpty());
}

TEST_F(ExplainMany, AheadAreCountedAndTheFirstNamed) {
  Build(0, kNobody);
  std::vector<Workload> waiting;
  for (int i = 0; i < 200; ++i) {
    waiting.push_back(MakeWorkload("w-" + std::to_string(i), "a", Cpu(1 + i % 3), i / 10));
  }
  ASSERT_TRUE(engine_.Submit(waiting, kNoon).ok());
  const Result<Explanation> last = engine_.Explain(DefaultKey("w-9"));
  ASSERT_TRUE(last.ok());
  EXPECT_EQ(last->ahead_count, 199);
  ASSERT_THAT(last->ahead, SizeIs(kMaxAhead));
  EXPECT_EQ(last->ahead[0].workload.name, "w-190");
  EXPECT_EQ(last->ahead[10].workload.name, "w-180");
  EXPECT_EQ(engine_.Explain(DefaultKey("w-190"))->ahead_count, 0);
  EXPECT_EQ(engine_.Explain(DefaultKey("w-180"))->ahead_count, 10);
}

}  // namespace
}  // namespace muster
