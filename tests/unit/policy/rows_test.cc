// Rows of a batch: one batch after the other in the same cycle has rows of its own, and what a hook
// has not declared is not looked for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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
  bool CallEach(Hook, std::span<const muster_batch> batches, std::span<double> keys,
                std::span<std::int64_t> fuel) override {
    if (!together) return false;
    std::fill(keys.begin(), keys.end(), 0);
    std::fill(fuel.begin(), fuel.end(), 0);
    for (const muster_batch& batch : batches) {
      const auto text = [&](unsigned int index) {
        return std::string(batch.strings[index].data, batch.strings[index].size);
      };
      const muster_workload& first = batch.workloads[0];
      seen.push_back({batch.count, first, *batch.queue, text(batch.queue->name),
                      text(first.namespace_) + "/" + text(first.name) + " " +
                          text(first.local_queue) + " " + text(first.cluster_queue)});
    }
    return true;
  }
  void Name(std::vector<std::string> fields) { info_.hooks[0].named = std::move(fields); }

  /// One batch of a call about several.
  struct Seen {
    unsigned int count = 0;
    muster_workload first{};
    muster_node queue{};
    std::string queue_name, names;
  };
  bool together = false;
  std::vector<Seen> seen;
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

TEST_F(Rows, QueuesAskedAboutInOneCallHaveWhatTheyHaveAlone) {
  auto policy = std::make_shared<Keeper>();
  policy->together = true;
  Ask(policy);
  const std::string ns = testing::DefaultKey("x").ns;
  ASSERT_EQ(policy->seen.size(), 2u);
  EXPECT_EQ(policy->seen[0].queue_name, "a");
  EXPECT_EQ(policy->seen[0].names, ns + "/one lq-a a");
  EXPECT_EQ(policy->seen[0].count, 2u);
  EXPECT_EQ(policy->seen[0].queue.nominal[0], 3);
  EXPECT_EQ(policy->seen[1].queue_name, "b");
  EXPECT_EQ(policy->seen[1].names, ns + "/limited lq-b b");
  EXPECT_EQ(policy->seen[1].count, 1u);
  EXPECT_EQ(policy->seen[1].queue.nominal[0], 2);
  EXPECT_EQ(policy->seen[1].first.max_run, 60);
  EXPECT_EQ(policy->seen[1].first.request[0], 1);
}

TEST_F(Rows, NothingOfACallBeforeIsLeftInTheNext) {
  auto policy = std::make_shared<Keeper>();
  policy->together = true;
  std::vector<Workload> many;  // more than one call takes, so b comes in another one
  for (int i = 0; i < 100; ++i) {
    many.push_back(MakeWorkload("wide-" + std::to_string(i), "a", Cpu(1), 9, 4));
  }
  ASSERT_TRUE(engine_.Submit(many, kNoon).ok());
  Ask(policy);
  ASSERT_EQ(policy->seen.size(), 2u);
  EXPECT_EQ(policy->seen[0].count, 102u);
  EXPECT_EQ(policy->seen[0].first.pods, 4);
  EXPECT_EQ(policy->seen[1].count, 1u);
  EXPECT_EQ(policy->seen[1].first.pods, 1);
  EXPECT_EQ(policy->seen[1].first.request[0], 1);
  EXPECT_EQ(policy->seen[1].queue_name, "b");
}

TEST_F(Rows, WhatAHookDoesNotNameIsLeftOut) {
  const auto see = [&](const std::string& field) {
    engine_ = Engine();
    SetUp();
    auto policy = std::make_shared<Keeper>();
    policy->together = true;
    policy->Name({field});
    return Ask(policy)->seen.at(1);
  };
  const Keeper::Seen none = see("priority");
  EXPECT_EQ(none.names, "/  ");
  EXPECT_EQ(none.queue_name, "");
  EXPECT_EQ(none.queue.nominal[0], 0);
  EXPECT_EQ(none.first.request[0], 0);
  EXPECT_EQ(none.first.pods, 0);
  EXPECT_GT(none.first.created, 0);
  for (const std::string field : {"request", "gpus", "pods", "podsets"}) {
    EXPECT_EQ(see(field).first.request[0], 1) << field;
    EXPECT_EQ(see(field).first.pods, 1) << field;
  }
  EXPECT_EQ(see("queue").queue_name, "b");
  EXPECT_EQ(see("queue").queue.nominal[0], 2);
  EXPECT_EQ(see("name").names, "/limited  ");
  EXPECT_EQ(see("namespace").names, testing::DefaultKey("x").ns + "/  ");
  EXPECT_EQ(see("local_queue").names, "/ lq-b ");
  EXPECT_EQ(see("cluster_queue").names, "/  b");
}

TEST_F(Rows, AQueueAskedAboutAloneHasItsNamesWhateverIsNamed) {
  auto policy = std::make_shared<Keeper>();
  policy->Name({"queue"});
  Ask(policy);
  const std::string ns = testing::DefaultKey("x").ns;
  EXPECT_THAT(policy->names["b"], ElementsAre(ns + "/limited lq-b b"));
}

}  // namespace
}  // namespace muster
