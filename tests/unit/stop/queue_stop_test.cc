// Stopping queues: what a service is asked for, and what many of them cost.
#include "bindings/stop/queue_stop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/testing/builders.h"
#include "tests/testing/failing_memory.h"

namespace muster::stop {
namespace {

using testing::FailingMemory;
using ::testing::HasSubstr;

TEST(QueueStop, WhatIsThereTwiceIsAMistake) {
  for (const auto& [body, what] :
       {std::pair(R"({"stopPolicy": "Hold", "queues": [{"name": "q"}], "stopPolicy": "None"})",
                  "a key is given twice"),
        std::pair(R"({"stopPolicy": "Hold", "queues": [{"name": "q", "name": "p"}]})",
                  "a key is given twice"),
        std::pair(R"({"stopPolicy": "Hold", "queues": [{"name": "q"}, {"name": "q"}]})",
                  "queue q is named twice")}) {
    const Result<Asked> asked = AskedFor(body);
    ASSERT_FALSE(asked.ok()) << body;
    EXPECT_THAT(asked.status().message(), HasSubstr(what));
  }
  const Result<Asked> asked = AskedFor(
      R"({"stopPolicy": "Hold", "queues": [{"namespace": "n", "name": "q"}, {"name": "q"}]})");
  ASSERT_TRUE(asked.ok()) << asked.status().message();
  EXPECT_EQ(asked->queues, (std::vector<Key>{{"n", "q"}, {"", "q"}}));
  Engine engine;
  const std::vector<Key> twice = {{"", "q"}, {"", "q"}};
  const auto stopped = SetStopPolicy(engine, twice, StopPolicy::kHold, testing::kNoon);
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.status().code(), StatusCode::kInvalidArgument);
}

/// Allocations of stopping so many queues, with as many workloads.
std::int64_t CostOf(int queues) {
  Engine engine;
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  std::vector<Key> keys;
  std::vector<Workload> jobs;
  for (int i = 0; i < queues; ++i) {
    const std::string name = "q" + std::to_string(i);
    objects.emplace_back(testing::MakeQueue(name, "", {{.nominal = 10}}));
    objects.emplace_back(testing::MakeLocalQueue(name));
    keys.push_back({"", name});
    jobs.push_back(testing::MakeWorkload("job-" + name, name, testing::Cpu(1)));
  }
  EXPECT_TRUE(engine.Apply(objects, testing::kNoon).ok());
  EXPECT_TRUE(engine.Submit(jobs, testing::kNoon).ok());
  FailingMemory::Arm(0, FailingMemory::Lasting::kOnce);
  const FailingMemory::While counted;
  EXPECT_TRUE(SetStopPolicy(engine, keys, StopPolicy::kHoldAndDrain, testing::kNoon).ok());
  return FailingMemory::allocations();
}

TEST(QueueStop, ManyQueuesCostAsManyTimesOne) {
  EXPECT_LT(CostOf(400), 8 * CostOf(100)) << "four times as many; each with each are sixteen";
}

}  // namespace
}  // namespace muster::stop
