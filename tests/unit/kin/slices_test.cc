// What a slice is charged beside the workload that it replaces; the rules of admission are in
// tests/scenarios/slices.
#include "engine/kin/slices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/model/elastic.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"

namespace muster {
namespace {

using testing::AdmittedNames;
using testing::Cpu;
using testing::DefaultKey;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kNoon;

TEST(SliceKey, IsANamespaceAndAName) {
  EXPECT_EQ(ParseSliceKey("lab/a"), (Key{"lab", "a"}));
  for (const char* text : {"", "a", "/a", "lab/", "lab/a/b"}) {
    EXPECT_FALSE(ParseSliceKey(text)) << text;
  }
}

TEST(HeldPodSet, ShrinksWithThePodsThatAreGivenUp) {
  PodSetAssignment assigned;
  assigned.count = 4;
  assigned.resource_usage = Cpu(8);
  assigned.flavors["cpu"] = "default";
  EXPECT_EQ((HeldPodSet{&assigned, 4}.AmountOf("cpu")), 8000);
  EXPECT_EQ((HeldPodSet{&assigned, 3}.AmountOf("cpu")), 6000);
  EXPECT_EQ((HeldPodSet{&assigned, 4}.AmountOf("gpu")), 0);
  EXPECT_EQ(*(HeldPodSet{&assigned, 4}.FlavorOf("cpu")), "default");
  EXPECT_EQ((HeldPodSet{&assigned, 4}.FlavorOf("gpu")), nullptr);
}

TEST(Growth, IsWhatIsMoreOfEachPair) {
  const UsageList usage = {{FlavorResourceId{1}, -3}, {FlavorResourceId{2}, 5}};
  const UsageList growth = Growth(usage);
  EXPECT_EQ(growth[0].amount, 0);
  EXPECT_EQ(growth[1].amount, 5);
}

class SliceTest : public ::testing::Test {
 protected:
  SliceTest() : engine_(&journal_) {
    Apply({testing::MakeNamespace(), testing::MakeFlavor("default"),
           testing::MakeQueue("a", "", {{"default", "cpu", 5}}), testing::MakeLocalQueue("a")});
  }
  void Apply(const std::vector<Object>& objects) {
    const Status status = engine_.Apply(objects, kNoon);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  /// A workload of so many pods of one CPU, in the place of another where that is named.
  void Submit(const std::string& name, int count, const std::string& replaces = "",
              int priority = 0) {
    Workload workload = testing::MakeWorkload(name, "a", Cpu(1), priority, count);
    if (!replaces.empty()) {
      workload.annotations[std::string(kReplacementForAnnotation)] = "default/" + replaces;
    }
    ASSERT_TRUE(engine_.Submit(std::span(&workload, 1), kNoon).ok());
  }
  std::vector<std::string> Cycle() { return AdmittedNames(*engine_.RunCycle(kNoon)); }
  Amount Used() { return (*engine_.ClusterQueues())[0].quotas[0].usage; }
  WorkloadView View(const std::string& name) { return *engine_.GetWorkload(DefaultKey(name)); }

  testing::MemoryJournal journal_;
  Engine engine_;
};

TEST_F(SliceTest, TheReplacedOneIsOverWhenTheSliceStarts) {
  Submit("one", 3);
  EXPECT_THAT(Cycle(), ElementsAre("one"));
  Submit("two", 5, "one");
  EXPECT_THAT(Cycle(), ElementsAre("two"));
  EXPECT_EQ(Used(), 5000);
  EXPECT_EQ(View("one").phase, WorkloadPhase::kFinished);
  const Condition finished = View("one").spec.status.conditions.back();
  EXPECT_EQ(finished.reason, "WorkloadSliceReplaced");
  EXPECT_THAT(std::string(finished.message), HasSubstr("u-two"));
  EXPECT_TRUE(engine_.CheckInvariants().ok());
}

TEST_F(SliceTest, WithTheGateClosedItIsAWorkloadLikeAnyOther) {
  Configuration config;
  config.feature_gates["ElasticJobsViaWorkloadSlices"] = false;
  Apply({config});
  Submit("one", 3);
  EXPECT_THAT(Cycle(), ElementsAre("one"));
  Submit("two", 4, "one");
  EXPECT_THAT(Cycle(), ElementsAre());
  EXPECT_EQ(View("one").phase, WorkloadPhase::kAdmitted);
}

TEST_F(SliceTest, AWaitingPredecessorIsOverTooSoThatTheJobRunsOnce) {
  Submit("one", 3);
  Cycle();
  Submit("two", 4, "one", 1);
  ASSERT_TRUE(engine_.Evict(DefaultKey("one"), "Maintenance", kNoon).ok());
  const Key one = DefaultKey("one");
  ASSERT_TRUE(engine_.Evicted(std::span(&one, 1), kNoon).ok());
  EXPECT_THAT(Cycle(), ElementsAre("two"));
  EXPECT_EQ(View("one").phase, WorkloadPhase::kFinished);
  EXPECT_EQ(Used(), 4000);
}

TEST_F(SliceTest, AnEngineThatIsOpenedAgainKnowsWhatASliceReplaces) {
  Submit("one", 3);
  Cycle();
  Submit("two", 5, "one");
  ASSERT_TRUE(journal_.Reopen(engine_).ok());
  EXPECT_THAT(Cycle(), ElementsAre("two"));
  ASSERT_TRUE(journal_.Reopen(engine_).ok());
  EXPECT_EQ(View("one").phase, WorkloadPhase::kFinished);
  EXPECT_EQ(Used(), 5000);
}

TEST_F(SliceTest, ExplainNamesWhatItReplacesAndWhatReplacedIt) {
  Submit("one", 3);
  Submit("other", 2);
  Cycle();
  Cycle();
  Submit("two", 4, "one");
  EXPECT_THAT(engine_.Explain(DefaultKey("two"))->notes,
              ElementsAre(HasSubstr("takes the place of default/one")));
  const Key other = DefaultKey("other");
  ASSERT_TRUE(engine_.Finish(std::span(&other, 1), false, kNoon).ok());
  EXPECT_THAT(Cycle(), ElementsAre("two"));
  EXPECT_THAT(engine_.Explain(DefaultKey("one"))->notes, ElementsAre(HasSubstr("default/two")));
}

}  // namespace
}  // namespace muster
