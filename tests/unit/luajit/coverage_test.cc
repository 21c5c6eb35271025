// What specs reach, and which mistakes they would notice.
#include "bindings/luajit/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bindings/luajit/mutants.h"
#include "bindings/luajit/parser.h"
#include "bindings/luajit/spec_runner.h"

namespace muster::luajit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Coverage of a queue_order with this body after it was asked about jobs with these GPUs.
Coverage Cover(const std::string& body, const std::string& gpus) {
  const std::string policy =
      "return { api = 1, name = 'x', queue_order = function(w)\n" + body + "\nend }";
  const std::string spec = "it('t', function() assert.is_table(fx.policy()) for _, n in ipairs { " +
                           gpus + " } do fx.policy():keys { fx.workload { gpus = n } } end end)";
  std::vector<std::uint64_t> counts;
  SpecOptions options;
  options.counts = &counts;
  const SpecRun run =
      RunSpecs({"policies/x", {{"policy.lua", policy}, {"policy_spec.lua", spec}}}, options);
  EXPECT_FALSE(run.failed) << run.cases.at(0).message;
  return MeasureCoverage(policy, counts);
}

std::vector<std::string> Missed(const Coverage& coverage) {
  std::vector<std::string> texts;
  for (const MissedBranch& branch : coverage.missed_branches) {
    texts.push_back(std::to_string(branch.place.line) + ": " + branch.what);
  }
  return texts;
}

TEST(Coverage, TheTrialsOfLoadingDoNotCount) {
  const Coverage coverage = Cover("return 1", "");
  EXPECT_THAT(coverage.missed_lines, ElementsAre(2));
  EXPECT_EQ(Cover("return 1", "1").Percent(), 100);
}

TEST(Coverage, LinesThatNoTestReachesAreNamed) {
  const std::string body = "if w.gpus > 4 then\n  return 1\nend\nreturn 2";
  EXPECT_THAT(Cover(body, "8").missed_lines, ElementsAre(5));
  EXPECT_THAT(Cover(body, "1").missed_lines, ElementsAre(3));
  EXPECT_THAT(Cover(body, "1, 8").missed_lines, IsEmpty());
}

TEST(Coverage, BothWaysOfAnIfCountAlsoWithoutElse) {
  const std::string body = "local n = 0 if w.gpus > 4 then n = 1 end return n";
  EXPECT_THAT(Missed(Cover(body, "8")), ElementsAre("2: no condition of this if was ever false"));
  EXPECT_THAT(Missed(Cover(body, "1")), ElementsAre("2: the condition was never true"));
  EXPECT_THAT(Missed(Cover(body, "1, 8")), IsEmpty());
  const std::string arms =
      "if w.gpus > 4 then return 1 elseif w.gpus > 2 then return 2 else return 3 end";
  EXPECT_THAT(Missed(Cover(arms, "8, 3")), ElementsAre("2: the else was never reached"));
  EXPECT_THAT(Missed(Cover(arms, "8, 1")), ElementsAre("2: the condition was never true"));
}

TEST(Coverage, BothWaysOfAndAndOrCount) {
  const std::string body = "return w.gpus > 4 and 1 or 0";
  EXPECT_THAT(Missed(Cover(body, "8")),
              ElementsAre("2: the left side of this 'and' never decided alone",
                          "2: the right side of this 'or' was never evaluated"));
  EXPECT_THAT(Missed(Cover(body, "1")),
              ElementsAre("2: the right side of this 'and' was never evaluated",
                          "2: the left side of this 'or' never decided alone"));
  EXPECT_THAT(Missed(Cover(body, "1, 8")), IsEmpty());
}

// What is put in must not change what the policy answers, whatever it stands in.
TEST(Coverage, CountingChangesNoAnswer) {
  const char* policies[] = {
      "return w.gpus == 1 and 2 or w.gpus == 3 and (w.gpus > 2 and 4 or 5) or 6",
      "local t = { w.gpus or 1, a = not (w.gpus > 1 or false) and 7 or 8 } return t[1] + t.a",
      "local function f(x, y) return x or y, y end return select(1, f(w.gpus > 2 and 3, 4)), 1",
      R"(local n = 0 for i = 1, w.gpus do if i == 2 then break elseif i > 9 then n = 5 end
         n = n + (i > 1 or w.gpus > 1 and true) and 1 or 0 end return n)",
      "local n = w.gpus repeat local done = n < 1 or n > 9 n = n - 1 until done return n",
      "local s = 'and' .. (w.name or 'or') -- and or\n return #s, -w.gpus * 2 - 1"};
  for (const std::string body : policies) {
    const std::string policy =
        "return { api = 1, name = 'x', queue_order = function(w) " + body + " end }";
    std::string answers[2];
    for (const bool counted : {false, true}) {
      std::vector<std::uint64_t> counts;
      SpecOptions options;
      options.update = true;
      if (counted) options.counts = &counts;
      const SpecRun run = RunSpecs(
          {"policies/x",
           {{"policy.lua", policy},
            {"policy_spec.lua",
             "it('t', function() local all = {} for n = 0, 12 do all[n + 1] = pcall(function() "
             "all['k' .. n] = fx.policy():keys { fx.workload { gpus = n } } end) end "
             "golden('answers', all) end)"}}},
          options);
      EXPECT_FALSE(run.failed) << run.cases.at(0).message;
      answers[counted ? 1 : 0] = run.goldens.at("goldens/answers.txt");
    }
    EXPECT_EQ(answers[0], answers[1]) << body;
  }
}

std::vector<std::string> Changes(const std::string& body) {
  std::vector<std::string> texts;
  const std::string source = "local k = 7\nreturn { f = function(w)\n" + body + "\nend, n = 3 }";
  for (const Mutant& mutant : MakeMutants(source)) {
    EXPECT_TRUE(ParseSource(mutant.source).syntax_ok) << mutant.source;
    EXPECT_NE(mutant.source, source);
    EXPECT_EQ(mutant.place.line, 3);
    texts.push_back(mutant.before + " -> " + mutant.after);
  }
  return texts;
}

TEST(Mutants, ChangeOneTokenInsideFunctions) {
  EXPECT_THAT(Changes("return w.a < 2 and -w.b or math.min(w.c - 1, 0)"),
              ElementsAre("< -> <=", "2 -> (2 - 1)", "and -> or", "- ->  ", "or -> and",
                          "min -> max", "- -> +", "1 -> (1 + 1)", "0 -> (0 + 1)"));
  EXPECT_THAT(Changes("if w.a then local f = function() end end return 5"),
              ElementsAre("5 -> (5 - 1)"));
}

TEST(Mutants, LeaveLinesAloneThatSayWhyNothingChanges) {
  EXPECT_THAT(Changes("return w.a < 2 -- equivalent: a is never 2"), IsEmpty());
}

}  // namespace
}  // namespace muster::luajit::testing
