// Podsets that share the quota of one queue are explained as one workload: "never" is proven over
// all of them, and what they lack together is told together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/unit/explain/explaining.h"

namespace muster {
namespace {

using testing::AdmittedNames;
using testing::Cpu;
using testing::DefaultKey;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Holding;
using testing::kNoon;
using testing::MakeFlavor;
using testing::MakeLocalQueue;
using testing::MakeNamespace;
using testing::MakeQueue;
using testing::MakeWorkload;
using ::testing::Not;

class Podsets : public Explaining {
 protected:
  Podsets() : Explaining({"f", "g"}) {}
  /// Queue a with so many cpu of f and g; none of g: it has f alone.
  void Build(std::int64_t f, std::int64_t g) {
    std::vector<testing::Quota> quotas{{.flavor = "f", .nominal = f}};
    if (g > 0) quotas.push_back({.flavor = "g", .nominal = g});
    Apply({MakeQueue("a", "", quotas), MakeLocalQueue("a")});
  }
  void Hold(std::int64_t cores) { Apply({Holding(MakeWorkload("h", "a", Cpu(cores)), "a", "f")}); }
  /// One podset of one pod for each, p0, p1 and so on.
  static Workload Asking(const std::vector<ResourceList>& requests) {
    Workload workload = MakeWorkload("w", "a", requests[0]);
    workload.pod_sets[0].name = "p0";
    for (std::size_t i = 1; i < requests.size(); ++i) {
      PodSet pod_set = workload.pod_sets[0];
      pod_set.name = "p" + std::to_string(i);
      pod_set.pods.containers[0].requests = requests[i];
      workload.pod_sets.push_back(std::move(pod_set));
    }
    return workload;
  }
};

TEST_F(Podsets, AFlavorThatAnotherPodsetHasOnlyForNowIsNotNever) {
  Build(3, 6);
  Hold(2);
  const Explanation explanation = OfNew(Asking({Cpu(3), Cpu(4)}));
  EXPECT_FALSE(explanation.never);
  EXPECT_EQ(explanation.verdict,
            "default/w, podset p1, fits none of 2 flavors of ClusterQueue a: f can never have more "
            "than 3 cpu (4 asked); g can never have more than 6 cpu (4 asked beside 3 for podsets "
            "before it). With 2 cpu of flavor f more there would be room for all its podsets.");
  EXPECT_EQ(explanation.cure, "free 2 cpu of flavor f");
  const Key holder = DefaultKey("h");
  ASSERT_TRUE(engine_.Finish(std::span(&holder, 1), false, kNoon).ok());
  EXPECT_THAT(AdmittedNames(*engine_.RunCycle(kNoon)), ElementsAre("w"));
}

TEST_F(Podsets, APodsetThatWasNotLookedAtCountsForNever) {
  Apply({MakeQueue("a", "co", {{.flavor = "f", .nominal = 4}}),
         MakeQueue("b", "co", {{.flavor = "f", .nominal = 4}}), MakeLocalQueue("a")});
  Hold(5);
  const Explanation explanation = OfNew(Asking({Cpu(8), Cpu(4)}));
  EXPECT_TRUE(explanation.never);
  EXPECT_EQ(explanation.verdict,
            "default/w asks for 12 cpu in all its podsets, but ClusterQueue a can never have more "
            "than 8 cpu in flavor f. It can never start as objects are now.");
  EXPECT_EQ(
      explanation.cure,
      "ask for at most 8 cpu of flavor f in all its podsets, or raise the quota of cpu there");
}

TEST_F(Podsets, APodsetThatWasNotLookedAtAndFitsNoFlavorIsNamed) {
  Build(8, 0);
  Hold(5);
  const Explanation explanation = OfNew(Asking({Cpu(4), Cpu(9)}));
  EXPECT_TRUE(explanation.never);
  EXPECT_THAT(explanation.verdict, HasSubstr("podset p1, asks for 9 cpu"));
  EXPECT_THAT(explanation.cure, Not(HasSubstr("free")));
}

TEST_F(Podsets, FlavorsThatHoldThemOneByOneMayNotHoldThemTogether) {
  Build(5, 5);
  const Explanation explanation = OfNew(Asking({Cpu(3), Cpu(3), Cpu(3)}));
  EXPECT_TRUE(explanation.never);
  EXPECT_THAT(explanation.verdict, HasSubstr("one by one, but not together"));
}

TEST_F(Podsets, WhatTheyLackInAllIsToFree) {
  Build(12, 0);
  Hold(9);
  const Explanation explanation = OfNew(Asking({Cpu(8), Cpu(4)}));
  EXPECT_FALSE(explanation.never);
  EXPECT_EQ(explanation.cure, "free 9 cpu of flavor f");
}

TEST_F(Podsets, WhatDifferentGroupsLackIsNeededTogether) {
  ClusterQueue queue = MakeQueue(
      "a", "", {{.flavor = "f", .nominal = 4}, {.flavor = "g", .resource = "gpu", .nominal = 2}});
  Workload both =
      MakeWorkload("h", "a", {{"cpu", Quantity::Units(3)}, {"gpu", Quantity::Units(1)}});
  both = Holding(std::move(both), "a", "f");
  both.status.admission->pod_sets[0].flavors["gpu"] = "g";
  Apply({queue, MakeLocalQueue("a"), both});
  const ResourceList gpus{{"gpu", Quantity::Units(2)}};
  EXPECT_EQ(OfNew(Asking({Cpu(4), gpus})).cure,
            "free 3 cpu of flavor f; and free 1 gpu of flavor g");
  Workload one =
      MakeWorkload("one", "a", {{"cpu", Quantity::Units(4)}, {"gpu", Quantity::Units(2)}});
  EXPECT_EQ(OfNew(one).cure, "free 3 cpu of flavor f; and free 1 gpu of flavor g");
}

TEST_F(Podsets, ALimitIsNamedWhereItsRaiseWouldDo) {
  Apply({MakeQueue("a", "co", {{.flavor = "f", .nominal = 4, .borrow = 1}}),
         MakeQueue("b", "co", {{.flavor = "f", .nominal = 4}}), MakeLocalQueue("a")});
  EXPECT_EQ(OfNew(Asking({Cpu(4), Cpu(3)})).cure,
            "ask for at most 5 cpu of flavor f in all its podsets, or raise borrowingLimit 1 of "
            "ClusterQueue a");
}

/// Whether the amounts can be divided between two flavors.
bool Divides(const std::vector<std::int64_t>& amounts, std::int64_t f, std::int64_t g) {
  for (unsigned in_f = 0; in_f < 1U << amounts.size(); ++in_f) {
    std::int64_t left_f = f;
    std::int64_t left_g = g;
    for (std::size_t i = 0; i < amounts.size(); ++i) {
      ((in_f >> i & 1U) != 0 ? left_f : left_g) -= amounts[i];
    }
    if (left_f >= 0 && left_g >= 0) return true;
  }
  return false;
}

TEST(PodsetsInEverySize, NeverIsSaidWhereNoDivisionFitsAndNowhereElse) {
  int never = 0;
  int started = 0;
  for (int code = 0; code < 9 * 64; ++code) {
    const std::int64_t f = std::vector{2, 3, 5}[static_cast<std::size_t>(code % 3)];
    const std::int64_t g = std::vector{2, 4, 6}[static_cast<std::size_t>(code / 3 % 3)];
    const std::vector<std::int64_t> amounts{1 + code / 9 % 4, 1 + code / 36 % 4,
                                            1 + code / 144 % 4};
    SCOPED_TRACE(code);
    Engine engine;
    Workload workload = MakeWorkload("w", "a", Cpu(amounts[0]));
    for (std::size_t i = 1; i < amounts.size(); ++i) {
      workload.pod_sets.push_back(workload.pod_sets[0]);
      workload.pod_sets.back().name = "p" + std::to_string(i);
      workload.pod_sets.back().pods.containers[0].requests = Cpu(amounts[i]);
    }
    const std::vector<Object> objects{
        MakeNamespace(),
        MakeFlavor("f"),
        MakeFlavor("g"),
        MakeQueue("a", "", {{.flavor = "f", .nominal = f}, {.flavor = "g", .nominal = g}}),
        MakeLocalQueue("a"),
        Holding(MakeWorkload("hf", "a", Cpu(f)), "a", "f"),
        Holding(MakeWorkload("hg", "a", Cpu(g)), "a", "g"),
        workload};
    ASSERT_TRUE(engine.Apply(objects, kNoon).ok());
    const Explanation explanation = *engine.Explain(workload.key);
    EXPECT_EQ(explanation.never, !Divides(amounts, f, g)) << explanation.verdict;
    EXPECT_NE(explanation.cure, "") << explanation.verdict;
    const std::vector<Key> holders{DefaultKey("hf"), DefaultKey("hg")};
    ASSERT_TRUE(engine.Finish(holders, false, kNoon).ok());
    const bool starts = !engine.RunCycle(kNoon)->admitted.empty();
    EXPECT_FALSE(starts && explanation.never);
    EXPECT_TRUE(!starts || explanation.cure.starts_with("free ")) << explanation.cure;
    never += explanation.never;
    started += starts;
  }
  EXPECT_GT(never, 50);
  EXPECT_GT(started, 50);
}

}  // namespace
}  // namespace muster
