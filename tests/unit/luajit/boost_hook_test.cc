// Hook boost in Lua: what counts as an answer, and what is said about every other one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

using ::testing::HasSubstr;

std::string TextOf(const std::vector<PackageProblem>& problems) {
  std::string text;
  for (const PackageProblem& problem : problems) text += problem.ToString() + "\n";
  return text;
}

PackageSource BoostOf(const std::string& body) {
  return SourceOf(
      "return { api = 1, name = \"x\", boost = { reads = {\"now\"}, every = \"10m\", "
      "function(w, c) " +
      body + " end } }");
}

/// The answer about one job with 4 GPUs, which no trial asks about, or the message.
std::string AnswerOf(const std::string& body) {
  const LoadedPackage loaded = Load(BoostOf("if w.gpus == 4 then " + body + " end return 1"));
  if (loaded.policy == nullptr) return "not loaded: " + TextOf(loaded.problems);
  PolicyBatch batch(1);
  batch[0].gpus = 4;
  std::vector<double> answers(1, -7);
  const HookOutcome outcome = loaded.policy->Call(Hook::kBoost, batch.Get(), answers);
  if (!outcome.ok) return outcome.message;
  return std::to_string(static_cast<std::int64_t>(answers[0]));
}

TEST(BoostHook, AnswersWholeNumbersAndNothingIsZero) {
  EXPECT_EQ(AnswerOf("return 5"), "5");
  EXPECT_EQ(AnswerOf("return -1e9"), "-1000000000");
  EXPECT_EQ(AnswerOf("return nil"), "0");
  EXPECT_EQ(AnswerOf("do return end"), "0");
  EXPECT_EQ(AnswerOf("return math.floor(2.9)"), "2");
}

TEST(BoostHook, RefusesEverythingElse) {
  for (const char* wrong : {"0.5",
                            "-0.25",
                            "1e9 + 1",
                            "-1e9 - 1",
                            "2 ^ 31",
                            "2147483648",
                            "-2147483649",
                            "9007199254740992",
                            "9007199254740993",
                            "1e300",
                            "-1e300",
                            "5e-324",
                            "0/0",
                            "1/0",
                            "-1/0",
                            "math.huge",
                            "'5'",
                            "'boost'",
                            "true",
                            "false",
                            "{}",
                            "{ 5 }",
                            "function() end",
                            "w",
                            "c",
                            "1, 2",
                            "nil, 2",
                            "error('no')",
                            "w.nothing",
                            "tostring(5)"}) {
    const std::string answer = AnswerOf(std::string("do return ") + wrong + " end");
    EXPECT_THAT(answer, HasSubstr("policies/x/policy.lua:1:")) << wrong;
  }
  EXPECT_THAT(AnswerOf("while true do end"), HasSubstr("(boost of ns/job-0)"));
  EXPECT_THAT(AnswerOf("return 0.5"),
              HasSubstr("boost returned 0.5 as key 1; return a whole number from -1e9 to 1e9"));
}

TEST(BoostHook, ThatAnswersNoBoostWhenItIsTriedIsNotLoaded) {
  const LoadedPackage loaded = Load(BoostOf("return w.priority / 2"));
  EXPECT_EQ(loaded.policy, nullptr);
  EXPECT_THAT(TextOf(loaded.problems), HasSubstr("for one it was tried on"));
}

TEST(BoostHook, DeclaresWhatItReads) {
  const LoadedPackage loaded = Load(BoostOf("return math.floor(w.waited)"));
  ASSERT_NE(loaded.policy, nullptr) << TextOf(loaded.problems);
  const HookInfo& hook = loaded.policy->info().hooks.at(0);
  EXPECT_EQ(hook.hook, Hook::kBoost);
  EXPECT_EQ(hook.keys, 1);
  EXPECT_EQ(hook.every, 600);
  EXPECT_EQ(hook.reads, std::vector<std::string>{"now"});
}

}  // namespace
}  // namespace muster::luajit::testing
