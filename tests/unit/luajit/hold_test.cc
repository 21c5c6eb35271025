// Hook hold in Lua: what it may answer, and what is said of every other answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Held {
  HookOutcome outcome;
  std::vector<double> answers;
};

LoadedPackage LoadHold(const std::string& body, const std::string& before = "") {
  return Load(SourceOf(before + "return { api = 1, name = 'x', hold = { reads = { 'now' }, " +
                       "function(w, c) " + body + " end } }"));
}

Held Ask(Policy& policy, int jobs = 3) {
  PolicyBatch batch;
  for (int i = 0; i < jobs; ++i) batch.Add("job-" + std::to_string(i)).gpus = i;
  Held held;
  const muster_batch& asked = batch.Get();
  batch.header().now = 1000;
  held.answers.resize(2 * asked.count);
  held.outcome = policy.Call(Hook::kHold, asked, held.answers);
  return held;
}

Held Hold(const std::string& body, const std::string& before = "") {
  const LoadedPackage loaded = LoadHold(body, before);
  if (loaded.policy != nullptr) return Ask(*loaded.policy);
  Held held;
  held.outcome.ok = false;
  for (const PackageProblem& problem : loaded.problems) {
    held.outcome.message += problem.ToString() + "\n";
  }
  return held;
}

constexpr double kNobodyKnows = std::numeric_limits<double>::infinity();

TEST(Hold, NothingHoldsNothing) {
  const Held held = Hold("");
  EXPECT_TRUE(held.outcome.ok) << held.outcome.message;
  EXPECT_THAT(held.answers, ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(held.outcome.reasons, IsEmpty());
  EXPECT_GT(held.outcome.fuel, 0);
}

TEST(Hold, ReasonsComeOnceEach) {
  const Held held = Hold(
      "if w.gpus == 0 then return end "
      "if w.gpus == 1 then return c.hold('one', c.now + 5) end return c.hold('many')");
  ASSERT_TRUE(held.outcome.ok) << held.outcome.message;
  EXPECT_THAT(held.answers, ElementsAre(0, 0, 1, 1005, 2, kNobodyKnows));
  EXPECT_THAT(held.outcome.reasons, ElementsAre("one", "many"));
  EXPECT_THAT(Hold("return c.hold('same')").outcome.reasons, ElementsAre("same"));
}

TEST(Hold, OfSeveralReasonsForAJobTheLastCounts) {
  const Held held = Hold("local a = c.hold('a') c.hold('b', 7) return a");
  ASSERT_TRUE(held.outcome.ok) << held.outcome.message;
  EXPECT_EQ(held.outcome.reasons.at(static_cast<std::size_t>(held.answers[0]) - 1), "b");
  EXPECT_EQ(held.answers[1], 7);
}

TEST(Hold, EveryOtherAnswerIsAnErrorThatSaysWhatToWrite) {
  for (const auto& [body, text] : std::vector<std::pair<std::string, std::string>>{
           {"return 1", "hold returned a number"},
           {"return 'later'", "hold returned a string"},
           {"return true", "hold returned a boolean"},
           {"return false", "hold returned a boolean"},
           {"return {}", "hold returned a table"},
           {"return w", "hold returned a table"},
           {"return c.hold", "hold returned a function"},
           {"return c.hold('a'), 1", "more than one value"},
           {"return nil, 1", "more than one value"},
           {"c.hold('a')", "did not return its answer"},
           {"return c.hold()", "c.hold needs a reason"},
           {"return c.hold('')", "c.hold needs a reason"},
           {"return c.hold(1)", "c.hold needs a reason"},
           {"return c.hold({})", "c.hold needs a reason"},
           {"return c.hold(w)", "c.hold needs a reason"},
           {"return c.hold('a', '1')", "a time in seconds"},
           {"return c.hold('a', 0/0)", "a time in seconds"},
           {"return c.hold('a', {})", "a time in seconds"},
           {"return c.hold('a', true)", "a time in seconds"},
           {"return c.hold('a', c)", "a time in seconds"},
           {"return c.reject('a')", "c.reject is for submit"},
           {"c.hold('a').x = 1", "cannot write"},
           {"return c.hold('a').x", "has no field"},
           {"while true do end", "out of fuel"}}) {
    const Held held = Hold(body);
    EXPECT_FALSE(held.outcome.ok) << body;
    EXPECT_THAT(held.outcome.message, HasSubstr(text)) << body;
  }
}

TEST(Hold, OtherHooksHaveNoneOfIt) {
  const LoadedPackage loaded = Load(SourceOf(
      "return { api = 1, name = 'x', queue_order = function(w, c) c.hold('a') return 1 end }"));
  ASSERT_EQ(loaded.policy, nullptr);
  EXPECT_THAT(loaded.problems.at(0).what, HasSubstr("c.hold is for hold"));
}

TEST(Hold, AnAnswerThatWasKeptIsNone) {
  SandboxOptions loose;
  loose.frozen_file = false;
  const LoadedPackage loaded =
      Load(SourceOf("local kept return { api = 1, name = 'x', hold = function(w, c) "
                    "if w.gpus == 0 then kept = c.hold('a') return kept end return kept end }"),
           {}, loose);
  const bool refused = loaded.policy == nullptr || !Ask(*loaded.policy).outcome.ok;
  EXPECT_TRUE(refused);
}

TEST(Hold, HugeReasonsAreCutAndManyAreCharged) {
  const Held huge = Hold("return c.hold(string.rep('x', 2000))");
  ASSERT_TRUE(huge.outcome.ok) << huge.outcome.message;
  EXPECT_LE(huge.outcome.reasons.at(0).size(), kMaxHoldReason + 3);
  const LoadedPackage loaded = LoadHold("return c.hold(w.name)");
  ASSERT_NE(loaded.policy, nullptr);
  const Held many = Ask(*loaded.policy, 3000);
  ASSERT_TRUE(many.outcome.ok) << many.outcome.message;
  EXPECT_EQ(many.outcome.reasons.size(), 3000u);
  EXPECT_EQ(many.outcome.reasons.at(2999), "job-2999");
}

TEST(Hold, ReasonsOfAnEarlierCallAreGone) {
  const LoadedPackage loaded = LoadHold("if w.gpus > 1 then return c.hold('g' .. w.gpus) end");
  ASSERT_NE(loaded.policy, nullptr);
  EXPECT_THAT(Ask(*loaded.policy, 4).outcome.reasons, ElementsAre("g2", "g3"));
  EXPECT_THAT(Ask(*loaded.policy, 2).outcome.reasons, IsEmpty());
  EXPECT_THAT(Ask(*loaded.policy, 3).outcome.reasons, ElementsAre("g2"));
}

TEST(Hold, ATimeWithoutAnEndIsNone) {
  EXPECT_EQ(Hold("return c.hold('a', math.huge)").answers.at(1), kNobodyKnows);
  EXPECT_EQ(Hold("return c.hold('a', -math.huge)").answers.at(1), 0);
  EXPECT_EQ(Hold("return c.hold('a', -5)").answers.at(1), -5);
}

}  // namespace
}  // namespace muster::luajit::testing
