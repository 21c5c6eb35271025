// What other languages write: each with what Lua and the views have instead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<std::string> HintsOf(const std::string& hook) {
  std::vector<std::string> texts;
  for (const PackageProblem& problem : CheckPackage(
           SourceOf("return { api = 1, name = 'x', labels = { 'tier' },\n" + hook + " }"))) {
    EXPECT_GT(problem.line, 0) << hook;
    texts.push_back(problem.ToString());
  }
  return texts;
}

/// `body` of a queue_order begins in line 3.
void Hint(const std::string& body, const std::string& text) {
  EXPECT_THAT(HintsOf("queue_order = function(w, c)\n" + body + "\nend"),
              ElementsAre(HasSubstr(text)))
      << body;
}

TEST(Hints, OperatorsOfOtherLanguages) {
  Hint("local x = 0\nx++\nreturn x", ":4:2: syntax error: expected '=' near '+'; write x = x + 1");
  Hint("local x = 0\n++x\nreturn x",
       ":4:2: syntax error: expected an expression near '+'; write x");
  Hint("local x = 0\nx--\nreturn x", "-- begins a comment; write x = x - 1, in full");
  Hint("local x = ''\nx ..= 'a'\nreturn #x", "write x = x .. y, in full");
  Hint("return w.gpus // 2", "write math.floor(a / b) for whole numbers; a comment begins with --");
  Hint("return w.gpus ** 2", "write muster.pow(a, b)");
  Hint("if w.gpus <> 1 then return 1 end return 0", "write ~= for different");
  Hint("if w.gpus === 1 then return 1 end return 0", "write == to compare");
  Hint("if w.gpus =< 1 then return 1 end return 0", "write == to compare");
  Hint("if 1 + ~w.gpus then return 1 end return 0", "'~' is not Lua; write ~= to compare, or not");
  Hint("local x := 1\nreturn x", "near ':'; write = to assign");
  Hint("local x: number = 1\nreturn x", "near ':'; a variable has no type in Lua; leave it out");
  Hint("return +w.gpus", "a number has no sign + in front; leave it out");
}

TEST(Hints, CommentsOfOtherLanguages) {
  for (const std::string mark : {"// x", "/* x */", "# x"}) {
    Hint(mark + "\nreturn 1", ":3:1: syntax error: expected a name near '" + mark.substr(0, 1) +
                                  "'; a comment begins with --");
  }
}

TEST(Hints, WordsOfOtherLanguages) {
  Hint("let x = 1\nreturn x", ":3:5: syntax error: expected '=' near 'x'; write local x = ...");
  Hint("def f(x)\nreturn x\nend\nreturn f(1)", "write local function f(...) and end");
  Hint("if w.gpus > 1 then return 1 elif w.pods > 1 then return 2 end",
       "near 'elif'; write elseif");
  Hint("for i = 1, 3 do\nif i > 1 then continue end\nend\nreturn 1",
       "write goto next, and ::next:: before the end of the loop");
  Hint("if (w.gpus > 1) { return 1 }\nreturn 0", "begins with then or do and ends with end");
  Hint("switch w.gpus\nreturn 1", "write if, elseif and else");
}

TEST(Hints, FunctionsOfOtherLanguages) {
  Hint("return int(w.gpus)", ":3:8: undefined name 'int'; write math.floor(x)");
  Hint("return max(w.gpus, 1)", "undefined name 'max'; write math.max(a, b)");
  Hint("return len(w.name)", "undefined name 'len'; write #x");
  Hint("return math.round(w.gpus)", "no function 'math.round'; write math.floor(x + 0.5)");
  Hint("if w.gpus > Infinity then return 1 end return 0", "write math.huge");
  Hint("return True and 1 or 0", "undefined name 'True'; write true");
}

TEST(Hints, FieldsThatJobsDoNotHave) {
  Hint("return w.user",
       ":3:10: no field 'user'; declare labels = {\"muster.dev/user\"} and read "
       "label[\"muster.dev/user\"] of it");
  Hint("return #w.team", "declare labels = {\"team\"}");
  Hint("return w.cpu", "no field 'cpu'; read request.cpu");
  Hint("return w.now", "no field 'now'; read c.now");
  Hint("return w.frobnicated", "no field 'frobnicated'; there are account, attempts, ");
  EXPECT_THAT(HintsOf("victim = function(v)\nreturn v.frobnicated\nend"),
              ElementsAre(HasSubstr("no field 'frobnicated'; there are account, attempts, ")));
}

TEST(Hints, TextsAreNotComputedWith) {
  Hint("return '5' + w.gpus", ":3:8: the text \"5\" is no number; write 5");
  Hint("return w.gpus * 'a'", ":3:17: the text \"a\" is no number; compute with numbers");
  Hint("return -w.name", "'name' is a text, and no number; write tonumber(s) or 0");
  Hint("return w.label.tier + 1", "label 'tier' is a text, and no number");
  Hint("local r = w.request\nreturn r + 1",
       "'request' holds several values, and is no number; name");
  EXPECT_THAT(HintsOf("victim = function(v)\nreturn v.borrowing * 5\nend"),
              ElementsAre(HasSubstr("'borrowing' is true or false, and no number; write (v.borr")));
}

TEST(Hints, FieldsAreNotCalled) {
  Hint("return w.gpus()", ":3:10: 'gpus' is a value, and no function; leave out the ( )");
  Hint("return w:gpus()", "write . instead of :, without ( )");
  EXPECT_THAT(HintsOf("queue_order = { reads = {'now'}, function(w, c)\nreturn c.now()\nend }"),
              ElementsAre(HasSubstr("'now' is a value, and no function")));
  EXPECT_THAT(HintsOf("queue_order = function(w)\nreturn #w.name:lower()\nend"), SizeIs(0));
}

TEST(Hints, AnswersThatAreNoNumbers) {
  const std::string cure =
      "returned nan as key 1 for one it was tried on; 0/0 is no number, nor is a root";
  Hint("return 0/0", cure);
  Hint("return math.sqrt(w.gpus - 100)", cure);
}

void RefusesLimit(const std::string& answer, const std::string& text) {
  EXPECT_THAT(HintsOf("preempt_limits = function(p, c)\nreturn " + answer + "\nend"),
              ElementsAre(HasSubstr(text)))
      << answer;
}

TEST(Hints, LimitsAreNumbersFromZeroAndVictimsWhole) {
  const std::string victims =
      "return how many victims it may have, a whole number from 0, or nil for";
  RefusesLimit("-1", ":2: preempt_limits returned -1 as key 1 for one it was tried on; " + victims);
  RefusesLimit("1.5", "returned 1.5 as key 1 for one it was tried on; " + victims);
  RefusesLimit("2, -1",
               "returned -1 as key 2 for one it was tried on; return what they may cost together");
  RefusesLimit("0/0", "returned nan as key 1");
  RefusesLimit("'2'", "returned a string as key 1");
  for (const std::string sound : {"0", "nil, 5.5", "2, 0", "math.huge"}) {
    EXPECT_THAT(HintsOf("preempt_limits = function(p, c)\nreturn " + sound + "\nend"), SizeIs(0))
        << sound;
  }
}

// What a ledger has kept opens again.
TEST(Hints, PackagesThatHaveDecidedLoadWithAccountsOfAnyDevice) {
  for (const std::string of : {"nvidia.com/gpus', window = '1d", "held:nvidia.com/gpus",
                               "lost:nvidia.com/gpux', window = '1d"}) {
    const PackageSource source = SourceOf(
        "return { api = 1, name = 'x', "
        "accounts = { had = { by = 'user', of = '" +
        of +
        "' } }, queue_order = { reads = { 'account' }, function(w, c) return w.account.had end } "
        "}");
    EXPECT_FALSE(LoadPackage(source, {}, PackageAge::kNew).ok()) << of;
    const auto stored = LoadPackage(source, {}, PackageAge::kStored);
    EXPECT_TRUE(stored.ok()) << of << stored.status().message();
  }
}

TEST(Hints, PackagesThatHaveDecidedLoadWithAnswersThatNewOnesMayNotGive) {
  for (const std::string hook :
       {"preempt_limits = function(p, c) return 0.5, -1 end",
        "submit = function(w, c) return { labels = { tier = 'a b' }, queue = 'team-a/x' } end",
        "submit = function(w, c) return { labels = { ['a b'] = 'x' } } end",
        "queue_order = function(w, c) if w.name == '7' then return w.name + 1 end return 0 end"}) {
    const PackageSource source =
        SourceOf("return { api = 1, name = 'x', labels = { 'tier' }, " + hook + " }");
    EXPECT_FALSE(LoadPackage(source, {}, PackageAge::kNew).ok()) << hook;
    const auto stored = LoadPackage(source, {}, PackageAge::kStored);
    EXPECT_TRUE(stored.ok()) << hook << stored.status().message();
  }
}

void RefusesChange(const std::string& answer, const std::string& text) {
  EXPECT_THAT(HintsOf("submit = function(w, c)\nreturn { " + answer + " }\nend"),
              ElementsAre(HasSubstr(text)))
      << answer;
}

TEST(Hints, NamesThatSubmitAnswersCanBeOnes) {
  RefusesChange("queue = 'team-a/x'",
                ":2: submit returned queue 'team-a/x', which is not a name; write that");
  RefusesChange("queue = 'a b'", "which is not a name");
  RefusesChange("labels = { ['a b'] = 'x' }",
                "submit returned a label called 'a b'; write up to 63");
  RefusesChange("labels = { tier = 'a b' }",
                "submit returned a value that label 'tier' cannot have");
}

TEST(Hints, AHoldEndsAtATime) {
  EXPECT_THAT(
      HintsOf("hold = function(w, c)\nreturn c.hold('later', 600)\nend"),
      ElementsAre(HasSubstr("c.hold takes until when, and that is a time in seconds since 1970; "
                            "write c.now and so many seconds")));
}

}  // namespace
}  // namespace muster::luajit::testing
