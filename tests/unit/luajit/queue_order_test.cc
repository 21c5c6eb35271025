// queue_order through the public seam: what a policy reads and what the host does with its answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(QueueOrder, WritesOneRowOfKeysForEveryWorkload) {
  PolicyBatch batch(3);
  std::vector<double> keys;
  const HookOutcome outcome = Order(OrderOf("return w.priority, -w.pods"), batch, &keys);
  EXPECT_TRUE(outcome.ok) << outcome.message;
  EXPECT_THAT(keys, ElementsAre(0, -1, 1, -1, 2, -1));
}

TEST(QueueOrder, SeesEveryNumberOfTheWorkload) {
  PolicyBatch batch(1);
  batch[0].created = 11;
  batch[0].queued_at = 12;
  batch[0].gpus = 13;
  batch[0].attempts = 14;
  batch[0].preemptions = 15;
  batch[0].max_run = 16;
  batch[0].pods = 17;
  batch[0].podsets = 18;
  batch[0].priority = 19;
  batch.header().now = 100;
  for (const auto& [field, value] : std::vector<std::pair<std::string, double>>{{"created", 11},
                                                                                {"queued_at", 12},
                                                                                {"gpus", 13},
                                                                                {"attempts", 14},
                                                                                {"preemptions", 15},
                                                                                {"max_run", 16},
                                                                                {"pods", 17},
                                                                                {"podsets", 18},
                                                                                {"priority", 19},
                                                                                {"waited", 88}}) {
    std::vector<double> keys;
    const std::string guard = field == "max_run"
                                  ? "local v = w.max_run if v == math.huge then v = 0 end return v"
                                  : "return w." + field;
    const HookOutcome outcome = Order(OrderOf(guard), batch, &keys);
    EXPECT_TRUE(outcome.ok) << outcome.message;
    EXPECT_THAT(keys, ElementsAre(value)) << field;
  }
}

TEST(QueueOrder, AFailureNamesFileLineHookAndWorkload) {
  PolicyBatch batch(2);
  batch[1].gpus = 4;
  const HookOutcome outcome =
      Order(OrderOf("\nif w.gpus == 4 then\n  error('four')\nend\nreturn 1"), batch);
  EXPECT_FALSE(outcome.ok);
  EXPECT_EQ(outcome.message, "policies/x/policy.lua:3: four (queue_order of ns/job-1)");
  EXPECT_EQ(outcome.item, 1);
}

TEST(QueueOrder, KeysThatAreNotFiniteAreRefused) {
  for (const char* value : {"0/0", "math.huge", "-math.huge"}) {
    PolicyBatch batch(2);
    batch[1].gpus = 4;
    const HookOutcome outcome = Order(
        OrderOf(std::string("if w.gpus == 4 then return 1, ") + value + " end return 1, 2"), batch);
    EXPECT_FALSE(outcome.ok);
    EXPECT_THAT(outcome.message, HasSubstr("as key 2"));
    EXPECT_EQ(outcome.item, 1);
  }
}

TEST(QueueOrder, AnEmptyBatchCallsNothing) {
  PolicyBatch batch;
  EXPECT_TRUE(Order(OrderOf("return 1"), batch).ok);
}

TEST(QueueOrder, ParametersAreTypedAndMayComeFromTheBinding) {
  const PackageSource source = SourceOf(
      "return { api = 1, name = 'x', params = { grace = { type = 'duration', default = '5m' } },\n"
      "queue_order = function(w, c) return c.params.grace end }");
  PolicyBatch batch(1);
  std::vector<double> keys;
  EXPECT_TRUE(Order(source, batch, &keys).ok);
  EXPECT_THAT(keys, ElementsAre(300));
  EXPECT_TRUE(Order(source, batch, &keys, {}, {{"grace", "1h30m"}}).ok);
  EXPECT_THAT(keys, ElementsAre(5400));
  EXPECT_THAT(Order(source, batch, &keys, {}, {{"grace", "soon"}}).message,
              HasSubstr("'soon' of parameter grace is not of type duration"));
}

}  // namespace
}  // namespace muster::luajit::testing
