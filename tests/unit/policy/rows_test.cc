// Rows of a batch: one batch after the other in the same cycle has rows of its own, and what a hook
// has not declared is not looked for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using ::testing::ElementsAre;
using testing::kNoon;
using testing::MakeWorkload;

/// Answers 0 and keeps what it was shown, by the name of the queue.
class Keeper : public Policy {
 public:
  explicit Keeper(std::vector<std::string> reads = {},
                  std::optional<std::vector<std::string>> fields = std::nullopt) {
    info_.name = "keeper";
    info_.hash = std::string(64, 'a');
    HookInfo hook;
    hook.reads = std::move(reads);
    hook.fields = std::move(fields);
    info_.hooks.push_back(std::move(hook));
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> keys) override {
    const auto text = [&](unsigned int index) {
      return std::string(batch.strings[index].data, batch.strings[index].size);
    };
    const std::string queue = text(batch.queue->name);
    for (unsigned int i = 0; i < batch.count; ++i) {
      const muster_workload& row = batch.workloads[i];
      keys[i] = 0;
      rows[queue].push_back(row);
      names[queue].push_back(text(row.namespace_) + "/" + text(row.name) + " " +
                             text(row.local_queue) + " " + text(row.cluster_queue));
    }
    queues[queue] = *batch.queue;
    resource = text(batch.resources[0]);
    return {};
  }
  std::map<std::string, std::vector<muster_workload>> rows;
  std::map<std::string, std::vector<std::string>> names;
  std::map<std::string, muster_node> queues;
  std::string resource;

 private:
  PolicyInfo info_;
};

class Rows : public ::testing::Test {
 protected:
  void SetUp() override {
    Workload limited = MakeWorkload("limited", "b", Cpu(1), 0);
    limited.max_execution_seconds = 60;
    const std::vector<Object> objects{testing::MakeNamespace(),
                                      testing::MakeFlavor("default"),
                                      testing::MakeQueue("a", "co", {{.nominal = 3}}),
                                      testing::MakeQueue("b", "co", {{.nominal = 2}}),
                                      testing::MakeLocalQueue("a"),
                                      testing::MakeLocalQueue("b"),
                                      MakeWorkload("one", "a", Cpu(1), 5),
                                      MakeWorkload("two", "a", Cpu(2), 4),
                                      limited};
    ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
  }
  std::shared_ptr<Keeper> Ask(std::shared_ptr<Keeper> policy) {
    EXPECT_TRUE(engine_.ActivatePolicy(policy, kNoon).ok());
    EXPECT_TRUE(engine_.RunCycle(kNoon).ok());
    return policy;
  }
  Engine engine_;
};

TEST_F(Rows, EveryQueueOfACycleIsAskedAboutWithRowsOfItsOwn) {
  const auto policy = Ask(std::make_shared<Keeper>());
  const std::string ns = testing::DefaultKey("x").ns;
  EXPECT_THAT(policy->names["a"], ElementsAre(ns + "/one lq-a a", ns + "/two lq-a a"));
  EXPECT_THAT(policy->names["b"], ElementsAre(ns + "/limited lq-b b"));
  EXPECT_EQ(policy->resource, "cpu");
  EXPECT_EQ(policy->queues["a"].nominal[0], 3);
  EXPECT_EQ(policy->queues["b"].nominal[0], 2);
  EXPECT_EQ(policy->rows["a"][1].request[0], 2);
  EXPECT_EQ(policy->rows["b"][0].request[0], 1) << "nothing of the row that stood there before";
}

TEST_F(Rows, WhatAQueueUsesIsThereForWhoDeclaresIt) {
  const auto second_cycle = [&](std::vector<std::string> reads) {
    engine_ = Engine();
    SetUp();
    EXPECT_TRUE(engine_.RunCycle(kNoon).ok());  // admits one of each queue
    return Ask(std::make_shared<Keeper>(std::move(reads)))->queues["a"];
  };
  const muster_node undeclared = second_cycle({"now"});
  EXPECT_EQ(undeclared.nominal[0], 3);
  EXPECT_EQ(undeclared.usage[0], 0);
  for (const std::string input : {"usage", "share", "borrowed", "lendable", "native_share"}) {
    const muster_node declared = second_cycle({input});
    EXPECT_EQ(declared.nominal[0], 3) << input;
    EXPECT_EQ(declared.usage[0], 1) << input;
    EXPECT_EQ(declared.lendable[0], 5) << input;
  }
}

TEST_F(Rows, AFieldIsThereForWhoNamesItAndForWhoMayReadAny) {
  using Fields = std::vector<std::string>;
  const auto max_run = [&](std::optional<Fields> fields) {
    engine_ = Engine();
    SetUp();
    return Ask(std::make_shared<Keeper>(Fields{}, fields))->rows["b"][0].max_run;
  };
  EXPECT_EQ(max_run(std::nullopt), 60);
  EXPECT_EQ(max_run(Fields{"max_run"}), 60);
  EXPECT_EQ(max_run(Fields{"created"}), 0);
}

}  // namespace
}  // namespace muster
