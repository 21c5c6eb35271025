// RunSpecs: busted's words inside Muster, what a failure says, and what a spec cannot do.
#include "bindings/luajit/spec_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>

namespace muster::luajit::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kSmallFirst =
    "return { api = 1, name = 'x', queue_order = function(w) return w.priority, -w.gpus end }";

SpecRun RunSpec(const std::string& spec, const SpecOptions& options = {}) {
  return RunSpecs({"policies/x", {{"policy.lua", kSmallFirst}, {"policy_spec.lua", spec}}},
                  options);
}

/// "3: message" of the one test of `spec`; empty when it passes.
std::string Problem(const std::string& spec, const SpecOptions& options = {}) {
  const SpecRun run = RunSpec(spec, options);
  if (run.cases.size() != 1) return "there are " + std::to_string(run.cases.size()) + " tests";
  const SpecCase& only = run.cases.front();
  if (only.verdict == SpecVerdict::kPassed) return "";
  return std::to_string(only.line) + ": " + only.message;
}

std::string InTest(const std::string& body) { return "it('t', function()\n" + body + "\nend)"; }

TEST(SpecRunner, AsksThePackageInItsSandbox) {
  const SpecRun run = RunSpec(InTest(
      "assert.same({ { 2, -4 } }, fx.policy():keys { fx.workload { priority = 2, gpus = 4 } })"));
  ASSERT_EQ(run.cases.size(), 1u);
  EXPECT_EQ(run.cases[0].message, "");
  EXPECT_EQ(run.cases[0].name, "t");
  EXPECT_EQ(run.cases[0].file, "policies/x/policy_spec.lua");
  EXPECT_GT(run.cases[0].fuel, 0);
  EXPECT_FALSE(run.failed);
}

TEST(SpecRunner, AFailureNamesLineViewsKeysAndTheKeyThatDecides) {
  EXPECT_EQ(Problem(InTest("assert.ranks_before(fx.workload { name = 'big', gpus = 8 },\n"
                           "  fx.workload { name = 'small', gpus = 1 })")),
            "2: big is not served before small; key 2 decides: -8 against -1\n"
            "  big: keys 0, -8 of { gpus = 8, name = \"big\", request = { [\"nvidia.com/gpu\"] = 8 "
            "} }\n"
            "  small: keys 0, -1 of { gpus = 1, name = \"small\", request = { [\"nvidia.com/gpu\"] "
            "= 1 } }");
  EXPECT_EQ(
      Problem(InTest("assert.same({ a = { 1, 2 } }, { a = { 1, 3 } })")),
      "2: expected { a = { 1, 2 } }\n     got { a = { 1, 3 } } (first at .a[2]: 2 against 3)");
}

TEST(SpecRunner, AssertionsHoldAndFailAsInBusted) {
  for (const char* holds :
       {"assert.is_true(true)", "assert.is_not.equal(1, 2)", "assert.are.same({}, {})",
        "assert.is_nil(nil)", "assert.has_error(function() error('x', 0) end, 'x')",
        "assert.has_no.errors(function() end)", "assert.near(1, 1.05, 0.1)", "assert(1)",
        "assert.is_not_nil(1)", "assert.truthy(0)", "assert.is_string('')",
        "assert.is_not.ranks_before(fx.workload { gpus = 2 }, fx.workload { gpus = 1 })"}) {
    EXPECT_EQ(Problem(InTest(holds)), "") << holds;
  }
  for (const char* fails :
       {"assert.is_true(1)", "assert.is_not.equal(1, 1)", "assert.are_not.same({}, {})",
        "assert.is_nil(false)", "assert.has_error(function() end)",
        "assert.has_no.errors(function() error('x') end)", "assert.near(1, 1.2, 0.1)",
        "assert(false)", "assert.falsy(0)", "assert.is_number('1')",
        "assert.is_not.ranks_before(fx.workload { gpus = 1 }, fx.workload { gpus = 2 })"}) {
    EXPECT_THAT(Problem(InTest(fails)), HasSubstr("2: ")) << fails;
  }
}

TEST(SpecRunner, ATestThatAssertsNothingFailsAndSaysWhatToWrite) {
  constexpr const char* kNothing =
      "1: asserts nothing; write assert.same(expected, actual), another assert or golden(name, "
      "value), or pending() while it is not written";
  for (const char* body :
       {"", "fx.policy():keys { fx.workload {} }", "local a = assert.is_true",
        "if false then assert(true) end", "pcall(function() assert.same(1, 2) end)",
        "pcall(assert, false)", "pcall(golden, 'none', 'x')",
        "pcall(assert.ranks_before, fx.workload {}, fx.workload {})"}) {
    EXPECT_EQ(Problem(InTest(body)), kNothing) << body;
  }
  EXPECT_EQ(Problem("prop('p', gen.int(1, 2), function(n) return n end)"), kNothing);
  EXPECT_EQ(Problem("cases({ { name = 'c' } }, function(case) return case end)"), kNothing);
  EXPECT_EQ(Problem(InTest("assert.has_error(function() assert(false) end)")), "");
  EXPECT_EQ(Problem(InTest("assert.is_false((pcall(assert, false)))")), "");
  EXPECT_EQ(Problem("after_each(function() assert(true) end)\n" + InTest("")), "");
  EXPECT_EQ(Problem("laws.order_is_total {}"), "");
  EXPECT_EQ(Problem("prop('p', gen.int(1, 2), function(n) assert(n > 0) end)"), "");
  EXPECT_EQ(RunSpec("it('t')").cases.front().verdict, SpecVerdict::kPending);
  EXPECT_EQ(RunSpec(InTest("pending('later')")).cases.front().verdict, SpecVerdict::kPending);
}

TEST(SpecRunner, TyposComeWithTheClosestName) {
  EXPECT_EQ(Problem(InTest("assert.smae(1, 1)")),
            "2: there is no assertion 'smae'; did you mean 'same'?");
  EXPECT_EQ(Problem(InTest("fx.workload { gpu = 1 }")),
            "2: fx.workload: no field 'gpu'; did you mean 'gpus'?");
  EXPECT_EQ(Problem(InTest("fx.workload { waited = '2x' }")),
            "2: \"2x\" is not a time; write seconds, or \"90s\", \"1h30m\", \"7d\"");
  EXPECT_EQ(Problem(InTest("dscribe()")), "2: undefined name 'dscribe'; did you mean 'describe'?");
  EXPECT_EQ(Problem(InTest("assert.ranks_before(fx.workload {})")),
            "2: write assert.ranks_before(a, b) with two of fx.workload");
  EXPECT_EQ(Problem(InTest("assert.admits('a')")),
            "2: write assert.admits(cluster, \"name\", ...) with one of fx.cluster");
  EXPECT_THAT(Problem(InTest("assert.protects(fx.victim {})")),
              HasSubstr("2: write assert.protects(preemptor, victim) with "));
  EXPECT_THAT(Problem(InTest("laws.order()")), HasSubstr("there is no law 'order'; there are "));
}

TEST(SpecRunner, FixturesThatTheEngineCouldNotHandOverSayWhatToWrite) {
  for (
      const auto& [body, problem] : std::vector<std::pair<std::string, std::string>>{
          {"fx.workload { name = 'a', priority = 1e12 }",
           "2: fx.workload \"a\": priority is a whole number from -2147483648 to 2147483647, not "
           "1000000000000; write priority = 100"},
          {"fx.workload { priority = 1.5 }",
           "2: fx.workload \"job\": priority is a whole number from -2147483648 to 2147483647, not "
           "1.5; write priority = 100"},
          {"fx.workload { gpus = 0.5 }",
           "2: fx.workload \"job\": gpus is a whole number from 0 to 2147483647, not 0.5; write "
           "gpus = 8"},
          {"fx.workload { pods = 0 }",
           "2: fx.workload \"job\": pods is a whole number from 1 to 2147483647, not 0; write pods "
           "= 4"},
          {"fx.workload { request = { ['nvidia.com/gpu'] = 0.5 } }",
           "2: fx.workload \"job\": request[\"nvidia.com/gpu\"] is 0.5, half a device does not "
           "exist; write 1"},
          {"fx.victim { uses = { cpu = -1 } }",
           "2: fx.victim \"job\": uses[\"cpu\"] is -1; write an amount of 0 or more"},
          {"fx.workload { name = '' }",
           "2: fx.workload: name is \"\", which is no name in Kubernetes; use lower-case letters, "
           "digits, - and ., as in name = \"team-a\""},
          {"fx.workload { queue = 'Team A' }",
           "2: fx.workload \"job\": cluster_queue is \"Team A\", which is no name in Kubernetes; "
           "use "
           "lower-case letters, digits, - and ., as in cluster_queue = \"team-a\""},
          {"fx.node { weight = -1 }",
           "2: fx.node \"queue\": weight is 0 or more, not -1; write a number"},
          {"fx.flavor { index = 0.5 }",
           "2: fx.flavor \"flavor\": index is a whole number from 0 to 2147483647, not 0.5; write "
           "index = 0"},
          {"local w = fx.workload {} w.priority = 0.5 fx.policy():keys { w }",
           "2: fx.workload \"job\": priority is a whole number from -2147483648 to 2147483647, not "
           "0.5; write priority = 100"},
          {"local w = fx.workload {} w.priority = 'high' fx.policy():keys { w }",
           "2: fx.workload \"job\": priority is a number, not \"high\"; give one"}}) {
    EXPECT_EQ(Problem(InTest(body)), problem);
  }
  EXPECT_EQ(Problem(InTest("assert(fx.workload { request = { cpu = 0.5 }, max_run = 1/0 })")), "");
  EXPECT_EQ(Problem(InTest("fx.node { name = 'a', usage = { cpu = 1 }, borrowed = { cpu = 5 } }")),
            "2: fx.node \"a\": it borrows 5 cpu and uses 1");
  EXPECT_EQ(Problem(InTest("local n = fx.node { nominal = { cpu = 2 }, borrowed = { cpu = 5 } }"
                           " assert.equal(7, n.usage.cpu)")),
            "");
}

TEST(SpecRunner, FixturesOfResourcesThatAreNoneAndOfTimesThatCannotBeAreRefused) {
  for (const auto& [body, problem] : std::vector<std::pair<std::string, std::string>>{
           {"fx.workload { request = { cpuu = 1 } }",
            "2: fx.workload \"job\": request: there is no resource 'cpuu'; did you mean 'cpu'?"},
           {"fx.node { usage = { ['nvidia.com/gpus'] = 1 } }",
            "2: fx.node \"queue\": usage: there is no resource 'nvidia.com/gpus'; did you mean "
            "'nvidia.com/gpu'?"},
           {"fx.victim { uses = { tape = 1 } }",
            "2: fx.victim \"job\": uses: there is no resource 'tape'; resources are cpu, memory, "
            "... "
            "or have a domain, as in nvidia.com/gpu"},
           {"fx.victim { ran = '1h', max_run = '1m' }",
            "2: fx.victim: it has run for 3600 s, longer than its max_run"},
           {"fx.policy():keys { fx.workload { name = 'a', created = fx.now + 10 } }",
            "2: fx.workload \"a\": created is 10 s ahead of the call; ask later, with "
            "fx.policy():at \"1h\""},
           {"fx.policy():keys { fx.workload { last_admitted = fx.now + 100 } }",
            "2: fx.workload \"job\": last_admitted is 100 s ahead of the call; ask later, with "
            "fx.policy():at \"1h\""}}) {
    EXPECT_EQ(Problem(InTest(body)), problem);
  }
  EXPECT_EQ(
      Problem(InTest("assert(fx.policy():at(10):keys { fx.workload { created = fx.now + 10 } })")),
      "");
  EXPECT_EQ(Problem(InTest("assert(fx.workload { request = { ['amd.com/gpu'] = 1, "
                           "['nvidia.com/gpu.shared'] = 1, ['hugepages-2Mi'] = 1 } })")),
            "");
}

TEST(SpecRunner, WordsThatDescribeTestsCannotStandInsideOfOne) {
  for (const auto& [word, body] : std::vector<std::pair<std::string, std::string>>{
           {"prop", "prop('p', gen.workload {}, function() end)"},
           {"cases", "cases { { given = {}, expect = {} } }"},
           {"laws.order_is_total", "laws.order_is_total()"},
           {"it", "it('b', function() end)"},
           {"describe", "describe('b', function() end)"},
           {"before_each", "before_each(function() end)"}}) {
    EXPECT_EQ(Problem(InTest(body)),
              "2: " + word +
                  " describes a test of its own and cannot stand inside of one; write it beside "
                  "`it`, in the file or in describe");
  }
}

TEST(SpecRunner, SurroundingsRunOutsideIn) {
  EXPECT_EQ(Problem("local log = {}\n"
                    "describe('a', function()\n"
                    "  setup(function() table.insert(log, 's') end)\n"
                    "  before_each(function() table.insert(log, 1) end)\n"
                    "  describe('b', function()\n"
                    "    before_each(function() table.insert(log, 2) end)\n"
                    "    it('c', function() assert.same({ 's', 1, 2 }, log) end)\n"
                    "  end)\n"
                    "end)"),
            "");
  const SpecRun run = RunSpec(
      "describe('a', function() describe('b', function() it('c', function() "
      "end) end) end)");
  EXPECT_EQ(run.cases.at(0).name, "a b c");
}

TEST(SpecRunner, PendingIsNeitherPassedNorFailed) {
  const SpecRun run = RunSpec("pending('later')\nit('now', function() pending('not yet') end)");
  ASSERT_EQ(run.cases.size(), 2u);
  EXPECT_EQ(run.cases[0].verdict, SpecVerdict::kPending);
  EXPECT_EQ(run.cases[1].verdict, SpecVerdict::kPending);
  EXPECT_EQ(run.cases[1].message, "not yet");
  EXPECT_FALSE(run.failed);
  EXPECT_EQ(RunSpec(InTest("fx.cluster { gpus = 1 }")).cases.at(0).verdict, SpecVerdict::kPending)
      << "without an engine";
}

TEST(SpecRunner, OnlyTestsThatAreAskedForRun) {
  const std::string spec = "it('one #slow', function() end) it('two', function() end)";
  EXPECT_EQ(RunSpec(spec, {.filter = "tw", .tags = ""}).cases.size(), 1u);
  EXPECT_EQ(RunSpec(spec, {.filter = "", .tags = "slow"}).cases.at(0).name, "one #slow");
  EXPECT_THAT(RunSpec(spec, {.filter = "", .tags = "slo"}).cases, IsEmpty());
}

TEST(SpecRunner, ASpecSeesNothingOfTheMachine) {
  for (const char* name : {"io", "os", "ffi", "require", "debug", "jit", "load", "loadstring",
                           "dofile", "package", "collectgarbage", "getfenv", "setfenv"}) {
    EXPECT_THAT(Problem(InTest("return " + std::string(name))),
                HasSubstr("2: blocked function: " + std::string(name) + "; "))
        << name;
  }
  EXPECT_EQ(Problem(InTest("print(1)")),
            "2: blocked function: print; say it with assert: its message is shown");
  EXPECT_EQ(Problem(InTest("assert.is_nil(math.random)")), "");
}

TEST(SpecRunner, ATestThatNeverEndsIsEnded) {
  EXPECT_EQ(Problem(InTest("while true do pcall(function() while true do end end) end")),
            "2: the test runs too long");
}

// Nor does it help to let the generator, the law or the shrinking take the time.
TEST(SpecRunner, APropertyThatNeverEndsIsEnded) {
  const std::string too_long = "1: the test runs too long";
  EXPECT_EQ(Problem("prop('p', { cases = 1e9 }, gen.workloads { n = { 900, 1000 } },\n"
                    "function() end)"),
            too_long);
  EXPECT_THAT(Problem("prop('p', { cases = 1e9 }, gen.int(0, 9),\nfunction() end)"),
              HasSubstr("the test runs too long"));
  const std::string shrinking = Problem(
      "prop('p', gen.int(0, 1e6), function(n) for i = 1, 4e6 do end\n"
      "if n > 1e3 then error('no', 0) end end)");
  EXPECT_THAT(shrinking, HasSubstr("the test runs too long; before that: no\n  broken by case 1"));
}

TEST(SpecRunner, GeneratorsSayWhatTheyTake) {
  const std::string size =
      "1: a list is generated with n = { fewest, most }, whole numbers from 0 to 1000; write n = { "
      "1, 20 }";
  for (const char* n : {"{ 1, 100000000 }", "{ 2, 1 }", "5", "{ 1, 1/0 }", "{ 0.5, 2 }", "{ 1 }"}) {
    EXPECT_EQ(Problem("prop('p', gen.workloads { n = " + std::string(n) + " }, function() end)"),
              size)
        << n;
  }
  EXPECT_EQ(Problem("gen.list(gen.int(0, 1))"), size);
  EXPECT_EQ(Problem("gen.int(3, 1)"),
            "1: gen.int takes its least and its greatest value, as in gen.int(0, 100)");
  EXPECT_EQ(Problem("gen.number(0, 1/0)"),
            "1: gen.number takes its least and its greatest value, as in gen.number(0, 100)");
  EXPECT_EQ(Problem("gen.pick {}"),
            "1: gen.pick takes the values to pick from, as in gen.pick { 1, 2, 8 }");
}

TEST(SpecRunner, ATestThatTakesTooMuchMemoryIsEndedAndTheNextOneRuns) {
  for (const char* body :
       {"local t = {} for i = 1, 40 do t[i] = ('x'):rep(2 ^ 23 + i) end",
        "local s = 'x'\nwhile true do s = s .. s end",
        "local t = {} while true do t[#t + 1] = {} end",
        "pcall(function() local t = {} while true do t[#t + 1] = {} end end) local i = 1"}) {
    const SpecRun run = RunSpec(InTest(body) + "\nit('next', function() assert(true) end)");
    ASSERT_EQ(run.cases.size(), 2u) << body;
    EXPECT_EQ(run.cases[0].message, "the test uses more than 256 MB") << body;
    EXPECT_EQ(run.cases[0].line,
              std::string_view(body).find('\n') == std::string_view::npos ? 2 : 3)
        << body;
    EXPECT_EQ(run.cases[1].message, "") << body;
  }
}

TEST(LongSpecRunner, AllSpecsOfAPackageHaveOneTimeTogether) {
  std::string spec;
  for (int i = 0; i < 40; ++i) spec += InTest("while true do end") + "\n";
  const SpecRun run = RunSpec(spec);
  EXPECT_LT(run.cases.size(), 40u);
  EXPECT_THAT(run.cases.back().message,
              HasSubstr("the specs run too long: all of a package have 10 s together"));
}

// A search in C sees no limit: one that may take long is made in Lua.
void ExpectEnded(std::initializer_list<const char*> searches) {
  for (const char* search : searches) {
    EXPECT_EQ(Problem(InTest(search)), "2: the test runs too long") << search;
  }
}

TEST(SpecRunner, APlainSearchInALongTextFindsWhatAShortOneDoes) {
  EXPECT_EQ(Problem(InTest("local s = ('a'):rep(2 ^ 14) .. '.'\n"
                           "assert.same({ 2 ^ 14 - 8190, 2 ^ 14 + 1 }, "
                           "{ s:find(('a'):rep(8191) .. '.', 1, true) })")),
            "");
}

TEST(SpecRunner, ASearchThatNeverEndsIsEnded) {
  ExpectEnded({"string.find(('a'):rep(40), ('a*'):rep(30) .. 'b')"});
}

// Each takes as long as a test may.
TEST(LongSpecRunner, ASearchThatNeverEndsIsEnded) {
  ExpectEnded({"(('a'):rep(40)):match(('a-'):rep(30) .. 'b')",
               "(('a'):rep(40)):gsub(('a?'):rep(40) .. ('a'):rep(40) .. 'b', '')",
               "string.gmatch(('a'):rep(40), ('a+'):rep(20) .. 'b')()",
               "(('a'):rep(2 ^ 22)):find(('a'):rep(2 ^ 20) .. 'b', 1, true)"});
}

TEST(SpecRunner, ProtectedCallsThatNestWithoutEndAreEnded) {
  const std::string problem =
      Problem(InTest("local function f() return pcall(f) and f() end pcall(f)"));
  EXPECT_NE(problem.find("the test runs too long"), std::string::npos) << problem;
}

TEST(SpecRunner, ALongSearchFindsWhatAShortOneDoes) {
  EXPECT_EQ(
      Problem(InTest("local s = ('key = value, '):rep(200) .. '(x(y)z)w'\n"
                     "local n = 0 for k, v in s:gmatch('(%w+)%s*=%s*(%w+)') do\n"
                     "assert.equal('key value', k .. ' ' .. v) n = n + 1 end\n"
                     "assert.equal(200, n)\n"
                     "assert.equal('(x(y)z)', s:match('%a*%s*%a*%s*(%b())'))\n"
                     "assert.equal(202, (select(2, s:gsub('([xy])([()]?)[()]*w?', '%2%1'))))\n"
                     "assert.equal(1, (s:find('^%s*%a+%s*=.-$')))")),
      "");
}

TEST(SpecRunner, MistakesOfAFileAreFailuresWithTheirLine) {
  EXPECT_THAT(Problem("\x1bLJ\x02"),
              HasSubstr("policy_spec.lua:1: it is bytecode; give its source"));
  EXPECT_THAT(Problem("it('a'\n\n"), HasSubstr("policy_spec.lua:3:"));
  EXPECT_THAT(Problem("\nerror('no')"), HasSubstr("2: no"));
  const SpecRun run = RunSpecs(
      {"policies/x",
       {{"policy.lua", "return { api = 1 }"}, {"policy_spec.lua", InTest("fx.policy()")}}});
  EXPECT_THAT(run.cases.at(0).message, HasSubstr("policies/x/policy.lua:1:8: the package has no"));
}

TEST(SpecRunner, WhatAHookRaisesIsTheTestsFailure) {
  const SpecRun run =
      RunSpecs({"policies/x",
                {{"policy.lua",
                  "return { api = 1, name = 'x', queue_order = function(w)\n"
                  "  while w.gpus == 99 do end\n  return w.gpus end }"},
                 {"policy_spec.lua", InTest("fx.policy():keys { fx.workload { gpus = 99 } }")}}});
  EXPECT_THAT(run.cases.at(0).message, HasSubstr("policies/x/policy.lua:2: out of fuel"));
}

TEST(SpecRunner, GoldensAreComparedAndWritten) {
  const std::string spec = InTest("golden('order', { 'b', 'a' })");
  EXPECT_THAT(Problem(spec), HasSubstr("there is no goldens/order.txt yet"));
  const SpecRun written = RunSpec(spec, {.update = true});
  const std::map<std::string, std::string> expected = {{"goldens/order.txt", "  1 b\n  2 a\n"}};
  EXPECT_EQ(written.goldens, expected);
  const auto with = [&spec](const std::string& text) {
    return RunSpecs({"policies/x",
                     {{"goldens/order.txt", text},
                      {"policy.lua", kSmallFirst},
                      {"policy_spec.lua", spec}}})
        .cases.at(0)
        .message;
  };
  EXPECT_EQ(with("  1 b\n  2 a\n"), "");
  const SpecRun twice =
      RunSpec(InTest("golden('order', 'x')") + InTest("golden('order', 'y')"), {.update = true});
  EXPECT_EQ(twice.cases.at(0).message, "");
  EXPECT_THAT(twice.cases.at(1).message, HasSubstr("had another value before"));
  EXPECT_THAT(with("  1 a\n  2 b\n"), HasSubstr("  -   1 a\n  +   1 b\n  -   2 b\n  +   2 a"));
}

TEST(SpecRunner, PropertiesFindTheSimplestCounterexampleAndNameTheSeed) {
  const std::string spec =
      "prop('p', gen.workloads { n = { 1, 20 } }, gen.int(0, 1000), function(jobs, n)\n"
      "  for _, w in ipairs(jobs) do assert.is_true(w.gpus < 8 or n < 10) end\nend)";
  const std::string problem = Problem(spec, {.seed = 7});
  EXPECT_THAT(problem, HasSubstr("1: expected true\n     got false\n  broken by case "));
  EXPECT_THAT(problem, HasSubstr(" of --seed 7, made simpler "));
  EXPECT_THAT(problem, HasSubstr("\n    value 1, item 1: { gpus = 8, "));
  EXPECT_THAT(problem, ::testing::Not(HasSubstr("item 2")));
  EXPECT_THAT(problem, HasSubstr("\n    value 2: 10"));
  EXPECT_EQ(problem, Problem(spec, {.seed = 7})) << "the seed decides everything";
  EXPECT_EQ(Problem("prop('p', { cases = 3 }, gen.int(5, 9), function(n)\n"
                    "  assert.is_true(n >= 5 and n <= 9) end)"),
            "");
}

TEST(SpecRunner, LawsHoldOrSayWhatBreaksThem) {
  EXPECT_EQ(Problem("laws.order_is_total()"), "");
  EXPECT_EQ(Problem("laws.priority_first()"), "");
  EXPECT_THAT(Problem("laws.no_starvation { after = '1d' }"),
              HasSubstr("after 86400 s a job still waits behind a new one"));
  const auto run = [](const std::string& order, const std::string& law) {
    return RunSpecs({"policies/x",
                     {{"policy.lua",
                       "return { api = 1, name = 'x', queue_order = function(w, c) "
                       "return " +
                           order + " end }"},
                      {"policy_spec.lua", law}}})
        .cases.at(0)
        .message;
  };
  EXPECT_THAT(run("-w.priority", "laws.priority_first()"),
              HasSubstr("more priority it is served later, by key 1"));
}

TEST(SpecRunner, ProtectedVictimsAreALaw) {
  const auto run = [](const std::string& cost) {
    return RunSpecs({"policies/x",
                     {{"policy.lua", "return { api = 1, name = 'x', victim = function(v) return " +
                                         cost + " end }"},
                      {"policy_spec.lua",
                       "laws.protected_is_never_a_victim { when = function(v) return v.priority > "
                       "5 end }"}}})
        .cases.at(0)
        .message;
  };
  EXPECT_EQ(run("v.priority > 5 and math.huge or v.gpus"), "");
  EXPECT_THAT(run("v.priority > 10 and math.huge or v.gpus"), HasSubstr("is protected and costs "));
}

TEST(SpecRunner, CasesAreATestEach) {
  const SpecRun run = RunSpec(
      "local a, b = fx.workload { name = 'a', gpus = 1 }, fx.workload { name = 'b' }\n"
      "cases { { name = 'small first', given = { a, b }, expect = { 'b', 'a' } },\n"
      "        { given = { a }, expect = { 'b' } } }\n"
      "cases({ { name = 'own', n = 2 } }, function(case) assert.equal(2, case.n) end)");
  ASSERT_EQ(run.cases.size(), 3u);
  EXPECT_EQ(run.cases[0].message, "");
  EXPECT_EQ(run.cases[1].name, "case 2");
  EXPECT_EQ(run.cases[1].verdict, SpecVerdict::kFailed);
  EXPECT_EQ(run.cases[2].message, "");
}

}  // namespace
}  // namespace muster::luajit::testing
