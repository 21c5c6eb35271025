// Admission checks through the public engine: what an answer does, and which answers are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kNoon;
using testing::MakeWorkload;
using ::testing::Pair;

AdmissionCheck MakeCheck(std::string name) {
  AdmissionCheck check;
  check.name = std::move(name);
  check.controller = "example.com/check";
  return check;
}

/// One queue with checks `prov` and `budget` and a flavor with a label; `w` holds quota.
class ChecksTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ResourceFlavor flavor = testing::MakeFlavor("default");
    flavor.node_labels = {{"zone", "a"}};
    flavor.tolerations = {{"spot", TolerationOp::kExists, "", TaintEffect::kNone}};
    ClusterQueue queue = testing::MakeQueue("q", "", {{.nominal = 2}});
    queue.admission_checks = {{"prov", {}}, {"budget", {}}};
    const std::vector<Object> objects{
        testing::MakeNamespace(),      flavor, MakeCheck("prov"),
        MakeCheck("budget"),           queue,  testing::MakeLocalQueue("q"),
        MakeWorkload("w", "q", Cpu(2))};
    const Status status = engine_.Apply(objects, kNoon);
    ASSERT_TRUE(status.ok()) << status.message();
    ASSERT_EQ(engine_.RunCycle(kNoon)->admitted.size(), 1u);
  }
  void TearDown() override {
    const Status status = engine_.CheckInvariants();
    EXPECT_TRUE(status.ok()) << status.message();
  }
  Result<WorkloadPhase> Answer(const std::string& check, CheckState state,
                               const LabelMap& node_selector = {}) {
    CheckUpdate update{DefaultKey("w"), check, state, "said", {}, {}};
    if (!node_selector.empty()) {
      PodSetUpdate pods;
      pods.name = "main";
      pods.node_selector = node_selector;
      update.pod_set_updates.push_back(std::move(pods));
    }
    return engine_.UpdateCheck(update, kNoon + kSecond);
  }
  WorkloadStatus StatusOf(const std::string& name) {
    return engine_.GetWorkload(DefaultKey(name))->spec.status;
  }
  Engine engine_;
};

TEST_F(ChecksTest, TheLastReadyCheckAdmitsAndSaysSo) {
  EXPECT_EQ(*Answer("prov", CheckState::kReady), WorkloadPhase::kReserved);
  EXPECT_EQ(*Answer("budget", CheckState::kReady), WorkloadPhase::kAdmitted);
}

TEST_F(ChecksTest, ARetryEvictsAndARejectionDeactivates) {
  EXPECT_EQ(*Answer("prov", CheckState::kRetry), WorkloadPhase::kEvicting);
  const Key key = DefaultKey("w");
  ASSERT_TRUE(engine_.Evicted({&key, 1}, kNoon + kSecond).ok());
  ASSERT_EQ(engine_.RunCycle(kNoon + kSecond)->admitted.size(), 1u);
  EXPECT_EQ(*Answer("prov", CheckState::kRejected), WorkloadPhase::kEvicting);
  EXPECT_EQ((*engine_.ClusterQueues())[0].quotas[0].usage, 0) << "free before its pods are gone";
  ASSERT_TRUE(engine_.Evicted({&key, 1}, kNoon + kSecond).ok());
  EXPECT_EQ(engine_.GetWorkload(key)->phase, WorkloadPhase::kInactive);
}

TEST_F(ChecksTest, TheSameAnswerAgainChangesNothing) {
  ASSERT_TRUE(Answer("prov", CheckState::kReady).ok());
  const std::string before = *engine_.StateHash();
  ASSERT_TRUE(Answer("prov", CheckState::kReady).ok());
  EXPECT_EQ(*engine_.StateHash(), before);
}

TEST_F(ChecksTest, AnAnswerNobodyWaitsForIsRefused) {
  const auto unknown = Answer("prof", CheckState::kReady);
  EXPECT_EQ(unknown.status().code(), StatusCode::kNotFound);
  EXPECT_THAT(unknown.status().message(), HasSubstr("its checks are prov, budget"));
  ASSERT_TRUE(Answer("prov", CheckState::kRetry).ok());
  EXPECT_EQ(Answer("budget", CheckState::kReady).status().code(), StatusCode::kFailedPrecondition)
      << "it is being evicted, and a late answer must not count for its next try";
  const Key key = DefaultKey("w");
  ASSERT_TRUE(engine_.Finish({&key, 1}, false, kNoon).ok());
  EXPECT_EQ(Answer("budget", CheckState::kReady).status().code(), StatusCode::kFailedPrecondition);
}

TEST_F(ChecksTest, PodsGetWhatTheirFlavorsAndChecksSay) {
  ASSERT_TRUE(Answer("prov", CheckState::kReady, {{"pool", "p1"}}).ok());
  const auto updates = engine_.PodSetUpdates(DefaultKey("w"));
  ASSERT_TRUE(updates.ok()) << updates.status().message();
  ASSERT_EQ(updates->size(), 1u);
  EXPECT_THAT(updates->front().node_selector, ElementsAre(Pair("pool", "p1"), Pair("zone", "a")));
  ASSERT_EQ(updates->front().tolerations.size(), 1u);
  EXPECT_EQ(updates->front().tolerations[0].key, "spot");
}

TEST_F(ChecksTest, AnUpdateThatContradictsAFlavorOrACheckIsRefusedWhole) {
  const std::string before = *engine_.StateHash();
  const auto against_flavor = Answer("prov", CheckState::kReady, {{"zone", "b"}});
  EXPECT_EQ(against_flavor.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(against_flavor.status().message(),
              HasSubstr("nodeSelector zone of podset main: flavor default says 'a', check prov "
                        "says 'b'"));
  EXPECT_EQ(*engine_.StateHash(), before);
  ASSERT_TRUE(Answer("prov", CheckState::kReady, {{"pool", "p1"}}).ok());
  EXPECT_FALSE(Answer("budget", CheckState::kReady, {{"pool", "p2"}}).ok());
  EXPECT_TRUE(Answer("budget", CheckState::kReady, {{"pool", "p1"}}).ok());
}

TEST_F(ChecksTest, EvictionsAreCountedByReasonAndCause) {
  ASSERT_TRUE(Answer("prov", CheckState::kRejected).ok());
  EXPECT_THAT(StatusOf("w").evictions,
              ElementsAre(EvictionCount{"Deactivated", "AdmissionCheck", 1}));
}

}  // namespace
}  // namespace muster
