// Hostile and broken policies: each file of the corpus as the hook it is, compiled and interpreted,
// and as every other hook; then sources that no editor would show. Whatever
// happens, the call ends within its fuel and the same state answers the next call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/fault/any_batch.h"
#include "tests/fault/hostile_corpus.h"

namespace muster::luajit::testing {
namespace {

using ::testing::HasSubstr;

// One call about the second job.
HookOutcome AskSubmit(LuaPolicy& policy, const muster_batch& batch) {
  SubmitAnswer answer;
  const HookOutcome outcome = policy.Submit(batch, &answer);
  EXPECT_LE(outcome.fuel, 200 + 50);
  EXPECT_TRUE(outcome.ok || !(answer.rejected || answer.priority || answer.queue));
  if (answer.rejected) {
    for (const char c : *answer.rejected) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
  }
  return outcome;
}

// One call over three items, or about one; `trigger` gives the second one the 4 GPUs that bring the
// worst out of a policy. Never more fuel than its budget, answers that the hook may give or a
// message.
HookOutcome Ask(LuaPolicy& policy, bool trigger) {
  const HookInfo& asked = policy.info().hooks[0];
  AnyBatch any(asked.hook, trigger);
  const muster_batch& batch = any.Get();
  if (asked.hook == Hook::kSubmit) return AskSubmit(policy, batch);
  std::vector<double> answers(batch.count * static_cast<std::size_t>(asked.keys));
  const HookOutcome outcome = policy.Call(asked.hook, batch, answers);
  EXPECT_LE(outcome.fuel, 200 + 3 * 50);
  EXPECT_EQ(outcome.ok, outcome.message.empty());
  for (const double answer : answers) EXPECT_TRUE(!outcome.ok || Valid(asked.hook, answer));
  for (const std::string& reason : outcome.reasons) {
    EXPECT_LE(reason.size(), kMaxHoldReason);
    for (const char c : reason) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
  }
  EXPECT_LT(policy.state().memory().peak(), 24u << 20);
  return outcome;
}

void EndsWithAMessageThatNamesTheLine(const Hostile& hostile) {
  const LoadedPackage loaded = Load(SourceOf(hostile.source));
  std::string message;
  if (hostile.verdict == Verdict::kRefused) {
    ASSERT_EQ(loaded.policy, nullptr) << "it was expected to be refused";
    message = TextOf(loaded.problems);
  } else if (hostile.verdict == Verdict::kAnswers) {
    ASSERT_NE(loaded.policy, nullptr) << loaded.problems[0].ToString();
    for (const bool trigger : {false, true}) {
      EXPECT_EQ(Ask(*loaded.policy, trigger).message, "") << "it was expected to answer";
    }
    return;
  } else {
    ASSERT_NE(loaded.policy, nullptr) << TextOf(loaded.problems);
    EXPECT_TRUE(Ask(*loaded.policy, false).ok) << "without its trigger it is harmless";
    const HookOutcome outcome = Ask(*loaded.policy, true);
    EXPECT_FALSE(outcome.ok);
    message = outcome.message;
    const std::string hook(HookName(loaded.policy->info().hooks[0].hook));
    // A flavor's own name would not say whose it is.
    EXPECT_THAT(message, HasSubstr("(" + hook + " of "));
    const HookOutcome again = Ask(*loaded.policy, true);
    EXPECT_EQ(again.message, outcome.message) << "it fails the same way again";
    EXPECT_EQ(again.fuel, outcome.fuel);
    EXPECT_TRUE(Ask(*loaded.policy, false).ok) << "the state is usable afterwards";
  }
  EXPECT_THAT(message, HasSubstr(hostile.text));
  const std::string place = "policies/x/policy.lua:";
  EXPECT_THAT(message,
              HasSubstr(hostile.line == 0 ? place : place + std::to_string(hostile.line) + ":"));
  EXPECT_LT(message.size(), 40'000u);
  for (const char c : message) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
}

// The rules that reading enforces are one layer; without it the others must still hold.
void DoesNoHarmWhenOnlyTheSandboxIsLeft(const Hostile& hostile) {
  SandboxOptions options;
  options.source_rules = false;
  const LoadedPackage loaded = Load(SourceOf(hostile.source), {}, options);
  if (loaded.policy == nullptr) return;
  for (const bool trigger : {false, true, false}) Ask(*loaded.policy, trigger);
}

// Loops that became hot compile; nothing that can be seen may depend on that.
void SaysTheSameInterpreted(const Hostile& hostile) {
  SandboxOptions interpreted;
  interpreted.compiled = false;
  const LoadedPackage left = Load(SourceOf(hostile.source));
  const LoadedPackage right = Load(SourceOf(hostile.source), {}, interpreted);
  ASSERT_EQ(left.problems.size(), right.problems.size());
  for (std::size_t i = 0; i < left.problems.size(); ++i) {
    EXPECT_EQ(left.problems[i].ToString(), right.problems[i].ToString());
  }
  if (left.policy == nullptr) return;
  for (const bool trigger : {false, true, true, false}) {
    const HookOutcome compiled = Ask(*left.policy, trigger);
    const HookOutcome plain = Ask(*right.policy, trigger);
    EXPECT_EQ(compiled.message, plain.message);
    EXPECT_EQ(compiled.fuel, plain.fuel);
    EXPECT_EQ(compiled.item, plain.item);
  }
}

class HostilePolicy : public ::testing::TestWithParam<Hostile> {};

TEST_P(HostilePolicy, EndsHarmlesslyWithAMessageAndTheSameInterpreted) {
  EndsWithAMessageThatNamesTheLine(GetParam());
  DoesNoHarmWhenOnlyTheSandboxIsLeft(GetParam());
  SaysTheSameInterpreted(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Corpus, HostilePolicy, ::testing::ValuesIn(ReadCorpus()),
                         [](const auto& test) { return test.param.name; });

TEST(HostileCorpus, IsLarge) { EXPECT_GE(ReadCorpus().size(), 500u); }

// ---- sources that no editor would show
// -----------------------------------------------------------

std::string Repeat(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

std::string WhyRefused(const std::string& source) {
  const LoadedPackage loaded = Load(SourceOf(source));
  EXPECT_EQ(loaded.policy, nullptr);
  return TextOf(loaded.problems);
}

TEST(HostileSource, DeepNestingIsRefused) {
  for (const auto& [open, middle, close] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"(", "1", ")"},
           {"{", "", "}"},
           {"- ", "1", ""},
           {"not ", "1", ""},
           {"1 .. ", "1", ""},
           {"function() return ", "1", " end"},
           {"f(", "", ")"},
           {"t[", "1", "]"}}) {
    for (const int depth : {300, 30'000}) {
      const std::string source = "local x = " + Repeat(open, depth) + middle + Repeat(close, depth);
      EXPECT_THAT(WhyRefused(source.substr(0, 250'000)), HasSubstr("nested too deeply")) << open;
    }
  }
  for (const std::string open :
       {"do ", "while x do ", "if x then ", "repeat ", "for i = 1, 2 do ", "local function f() "}) {
    EXPECT_THAT(WhyRefused(Repeat(open, 10'000)), HasSubstr("nested too deeply")) << open;
  }
}

TEST(HostileSource, HugeSourcesAreRefusedBeforeTheyAreRead) {
  EXPECT_THAT(WhyRefused(std::string(300'000, ' ')), HasSubstr("write at most 262144"));
  EXPECT_THAT(WhyRefused("return '" + std::string(300'000, 'x') + "'"), HasSubstr("bytes"));
}

TEST(HostileSource, LargeSourcesTakeNoLongerThanTheyMust) {
  const std::string end = " return { api = 1, name = 'x', queue_order = function() return 1 end }";
  EXPECT_NE(Load(SourceOf("-- " + std::string(200'000, 'x') + "\n" + end)).policy, nullptr);
  EXPECT_NE(Load(SourceOf("local s = '" + std::string(200'000, 'x') + "'" + end)).policy, nullptr);
  EXPECT_NE(Load(SourceOf(Repeat("do local a = 1 end ", 3'000) + end)).policy, nullptr);
  EXPECT_NE(Load(SourceOf("local t = {" + Repeat("1,", 60'000) + "}" + end)).policy, nullptr);
  EXPECT_THAT(WhyRefused(Repeat("x", 20'000) + Repeat(" = x", 1) + end), HasSubstr("is global"));
  EXPECT_THAT(WhyRefused(Repeat("local y = 1 ", 150) + Repeat("y = zz ", 20'000) + end),
              HasSubstr("undefined name 'zz'"));
  EXPECT_THAT(WhyRefused("return " + Repeat("a.", 60'000) + "b"), HasSubstr("undefined name 'a'"));
  EXPECT_THAT(WhyRefused(Repeat("local a ", 20'000)), HasSubstr("more than 200 local variables"));
  EXPECT_THAT(WhyRefused("local " + Repeat("a, ", 40'000) + "a"), HasSubstr("more than 200 local"));
}

TEST(HostileSource, BytecodeIsRefusedWhateverIsBehindIt) {
  for (const std::string& source : {std::string("\x1bLJ\x02\x02", 5), std::string("\x1b"),
                                    std::string("\x1bLua"), "\x1b" + std::string(1000, '\xff')}) {
    EXPECT_THAT(WhyRefused(source), HasSubstr("policy.lua is bytecode"));
  }
}

TEST(HostileSource, OddEncodingsAreSyntaxErrors) {
  for (const std::string& source :
       {std::string("\xff\xfer\0e\0t\0u\0r\0n\0", 14), std::string("\0\0\0", 3),
        std::string("return\0 1", 9), std::string("\xEF\xBB\xBF\xEF\xBB\xBF return 1"),
        std::string("local \xE2\x80\x8B = 1"),
        std::string("return\xC2\xA0"
                    "1"),
        std::string("return \x80"), std::string("return 1\x80"), std::string("return 0x\x80")}) {
    EXPECT_THAT(WhyRefused(source), HasSubstr("policies/x/policy.lua:1:"));
  }
}

TEST(HostileSource, ByteOrderMarkShellLineAndLineEndsOfOtherSystemsAreFine) {
  const std::string package =
      "\r\nreturn { api = 1, name = 'x',\r\nqueue_order = function(w)\r\nif w.gpus == 4 then\r\n"
      "error('here') end return 1 end }\r\n";
  for (const std::string front : {"", "\xEF\xBB\xBF", "#!/usr/bin/env muster", "\xEF\xBB\xBF# x"}) {
    const LoadedPackage loaded = Load(SourceOf(front + package));
    ASSERT_NE(loaded.policy, nullptr) << loaded.problems[0].ToString();
    EXPECT_THAT(Ask(*loaded.policy, true).message, HasSubstr("policies/x/policy.lua:5: here"));
  }
}

}  // namespace
}  // namespace muster::luajit::testing
