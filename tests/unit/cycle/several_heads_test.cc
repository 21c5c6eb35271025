// headsPerCycle k decides what k cycles with nothing in between decide, in random worlds.
#include <gtest/gtest.h>

#include <random>
#include <span>
#include <string>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

constexpr int kQueues = 6;

std::vector<Object> Objects(std::mt19937& random, std::int32_t heads) {
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  EngineConfiguration engine;
  engine.heads_per_cycle = heads;
  objects.emplace_back(engine);
  if (random() % 2 == 0) {
    Configuration configuration;
    configuration.fair_sharing = FairSharingConfig{};
    objects.emplace_back(configuration);
  }
  for (int i = 0; i < kQueues; ++i) {
    const PreemptionRules rules = {
        random() % 2 == 0 ? PreemptionPolicy::kLowerPriority : PreemptionPolicy::kNever,
        random() % 2 == 0 ? PreemptionPolicy::kAny : PreemptionPolicy::kNever,
        PreemptionPolicy::kNever, std::nullopt};
    ClusterQueue queue = testing::MakeQueue(
        "q" + std::to_string(i), "cohort-" + std::to_string(i % 2),
        {{.nominal = static_cast<std::int64_t>(random() % 6), .borrow = 10}}, rules);
    if (random() % 3 == 0) queue.queueing_strategy = QueueingStrategy::kStrictFifo;
    objects.emplace_back(queue);
    objects.emplace_back(testing::MakeLocalQueue(queue.name));
  }
  return objects;
}

std::vector<Workload> Newcomers(std::mt19937& random, int step, TimeNs now) {
  std::vector<Workload> workloads;
  for (int i = 0; i < 8; ++i) {
    workloads.push_back(
        testing::MakeWorkload("w-" + std::to_string(step) + "-" + std::to_string(i),
                              "q" + std::to_string(random() % kQueues),
                              testing::Cpu(1 + static_cast<std::int64_t>(random() % 4)),
                              static_cast<std::int32_t>(random() % 3)));
    workloads.back().created = now;
  }
  return workloads;
}

/// What was decided, and what waits where and why.
std::string Told(const std::vector<CycleResult>& results, const Engine& engine) {
  std::string text;
  for (const CycleResult& result : results) {
    for (const auto& admitted : result.admitted) text += "+" + admitted.workload.name + " ";
  }
  for (const CycleResult& result : results) {
    for (const auto& victim : result.preempted) {
      text += "-" + victim.workload.name + " for " + victim.by.name + " ";
    }
  }
  for (const PendingWorkload& pending : *engine.Pending()) {
    text += "\n" + pending.workload.name + (pending.parked ? " parked " : " heap ") +
            std::string(ReasonName(pending.reason)) + " " + pending.message;
  }
  return text;
}

CycleResult Cycle(Engine& engine, TimeNs now) {
  Result<CycleResult> result = engine.RunCycle(now);
  EXPECT_TRUE(result.ok());
  return *result;
}

void PlayBoth(unsigned seed, std::int32_t heads) {
  std::mt19937 random(seed);
  std::mt19937 same = random;
  Engine several;
  Engine single;
  TimeNs now = testing::kNoon;
  ASSERT_TRUE(several.Apply(Objects(random, heads), now).ok());
  ASSERT_TRUE(single.Apply(Objects(same, 1), now).ok());
  std::vector<Key> running;
  for (int step = 0; step < 12; ++step) {
    now += kSecond;
    const std::vector<Workload> newcomers = Newcomers(random, step, now);
    std::vector<CycleResult> results;
    for (Engine* engine : {&several, &single}) {
      ASSERT_TRUE(engine->Submit(newcomers, now).ok());
      ASSERT_TRUE(engine->Evicted(*engine->Evicting(), now).ok());
    }
    const CycleResult at_once = Cycle(several, now);
    for (int i = 0; i < heads; ++i) results.push_back(Cycle(single, now));
    ASSERT_EQ(Told({at_once}, several), Told(results, single)) << "seed " << seed;
    for (const auto& admitted : at_once.admitted) running.push_back(admitted.workload);
    if (running.empty()) continue;
    const Key ended = running[random() % running.size()];
    for (Engine* engine : {&several, &single}) {
      ASSERT_TRUE(engine->Finish(std::span(&ended, 1), false, now).ok());
    }
  }
}

TEST(HeadsPerCycle, DecideWhatAsManyCyclesWithNothingInBetweenDecide) {
  for (unsigned seed = 1; seed <= 60; ++seed) PlayBoth(seed, 2 + static_cast<int>(seed % 4));
}

TEST(HeadsPerCycle, AreTakenInOneCall) {
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default"),
                                 testing::MakeQueue("q", "", {{.nominal = 10}}),
                                 testing::MakeLocalQueue("q")};
  EngineConfiguration configuration;
  configuration.heads_per_cycle = 3;
  objects.emplace_back(configuration);
  Engine engine;
  ASSERT_TRUE(engine.Apply(objects, testing::kNoon).ok());
  for (const char* name : {"a", "b", "c", "d"}) {
    const Workload workload = testing::MakeWorkload(name, "q", testing::Cpu(1));
    ASSERT_TRUE(engine.Submit(std::span(&workload, 1), testing::kNoon).ok());
  }
  EXPECT_EQ(testing::AdmittedNames(Cycle(engine, testing::kNoon)),
            (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(testing::AdmittedNames(Cycle(engine, testing::kNoon)), std::vector<std::string>{"d"});
}

}  // namespace
}  // namespace muster
