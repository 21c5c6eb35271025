// Time limits: when the next one is due, and that no call is needed in between.
#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using testing::kNoon;
using testing::MakeWorkload;

class DeadlinesTest : public ::testing::Test {
 protected:
  void Build(const Configuration& config, std::optional<std::int32_t> max_seconds = {}) {
    Workload workload = MakeWorkload("w", "q", Cpu(1));
    workload.max_execution_seconds = max_seconds;
    const std::vector<Object> objects{testing::MakeNamespace(),
                                      testing::MakeFlavor("default"),
                                      testing::MakeQueue("q", "", {{.nominal = 1}}),
                                      testing::MakeLocalQueue("q"),
                                      config,
                                      workload};
    const Status status = engine_.Apply(objects, kNoon);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(*engine_.NextDeadline(), kNoTime);
    ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  }
  WorkloadPhase Phase() { return engine_.GetWorkload(key_)->phase; }
  static Configuration ReadyWithin(DurationNs timeout) {
    Configuration config;
    config.wait_for_pods_ready.emplace().timeout = timeout;
    return config;
  }
  const Key key_ = DefaultKey("w");
  Engine engine_;
};

TEST_F(DeadlinesTest, TheNearestLimitIsTheNextDeadline) {
  Build(ReadyWithin(60 * kSecond), 90);
  EXPECT_EQ(*engine_.NextDeadline(), kNoon + 60 * kSecond);
  ASSERT_TRUE(engine_.Ready({&key_, 1}, kNoon + kSecond).ok());
  EXPECT_EQ(*engine_.NextDeadline(), kNoon + 90 * kSecond);
  ASSERT_TRUE(engine_.Finish({&key_, 1}, false, kNoon + kSecond).ok());
  EXPECT_EQ(*engine_.NextDeadline(), kNoTime);
}

TEST_F(DeadlinesTest, ACycleDoesWhatIsDueToo) {
  Build(ReadyWithin(60 * kSecond));
  ASSERT_TRUE(engine_.RunCycle(kNoon + 59 * kSecond).ok());
  EXPECT_EQ(Phase(), WorkloadPhase::kAdmitted);
  ASSERT_TRUE(engine_.RunCycle(kNoon + 60 * kSecond).ok());
  EXPECT_EQ(Phase(), WorkloadPhase::kEvicting);
}

TEST_F(DeadlinesTest, AnotherConfigurationMovesTheLimits) {
  Build(ReadyWithin(60 * kSecond));
  const Object longer = ReadyWithin(600 * kSecond);
  ASSERT_TRUE(engine_.Apply({&longer, 1}, kNoon).ok());
  EXPECT_EQ(*engine_.NextDeadline(), kNoon + 600 * kSecond);
  EXPECT_EQ(engine_.Delete(ObjectKind::kConfiguration, {"", "other"}, kNoon, true).code(),
            StatusCode::kNotFound);
  ASSERT_TRUE(engine_.Delete(ObjectKind::kConfiguration, {"", "default"}, kNoon, true).ok());
  EXPECT_EQ(*engine_.NextDeadline(), kNoTime);
  EXPECT_TRUE(engine_.CheckInvariants().ok());
}

TEST_F(DeadlinesTest, AWeekPassesInOneCall) {
  Build(ReadyWithin(60 * kSecond));
  ASSERT_TRUE(engine_.Advance(kNoon + 7 * 24 * 3600 * kSecond).ok());
  EXPECT_EQ(Phase(), WorkloadPhase::kEvicting);
  EXPECT_EQ(*engine_.NextDeadline(), kNoTime);
}

TEST_F(DeadlinesTest, AWeekOfTimeoutsAndBackoffsPassesInMilliseconds) {
  Build(ReadyWithin(60 * kSecond));
  const auto begin = std::chrono::steady_clock::now();
  const TimeNs end = kNoon + 7 * 24 * 3600 * kSecond;
  std::size_t timeouts = 0;
  for (TimeNs now = kNoon; now < end; now = *engine_.NextDeadline()) {
    ASSERT_TRUE(engine_.Advance(now).ok());
    const std::vector<Key> leaving = *engine_.Evicting();
    timeouts += leaving.size();
    ASSERT_TRUE(engine_.Evicted(leaving, now).ok());
    ASSERT_TRUE(engine_.RunCycle(now).ok());
    ASSERT_GT(*engine_.NextDeadline(), now);
  }
  EXPECT_EQ(timeouts, 171u)
      << "a minute each, with backoffs of 1, 2, 4 ... 60 minutes between them";
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

}  // namespace
}  // namespace muster
