// The policy author's verbs: new, and test with everything it can be asked for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bindings/cli/json.h"
#include "tests/testing/command.h"
#include "tests/testing/paths.h"
#include "tests/unit/cli/run_cli.h"

namespace muster::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

/// A spec that holds whatever the package does.
constexpr const char* kPasses = "it('a', function() assert(true) end)";

class Author : public ::testing::Test {
 protected:
  std::string Folder() const { return directory_.path().string(); }
  std::string Package(const std::string& name) const { return Folder() + "/" + name; }
  /// A package whose queue_order has this body, and this spec.
  std::string Write(const std::string& body, const std::string& spec) const {
    directory_.Write(
        "x/policy.lua",
        "return { api = 1, name = 'x', queue_order = function(w, c)\n" + body + "\nend }\n");
    directory_.Write("x/policy_spec.lua", spec);
    return Package("x");
  }
  muster::testing::TemporaryDirectory directory_;
};

TEST_F(Author, EveryKindOfNewPackageIsSoundTestedAndCovered) {
  int kinds = 0;
  for (const auto& entry :
       fs::directory_iterator(muster::testing::SourceDir() / "policies/templates")) {
    const std::string kind = entry.path().filename().string();
    const Said made = RunCli({"policy", "new", "for-" + kind, "--kind", kind, "--in", Folder()});
    ASSERT_EQ(made.code, kDone) << made.err;
    EXPECT_THAT(made.out, HasSubstr("wrote " + Package("for-" + kind) + "/policy.lua"));
    const std::string policy = muster::testing::ReadFile(Package("for-" + kind) + "/policy.lua");
    EXPECT_THAT(policy, HasSubstr("name = \"for-" + kind + "\""));
    EXPECT_THAT(policy, Not(HasSubstr("my-policy")));
    EXPECT_TRUE(fs::exists(Package("for-" + kind) + "/README.md"));
    const Said checked = RunCli({"policy", "check", Package("for-" + kind)});
    EXPECT_EQ(checked.code, kDone) << checked.err;
    ++kinds;
  }
  EXPECT_GE(kinds, 5);
  const Said tested = RunCli({"policy", "test", Folder(), "--threshold", "100"});
  EXPECT_EQ(tested.code, kDone) << tested.out << tested.err;
}

TEST_F(Author, NewOverwritesNothingAndTakesNoOddName) {
  EXPECT_EQ(RunCli({"policy", "new", "one", "--in", Folder()}).code, kDone);
  const Said again = RunCli({"policy", "new", "one", "--in", Folder()});
  EXPECT_EQ(again.code, kNo);
  EXPECT_THAT(again.err, HasSubstr("exists; choose another name"));
  for (const char* name : {"Caps", "a_b", "-x", "../x", "a b"}) {
    EXPECT_EQ(RunCli({"policy", "new", "--in", Folder(), "--", name}).code, kWrongUse) << name;
  }
}

TEST_F(Author, ExitCodesSayWhetherTheSpecsHold) {
  EXPECT_EQ(RunCli({"policy", "test", Write("return 1", kPasses)}).code, kDone);
  const Said failed = RunCli(
      {"policy", "test", Write("return 1", "it('a', function()\n  assert.equal(1, 2) end)")});
  EXPECT_EQ(failed.code, kNo);
  EXPECT_THAT(failed.out, HasSubstr("x/policy_spec.lua:2: expected 1\n"));
  EXPECT_THAT(failed.out, HasSubstr("0 passed, 1 failed\n"));
  const Said none = RunCli({"policy", "test", Write("return 1", "")});
  EXPECT_EQ(none.code, kNo);
  EXPECT_THAT(none.err, HasSubstr("no test ran"));
  const Said later = RunCli({"policy", "test", Write("return 1", "pending('later')")});
  EXPECT_EQ(later.code, kNo);
  EXPECT_THAT(later.err, HasSubstr("no test ran; all are pending"));
  const Said broken = RunCli({"policy", "test", Write("return w.gpu", kPasses)});
  EXPECT_EQ(broken.code, kNo);
  EXPECT_THAT(broken.err, HasSubstr("no field 'gpu'; did you mean 'gpus'?"));
  EXPECT_EQ(RunCli({"policy", "test"}).code, kWrongUse);
}

TEST_F(Author, SpecsDriveTheRealEngine) {
  const Said said = RunCli({"policy", "test", Write("return w.priority, -w.gpus", R"(
it("one cluster", function()
  local t = fx.cluster { gpus = 8, preemption = true,
    running = { fx.victim { name = "old", gpus = 8, ran = "2h" } },
    waiting = { fx.workload { name = "urgent", priority = 10, gpus = 4 } } }
  assert.preempts_exactly(t, "old")
  assert.admits(t)
  assert.same({ "urgent" }, t:waiting())
  t:evicted()
  assert.admits(t, "urgent")
  t:advance "2h"
  t:finish "urgent"
  assert.admits(t, { "old" })
  assert.protects(t, "old")
  assert.same({ "old" }, t:running())
end)
it("queues of a cohort", function()
  local t = fx.cluster { fair_sharing = true, cohort = "all",
    queues = { a = { gpus = 4, weight = 2 }, b = { gpus = 4 } } }
  t:submit { fx.workload { name = "x", queue = "a", gpus = 6 },
    fx.workload { name = "y", queue = "b", gpus = 4 } }
  local all = t:settle()
  assert.same({ "y" }, all.admitted)
  assert.same({ "x" }, all.pending)
end)
it("the engine's own rule", function()
  local jobs = { fx.workload { name = "big", gpus = 8, waited = 60 },
    fx.workload { name = "small", gpus = 1 } }
  assert.admits(fx.cluster { gpus = 8, waiting = jobs }, "small")
  assert.admits(fx.cluster { gpus = 8, waiting = jobs, policy = false }, "big")
end)
it("fails with what happened", function()
  assert.admits(fx.cluster { gpus = 1, waiting = { fx.workload { name = "a", gpus = 2 } } }, "a")
end)
)")});
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.out, HasSubstr("3 passed, 1 failed"));
  EXPECT_THAT(said.out, HasSubstr("the cycle admits {}, expected { \"a\" }"));
  EXPECT_THAT(said.out, HasSubstr("still waiting: { \"a\" }"));
}

TEST_F(Author, APolicyThatErrsInACycleFailsTheTest) {
  const Said said = RunCli(
      {"policy", "test",
       Write("return w.gpus / (w.gpus * w.pods == 5 and 0 or 1)",
             "it('a', function() fx.cluster { gpus = 8, waiting = { fx.workload { gpus = 5 } } }"
             ":cycle() end)")});
  EXPECT_THAT(said.out, HasSubstr("queue_order returned inf as key 1"));
}

TEST_F(Author, WrongFixturesSayWhatToWrite) {
  const auto said = [this](const std::string& body) {
    return RunCli({"policy", "test", Write("return 1", "it('a', function() " + body + " end)")})
        .out;
  };
  EXPECT_THAT(said("fx.cluster { gpu = 8 }"), HasSubstr("no field 'gpu'; did you mean 'gpus'?"));
  EXPECT_THAT(said("fx.cluster {}"), HasSubstr("queue main: write gpus = 8, or cpu = 4"));
  EXPECT_THAT(said("fx.cluster { flavors = { h100 = 16 } }"),
              HasSubstr("flavors is a list; write flavors = { { name = \"h100\", gpus = 8 } }"));
  EXPECT_THAT(said("fx.cluster { gpus = 1 }:submit { fx.workload { queue = 'b', gpus = 1 } }"),
              HasSubstr("fx.cluster has no queue 'b'"));
}

TEST_F(Author, HelpersThatAreCalledWronglySayHow) {
  const auto says = [this](const std::string& body, const std::string& text) {
    const Said said =
        RunCli({"policy", "test", Write("return 1", "it('a', function()\n" + body + "\nend)")});
    EXPECT_THAT(said.out, HasSubstr("x/policy_spec.lua:2: " + text)) << body;
  };
  says("fx.policy(5)", "fx.policy takes parameters by name, as in { limit = \"1h\" }, not 5");
  says("fx.cluster(5)", "fx.cluster takes a table, as in fx.cluster { gpus = 8 }, not 5");
  says("fx.cluster { gpus = 8, params = 5 }", "fx.cluster: params takes parameters by name, as");
  says("fx.cluster { gpus = 8 }.cycle()", "write x:cycle(...) of an fx.cluster {}, with a colon");
  says("fx.policy().order {}", "write x:order(...) of an fx.policy(), with a colon");
  says("fx.policy():order(fx.workload {})",
       ":keys takes a list; write { fx.workload { ... } } instead of a single one");
  says("fx.policy():at(-5)", "at goes forward from fx.now; write :at \"2h\" instead of -5");
  says("fx.job {}", "there is no fx.'job'; did you mean 'workload'?");
  says("assert.near(1, 2)", "write assert.near(expected, actual, tolerance)");
  says("golden()", "write golden(\"name\", value), a text or a list, instead of nil");
  says("assert.frobnicates(1)", "there is no assertion 'frobnicates'; there are admits, ");
  says("fx.workload { label = { tier = 'a b' } }",
       "fx.workload \"job\": label.tier is \"a b\", which no label can be; write up to 63");
}

TEST_F(Author, WordsThatDescribeTestsSayWhatTheyTake) {
  const auto says = [this](const std::string& body, const std::string& text) {
    const Said said = RunCli({"policy", "test", Write("return 1", "local x = 1\n" + body)});
    EXPECT_THAT(said.out, HasSubstr("x/policy_spec.lua:2: " + text)) << body;
  };
  says("cases {}", "write cases { { given = { ... }, expect = { ... } }, ... }");
  says("prop()", "write prop(\"name\", generator, function(value) ... end)");
  says("it()", "write it(\"name\", function() ... end)");
  says("describe('x')", "write describe(\"name\", function() ... end)");
}

TEST_F(Author, ASpecThatAsksAClusterWithoutEndIsEnded) {
  const Said said = RunCli({"policy", "test",
                            Write("return 1",
                                  "it('a', function() local t = fx.cluster { gpus = 8 }\n"
                                  "while true do pcall(t.running, t) end end)\n"
                                  "it('b', function() assert(true) end)")});
  EXPECT_THAT(said.out, HasSubstr("the test runs too long"));
  EXPECT_THAT(said.out, HasSubstr("1 passed, 1 failed"));
}

TEST_F(Author, FixturesThatNoJobCanBeAreErrors) {
  const auto says = [this](const std::string& made, const std::string& message) {
    const Said said =
        RunCli({"policy", "test",
                Write("return w.priority", "it('is made', function()\n" + made + " end)")});
    EXPECT_EQ(said.code, kNo) << made << '\n' << said.out;
    EXPECT_THAT(said.out, HasSubstr(message)) << made;
  };
  says("fx.workload { gpuz = 1 }", "no field 'gpuz'; did you mean 'gpus'?");
  says("fx.workload { gpus = '8' }", "gpus is a number, not \"8\"");
  says("fx.workload { waited = '1h', created = 3 }", "waited sets created and queued_at");
  says("fx.workload { queued_at = fx.now - 60 }", "queued before it is created");
  says("fx.workload { gpus = 8, request = { ['nvidia.com/gpu'] = 4 } }", "it requests 4");
  says("fx.workload { pods = 1, podsets = 2 }", "more podsets than pods");
  says("fx.victim { waited = '1h', ran = '2h' }", "it has run for longer than it exists");
  says("fx.victim { ran = -5 }", "ran is 0 or more");
  says("fx.policy():order { fx.workload { label = { stage = 'x' } } }",
       "label 'stage' is not declared by the package");
  says("fx.policy():order { fx.workload { account = { used = 1 } } }",
       "account 'used' is not declared by the package");
  says("fx.policy():order { { name = 'plain' } }", "write fx.workload { ... } instead of");
  says("local w = fx.workload {} w.gpuz = 1 fx.policy():order { w }", "no field 'gpuz'");
  says("fx.policy():in_cycle(0)", "in_cycle takes the number of a cycle");
  says("fx.cluster { gpus = 1, flavors = { { name = 'a', gpus = 1 } } }",
       "write gpus into its flavors");
  says("fx.cluster { queues = { a = { gpus = 1 } }, gpus = 1 }", "write gpus into each of them");
  says("fx.cluster { gpus = 1, running = { fx.victim { borrowing = true } } }",
       "borrowing, which a cluster does not take");
  says("assert.protects(fx.cluster { gpus = 1 }, 'unknown')", "the name of a job that runs");
  says("fx.flood { scene = 'queue', labels = {} }", "no field 'labels'; did you mean 'label'?");
}

TEST_F(Author, WhatACallWouldPassOverIsAnError) {
  const auto says = [this](const std::string& made, const std::string& message) {
    const Said said = RunCli(
        {"policy", "test",
         Write("return w.priority",
               "it('is asked', function()\nlocal t = fx.cluster { gpus = 1 }\n" + made + " end)")});
    EXPECT_EQ(said.code, kNo) << made << '\n' << said.out;
    EXPECT_THAT(said.out, HasSubstr(message)) << made;
  };
  says("fx.policy():keys(fx.workload {})", ":keys takes a list; write { fx.workload { ... } }");
  says("fx.policy():order 'x'", ":keys takes a list");
  says("fx.policy():heads(fx.workload {})", ":heads takes a list");
  says("fx.policy():shares(fx.node {})", ":shares takes a list; write { fx.node { ... } }");
  says("fx.policy():costs(fx.workload {}, fx.victim {})", ":costs takes a list");
  says("fx.policy():flavors(fx.workload {}, fx.flavor {})", ":flavors takes a list");
  says("fx.cluster { gpus = 1, waiting = fx.workload {} }", "waiting takes a list");
  says("fx.cluster { gpus = 1, running = 'x' }", "running takes a list");
  says("t:submit('x')", "submit takes a list; write { fx.workload { ... } } instead of \"x\"");
  says("t:submit()", "submit takes a list; write { fx.workload { ... } } instead of nil");
  says("t:finish(fx.workload {})", "finish takes names; write t:finish(\"job\")");
  says("t:finish()", "finish takes names");
  says("t:evicted('a')", "evicted takes nothing; leave out \"a\"");
  says("t:cycle(3)", "cycle takes nothing; leave out 3");
  says("t:settle(3)", "settle takes nothing; leave out 3");
  says("t:advance(-60)", "advance goes forward");
  says("fx.policy():zzzzzzzz()", "there are ask, at, boosts");
}

TEST_F(Author, AHandleAsksInAnyCycle) {
  const std::string folder =
      Write("return c.cycle + c.rng('x')",
            "it('draws', function()\n"
            "local job = fx.workload {}\n"
            "local first, again = fx.policy():keys { job }[1][1], fx.policy():keys { job }[1][1]\n"
            "assert.equal(first, again)\n"
            "local other = fx.policy():in_cycle(7):keys { job }[1][1]\n"
            "assert.is_true(other >= 7 and other < 8)\n"
            "assert.is_not.equal(other - 7, first - 1) end)");
  const Said said = RunCli({"policy", "test", folder});
  EXPECT_EQ(said.code, kDone) << said.out << said.err;
}

TEST_F(Author, MutantsAreAlwaysSpokenOf) {
  const auto says = [](const std::string& folder, std::vector<std::string> flags) {
    std::vector<std::string> command = {"policy", "test", folder, "--mutate"};
    command.insert(command.end(), flags.begin(), flags.end());
    return RunCli(command).out;
  };
  EXPECT_THAT(says(Write("return w.priority", kPasses), {}), HasSubstr("mutants: none; "));
  EXPECT_THAT(says(Write("return w.gpus + 1", "it('a', function() error('no') end)"), {}),
              HasSubstr("mutants: not tried; a test fails without them"));
  EXPECT_THAT(says(Write("return w.gpus + 1", kPasses), {"--filter", "nothing"}),
              HasSubstr("mutants: not tried; no test ran"));
  EXPECT_THAT(says(Write("return w.gpus + 1", kPasses), {"--update"}),
              HasSubstr("mutants: not tried; goldens are being written"));
}

TEST_F(Author, CoverageAndItsThreshold) {
  const std::string package =
      Write("if w.gpus > 4 then\n  return 1\nend\nreturn 2",
            "it('a', function() assert(fx.policy():keys { fx.workload { gpus = 8 } }) end)");
  const Said seen = RunCli({"policy", "test", package, "--coverage"});
  EXPECT_EQ(seen.code, kDone);
  EXPECT_THAT(seen.out, HasSubstr("3 of 4 lines, 1 of 2 branches"));
  EXPECT_THAT(seen.out, HasSubstr("never reached: lines 5"));
  EXPECT_THAT(seen.out, HasSubstr("mutants noticed 0 of 4; --mutate names the others\n"));
  EXPECT_EQ(RunCli({"policy", "test", package, "--threshold", "60"}).code, kDone);
  const Said less = RunCli({"policy", "test", package, "--threshold", "90"});
  EXPECT_EQ(less.code, kNo);
  EXPECT_THAT(less.err, HasSubstr("66 % is less than the threshold of 90 %"));
}

TEST_F(Author, SurvivingMutantsAreNamed) {
  const std::string loose = Write("return -w.gpus", "it('a', function() assert(fx.policy()) end)");
  const Said said = RunCli({"policy", "test", loose, "--mutate"});
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.out, HasSubstr("mutants: 0 of 1 noticed"));
  EXPECT_THAT(said.out, HasSubstr("x/policy.lua:2:8: '-' may become nothing"));
  const std::string tight = Write("return -w.gpus",
                                  "it('a', function() assert.same({ { -2 } }, fx.policy():keys { "
                                  "fx.workload { gpus = 2 } }) end)");
  EXPECT_EQ(RunCli({"policy", "test", tight, "--mutate"}).code, kDone);
  EXPECT_THAT(RunCli({"policy", "test", tight, "--coverage"}).out,
              HasSubstr("mutants noticed 1 of 1\n"));
  EXPECT_THAT(RunCli({"policy", "test", tight}).out, Not(HasSubstr("mutants")));
}

TEST_F(Author, FormatsForMachines) {
  const std::string package =
      Write("return 1",
            "it('good', function() assert(true) end) it('<bad>', function() error('x', 0) end)\n"
            "pending('later')");
  const Said tap = RunCli({"policy", "test", package, "-o", "tap"});
  EXPECT_THAT(tap.out, HasSubstr("1..3\nok 1 - good\nnot ok 2 - <bad>\n# "));
  EXPECT_THAT(tap.out, HasSubstr("ok 3 - later # SKIP"));
  const Said junit = RunCli({"policy", "test", package, "-o", "junit"});
  EXPECT_THAT(junit.out, HasSubstr("tests=\"3\" failures=\"1\" skipped=\"1\""));
  EXPECT_THAT(junit.out, HasSubstr("name=\"&lt;bad&gt;\""));
  const Json json = Json::parse(RunCli({"policy", "test", package, "-o", "json"}).out);
  EXPECT_EQ(json["failed"], 1);
  EXPECT_EQ(json["tests"][0]["verdict"], "passed");
  EXPECT_THAT(RunCli({"policy", "test", package, "-v"}).out, HasSubstr(" fuel\n"));
}

TEST_F(Author, NamesOfTestsStayInTheirLine) {
  const std::string package =
      Write("return 1", "it('a\\nnot ok 7 - b # SKIP \\27[2J', function() assert(true) end)");
  EXPECT_EQ(RunCli({"policy", "test", package, "-o", "tap"}).out,
            "TAP version 13\n1..1\nok 1 - a not ok 7 - b \\# SKIP  [2J\n");
  EXPECT_THAT(RunCli({"policy", "test", package, "-v"}).out,
              HasSubstr("a not ok 7 - b # SKIP  [2J"));
}

TEST_F(Author, UpdateWritesGoldens) {
  const std::string package = Write("return 1", "it('a', function() golden('g', { 'b' }) end)");
  EXPECT_EQ(RunCli({"policy", "test", package}).code, kNo);
  EXPECT_EQ(RunCli({"policy", "test", package, "--update"}).code, kDone);
  EXPECT_EQ(muster::testing::ReadFile(package + "/goldens/g.txt"), "  1 b\n");
  EXPECT_EQ(RunCli({"policy", "test", package}).code, kDone);
}

TEST_F(Author, WatchRunsAgainAfterAChange) {
  const std::string package = Write("return 1", kPasses);
  const std::string script = R"sh(
"$0" policy test "$1" --watch >"$1.log" 2>&1 &
seen() { for _ in $(seq 600); do grep -qs "$1" "$2.log" && return; sleep 0.03; done; }
seen '1 passed' "$1"
echo "it('b', function() assert(true) end)" >>"$1/policy_spec.lua"
seen '2 passed' "$1"
kill $!
cat "$1.log")sh";
  const auto run = muster::testing::RunCommand(
      {"sh", "-c", script, muster::testing::MusterBinary().string(), package});
  EXPECT_THAT(run.out, HasSubstr("1 passed, 0 failed\n"));
  EXPECT_THAT(run.out, HasSubstr("2 passed, 0 failed\n"));
}

TEST_F(Author, BenchShowsWhatEachHookCosts) {
  const std::string package = Write("return -w.gpus", "");
  const Said table = RunCli({"policy", "bench", package});
  EXPECT_EQ(table.code, kDone) << table.err;
  EXPECT_THAT(table.out, HasSubstr("GROWS WITH"));
  const Json json = Json::parse(RunCli({"policy", "bench", package, "-o", "json"}).out);
  ASSERT_EQ(json["hooks"].size(), 1u);
  EXPECT_EQ(json["hooks"][0]["costs"][2]["items"], 100000);
  EXPECT_EQ(json["hooks"][0]["costs"][2]["fuel"], 1);
  EXPECT_TRUE(json["aborts"].empty());
}

TEST_F(Author, BenchNamesLinesThatAreNotCompiled) {
  const Said said = RunCli(
      {"policy", "bench", Write("local f = function(x) return x + w.gpus end\nreturn f(1)", "")});
  EXPECT_THAT(said.out, HasSubstr("x/policy.lua:2: the compiler gave up here: "));
  EXPECT_THAT(said.out, HasSubstr("write the function at the top of the file"));
}

TEST_F(Author, BenchSaysWhenAHookErrs) {
  const Said said = RunCli({"policy", "bench", Write("return w.gpus / (w.gpus - 56)", "")});
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.err, HasSubstr("queue_order returned inf as key 1"));
}

TEST_F(Author, BenchAsksHooksThatAreAskedAboutOneJob) {
  directory_.Write("x/policy.lua",
                   "return { api = 1, name = 'x', submit = function(w, c)\n"
                   "  if w.gpus > 64 then return c.reject('too big') end end,\n"
                   "preempt_limits = function(p) return p.gpus, 4 end }");
  const Said said = RunCli({"policy", "bench", Package("x"), "-o", "json"});
  EXPECT_EQ(said.code, kDone) << said.err;
  const Json hooks = Json::parse(said.out)["hooks"];
  ASSERT_EQ(hooks.size(), 2U);
  for (const Json& hook : hooks) {
    EXPECT_EQ(hook["costs"].size(), 1U) << hook;
    EXPECT_EQ(hook["costs"][0]["items"], 1);
    EXPECT_GT(hook["costs"][0]["nanoseconds"], 0);
    EXPECT_GT(hook["costs"][0]["fuel"], 0);
  }
}

TEST_F(Author, DiffListsWhoFaresDifferently) {
  const std::string day = (muster::testing::SourceDir() / "examples/gpu-preemption").string();
  const std::string small = (muster::testing::SourceDir() / "policies/small-first").string();
  const Said same = RunCli({"policy", "diff", "native", "native", "-f", day});
  EXPECT_EQ(same.code, kDone) << same.err;
  EXPECT_THAT(same.out, HasSubstr("0 workloads fared differently"));
  const Said differs = RunCli({"policy", "diff", "native", small, "-f", day});
  EXPECT_THAT(differs.out, HasSubstr("team-a/job-retrain"));
  const Json json =
      Json::parse(RunCli({"policy", "diff", "native", small, "-f", day, "-o", "json"}).out);
  EXPECT_FALSE(json["differences"].empty());
  EXPECT_EQ(RunCli({"policy", "diff", "native", small}).code, kWrongUse);
}

TEST_F(Author, DiffGoesOnFromALedgerAndLeavesItAlone) {
  const std::string day = (muster::testing::SourceDir() / "examples/gpu-preemption/").string();
  const std::string small = (muster::testing::SourceDir() / "policies/small-first").string();
  const std::string db = Package("day.ledger");
  ASSERT_EQ(
      RunCli({"apply", "--db", db, "--now", "2026-03-02T08:00:00Z", "-f", day + "cluster.yaml",
              "-f", day + "queues.yaml", "-f", day + "team-a-evening.yaml"})
          .code,
      kDone);
  const std::string before = RunCli({"get", "workloads", "--db", db, "-o", "json"}).out;
  const Said said =
      RunCli({"policy", "diff", "native", small, "--db", db, "--now", "2026-03-02T09:00:00Z"});
  EXPECT_EQ(said.code, kDone) << said.err;
  EXPECT_THAT(said.out, HasSubstr("fared differently"));
  EXPECT_THAT(said.out, Not(HasSubstr("0 workloads fared differently")));
  EXPECT_EQ(RunCli({"get", "workloads", "--db", db, "-o", "json"}).out, before);
}

// The ledger's past: eval, which is small, waited behind retrain, and would not have.
TEST_F(Author, DiffOfThePastComparesTheDecisionsOfEveryTurn) {
  const std::string day = (muster::testing::SourceDir() / "examples/gpu-preemption/").string();
  const std::string small = (muster::testing::SourceDir() / "policies/small-first").string();
  const std::string db = Package("day.ledger");
  const auto at = [&](const std::string& time, std::vector<std::string> words) {
    words.insert(words.end(), {"--db", db, "--now", "2026-03-02T" + time + "Z"});
    const Said said = RunCli(words);
    EXPECT_EQ(said.code, kDone) << said.err;
  };
  at("08:00:00", {"apply", "-f", day + "cluster.yaml", "-f", day + "queues.yaml"});
  at("09:00:00", {"submit", "-f", day + "team-a-evening.yaml"});
  at("12:00:00", {"schedule", "--cycles", "3"});
  at("13:00:00", {"finish", "team-a/job-retrain"});
  at("13:00:01", {"schedule", "--until-idle"});
  const std::string before = RunCli({"ledger", "verify", db}).out;
  const auto diff = [&](const std::string& a, const std::string& b) {
    return RunCli({"policy", "diff", a, b, "--db", db, "--recorded"});
  };
  EXPECT_THAT(diff("active", "native").out, HasSubstr("0 workloads would have fared differently, "
                                                      "in 0 of 2 turns"));
  const Said said = diff("active", small);
  EXPECT_EQ(said.code, kDone) << said.err;
  EXPECT_THAT(said.out, ::testing::ContainsRegex("team-a/job-retrain +starts +waits +1"));
  EXPECT_THAT(said.out, ::testing::ContainsRegex("team-a/job-eval-1 +waits +starts +1"));
  EXPECT_THAT(said.out, HasSubstr("in 1 of 2 turns"));
  at("13:30:00", {"policy", "activate", small});
  EXPECT_EQ(diff("active", small).out, said.out) << "active: what decided then";
  const std::string list = RunCli({"policy", "list", "--db", db, "-o", "json"}).out;
  const std::string hash = Json::parse(list)[0]["hash"].get<std::string>().substr(0, 12);
  EXPECT_EQ(Json::parse(RunCli({"policy", "diff", "active", "small-first@" + hash, "--db", db,
                                "--recorded", "-o", "json"})
                            .out)["differences"]
                .size(),
            3U);
  EXPECT_THAT(diff("active", "small-first@0123456789").err, HasSubstr("has no generation"));
  EXPECT_THAT(RunCli({"ledger", "verify", db}).out, HasSubstr("clean"));
  EXPECT_EQ(RunCli({"policy", "diff", "active", small, "-f", day}).code, kWrongUse);
  EXPECT_EQ(RunCli({"policy", "diff", "native", small, "-f", day, "--recorded"}).code, kWrongUse);
}

// Every package that comes with Muster: what its specs do not reach is unknown.
TEST(Library, SpecsReachEveryLineAndBranch) {
  const Said said = RunCli({"policy", "test", (muster::testing::SourceDir() / "policies").string(),
                            "--threshold", "100"});
  EXPECT_EQ(said.code, kDone) << said.out << said.err;
}

TEST(LongLibrary, SpecsNoticeEveryMutant) {
  const Said said =
      RunCli({"policy", "test", (muster::testing::SourceDir() / "policies").string(), "--mutate"});
  EXPECT_EQ(said.code, kDone) << said.out << said.err;
}

}  // namespace
}  // namespace muster::cli
