// CheckPackage: every mistake at once, with its place and what to write instead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> Check(std::string lua) {
  std::vector<std::string> texts;
  for (PackageProblem problem : CheckPackage(SourceOf(std::move(lua)))) {
    EXPECT_EQ(problem.file, "policies/x/policy.lua");
    problem.file = "p";
    texts.push_back(problem.ToString());
  }
  return texts;
}

// A package with this queue_order function on line 1, columns from 50 on.
std::string Body(const std::string& body) {
  return "return{api=1,name='x',queue_order=function(w,c) " + body + " end}";
}

TEST(CheckPackage, ASoundPackageHasNoProblems) {
  EXPECT_THAT(Check(Body("return w.priority, -w.queued_at")), IsEmpty());
  EXPECT_THAT(Check("local function f(w, c) return c.params.a * w.gpus end\n"
                    "return { api = 1, name = 'x', description = 'd', labels = { 'tier' },\n"
                    "params = { a = { type = 'number', default = 1 } },\n"
                    "queue_order = { reads = { 'now' }, every = '30s', function(w, c)\n"
                    "  local l = w.label\n"
                    "  return f(w, c), w.waited, l.tier == 'gold' and 1 or 0 end } }"),
              IsEmpty());
}

TEST(CheckPackage, SyntaxErrorsHaveLineAndColumn) {
  EXPECT_THAT(Check("return {\n  api = = 1 }"),
              ElementsAre("p:2:9: syntax error: expected an expression near '='"));
  EXPECT_THAT(Check("if 1 = 2 then end"),
              ElementsAre("p:1:6: syntax error: expected 'then' near '='; write == to compare"));
  EXPECT_THAT(Check("local x = 'abc\nreturn x"),
              ElementsAre("p:1:11: syntax error: unfinished string"));
  EXPECT_THAT(
      Check("if true then\n\n"),
      ElementsAre(
          "p:3:1: syntax error: expected 'end' for the 'if' of line 1 at the end of the file"));
  EXPECT_THAT(Check("local \xC3\xA4 = 1"),
              ElementsAre("p:1:7: syntax error: a name may only have the letters a-z, A-Z, 0-9 and "
                          "_ near '\xC3\xA4'"));
  EXPECT_THAT(Check("return 7 // 2"),
              ElementsAre("p:1:11: syntax error: expected an expression near '/'; write "
                          "math.floor(a / b) for whole numbers; a comment begins with --"));
  EXPECT_THAT(
      Check("x = 1 y"),
      ElementsAre("p:1:1: 'x' is global and cannot be assigned; write local x = ...; a policy has "
                  "no memory",
                  "p:1:8: syntax error: expected '=' at the end of the file"));
}

TEST(CheckPackage, WhatOnlyLuaJitRefusesHasItsLine) {
  EXPECT_THAT(Check("\n\ngoto nowhere\n"), ElementsAre("p:3: undefined label 'nowhere'"));
}

TEST(CheckPackage, UnknownNamesComeWithTheClosest) {
  EXPECT_THAT(Check(Body("return mat.floor(1)")),
              ElementsAre("p:1:56: undefined name 'mat'; did you mean 'math'?"));
  EXPECT_THAT(Check(Body("return math.flor(1)")),
              ElementsAre("p:1:61: no function 'math.flor'; did you mean 'floor'?"));
  EXPECT_THAT(Check(Body("return w.prioirty")),
              ElementsAre("p:1:58: no field 'prioirty'; did you mean 'priority'?"));
  EXPECT_THAT(Check(Body("return c.quue.name == 'x' and 1 or 0")),
              ElementsAre("p:1:58: no field 'quue'; did you mean 'queue'?"));
}

TEST(CheckPackage, FieldsAreFollowedIntoHelpersAndAliases) {
  EXPECT_THAT(
      Check("local function f(x)\n  local y = x\n  return y.gpu\nend\n" + Body("return f(w)")),
      ElementsAre("p:3:12: no field 'gpu'; did you mean 'gpus'?"));
  EXPECT_THAT(Check("local function order(w)\n  return w.gpu\nend\n"
                    "return { api = 1, name = 'x', queue_order = order }"),
              ElementsAre("p:2:12: no field 'gpu'; did you mean 'gpus'?"));
}

TEST(CheckPackage, AViewIsNeitherCountedNorWalkedThrough) {
  const std::string cure =
      "a view cannot be counted or walked through; name the fields you need, or write for i = 1, "
      "c.resources.count";
  EXPECT_THAT(Check(Body("return #c.resources")), ElementsAre("p:1:57: " + cure));
  EXPECT_THAT(Check(Body("local l = w.label return #l")), ElementsAre("p:1:75: " + cure));
  EXPECT_THAT(Check(Body("for _ in ipairs(w.request) do end return 1")),
              ElementsAre("p:1:58: " + cure));
  EXPECT_THAT(Check(Body("for _ in pairs(c) do end return 1")), ElementsAre("p:1:58: " + cure));
  EXPECT_THAT(Check(Body("local t = { w.name } for _ in ipairs(t) do end return #t + #w.name")),
              IsEmpty());
}

TEST(CheckPackage, BlockedFunctionsSayWhatToUse) {
  EXPECT_THAT(Check(Body("return os.time()")),
              ElementsAre("p:1:59: blocked function: os.time; time comes only from c.now"));
  EXPECT_THAT(Check(Body("return math.random()")),
              ElementsAre("p:1:61: blocked function: math.random; use c.rng(stream)"));
  EXPECT_THAT(Check(Body("return next({})")),
              ElementsAre("p:1:56: blocked function: next; use pairs, which is sorted"));
}

TEST(CheckPackage, VolatileFieldsMustBeDeclared) {
  EXPECT_THAT(Check(Body("return w.waited")),
              ElementsAre("p:1:58: 'waited' changes by itself and is not declared; "
                          "add reads = {\"now\"} to queue_order"));
  EXPECT_THAT(
      Check("return { api = 1, name = 'x',\nqueue_order = { reads = { 'noww' }, function(w) "
            "return 1 end } }"),
      ElementsAre("p:2:17: queue_order cannot read 'noww'; did you mean 'now'?"));
  EXPECT_THAT(Check("return { api = 1, name = 'x',\nshare = { reads = { 'speed' }, function(n) "
                    "return 1 end } }"),
              ElementsAre("p:2:11: share cannot read 'speed'; there are account, borrowed, "
                          "last_admitted, lendable, native_share, now, usage"));
}

TEST(CheckPackage, APolicyHasNoMemory) {
  EXPECT_THAT(Check("local n = 0\n" + Body("n = n + 1 return n")),
              ElementsAre("p:2:49: 'n' belongs to an outer function and cannot be assigned; return "
                          "the new value, or use a local; a policy has no memory"));
  EXPECT_THAT(Check("local t = {}\n" + Body("t[w.name] = 1 return 1")),
              ElementsAre("p:2:49: 't' belongs to the file and cannot be changed here; build the "
                          "table inside the function; a policy has no memory"));
  EXPECT_THAT(Check(Body("local t = {} t.w = w return 1")),
              ElementsAre("p:1:62: a view cannot be kept: its fields change with the next item; "
                          "store the fields you need, such as w.name"));
}

TEST(CheckPackage, MemoryThatReadingDoesNotSeeIsFoundByAsking) {
  EXPECT_THAT(
      Check("local t = { n = 0 }\nlocal function count(x) x.n = x.n + 1 return x.n end\n" +
            Body("return count(t)")),
      ElementsAre("p:2: this table belongs to the file and cannot be changed; build it inside the "
                  "function; a policy has no memory"));
}

TEST(CheckPackage, AnAnswerThatIsNoFiniteNumberIsFoundByAsking) {
  EXPECT_THAT(Check(Body("return w.attempts / w.attempts")),
              ElementsAre("p:1: queue_order returned nan as key 1 for one it was tried on; 0/0 is "
                          "no number, nor is a root or logarithm of what is below 0: try "
                          "math.max(x, 1)"));
  EXPECT_THAT(Check(Body("return w.priority, -w.max_run")),
              ElementsAre("p:1: queue_order returned -inf as key 2 for one it was tried on; return "
                          "a finite number, such as math.max(x, -1e9)"));
  EXPECT_THAT(Check(Body("return 1 / (w.gpus - 56)")),
              ElementsAre("p:1: queue_order returned inf as key 1 for one it was tried on; return "
                          "a finite number, such as math.min(x, 1e9)"))
      << "which few jobs show";
}

TEST(CheckPackage, TheOperatorThatDependsOnTheCompilerIsRefused) {
  EXPECT_THAT(Check(Body("return w.gpus ^ 2")),
              ElementsAre("p:1:63: '^' differs between interpreted and compiled code; write "
                          "muster.pow(a, b), or muster.sq(a) for a square"));
}

TEST(CheckPackage, TheTableIsCheckedKeyByKey) {
  EXPECT_THAT(
      Check("return {\n  nam = 'x',\n  labels = { 'a', 'a' },\n  api = 2,\n"
            "  queue_order = 7,\n}"),
      ElementsAre("p:1:8: the package has no name; add name = \"...\"",
                  "p:2:3: no key 'nam' in a package; did you mean 'name'?",
                  "p:3:3: label 'a' is listed twice; remove one",
                  "p:4:3: api 2 is not known; write api = 1",
                  "p:5:3: queue_order is not a function; write queue_order = function(w, c) "
                  "... end, or { reads = {...}, function(w, c) ... end }"));
  EXPECT_THAT(Check("return 7"),
              ElementsAre("p:1:8: the file returns a number; end it with return { api = 1, name = "
                          "\"...\", queue_order = function(w, c) ... end }"));
  EXPECT_THAT(
      Check("return { name = 'x', queue_order = function() return 1 end }"),
      ElementsAre("p:1:8: the package does not say which API it is written for; add api = 1"));
}

// The first thing wrong with a package of one victim hook and this key.
std::string KeyProblem(const std::string& key) {
  const auto found =
      Check("return { api = 1, name = 'x', " + key + ", victim = function() return 1 end }");
  return found.empty() ? "" : found[0].substr(found[0].find(": ") + 2);
}

TEST(CheckPackage, WhatCannotTakeEffectIsRefused) {
  const auto refused = [](const std::string& key, const std::string& text) {
    EXPECT_THAT(KeyProblem(key), HasSubstr(text)) << key;
  };
  for (const char* label : {"a b", "\\0", "-a", "a/b/c", "/a", "A/b", "a..b/c", "a/"}) {
    refused("labels = { '" + std::string(label) + "' }", "is not the name of a label; write up to");
  }
  refused("labels = { ('a'):rep(64) }", "is not the name of a label");
  refused("labels = { [1] = 'a', [3] = 'b' }", "labels is not a list of names");
  refused("labels = { tier = 'a' }", "labels is not a list of names");
  refused("accounts = { a = { by = 'label:a b', of = 'cpu', window = '1d' } }",
          "'a b' is not the name of a label");
  refused("on_error = 'reject'", "on_error is for submit, which the package does not define");
  refused("params = { p = { type = 'enum', values = { 'a', [3] = 'b' }, default = 'a' } }",
          "an enum needs a list of its values");
  refused("share = { reads = { now = true }, function() return 1 end }", "reads is not a list");
  EXPECT_EQ(KeyProblem("labels = { 'tier', 'example.com/Tier_1.x' }"), "");
}

/// Of an account with these keys, where the package declares the label tier.
std::string AccountProblem(const std::string& keys) {
  return KeyProblem("labels = { 'tier' }, accounts = { a = { " + keys + " } }");
}

TEST(CheckPackage, WhatAnAccountCountsIsKnown) {
  for (const char* of : {"submitted", "admitted", "finished", "failed", "cancelled", "evicted",
                         "evicted:cpu", "running", "pending", "held:cpu"}) {
    EXPECT_EQ(AccountProblem("by = 'user', of = '" + std::string(of) + "'"), "") << of;
  }
  EXPECT_EQ(AccountProblem("by = 'user', of = 'evicted', window = '1h'"), "");
  EXPECT_EQ(AccountProblem("by = 'user', of = 'failed', window = 'calendar-day'"), "");
  EXPECT_THAT(AccountProblem("by = 'user', of = 'runing'"),
              HasSubstr("there is no resource or event 'runing'; did you mean 'running'?"));
  EXPECT_THAT(AccountProblem("by = 'user', of = 'evictd:cpu', window = '1h'"),
              HasSubstr("there is no event 'evictd' to count; did you mean 'evicted:cpu'?"));
  EXPECT_THAT(AccountProblem("by = 'user', of = 'running:cpu'"),
              HasSubstr("there is no event 'running' to count"));
  EXPECT_THAT(AccountProblem("by = 'user', of = 'held'"),
              HasSubstr("write \"held:nvidia.com/gpu\""));
  EXPECT_THAT(AccountProblem("by = 'user', of = 'running', window = '1h'"),
              HasSubstr("'running' is of what there is now, which no time is over; remove"));
  EXPECT_THAT(AccountProblem("by = 'user', of = 'cpu'"), HasSubstr("a half_life or a window"));
}

TEST(CheckPackage, KeysAndFiltersOfAccountsAreKnown) {
  EXPECT_EQ(AccountProblem("by = { 'label:team', 'user' }, of = 'running'"), "");
  EXPECT_EQ(AccountProblem("by = 'user', of = 'running', where = { tier = 'gold' }"), "");
  EXPECT_THAT(AccountProblem("by = 'usr', of = 'running'"),
              HasSubstr("accounts cannot be kept by 'usr'; did you mean 'user'?"));
  EXPECT_THAT(AccountProblem("by = { 'user', 'namspace' }, of = 'running'"),
              HasSubstr("accounts cannot be kept by 'namspace'; did you mean 'namespace'?"));
  EXPECT_THAT(AccountProblem("by = { 'user' }, of = 'running'"), HasSubstr("list of 2 or 3 parts"));
  EXPECT_THAT(AccountProblem("by = { 'user', 'user' }, of = 'running'"),
              HasSubstr("'user' is a part of the key twice"));
  EXPECT_THAT(AccountProblem("by = 'user', of = 'running', where = { teir = 'gold' }"),
              HasSubstr("label 'teir' is not declared; did you mean 'tier'?"));
  EXPECT_THAT(AccountProblem("by = 'user', of = 'running', where = { tier = 1 }"),
              HasSubstr("the value of label 'tier' is not a string"));
  EXPECT_THAT(AccountProblem("by = 'user', of = 'running', were = { tier = 'gold' }"),
              HasSubstr("did you mean 'where'?"));
}

/// Of a package with this hook alone.
std::string HookProblem(const std::string& hook) {
  const auto found = Check("return { api = 1, name = 'x', " + hook + " }");
  return found.empty() ? "" : found[0].substr(found[0].find(": ") + 2);
}

TEST(CheckPackage, BudgetsHaveAKeyAndThreeNumbers) {
  EXPECT_EQ(HookProblem("victim = { per = 'label:a', function(v) return 1, v.gpus, 9 end }"), "");
  EXPECT_EQ(HookProblem("victim = { per = { 'user', 'namespace' }, "
                        "function(v) return 1, v.gpus, math.huge end }"),
            "");
  EXPECT_THAT(HookProblem("victim = { per = 'label:team', function(v) return 1 end }"),
              HasSubstr("victim has per and returned 1 number; return the cost, what"));
  EXPECT_THAT(HookProblem("victim = function(v) return 1, v.gpus, 9 end"),
              HasSubstr("add per = \"label:NAME\""));
  EXPECT_THAT(HookProblem("victim = { per = 'usr', function(v) return 1, 2, 3 end }"),
              HasSubstr("accounts cannot be kept by 'usr'; did you mean 'user'?"));
  EXPECT_THAT(HookProblem("victim = { per = 'user', function(v) return 1, -1, 3 end }"),
              HasSubstr("return a number of 0 or more as the second one"));
  EXPECT_THAT(HookProblem("share = { per = 'user', function() return 1 end }"),
              HasSubstr("there are budgets in victim alone; remove per"));
}

TEST(CheckPackage, DurationsFitTheEngine) {
  for (const char* span : {"36501d", "106752d", "999999999d", "59s", "1ns", "-1d"}) {
    for (const char* key : {"window", "half_life"}) {
      EXPECT_THAT(KeyProblem("accounts = { a = { by = 'user', of = 'cpu', " + std::string(key) +
                             " = '" + span + "' } }"),
                  HasSubstr(std::string(key) + " is not a duration from 1m to 36500d"))
          << span;
    }
  }
  for (const char* every : {"999999999d", "1ns", "0s", "36501d"}) {
    EXPECT_THAT(
        KeyProblem("share = { every = '" + std::string(every) + "', function() return 1 end }"),
        HasSubstr("every is not a duration from 1s to 36500d"))
        << every;
  }
  EXPECT_EQ(KeyProblem("accounts = { a = { by = 'user', of = 'cpu', window = '36500d' } }"), "");
}

TEST(CheckPackage, TrialsHaveATimeLimit) {
  SandboxOptions options;
  options.limits.load_seconds = 0;
  const LoadedPackage loaded = Load(SourceOf(Body("return w.priority")), {}, options);
  ASSERT_EQ(loaded.policy, nullptr);
  EXPECT_THAT(loaded.problems[0].ToString(),
              HasSubstr("running the file and trying its hooks took more than 0 s; let them do"));
}

TEST(CheckPackage, WhatOtherLanguagesWriteIsNamedWithWhatLuaWrites) {
  const auto with = [](const std::string& body) {
    return Check("return { api = 1, name = 'x', queue_order = function(w)\n" + body + "\nend }");
  };
  EXPECT_THAT(with("return w.gpus != 1"),
              ElementsAre("p:2:15: syntax error: '!=' is not Lua; write ~="));
  EXPECT_THAT(with("return w.gpus && 1"),
              ElementsAre("p:2:15: syntax error: '&' is not Lua; write and"));
  EXPECT_THAT(with("return w.gpus || 1"),
              ElementsAre("p:2:15: syntax error: '|' is not Lua; write or"));
  EXPECT_THAT(with("local n = 0\nn += 1\nreturn n"),
              ElementsAre("p:3:3: syntax error: expected '=' near '+'; write x = x + 1, in full"));
  EXPECT_THAT(with("if w.gpus > 1 then return 1\nelse if w.pods > 1 then return 2\nend"),
              ElementsAre("p:5:5: syntax error: expected 'end' for the 'function' of line 1 near "
                          "'}'; write elseif, in one word, in line 3"));
  EXPECT_THAT(Check("return { api = 1, name = 'x'\n queue_order = function(w) return 1 end }"),
              ElementsAre("p:2:2: syntax error: expected '}' for the '{' of line 1 near "
                          "'queue_order'; a comma is missing before it"));
}

TEST(CheckPackage, AMistypedHookOrParameterHidesNoOtherMistake) {
  EXPECT_THAT(Check("return { api = 1, name = 'x',\n"
                    "params = { patience = { type = 'number', default = 1 } },\n"
                    "queue_ordr = function(w, c) return c.params.patiense, w.gpu end }"),
              ElementsAre("p:1:8: the package defines no hook; add queue_order = function(w, c) "
                          "... end",
                          "p:3:1: no key 'queue_ordr' in a package; did you mean 'queue_order'?",
                          "p:3:45: no parameter 'patiense'; did you mean 'patience'?",
                          "p:3:57: no field 'gpu'; did you mean 'gpus'?"));
}

TEST(CheckPackage, ParametersAreCheckedTypeByType) {
  const auto with = [](const std::string& spec) {
    return Check("return { api = 1, name = 'x', params = {\n  a = " + spec +
                 "},\n  queue_order = function(w, c) return c.params.a and 1 or 0 end }");
  };
  EXPECT_THAT(with("{ type = 'number', default = 1, min = 0, max = 2, doc = 'd' }"), IsEmpty());
  EXPECT_THAT(with("{ type = 'enum', values = { 'a', 'b' }, default = 'a' }"), IsEmpty());
  EXPECT_THAT(with("{ type = 'boolean', default = false }"), IsEmpty());
  EXPECT_THAT(with("{ type = 'numbr', default = 1 }"),
              ElementsAre("p:2:9: no type 'numbr'; did you mean 'number'?"));
  EXPECT_THAT(
      with("{ type = 'integer', default = 1.5 }"),
      ElementsAre("p:2:27: default is not of type integer; write a whole number such as 3"));
  EXPECT_THAT(with("{ type = 'duration', default = '1h', max = '5m' }"),
              ElementsAre("p:2:28: default is above its max 5m"));
  EXPECT_THAT(with("{ type = 'enum', values = { 'fast' }, default = 'fats' }"),
              ElementsAre("p:2:45: default 'fats' is not one of its values; did you mean 'fast'?"));
  EXPECT_THAT(
      with("{ type = 'number', defalt = 1 }"),
      ElementsAre("p:2:3: a parameter needs a default; write default = a number such as 0.5",
                  "p:2:26: no key 'defalt' in a parameter; did you mean 'default'?"));
}

TEST(CheckPackage, UnusedAndUnknownParametersAreReported) {
  EXPECT_THAT(
      Check("return { api = 1, name = 'x',\nparams = { a = { type = 'number', default = 1 } },\n"
            "queue_order = function(w, c) return c.params.b end }"),
      ElementsAre("p:2:12: parameter 'a' is never used; read c.params.a or remove it",
                  "p:3:46: no parameter 'b'; declare it in params = { ... }"));
}

TEST(CheckPackage, HooksReturnTheSameNumberOfKeysEverywhere) {
  EXPECT_THAT(Check(Body("if w.gpus > 1 then return 1 end\nreturn 1, 2")),
              ElementsAre("p:2:8: queue_order returns 2 keys here and 1 in line 1; return the same "
                          "number of keys everywhere"));
  EXPECT_THAT(Check(Body("return 1, 2, 3, 4")),
              ElementsAre("p:1:56: queue_order returns 4 keys; return 1 to 3 numbers"));
  EXPECT_THAT(Check(Body("")),
              ElementsAre("p:1:43: queue_order returns nothing; return 1 to 3 numbers"));
}

TEST(CheckPackage, AHookThatFailsOnAnOrdinaryJobIsNotSound) {
  EXPECT_THAT(Check(Body("return w.label")),
              ElementsAre("p:1: queue_order returned a table as key 1; return a number"));
  EXPECT_THAT(Check(Body("error('always') return 1")), ElementsAre("p:1: always"));
}

TEST(CheckPackage, OtherHooksAreKnownAndKept) {
  const LoadedPackage loaded = Load(SourceOf(
      "return { api = 1, name = 'x', victim = { reads = { 'now' }, function(v) return 1 end },\n"
      "share = function(n) return 1 end }"));
  ASSERT_NE(loaded.policy, nullptr);
  ASSERT_EQ(loaded.policy->info().hooks.size(), 2u);
  EXPECT_EQ(loaded.policy->info().hooks[0].hook, Hook::kShare);
  EXPECT_EQ(loaded.policy->info().hooks[1].hook, Hook::kVictim);
  EXPECT_THAT(loaded.policy->info().hooks[1].reads, ElementsAre("now"));
  EXPECT_THAT(
      Check("return { api = 1, name = 'x', vicitm = function(v) return 1 end }"),
      ElementsAre("p:1:8: the package defines no hook; add queue_order = function(w, c) ... end",
                  "p:1:31: no key 'vicitm' in a package; did you mean 'victim'?"));
}

TEST(CheckPackage, TellsWhetherAVictimHookReadsThePreemptor) {
  const auto reads = [](const std::string& hook, const std::string& before = "") {
    const LoadedPackage loaded =
        Load(SourceOf(before + "return { api = 1, name = 'x', victim = " + hook + " }"));
    EXPECT_NE(loaded.policy, nullptr) << hook;
    return loaded.policy == nullptr || loaded.policy->info().hooks[0].reads_subject;
  };
  EXPECT_FALSE(reads("function() return 1 end"));
  EXPECT_FALSE(reads("function(v) return v.priority end"));
  EXPECT_FALSE(reads("function(v, p, c) return c.rng(v.name) end"));
  EXPECT_FALSE(reads("{ reads = { 'now' }, function(v, _, c) return v.ran end }"));
  EXPECT_FALSE(reads("cost", "local function cost(v) return v.priority end "));
  EXPECT_TRUE(reads("function(v, p) return p.priority end"));
  EXPECT_TRUE(reads("function(v, p) local q = p return q.priority end"));
  EXPECT_TRUE(reads("function(v, p) return (function() return p.gpus end)() end"));
  EXPECT_TRUE(reads("function(v, p) return cost(v, p) end",
                    "local function cost(v, p) return v.priority - p.priority end "));
  EXPECT_TRUE(reads("function(v, ...) local p = ... return p.priority end"));
  EXPECT_TRUE(reads("pick(2)",
                    "local function pick(n) local fs = {}"
                    " fs[2] = function(v, p) return p.priority end return fs[n] end "));
}

TEST(CheckPackage, AFolderWithoutPolicyLuaSaysSo) {
  const auto problems = CheckPackage({"policies/x", {{"README.md", ""}}});
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(
      problems[0].ToString(),
      "policies/x/policy.lua: the package has no policy.lua; write one that ends with return { "
      "api = 1, ... }");
}

}  // namespace
}  // namespace muster::luajit::testing
