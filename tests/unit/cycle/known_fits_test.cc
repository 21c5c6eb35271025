// What one workload of a form was given is no answer for the next where it would not come out the
// same: other usage, other flavors, fewer pods.
#include <gtest/gtest.h>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::kNoon;
using testing::MakeWorkload;

class KnownFits : public ::testing::Test {
 protected:
  KnownFits() {
    Apply({testing::MakeNamespace(), testing::MakeFlavor("first"), testing::MakeFlavor("second"),
           testing::MakeQueue("q", "", {{"first", "cpu", 4}, {"second", "cpu", 4}}),
           testing::MakeLocalQueue("q")});
  }
  void Apply(const std::vector<Object>& objects) {
    const Status status = engine_.Apply(objects, kNoon);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  /// Flavor and pods of the next workload, "" when it does not start.
  std::string Start(std::int64_t cpu, std::int32_t count = 1, std::int32_t min_count = 0) {
    return StartIn("q", cpu, count, min_count);
  }
  std::string StartIn(const std::string& queue, std::int64_t cpu, std::int32_t count = 1,
                      std::int32_t min_count = 0) {
    Workload workload = MakeWorkload("w-" + std::to_string(++made_), queue, Cpu(cpu), 0, count);
    if (min_count > 0) workload.pod_sets[0].min_count = min_count;
    EXPECT_TRUE(engine_.Submit(std::span(&workload, 1), kNoon).ok());
    const Result<CycleResult> result = engine_.RunCycle(kNoon);
    EXPECT_TRUE(result.ok());
    if (result->admitted.empty()) return "";
    const PodSetAssignment& assigned = std::as_const(result->admitted[0].admission).pod_sets[0];
    return assigned.flavors.at("cpu") + " " + std::to_string(assigned.count);
  }
  void Finish(int made) {
    const Key key = testing::DefaultKey("w-" + std::to_string(made));
    ASSERT_TRUE(engine_.Finish(std::span(&key, 1), false, kNoon).ok());
  }

  Engine engine_;
  int made_ = 0;
};

TEST_F(KnownFits, GiveWayWhenTheFirstFlavorIsFull) {
  EXPECT_EQ(Start(2), "first 1");
  EXPECT_EQ(Start(2), "first 1");
  EXPECT_EQ(Start(2), "second 1");
  Finish(1);
  EXPECT_EQ(Start(2), "first 1");
}

TEST_F(KnownFits, AreForgottenWhenAFlavorIsNoLongerForThem) {
  EXPECT_EQ(Start(1), "first 1");
  ResourceFlavor tainted = testing::MakeFlavor("first");
  tainted.node_taints.push_back({"dedicated", "others", TaintEffect::kNoSchedule});
  Apply({tainted});
  EXPECT_EQ(Start(1), "second 1");
}

TEST_F(KnownFits, AreForgottenWhenTheFlavorsOfTheQueueAreOthers) {
  EXPECT_EQ(Start(1), "first 1");
  Apply({testing::MakeQueue("q", "", {{"second", "cpu", 4}, {"first", "cpu", 4}})});
  EXPECT_EQ(Start(1), "second 1");
}

TEST_F(KnownFits, AreForgottenWithTheirFlavor) {
  EXPECT_EQ(Start(1), "first 1");
  ASSERT_TRUE(engine_.Delete(ObjectKind::kResourceFlavor, {"", "first"}, kNoon, true).ok());
  EXPECT_EQ(Start(1), "") << "its queue is not active any more";
}

TEST_F(KnownFits, AreForgottenWithTheirQueue) {
  EXPECT_EQ(Start(1), "first 1");
  ASSERT_TRUE(engine_.Delete(ObjectKind::kClusterQueue, {"", "q"}, kNoon, true).ok());
  Apply({testing::MakeQueue("q", "", {{"second", "cpu", 4}})});
  EXPECT_EQ(Start(1), "second 1");
}

TEST_F(KnownFits, AreForgottenWhenALimitComesOrGoes) {
  EXPECT_EQ(Start(2), "first 1");
  LimitRange range;
  range.key = {"default", "limits"};
  range.items.emplace_back().max = Cpu(1);
  Apply({range});
  EXPECT_EQ(Start(2), "");
  ASSERT_TRUE(engine_.Delete(ObjectKind::kLimitRange, range.key, kNoon).ok());
  EXPECT_EQ(Start(2), "first 1") << "the one that was refused, now";
}

TEST_F(KnownFits, OfOneQueueAreTakenOverInAnotherOnlyWhereTheyFit) {
  Apply({testing::MakeQueue("small", "", {{"first", "cpu", 1}, {"second", "cpu", 4}}),
         testing::MakeLocalQueue("small")});
  EXPECT_EQ(Start(2), "first 1");
  EXPECT_EQ(StartIn("small", 2), "second 1");
  EXPECT_EQ(StartIn("small", 1), "first 1");
  EXPECT_EQ(Start(1), "first 1");
}

TEST_F(KnownFits, OfOneQueueAreNoneInAnotherThatOffersOrChoosesOtherwise) {
  ClusterQueue eager =
      testing::MakeQueue("eager", "team", {{"first", "cpu", 1}, {"second", "cpu", 4}});
  eager.flavor_fungibility.when_can_borrow = FungibilityPolicy::kTryNextFlavor;
  ClusterQueue patient = eager;
  patient.name = "patient";
  patient.flavor_fungibility.when_can_borrow = FungibilityPolicy::kMayStopSearch;
  Apply({eager, patient, testing::MakeLocalQueue("eager"), testing::MakeLocalQueue("patient"),
         testing::MakeQueue("lender", "team", {{"first", "cpu", 8}}),
         testing::MakeQueue("reversed", "", {{"second", "cpu", 4}, {"first", "cpu", 4}}),
         testing::MakeLocalQueue("reversed")});
  EXPECT_EQ(Start(2), "first 1");
  EXPECT_EQ(StartIn("reversed", 2), "second 1");
  EXPECT_EQ(StartIn("patient", 2), "first 1") << "borrows";
  EXPECT_EQ(StartIn("eager", 2), "second 1") << "rather than borrow";
  EXPECT_EQ(StartIn("patient", 2), "first 1") << "borrows more";
}

TEST_F(KnownFits, OfOneGroupOfResourcesAreNoneOfTwo) {
  const auto offer = [&](const std::string& name, bool two_groups) {
    // The same names in the same order, but of two groups each has a flavor of its own.
    ClusterQueue queue = testing::MakeQueue(name, "", {{"first", "cpu", 4}, {"second", "cpu", 4}});
    ResourceGroup& group = queue.resource_groups[0];
    for (FlavorQuotas& flavor : group.flavors) {
      flavor.resources.push_back({"memory", Quantity::Units(4), {}, {}});
    }
    group.covered_resources.push_back("memory");
    if (two_groups) {
      ResourceGroup memory{{"memory"}, {group.flavors[1]}};
      memory.flavors[0].resources.erase(memory.flavors[0].resources.begin());
      group.flavors.pop_back();
      group.flavors[0].resources.pop_back();
      group.covered_resources.pop_back();
      queue.resource_groups.push_back(memory);
    }
    Apply({queue, testing::MakeLocalQueue(name)});
  };
  const auto flavors_in = [&](const std::string& queue) {
    ResourceList requests = Cpu(1);
    requests["memory"] = Quantity::Units(1);
    Workload workload = MakeWorkload("m-" + std::to_string(++made_), queue, requests);
    EXPECT_TRUE(engine_.Submit(std::span(&workload, 1), kNoon).ok());
    const Result<CycleResult> result = engine_.RunCycle(kNoon);
    EXPECT_TRUE(result.ok());
    if (result->admitted.empty()) return std::string();
    const PodSetAssignment& assigned = std::as_const(result->admitted[0].admission).pod_sets[0];
    return assigned.flavors.at("cpu") + " " + assigned.flavors.at("memory");
  };
  offer("one", false);
  offer("two", true);
  EXPECT_EQ(flavors_in("one"), "first first");
  EXPECT_EQ(flavors_in("two"), "first second");
  EXPECT_EQ(flavors_in("one"), "first first");
}

// A queue remembers which namespace it was last asked about.
TEST_F(KnownFits, NamespacesAreForgottenWhenTheyOrTheirQueueChange) {
  EXPECT_EQ(Start(1), "first 1");
  ASSERT_TRUE(engine_.Delete(ObjectKind::kNamespace, {"", "default"}, kNoon, true).ok());
  Workload homeless = MakeWorkload("homeless", "q", Cpu(1));
  const std::vector<Object> objects{homeless};
  ASSERT_TRUE(engine_.Apply(objects, kNoon, MissingReference::kAccept).ok());
  ASSERT_TRUE(engine_.RunCycle(kNoon)->admitted.empty());
  EXPECT_EQ(engine_.GetWorkload(homeless.key)->message, "Could not obtain workload namespace");

  Apply({testing::MakeNamespace()});
  EXPECT_EQ(engine_.RunCycle(kNoon)->admitted.size(), 1U);
  ClusterQueue other = testing::MakeQueue("q", "", {{"first", "cpu", 4}, {"second", "cpu", 4}});
  other.namespace_selector->match_labels = {{"team", "b"}};
  Apply({other});
  EXPECT_EQ(Start(1), "");
  Apply({Namespace{"default", {{"team", "b"}}}});
  EXPECT_EQ(engine_.RunCycle(kNoon)->admitted.size(), 1U);
}

TEST_F(KnownFits, OfFewerPodsAreNotKept) {
  EXPECT_EQ(Start(3), "first 1");
  EXPECT_EQ(Start(3), "second 1");
  EXPECT_EQ(Start(1, 3, 1), "first 1");
  Finish(1);
  Finish(2);
  Finish(3);
  EXPECT_EQ(Start(1, 3, 1), "first 3");
}

}  // namespace
}  // namespace muster
