// Futures of one queue, whose starts are worked out by hand.
#include "bindings/eta/forward.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/testing/builders.h"

namespace muster::eta {
namespace {

using muster::testing::Cpu;
using muster::testing::DefaultKey;
using muster::testing::Holding;
using muster::testing::kNoon;
using muster::testing::MakeWorkload;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

/// One CPU, which `runs` has since noon; `first` and `second` wait. They run for 100, 50 and 50 s.
class Forward : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<Object> objects = {muster::testing::MakeNamespace(),
                                         muster::testing::MakeFlavor("default"),
                                         muster::testing::MakeQueue("a", "", {{.nominal = 1}}),
                                         muster::testing::MakeLocalQueue("a")};
    ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
    const std::vector<Workload> workloads = {Holding(MakeWorkload("runs", "a", Cpu(1)), "a"),
                                             MakeWorkload("first", "a", Cpu(1)),
                                             MakeWorkload("second", "a", Cpu(1))};
    ASSERT_TRUE(engine_.Submit(workloads, kNoon).ok());
    future_.now = kNoon + 10 * kSecond;
    future_.horizon = kNoon + 100'000 * kSecond;
    future_.jobs = {{DefaultKey("first"), kNoTime, false, 50 * kSecond},
                    {DefaultKey("runs"), kNoon, false, 100 * kSecond},
                    {DefaultKey("second"), kNoTime, false, 50 * kSecond}};
    future_.asked = {DefaultKey("first"), DefaultKey("second")};
  }

  /// Starts, in seconds after noon.
  std::vector<std::pair<std::string, std::int64_t>> Starts() {
    const Result<Course> course = RunForward(engine_, future_);
    EXPECT_TRUE(course.ok()) << course.status().message();
    std::vector<std::pair<std::string, std::int64_t>> starts;
    if (!course.ok()) return starts;
    rests_ = course->rests;
    for (const auto& [key, at] : course->starts) {
      starts.emplace_back(key.name, (at - kNoon) / kSecond);
    }
    return starts;
  }

  void Comes(std::int64_t second, std::int32_t priority, std::int64_t run) {
    auto coming = std::make_shared<std::optional<ComingJob>>(ComingJob{
        kNoon + second * kSecond, MakeWorkload("x", "a", Cpu(1), priority), run * kSecond});
    coming->value().spec.created = kNoTime;
    future_.next_arrival = [coming] { return std::exchange(*coming, std::nullopt); };
  }

  Engine engine_;
  Future future_;
  bool rests_ = false;
};

TEST_F(Forward, JobsStartAsThoseAheadOfThemEnd) {
  EXPECT_THAT(Starts(), ElementsAre(Pair("first", 100), Pair("second", 150)));
  EXPECT_FALSE(rests_);
}

TEST_F(Forward, WhatComesMeanwhileGoesAheadWhereTheEngineSaysSo) {
  Comes(20, 5, 30);
  EXPECT_THAT(Starts(), ElementsAre(Pair("first", 130), Pair("second", 180)));
}

TEST_F(Forward, WhatComesMeanwhileWaitsWhereTheEngineSaysSo) {
  Comes(20, 0, 30);
  EXPECT_THAT(Starts(), ElementsAre(Pair("first", 100), Pair("second", 150)));
}

TEST_F(Forward, NothingStartsBehindAJobWithoutEnd) {
  future_.jobs[0].run = kForEver;
  EXPECT_THAT(Starts(), ElementsAre(Pair("first", 100)));
  EXPECT_TRUE(rests_);
}

TEST_F(Forward, NothingIsSeenBeyondTheHorizon) {
  future_.horizon = kNoon + 99 * kSecond;
  EXPECT_THAT(Starts(), IsEmpty());
  EXPECT_FALSE(rests_);
}

TEST_F(Forward, AQueueThatGrowsForEverIsNotFollowedToTheHorizon) {
  auto came = std::make_shared<std::int64_t>(0);
  future_.next_arrival = [came]() -> std::optional<ComingJob> {
    ComingJob coming{kNoon + (20 + 10 * ++*came) * kSecond, MakeWorkload("x", "a", Cpu(1), 5),
                     60 * kSecond};
    coming.spec.created = kNoTime;
    return coming;
  };
  EXPECT_THAT(Starts(), IsEmpty());
  EXPECT_GT(*came, 200);
  EXPECT_LT(*came, 400);
}

}  // namespace
}  // namespace muster::eta
