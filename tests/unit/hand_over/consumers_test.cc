// Consumers, numbers and what is kept: through the engine, and read back from rows.
#include "engine/hand_over/consumers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"

namespace muster {
namespace {

using testing::Cpu;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kNoon;
using testing::MakeWorkload;

/// An engine with one queue of `cpus`.
Engine OneQueue(std::int64_t cpus, Journal* journal = nullptr) {
  Engine engine(journal);
  const std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default"),
                                       testing::MakeQueue("cq", "", {{"default", "cpu", cpus}}),
                                       testing::MakeLocalQueue("cq")};
  EXPECT_TRUE(engine.Apply(objects, kNoon).ok());
  return engine;
}

/// Submits and starts jobs of one CPU each.
void Start(Engine& engine, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    EXPECT_TRUE(engine.Submit(std::vector{MakeWorkload(name, "cq", Cpu(1))}, kNoon).ok());
    EXPECT_TRUE(engine.RunCycle(kNoon).ok());
  }
}

std::vector<std::int64_t> Numbers(const Result<answer::Decisions>& told) {
  std::vector<std::int64_t> numbers;
  for (const Decision& decision : told->decisions) numbers.push_back(decision.number);
  return numbers;
}

TEST(Consumers, NothingIsNumberedOrKeptWithoutOne) {
  testing::MemoryJournal journal;
  Engine engine = OneQueue(4, &journal);
  Start(engine, {"a"});
  EXPECT_EQ(engine.Decisions(0, 9)->last, 0);
  ASSERT_TRUE(engine.RegisterConsumer("gateway", kNoon).ok());
  Start(engine, {"b"});
  EXPECT_EQ(engine.Decisions("gateway", 9)->decisions.front().workload.name, "b");
  ASSERT_TRUE(engine.RemoveConsumer("gateway", kNoon).ok());
  Start(engine, {"c"});
  EXPECT_EQ(engine.Decisions(1, 9)->last, 1) << "numbers stand still, and are remembered";
}

TEST(Consumers, WhatIsKeptFollowsTheSlowest) {
  Engine engine = OneQueue(9);
  ASSERT_TRUE(engine.RegisterConsumer("fast", kNoon).ok());
  ASSERT_TRUE(engine.RegisterConsumer("slow", kNoon).ok());
  Start(engine, {"a", "b", "c"});
  ASSERT_TRUE(engine.Acknowledge("fast", 3, kNoon).ok());
  EXPECT_THAT(Numbers(engine.Decisions(0, 9)), ElementsAre(1, 2, 3));
  ASSERT_TRUE(engine.Acknowledge("slow", 2, kNoon + kSecond).ok());
  EXPECT_FALSE(engine.Decisions(1, 9).ok());
  EXPECT_THAT(Numbers(engine.Decisions("slow", 9)), ElementsAre(3));
  const std::vector<ConsumerView> views = *engine.Consumers();
  ASSERT_EQ(views.size(), 2U);
  EXPECT_EQ(views[0], (ConsumerView{"fast", 3, 0, kNoTime, kNoon, kNoon}));
  EXPECT_EQ(views[1], (ConsumerView{"slow", 2, 1, kNoon, kNoon, kNoon + kSecond}));
  ASSERT_TRUE(engine.RemoveConsumer("slow", kNoon).ok());
  EXPECT_THAT(Numbers(engine.Decisions(3, 9)), ElementsAre());
}

TEST(Consumers, AreToldInBites) {
  Engine engine = OneQueue(9);
  ASSERT_TRUE(engine.RegisterConsumer("gateway", kNoon).ok());
  Start(engine, {"a", "b", "c"});
  EXPECT_THAT(Numbers(engine.Decisions("gateway", 2)), ElementsAre(1, 2));
  EXPECT_THAT(Numbers(engine.Decisions(2, 2)), ElementsAre(3));
  EXPECT_THAT(Numbers(engine.Decisions(0, 0)), ElementsAre());
}

TEST(Consumers, HaveNamesThatPathsAndShellsTake) {
  Engine engine = OneQueue(1);
  for (const std::string name : {"", "a b", "a/b", "\xC3\xA4", "a\n"}) {
    const auto said = engine.RegisterConsumer(name, kNoon);
    EXPECT_EQ(said.status().code(), StatusCode::kInvalidArgument) << name;
    EXPECT_THAT(said.status().message(), HasSubstr("letters, digits"));
  }
  EXPECT_FALSE(engine.RegisterConsumer(std::string(64, 'a'), kNoon).ok());
  EXPECT_TRUE(engine.RegisterConsumer(std::string(63, 'a'), kNoon).ok());
  EXPECT_TRUE(engine.RegisterConsumer("gate-way_1.x", kNoon).ok());
  EXPECT_THAT(engine.Acknowledge("gate-way_1.y", 0, kNoon).status().message(),
              HasSubstr("write gate-way_1.x"));
}

TEST(Consumers, AreAtMostSixtyFour) {
  Engine engine = OneQueue(1);
  for (std::size_t i = 0; i < kMaxConsumers; ++i) {
    ASSERT_TRUE(engine.RegisterConsumer("c" + std::to_string(i), kNoon).ok());
  }
  const auto more = engine.RegisterConsumer("more", kNoon);
  EXPECT_EQ(more.status().code(), StatusCode::kFailedPrecondition);
  EXPECT_TRUE(engine.RegisterConsumer("c0", kNoon).ok()) << "one that is known is no more";
}

TEST(Consumers, NegativeNumbersAreRefused) {
  Engine engine = OneQueue(1);
  ASSERT_TRUE(engine.RegisterConsumer("gateway", kNoon).ok());
  EXPECT_FALSE(engine.Acknowledge("gateway", -1, kNoon).ok());
  EXPECT_FALSE(engine.Decisions(-1, 9).ok());
  EXPECT_FALSE(engine.RegisterConsumer("other", kNoon, -1).ok());
}

TEST(HandOver, IsRestoredAsItWasAndRefusesAGap) {
  Decision four;
  four.number = 4;
  Decision five;
  five.number = 5;
  HandOver whole;
  EXPECT_TRUE(whole.Restore(5, {five, four}, {{"gateway", {3, kNoon, kNoTime}}}));
  EXPECT_EQ(whole.last(), 5);
  EXPECT_EQ(whole.before(), 3);
  HandOver first_is_missing;
  EXPECT_FALSE(first_is_missing.Restore(5, {five}, {{"gateway", {3, kNoon, kNoTime}}}));
  HandOver gap;
  Decision six;
  six.number = 6;
  EXPECT_FALSE(gap.Restore(6, {four, six}, {{"gateway", {3, kNoon, kNoTime}}}));
  HandOver kept_for_none;
  EXPECT_FALSE(kept_for_none.Restore(5, {five}, {}));
  HandOver numbers_only;
  EXPECT_TRUE(numbers_only.Restore(5, {}, {}));
  EXPECT_EQ(numbers_only.last(), 5);
}

}  // namespace
}  // namespace muster
