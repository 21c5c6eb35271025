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

TEST(QueueOrder, AnExpectedRunIsWhatTheLabelSaysElseTheLimit) {
  const PackageSource source = SourceOf(
      "return { api = 1, name = 'x', labels = { 'tier', 'muster.dev/expected-run' },\n"
      "queue_order = function(w) return math.min(w.expected_run, 1e6) end }");
  PolicyBatch batch(3);
  batch[0].max_run = 100;
  batch[0].label[1] = batch.Intern("60");
  batch[1].max_run = 100;
  std::vector<double> keys;
  const HookOutcome outcome = Order(source, batch, &keys);
  EXPECT_TRUE(outcome.ok) << outcome.message;
  EXPECT_THAT(keys, ElementsAre(60, 100, 1e6));
  const HookInfo hook = Load(source, {}, {}).policy->info().hooks.at(0);
  for (const auto& fields : {hook.fields, hook.named}) {
    ASSERT_TRUE(fields.has_value());
    EXPECT_THAT(*fields, ::testing::IsSupersetOf({"label", "max_run"}));
  }
}

TEST(QueueOrder, AnExpectedRunNeedsItsLabelToBeDeclared) {
  PolicyBatch batch(1);
  const HookOutcome outcome = Order(OrderOf("return math.min(w.expected_run, 1e6)"), batch);
  EXPECT_FALSE(outcome.ok);
  EXPECT_THAT(outcome.message, HasSubstr("add it to labels = {\"muster.dev/expected-run\"}"));
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

TEST(QueueOrder, AWrongParameterOfABindingNamesThePackageAndNoFileOfIt) {
  const LoadedPackage loaded = Load(SourceOf(
      "return { api = 1, name = \"x\", params = { grace = { type = \"duration\", default = "
      "\"5m\" } }, queue_order = function(w, c) return c.params.grace end }"));
  ASSERT_NE(loaded.policy, nullptr);
  EXPECT_EQ(loaded.policy->WithParams({{"grase", "1h"}}).status().message(),
            "package x: no parameter 'grase'; did you mean 'grace'?");
  EXPECT_EQ(loaded.policy->WithParams({{"grace", "soon"}}).status().message(),
            "package x: value 'soon' of parameter grace is not of type duration; write a duration "
            "such as \"90s\", \"1h30m\" or \"7d\"");
}

TEST(QueueOrder, OneWithParametersIsLoadedOnceWhileSomebodyHasIt) {
  const LoadedPackage loaded = Load(
      SourceOf("return { api = 1, name = 'x', params = { a = { type = 'number', default = 1 } }, "
               "queue_order = function(w, c) return c.params.a end }"));
  ASSERT_NE(loaded.policy, nullptr);
  const auto two = *loaded.policy->WithParams({{"a", "2"}});
  EXPECT_EQ(*loaded.policy->WithParams({{"a", "2"}}), two);
  EXPECT_NE(*loaded.policy->WithParams({{"a", "3"}}), two);
  EXPECT_FALSE(loaded.policy->WithParams({{"a", "x"}}).ok());
}

TEST(QueueOrder, NamesResourcesAndLabelsComeFromTheBatch) {
  const PackageSource source = SourceOf(
      "return { api = 1, name = 'x', labels = { 'tier', 'team' }, queue_order = function(w, c)\n"
      "local sum = #w.name + 10 * #w.namespace + 100 * #w.local_queue + 1000 * #w.cluster_queue\n"
      "return sum, w.request.cpu + 10 * w.request.memory,\n"
      "(w.label.tier == 'gold' and 1 or 0) + (w.label.team == '' and 2 or 0)\n"
      "  + (c.queue.name == 'cq' and 4 or 0) end }");
  PolicyBatch batch;
  batch.AddResource("memory");
  batch.AddResource("cpu");
  muster_workload& w = batch.Add("job");
  w.request[0] = 2;
  w.request[1] = 3;
  w.label[0] = batch.Intern("gold");
  std::vector<double> keys;
  const HookOutcome outcome = Order(source, batch, &keys);
  EXPECT_TRUE(outcome.ok) << outcome.message;
  EXPECT_THAT(keys, ElementsAre(3 + 20 + 200 + 2000, 23, 7));
}

TEST(QueueOrder, ResourcesMayChangeFromBatchToBatch) {
  const LoadedPackage loaded = Load(OrderOf("return w.request.gpu"));
  ASSERT_NE(loaded.policy, nullptr);
  std::vector<double> keys(1);
  for (const bool first : {true, false, true}) {
    PolicyBatch batch;
    batch.AddResource(first ? "gpu" : "cpu");
    batch.AddResource(first ? "cpu" : "gpu");
    batch.Add("job").request[first ? 0 : 1] = 5;
    EXPECT_TRUE(loaded.policy->Call(Hook::kQueueOrder, batch.Get(), keys).ok);
    EXPECT_THAT(keys, ElementsAre(5));
  }
  PolicyBatch without(1);
  without.AddResource("cpu");
  EXPECT_THAT(loaded.policy->Call(Hook::kQueueOrder, without.Get(), keys).message,
              HasSubstr("no queue covers resource 'gpu'; did you mean 'cpu'?"));
}

TEST(QueueOrder, ChanceIsTheSameForTheSameStreamCycleAndPackage) {
  const PackageSource source = OrderOf("return c.rng(w.name), c.rng('tie'), c.cycle");
  const auto draw = [](const PackageSource& package, double cycle) {
    PolicyBatch batch(2);
    batch.header().cycle = cycle;
    std::vector<double> keys;
    EXPECT_TRUE(Order(package, batch, &keys).ok);
    return keys;
  };
  const std::vector<double> first = draw(source, 1), second = draw(source, 2);
  EXPECT_EQ(first, draw(source, 1));
  EXPECT_NE(first[0], second[0]);
  EXPECT_NE(first[0], first[3]) << "streams differ";
  EXPECT_EQ(first[1], first[4]) << "one stream is one number";
  EXPECT_EQ(second[2], 2);
  EXPECT_NE(first[0], draw(OrderOf("return c.rng(w.name), c.rng('tie'), c.cycle", " "), 1)[0]);
  for (const double key : {first[0], first[1], second[0]}) {
    EXPECT_GE(key, 0);
    EXPECT_LT(key, 1);
  }
}

TEST(QueueOrder, WhatChangesByItselfIsInReads) {
  const auto reads = [](const std::string& body) {
    return Load(SourceOf("return { api = 1, name = 'x', queue_order = function(w, c) " + body +
                         " end }"))
        .policy->info()
        .hooks[0]
        .reads;
  };
  EXPECT_THAT(reads("return w.priority"), ElementsAre());
  EXPECT_THAT(reads("return c.cycle"), ElementsAre("cycle"));
  EXPECT_THAT(reads("local r = c.rng return r('x')"), ElementsAre("cycle"));
}

TEST(QueueOrder, FunctionsOfTheApiDoWhatTheySay) {
  for (const auto& [expression, value] : std::vector<std::pair<std::string, double>>{
           {"muster.pow(2, 10)", 1024},
           {"muster.sq(-3)", 9},
           {"muster.clamp(5, 1, 3)", 3},
           {"muster.clamp(-5, 1, 3)", 1},
           {"muster.has('victim') and 1 or 0", 1},
           {"muster.has('workload.max_run') and 1 or 0", 1},
           {"muster.has('workload.nonsense') and 1 or 0", 0},
           {"muster.glob('team-a', 'team-*') and 1 or 0", 1},
           {"muster.glob('team-a', '*-?') and 1 or 0", 1},
           {"muster.glob('team-a', 'team') and 1 or 0", 0},
           {"muster.glob('', '*') and 1 or 0", 1},
           {"muster.glob('aXbXc', 'a*X?') and 1 or 0", 1},
           {"string.contains('a.b', '.') and 1 or 0", 1},
           {"string.contains('ab', '.') and 1 or 0", 0},
           {"tonumber('12') + tonumber('ff', 16)", 267},
           {"(tonumber('nan') or 1) + (tonumber('inf') or 2) + (tonumber('-1e999') or 4)", 7},
           {"tonumber('-1e308')", -1e308},
           {"tonumber(1 / 0) == math.huge and 1 or 0", 1},
           {"select(2, unpack { 4, 5, 6 }) + select('#', unpack({}, 1, 3))", 8},
           {"string.byte('abc', -1) + #string.sub('abcdef', 2, 4)", 102},
           {"#string.format('%5.1f|%s|%q', 1.25, 'x', 'y') + #table.concat({ 1, 'b' }, ', ')", 15},
           {"bit.band(12, 10) + bit.lshift(1, 4)", 24}}) {
    PolicyBatch batch(1);
    std::vector<double> keys;
    const HookOutcome outcome =
        Order(OrderOf("local v = " + expression + " return v"), batch, &keys);
    EXPECT_TRUE(outcome.ok) << outcome.message;
    EXPECT_THAT(keys, ElementsAre(value)) << expression;
  }
}

TEST(QueueOrder, PairsGoesThroughNumbersThenNamesInOrder) {
  PolicyBatch batch(1);
  std::vector<double> keys;
  const HookOutcome outcome =
      Order(OrderOf("local s = '' for k in pairs { b = 1, a = 1, 5, 6, [-1] = 1, [2.5] = 1 } do\n"
                    "s = s .. tostring(k) .. ' ' end\n"
                    "return s == '-1 1 2 2.5 a b ' and 1 or 0"),
            batch, &keys);
  EXPECT_TRUE(outcome.ok) << outcome.message;
  EXPECT_THAT(keys, ElementsAre(1));
}

TEST(QueueOrder, AWorkloadThatWaitsInTheFutureHasWaitedNothing) {
  PolicyBatch batch(1);
  batch[0].queued_at = 100;
  batch.header().now = 40;
  std::vector<double> keys;
  EXPECT_TRUE(Order(OrderOf("return w.waited"), batch, &keys).ok);
  EXPECT_THAT(keys, ElementsAre(0));
}

}  // namespace
}  // namespace muster::luajit::testing
