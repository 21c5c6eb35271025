// The rewriter against plain Lua: random programs answer the same with and without ticks, and cost
// the same on every run, compiled and interpreted.
#include "tests/unit/luajit/random_program.h"

#include <gtest/gtest.h>

#include <regex>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

struct Answer {
  std::string message;
  std::int64_t fuel = 0;
  std::vector<double> keys;
  bool operator==(const Answer&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Answer& answer) {
  return out << (answer.message.empty() ? "ok" : answer.message) << ", fuel " << answer.fuel << " "
             << ::testing::PrintToString(answer.keys);
}

void Fill(PolicyBatch& batch, unsigned int count) {
  for (unsigned int i = 0; i < count; ++i) {
    muster_workload& w = batch.Add("job-" + std::to_string(i));
    w.priority = i % 5;
    w.gpus = i % 3;
  }
}

// Calls for enough jobs that the loop over them is compiled; or why the program does not load.
std::vector<Answer> Run(const std::string& program, const SandboxOptions& options, int calls) {
  constexpr unsigned int kJobs = 64;
  const LoadedPackage loaded = Load(OrderOf(program), {}, options);
  if (loaded.policy == nullptr) return {{loaded.problems.back().ToString(), 0, {}}};
  std::vector<Answer> answers;
  PolicyBatch batch;
  Fill(batch, kJobs);
  for (int i = 0; i < calls; ++i) {
    Answer& answer = answers.emplace_back();
    answer.keys.resize(2 * kJobs);
    const HookOutcome outcome = loaded.policy->Call(Hook::kQueueOrder, batch.Get(), answer.keys);
    answer.message = outcome.message;
    answer.fuel = outcome.fuel;
    if (!outcome.ok) answer.keys.clear();
  }
  return answers;
}

// Operands that pass through the check of their cost have no name any more.
std::string WithoutNames(const std::string& message) {
  static const std::regex kNamed("on \\w+ '[^']*' \\((a \\w+ value)\\)");
  return std::regex_replace(message, kNamed, "on $1");
}

// How many of the programs answered.
int RunPrograms(unsigned int first, unsigned int last) {
  SandboxOptions fueled;
  fueled.source_rules = false;
  fueled.frozen_file = false;  // they assign to what is around them
  fueled.limits.item_fuel = 1'000'000;
  SandboxOptions plain = fueled, interpreted = fueled;
  plain.rewriting = false;
  interpreted.compiled = false;
  int sound = 0;
  for (unsigned int seed = first; seed <= last; ++seed) {
    const std::string program = RandomProgram(seed).Body();
    SCOPED_TRACE("seed " + std::to_string(seed) + ":\n" + program);
    const std::vector<Answer> runs = Run(program, fueled, 2);
    const Answer& compiled = runs.front();
    EXPECT_EQ(compiled, runs.back()) << "on every run";
    EXPECT_EQ(compiled, Run(program, interpreted, 1).front()) << "compiled and interpreted";
    Answer native = Run(program, plain, 1).front();
    native.fuel = compiled.fuel;
    native.message = WithoutNames(native.message);
    Answer rewritten = compiled;
    rewritten.message = WithoutNames(compiled.message);
    EXPECT_EQ(rewritten, native) << "with and without ticks";
    if (compiled.message.empty()) ++sound;
    if (::testing::Test::HasFailure()) break;
  }
  return sound;
}

TEST(RandomProgram, AnswersTheSameWithTicksAndCostsTheSameOnEveryRun) {
  EXPECT_GT(RunPrograms(1, 30), 20) << "most programs run";
}
TEST(LongRandomProgram, AnswersTheSameWithTicksAndCostsTheSameOnEveryRun) {
  EXPECT_GT(RunPrograms(31, 110), 60) << "most programs run";
}
TEST(NightRandomProgram, AnswersTheSameWithTicksAndCostsTheSameOnEveryRun) {
  EXPECT_GT(RunPrograms(231, 6'060), 5'080) << "most programs run";
}

TEST(RandomProgram, HasEveryStatement) {
  std::string all;
  for (unsigned int seed = 1; seed <= 100; ++seed) all += RandomProgram(seed).Body();
  for (const char* form : {"while ",         "repeat ", "until ",  "goto l",     "::l",
                           "for i",          "for k",   "elseif ", "else",       "function t:m",
                           "local function", "break",   "pcall(",  "...",        "[==[",
                           "--[==[",         "\\z",     "0x",      "return end", "t[#t + 1]",
                           "table.sort"}) {
    EXPECT_NE(all.find(form), std::string::npos) << form;
  }
}

}  // namespace
}  // namespace muster::luajit::testing
