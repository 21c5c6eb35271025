// Cycles where more than quota limits: what is assumed of quota alone is not assumed of the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/command/applier.h"
#include "engine/cycle/cycle.h"
#include "engine/cycle/invariants.h"
#include "engine/life/lifecycle.h"
#include "engine/life/queueing.h"
#include "tests/testing/booked_member.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::BookedMember;
using testing::Cpu;
using ::testing::ElementsAre;
using testing::Holding;
using ::testing::IsEmpty;
using testing::kNoon;
using testing::MakeWorkload;

constexpr Amount kCore = 1000;

class MemberBesideQuota : public ::testing::Test {
 protected:
  explicit MemberBesideQuota(std::unique_ptr<BookedMember> member) : member_(member.get()) {
    world_.now = kNoon;
    world_.capacity.Add(std::move(member));
    Apply({testing::MakeNamespace(), testing::MakeFlavor("first"), testing::MakeFlavor("second")});
  }
  void Apply(const std::vector<Object>& objects) {
    Applier applier(world_);
    for (const Object& object : objects) applier.Apply(object);
    applier.Finish();
  }
  CycleResult Cycle() {
    FlushWakes(world_);
    CycleResult result = RunSchedulingCycle(world_, policies_, memory_, nullptr);
    CheckEverything(world_);
    EXPECT_EQ(member_->book(), Held());
    return result;
  }
  /// What starts of a workload of `count` pods, a core each: "NAME FLAVOR PODS".
  std::vector<std::string> Start(const std::string& name, std::int32_t count, std::int32_t fewest,
                                 std::int32_t priority = 0) {
    Workload workload = MakeWorkload(name, "q", Cpu(1), priority, count);
    workload.pod_sets[0].min_count = fewest;
    Apply({workload});
    std::vector<std::string> started;
    for (const AdmittedWorkload& admitted : Cycle().admitted) {
      const PodSetAssignment& assigned = std::as_const(admitted.admission).pod_sets[0];
      started.push_back(admitted.workload.name + " " + assigned.flavors.at("cpu") + " " +
                        std::to_string(assigned.count));
    }
    return started;
  }
  void Finish(const std::string& name) {
    FinishWorkload(world_, *world_.FindWorkload(testing::DefaultKey(name)), false);
  }
  /// What the holders charge.
  BookedMember::Book Held() const {
    BookedMember::Book book;
    for (const auto& workload : world_.workloads) {
      if (workload == nullptr || !workload->holds()) continue;
      for (const Usage& usage : std::as_const(*workload).usage) {
        book[{workload->holds_in, usage.fr}] += usage.amount;
      }
    }
    return book;
  }

  World world_;
  PolicyTable policies_;
  CycleMemory memory_;
  const BookedMember* member_;
};

class BesideEvenNumbers : public MemberBesideQuota {
 protected:
  BesideEvenNumbers() : MemberBesideQuota(testing::EvenNumbersOf(kCore)) {}
};

TEST_F(BesideEvenNumbers, PartialAdmissionFindsTheMostPodsThatFit) {
  Apply({testing::MakeQueue("q", "", {{"first", "cpu", 5}}), testing::MakeLocalQueue("q")});
  EXPECT_THAT(Start("w", 9, 2), ElementsAre("w first 4"))
      << "with 5 pods it does not fit; halving what is left would end at 2";
}

TEST_F(BesideEvenNumbers, WhatNeverFitsHasNothingEvicted) {
  PreemptionRules rules;
  rules.within_cluster_queue = PreemptionPolicy::kLowerPriority;
  Apply({testing::MakeQueue("q", "", {{"first", "cpu", 4}}, rules), testing::MakeLocalQueue("q"),
         Holding(MakeWorkload("a", "q", Cpu(2)), "q", "first"),
         Holding(MakeWorkload("b", "q", Cpu(2)), "q", "first")});
  Apply({MakeWorkload("odd", "q", Cpu(1), 9, 3)});
  EXPECT_THAT(Cycle().preempted, IsEmpty());
  Apply({MakeWorkload("even", "q", Cpu(1), 8, 2)});
  EXPECT_EQ(Cycle().preempted.size(), 1u) << "the one before it is put aside";
}

TEST_F(BesideEvenNumbers, ASearchIsNotRefusedByABoundThatCountsOddNumbers) {
  PreemptionRules rules;
  rules.within_cluster_queue = PreemptionPolicy::kLowerPriority;
  std::vector<Object> objects = {testing::MakeQueue("q", "", {{"first", "cpu", 80}}, rules),
                                 testing::MakeLocalQueue("q")};
  for (int i = 0; i < 40; ++i) {  // so many that the bound is asked
    objects.push_back(
        Holding(MakeWorkload("h" + std::to_string(i), "q", Cpu(1), 0, 2), "q", "first"));
  }
  Apply(objects);
  Apply({MakeWorkload("head", "q", Cpu(1), 9, 4)});
  EXPECT_EQ(Cycle().preempted.size(), 2u);
}

class BesideABudget : public MemberBesideQuota {
 protected:
  BesideABudget() : MemberBesideQuota(testing::AtMost(2 * kCore)) {
    Apply({testing::MakeQueue("q", "", {{"first", "cpu", 8}, {"second", "cpu", 8}}),
           testing::MakeLocalQueue("q")});
  }
};

TEST_F(BesideABudget, WhatOneOfASeriesWasGivenIsNoAnswerForTheNext) {
  EXPECT_THAT(Start("a", 2, 0), ElementsAre("a first 2"));
  EXPECT_THAT(Start("b", 2, 0), ElementsAre("b second 2")) << "quota has room on the first";
  EXPECT_THAT(Start("c", 2, 0), IsEmpty());
  Finish("a");
  EXPECT_THAT(Start("d", 3, 0), ElementsAre("c first 2"));
}

TEST_F(BesideABudget, StartsOfOneCycleCountForEachOther) {
  Apply({testing::MakeQueue("p", "", {{"first", "cpu", 8}}), testing::MakeLocalQueue("p")});
  Apply({MakeWorkload("of-p", "p", Cpu(2), 1), MakeWorkload("of-q", "q", Cpu(2))});
  EXPECT_THAT(testing::AdmittedNames(Cycle()), ElementsAre("of-p")) << "in trees of their own";
  EXPECT_THAT(testing::AdmittedNames(Cycle()), ElementsAre("of-q")) << "on the second flavor";
}

TEST_F(BesideABudget, MakingRoomCountsForAllMembers) {
  PreemptionRules rules;
  rules.within_cluster_queue = PreemptionPolicy::kLowerPriority;
  Apply({testing::MakeQueue("q", "", {{"first", "cpu", 8}}, rules)});
  EXPECT_THAT(Start("a", 1, 0), ElementsAre("a first 1"));
  EXPECT_THAT(Start("b", 1, 0), ElementsAre("b first 1"));
  Apply({MakeWorkload("head", "q", Cpu(1), 9, 2)});
  EXPECT_EQ(Cycle().preempted.size(), 2u) << "quota has room, the budget has none";
}

}  // namespace
}  // namespace muster
