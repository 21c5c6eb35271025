// Which sibling of a variant runs, and what an engine that is opened again knows of them; the rules
// of admission are in tests/scenarios/variants.
#include "engine/kin/variants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/model/concurrent.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"

namespace muster {
namespace {

using testing::AdmittedNames;
using testing::Cpu;
using testing::DefaultKey;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kNoon;
using testing::PreemptedNames;

TEST(AllowedFlavors, AreNamesBetweenCommasWithoutBlanks) {
  std::string_view list = " a ,b,, c";
  std::vector<std::string> names;
  while (!list.empty()) names.emplace_back(NextFlavor(list));
  EXPECT_THAT(names, ElementsAre("a", "b", "", "c"));
}

class VariantTest : public ::testing::Test {
 protected:
  VariantTest() : engine_(&journal_) {
    Configuration config;
    config.feature_gates[std::string(kConcurrentAdmissionGate)] = true;
    ClusterQueue queue = testing::MakeQueue("a", "", {{"reserved", "cpu", 2}, {"spot", "cpu", 4}});
    queue.concurrent_admission.emplace();
    Apply({config, testing::MakeNamespace(), testing::MakeFlavor("reserved"),
           testing::MakeFlavor("spot"), queue, testing::MakeLocalQueue("a")});
  }
  void Apply(const std::vector<Object>& objects) {
    const Status status = engine_.Apply(objects, now_);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  void Submit(const Workload& workload) {
    ASSERT_TRUE(engine_.Submit(std::span(&workload, 1), now_).ok());
  }
  void SubmitVariant(const std::string& job, const std::string& flavor) {
    Workload workload = testing::MakeWorkload(job + "-" + flavor, "a", Cpu(2));
    workload.created = now_ += kSecond;
    workload.annotations[std::string(kAllowedFlavorsAnnotation)] = flavor;
    workload.variant_of = ParentWorkload{job, "u-" + job};
    Submit(workload);
  }
  CycleResult Cycle() { return *engine_.RunCycle(now_); }
  WorkloadView View(const std::string& name) { return *engine_.GetWorkload(DefaultKey(name)); }

  TimeNs now_ = kNoon;
  testing::MemoryJournal journal_;
  Engine engine_;
};

TEST_F(VariantTest, MovesToTheFlavorThatIsPreferredAcrossRestarts) {
  SubmitVariant("job", "spot");
  EXPECT_THAT(AdmittedNames(Cycle()), ElementsAre("job-spot"));
  SubmitVariant("job", "reserved");
  ASSERT_TRUE(journal_.Reopen(engine_).ok());
  const CycleResult moving = Cycle();
  EXPECT_THAT(PreemptedNames(moving), ElementsAre("job-spot"));
  EXPECT_EQ(moving.preempted[0].reason, PreemptionReason::kFlavorMigration);
  EXPECT_EQ(moving.preempted[0].by, DefaultKey("job-reserved"));
  EXPECT_THAT(engine_.Explain(DefaultKey("job-reserved"))->verdict,
              HasSubstr("starts once default/job-spot"));
  ASSERT_TRUE(journal_.Reopen(engine_).ok());
  EXPECT_TRUE(Cycle().DecidedNothing());
  const Key spot = DefaultKey("job-spot");
  ASSERT_TRUE(engine_.Evicted(std::span(&spot, 1), now_).ok());
  EXPECT_THAT(AdmittedNames(Cycle()), ElementsAre("job-reserved"));
  ASSERT_TRUE(journal_.Reopen(engine_).ok());
  EXPECT_EQ(View("job-reserved").spec.variant_of, (ParentWorkload{"job", "u-job"}));
  EXPECT_TRUE(View("job-spot").parked);
  EXPECT_TRUE(engine_.CheckInvariants().ok());
}

TEST_F(VariantTest, OfAnotherJobIsNoSibling) {
  SubmitVariant("job", "spot");
  Cycle();
  SubmitVariant("other", "reserved");
  const CycleResult cycle = Cycle();
  EXPECT_THAT(AdmittedNames(cycle), ElementsAre("other-reserved"));
  EXPECT_THAT(PreemptedNames(cycle), IsEmpty());
}

TEST_F(VariantTest, TheParentIsNotQueuedUntilTheGateIsClosed) {
  Workload parent = testing::MakeWorkload("job", "a", Cpu(1));
  parent.labels[std::string(kVariantsParentLabel)] = "true";
  Submit(parent);
  EXPECT_TRUE(Cycle().DecidedNothing());
  EXPECT_THAT(engine_.Explain(parent.key)->verdict, HasSubstr("its variants"));
  Apply({Configuration()});
  EXPECT_THAT(AdmittedNames(Cycle()), ElementsAre("job"));
}

TEST_F(VariantTest, ThePolicyOfAQueueCannotChangeWhileItExists) {
  ClusterQueue queue = (*engine_.ClusterQueues())[0].spec;
  queue.concurrent_admission.reset();
  const Object object = queue;
  EXPECT_EQ(engine_.Apply(std::span(&object, 1), now_).code(), StatusCode::kInvalidArgument);
}

TEST_F(VariantTest, PlainHoldersAreChargedButWhereKueuesOvercommitmentIsWanted) {
  Submit(testing::Holding(testing::MakeWorkload("plain", "a", Cpu(2)), "a", "reserved"));
  const auto used = [&] { return (*engine_.ClusterQueues())[0].quotas[0].usage; };
  EXPECT_EQ(used(), 2000);
  EngineConfiguration config;
  config.overcommit_as_kueue = true;
  Apply({config});
  EXPECT_EQ(used(), 0);
  EXPECT_TRUE(engine_.CheckInvariants().ok());
  Apply({EngineConfiguration()});
  EXPECT_EQ(used(), 2000);
  EXPECT_TRUE(engine_.CheckInvariants().ok());
}

}  // namespace
}  // namespace muster
