// The rewriter changes nothing but the count: what compiled before compiles after and means the
// same.
#include "bindings/luajit/rewriter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "bindings/luajit/parser.h"
#include "tests/testing/paths.h"
#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

using Kind = Insertion::Kind;

// With insertions of these kinds only.
std::string Rewrite(const std::string& source, const std::vector<Kind>& kinds = {
                                                   Kind::kTick, Kind::kJoinBegin, Kind::kJoinEnd}) {
  SourceFacts facts = ParseSource(source);
  EXPECT_TRUE(facts.syntax_ok) << source << facts.problems.back().what;
  std::erase_if(facts.insertions, [&kinds](const Insertion& insertion) {
    return std::find(kinds.begin(), kinds.end(), insertion.kind) == kinds.end();
  });
  std::string text = RewriteSource(source, facts.insertions);
  const auto shorten = [&text](const std::string& inserted, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(inserted, at)) != std::string::npos;) {
      text.replace(at, inserted.size(), to);
    }
  };
  shorten(" if \x80.left<1 then \x80(1) end \x80.left=\x80.left-1; ", "#");
  shorten("(\x80.join(", "<");
  shorten("))", ">");
  shorten(" \x82(", "[");
  shorten(" \x83(", "own(");
  shorten(" \x84(", "length(");
  shorten("\x80.few(", "few(");
  const std::string open =
      "local \x80, \x81 = ... local \x82, \x83, \x84 = \x80.operand, \x80.own, "
      "\x80.counted return function(...) ";
  EXPECT_TRUE(text.starts_with(open));
  EXPECT_TRUE(text.ends_with("\nend"));
  return text.substr(open.size(), text.size() - open.size() - 4);
}

TEST(Rewriter, WhatIsCountedIsLookedAtUnlessTheFunctionMadeIt) {
  const std::vector<Kind> kinds = {Kind::kCountedBegin, Kind::kCountedEnd};
  EXPECT_EQ(Rewrite("local a = #b.c + #'x'", kinds), "local a = #length(b.c,\"field 'c'\") + #'x'");
  EXPECT_EQ(Rewrite("local t = {} local n = #t", kinds), "local t = {} local n = #t");
  EXPECT_EQ(Rewrite("local t = {} t = w local n = #t", kinds),
            "local t = {} t = w local n = #length(t,\"local 't'\")");
}

TEST(Rewriter, TicksStandWhereExecutionCanComeRoundAgain) {
  EXPECT_EQ(Rewrite("while x do f() end"), "while x do# f() end");
  EXPECT_EQ(Rewrite("for i=1,n do end"), "for i=1,n do# end");
  EXPECT_EQ(Rewrite("for k in f do end"), "for k in f do# end");
  EXPECT_EQ(Rewrite("do end"), "do# end");
  EXPECT_EQ(Rewrite("repeat f() until x"), "repeat# f() until x");
  EXPECT_EQ(Rewrite("local f = function(a, ...) return a end"),
            "local f = function(a, ...)# return a end");
  EXPECT_EQ(Rewrite("function a.b:c() end"), "function a.b:c()# end");
  EXPECT_EQ(Rewrite("::a:: goto a"), "::a:: #goto a");
}

// "<3>": a tick that takes 3.
std::string WithCosts(const std::string& source) {
  std::string text;
  std::size_t at = 0;
  for (const Insertion& tick : ParseSource(source).insertions) {
    if (tick.kind != Insertion::Kind::kTick) continue;
    text += source.substr(at, tick.offset - at) + "<" + std::to_string(tick.cost) + ">";
    at = tick.offset;
  }
  return text + source.substr(at);
}

TEST(Rewriter, AShortLoopThatOnlyComputesPaysForItsRoundsWhenItBegins) {
  EXPECT_EQ(WithCosts("x = 1 for i = 1, 3 do s = s + w.gpus * i end"),
            "x = 1 <3>for i = 1, 3 do s = s + w.gpus * i end");
  EXPECT_EQ(WithCosts("for i = 2, 1 do end"), "<0>for i = 2, 1 do end");
  EXPECT_EQ(WithCosts("for i = 0, 15 do if a then b = i end end"),
            "<16>for i = 0, 15 do if a then b = i end end");
  EXPECT_EQ(WithCosts("for i = 1, 2 do for j = 1, 3 do s = s + j end end"),
            "for i = 1, 2 do<1> <3>for j = 1, 3 do s = s + j end end");
  for (const std::string loop :
       {"for i = 0, 16 do<1> end", "for i = 1, n do<1> end", "for i = 1, 3, 1 do<1> end",
        "for i = 1, -3 do<1> end", "for i = 1, 3 + 1 do<1> end", "for i = 1, (3) do<1> end",
        "for i = 1, 3.0 do<1> end", "for i = 1, 0x3 do<1> end", "for i = 1, 1e1 do<1> end",
        "for i = 1, 3 do<1> f() end", "for i = 1, 3 do<1> s = s .. i end",
        "for i = 1, 3 do<1> t = {} end", "for i = 1, 3 do<1> if a then break end end",
        "for i = 1, 3 do<1> if a then return end end", "for i = 1, 3 do<1> s = f 'x' end",
        "for i = 1, 3 do<1> while a do<1> end end", "for i = 1, 3 do<1> do<1> end end",
        "for i = 1, 3 do<1> <1>goto e ::e:: end"}) {
    std::string source;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      if (loop.compare(i, 3, "<1>") == 0) i += 3;
      source += loop[i];
    }
    EXPECT_EQ(WithCosts(source), loop);
  }
}

TEST(Rewriter, WordsInStringsCommentsAndFieldsAreNotCode) {
  for (const std::string text :
       {"local a = 'while x do'", "local a = \"do \\\" do\"", "-- do", "--[[ do\n do ]] local a",
        "--[==[ ]] do ]==]", "local a = [[ do ]]", "local a = [=[ ]] do ]=]",
        "local a = 'x\\\n do'", "local a = 'x\\z  \n  do'", "local a = '\\\\' local b = 'do'",
        "x.goto = 1", "x = x.goto", "goto = 1"}) {
    EXPECT_EQ(Rewrite(text), text);
  }
}

TEST(Rewriter, ConcatenationsAreCallsThatSeeTheResult) {
  EXPECT_EQ(Rewrite("local s = a .. b"), "local s = <a .. b>");
  EXPECT_EQ(Rewrite("return a .. b .. c"), "return <a .. b .. c>");
  EXPECT_EQ(Rewrite("x(a == b .. -c ..1 and d)"), "x(a == <b .. -c ..1> and d)");
  EXPECT_EQ(Rewrite("x(a + 1 .. b, not c .. d)"), "x(<a + 1 .. b>, <not c .. d>)");
  EXPECT_EQ(Rewrite("x(a ..\n(b .. c) .. d < e .. f)"), "x(<a ..\n(<b .. c>) .. d> < <e .. f>)");
}

TEST(Rewriter, WhatIsComputedOrComparedWithAndMayBeATextPaysForBeingRead) {
  const auto rewrite = [](const std::string& source) {
    return Rewrite(source, {Kind::kOperandBegin, Kind::kOperandEnd});
  };
  EXPECT_EQ(rewrite("local a x(a + 1)"), "local a x([a,\"local 'a'\") + 1)");
  EXPECT_EQ(rewrite("x(y.b * -g() / 'c')"), "x([y.b,\"field 'b'\") * -[g(> / ['c'>");
  EXPECT_EQ(rewrite("x(y < z, y >= 1, y == z)"), "x([y) < [z), [y) >= 1, y == z)");
  EXPECT_EQ(rewrite("x(1 + 2 < #y, not y)"), "x(1 + 2 < #y, not y)");
  EXPECT_EQ(rewrite("for i=y,2,z do end"), "for i=[y),2,[z) do end");
}

TEST(Rewriter, TablesThatAreWrittenToAreLookedAtUnlessTheFunctionMadeThem) {
  const auto rewrite = [](const std::string& body) {
    return Rewrite("local f = function(p) " + body + " end",
                   {Kind::kOwnBegin, Kind::kOwnEnd, Kind::kOwn})
        .substr(22);
  };
  EXPECT_EQ(rewrite("p.x = 1"), "own(p).x = 1 end");
  EXPECT_EQ(rewrite("p.x, p[1].y = 1"), "own(p).x, own(p[1]).y = 1 end");
  EXPECT_EQ(rewrite("g().x = 1"), "own(g(>.x = 1 end");
  EXPECT_EQ(rewrite("function p.a.b:c() end"), "own(p.a.b) function p.a.b:c() end end");
  EXPECT_EQ(rewrite("local t = {} t.x = 1"), "local t = {} t.x = 1 end");
  EXPECT_EQ(rewrite("local t = {} t.x.y = 1"), "local t = {} own(t.x).y = 1 end");
  EXPECT_EQ(rewrite("local t = {} t.x = 1 t = p"), "local t = {} own(t).x = 1 t = p end");
  EXPECT_EQ(rewrite("local t = {} return function() t.x = 1 end"),
            "local t = {} return function() own(t).x = 1 end end");
  EXPECT_EQ(Rewrite("local t = {} t.x = 1", {Kind::kOwnBegin, Kind::kOwnEnd}),
            "local t = {} t.x = 1")
      << "while the file is run nothing is its own yet";
}

TEST(Rewriter, KeysThatMayCollideAndValuesThatMayBeNilAreLookedAtWhenTheyAreWritten) {
  const auto rewrite = [](const std::string& source) {
    std::string text =
        Rewrite(source, {Kind::kKeyBegin, Kind::kKeyEnd, Kind::kGoneBegin, Kind::kGoneEnd});
    for (std::size_t at = 0; (at = text.find('\x80', at)) != std::string::npos;) text.erase(at, 2);
    return text;
  };
  EXPECT_EQ(rewrite("t[k] = 1"), "t[ key(k)] = 1");
  EXPECT_EQ(rewrite("t[k + 1][3] = a + b"), "t[k + 1][3] = a + b") << "3 is a place in a list";
  EXPECT_EQ(rewrite("t[-3], t['x'] = 1, 2"), "t[ key(-3)], t['x'] = 1, 2");
  EXPECT_EQ(rewrite("local t = { [k] = 1, [1.5] = 2, [3] = 4, a = 5 }"),
            "local t = { [ key(k)] = 1, [ key(1.5)] = 2, [3] = 4, a = 5 }");
  EXPECT_EQ(rewrite("t.x = f(t[k])"), "t.x =  gone(f(t[k]>");
  EXPECT_EQ(rewrite("t.x, y = a, nil"), "t.x, y =  gone(a), nil");
  EXPECT_EQ(rewrite("t.x, t.y = f()"), "t.x, t.y =  gone_of(2,f(>");
  EXPECT_EQ(rewrite("t.x = a and b"), "t.x =  gone(a and b)");
  EXPECT_EQ(rewrite("t.x, t.y, t.z = 1, 'a' .. b, {}"), "t.x, t.y, t.z = 1, 'a' .. b, {}");
  EXPECT_EQ(rewrite("x = f() local y = t[k]"), "x = f() local y = t[k]");
}

TEST(Rewriter, StraightCodePaysByItsLength) {
  std::string terms;
  for (int i = 0; i < 1000; ++i) terms += " + 1";
  const auto costs = [](const std::string& source) {
    std::vector<int> result;
    for (const Insertion& insertion : ParseSource(source).insertions) {
      result.push_back(insertion.cost);
    }
    return result;
  };
  using ::testing::ElementsAre;
  EXPECT_THAT(costs("local function f() return 1 end"), ElementsAre(1));
  EXPECT_THAT(costs("local function f() return 1" + terms + " end"), ElementsAre(32));
  EXPECT_THAT(costs("while 1" + terms + " do for i = 1, 2 do end end"), ElementsAre(32, 2));
  EXPECT_THAT(costs("repeat do end until 1" + terms), ElementsAre(32, 1));
  EXPECT_THAT(costs("do ::a:: x = 1" + terms + " goto a end"), ElementsAre(32, 32));
}

TEST(Rewriter, LineNumbersStay) {
  const std::string source = "local a\nwhile a do\n\nend\r\nrepeat\n\n\nuntil a\n--[[\n]]";
  const std::string text = RewriteSource(source, ParseSource(source).insertions);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
            std::count(source.begin(), source.end(), '\n') + 1);
}

TEST(Rewriter, AFirstLineForTheShellAndAByteOrderMarkAreDropped) {
  EXPECT_EQ(Rewrite("#!/usr/bin/lua\nlocal a"), "\nlocal a");
  EXPECT_EQ(Rewrite("\xEF\xBB\xBFlocal a"), "local a");
}

TEST(Parser, NestingIsLimited) {
  for (const auto& [open, close] :
       std::vector<std::pair<std::string, std::string>>{{"do ", "end "},
                                                        {"x = (", ")"},
                                                        {"x = {", "}"},
                                                        {"x = not ", "1"},
                                                        {"x = 1 .. ", "1"},
                                                        {"return function() ", "end "},
                                                        {"if x then ", "end "}}) {
    std::string source;
    for (int i = 0; i < 20'000; ++i)
      source += i == 0 ? open : open.substr(open.find_first_of("=") + 1);
    const SourceFacts facts = ParseSource(source + close);
    EXPECT_FALSE(facts.syntax_ok);
    EXPECT_THAT(facts.problems.back().what, HasSubstr("nested too deeply")) << open;
  }
}

TEST(Parser, LongChainsAreFlat) {
  std::string sum = "local a = 1", fields = "local a = b", calls = "f()";
  for (int i = 0; i < 20'000; ++i) {
    sum += " + 1";
    fields += ".c";
    calls += "()";
  }
  EXPECT_TRUE(ParseSource(sum).syntax_ok);
  EXPECT_TRUE(ParseSource(fields).syntax_ok);
  EXPECT_TRUE(ParseSource(calls).syntax_ok);
}

// Programs that print nothing and compute much: each must answer the same with and without ticks.
TEST(Rewriter, ProgramsMeanTheSame) {
  for (const std::string body :
       {"local s = 0 for i = 1, 9 do if i % 2 == 0 then goto next end s = s + i ::next:: end "
        "return s",
        "local i, s = 0, '' repeat local j = i i = i + 1 s = s .. j until j == 5 return #s, i",
        "local function f(...) return select('#', ...), ... end local a, b = f(4, 5) return a, b",
        "local t = {} for i = 1, 5 do t[#t + 1] = function() return i end end return t[3]()",
        "local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end return fib(7)",
        "local function even(n) if n == 0 then return 1 end return even(n - 1) end return even(9)",
        "local t = { 3, 1, 2 } table.sort(t, function(a, b) return a > b end) return t[1], t[3]",
        "local o = { n = 2 } function o:get(k) return self.n * k end return o:get(21)",
        "local s = 0 for _, v in ipairs { 1, 2, 3 } do for k = v, 3 do s = s + k end end return s",
        "local ok, e = pcall(function() error('x') end) return ok and 1 or #e > 0 and 2 or 3",
        "local n = 0 while true do n = n + 1 if n > 4 then break end do local n = 9 end end return "
        "n",
        "local a = 1 do local a = 2 end return a, (function(...) return ... end)(7, 8)"}) {
    SandboxOptions plain;
    plain.rewriting = false;
    plain.limits.item_fuel = 1000;
    SandboxOptions fueled = plain;
    fueled.rewriting = true;
    plain.source_rules = fueled.source_rules = false;
    PolicyBatch batch(3);
    std::vector<double> expected, actual;
    ASSERT_TRUE(Order(OrderOf(body), batch, &expected, plain).ok) << body;
    const HookOutcome outcome = Order(OrderOf(body), batch, &actual, fueled);
    EXPECT_TRUE(outcome.ok) << body << "\n" << outcome.message;
    EXPECT_EQ(actual, expected) << body;
    EXPECT_GT(outcome.fuel, 0);
  }
}

// How many of two sources compile: asked of LuaJIT by a policy without an allow-list.
int CountCompiling(const std::string& before, const std::string& after) {
  const auto quote = [](const std::string& text) { return "[=======[\n" + text + "]=======]"; };
  SandboxOptions open;
  open.source_rules = open.allow_list = open.rewriting = open.memory_drain = false;
  PolicyBatch batch(1);
  std::vector<double> keys;
  const HookOutcome outcome =
      Order(OrderOf("return count", "local count = 0 for _, s in ipairs { " + quote(before) + ", " +
                                        quote(after) +
                                        " } do if loadstring(s) then count = count + 1 end end "),
            batch, &keys, open);
  EXPECT_TRUE(outcome.ok) << outcome.message;
  return keys.empty() ? -1 : static_cast<int>(keys[0]);
}

TEST(Rewriter, WhatCompiledBeforeCompilesAfter) {
  std::vector<fs::path> files;
  for (const char* folder : {"/usr/share/lua/5.1", "/usr/share/luajit-2.1.0-beta3"}) {
    if (!fs::is_directory(folder)) continue;
    for (const fs::path& file : muster::testing::FilesUnder(folder, ".lua")) files.push_back(file);
  }
  for (const fs::path& file :
       muster::testing::FilesUnder(muster::testing::SourceDir() / "policies", ".lua")) {
    files.push_back(file);
  }
  int checked = 0;
  for (const fs::path& file : files) {
    std::string source = muster::testing::ReadFile(file);
    if (source.size() > 60'000 || source.find('\r') != std::string::npos) continue;
    const SourceFacts facts = ParseSource(source, false);
    if (!facts.syntax_ok) {
      EXPECT_EQ(CountCompiling(source, "="), 0) << file << ": " << facts.problems.back().what;
      continue;
    }
    EXPECT_EQ(CountCompiling(source, RewriteSource(source, facts.insertions)), 2) << file;
    ++checked;
  }
  EXPECT_GT(checked, 10);
  if (checked < 100) GTEST_SKIP() << "only " << checked << " Lua files: no system Lua libraries";
}

// Sources with a few bytes or lines moved, doubled or dropped: mostly broken, sometimes not. Ours
// and LuaJIT must agree on which, and a sound one must stay sound.
std::string Mutate(std::string source, std::mt19937& random) {
  const auto pick = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  static const std::vector<std::string> kWords = {
      "end ",    "do ",     "then ",  "(",      ")",         "{",    "}",    "[[", "]]",
      "[",       "]",       "'",      "\"",     "\\",        "--",   "--[[", "\n", "\r",
      "=",       "==",      ",",      ";",      "..",        "...",  "0x",   "1e", "goto x ",
      "::x::",   "return ", "break ", "local ", "function ", "not ", "#",    "-",  "\\z",
      "repeat ", "until ",  "nil ",   ":",      "."};
  for (std::size_t edits = 1 + pick(3); edits > 0 && source.size() > 8; --edits) {
    const std::size_t at = pick(source.size()), length = 1 + pick(6);
    switch (pick(4)) {
      case 0:
        source.erase(at, length);
        break;
      case 1:
        source.insert(pick(source.size()), source.substr(at, length));
        break;
      default:
        source.insert(at, kWords[pick(kWords.size())]);
        break;
    }
  }
  return source;
}

void AgreeOnMutants(unsigned int first, unsigned int last) {
  std::vector<std::string> seeds;
  for (const fs::path& file :
       muster::testing::FilesUnder(muster::testing::SourceDir() / "policies", ".lua")) {
    seeds.push_back(muster::testing::ReadFile(file));
  }
  int sound = 0, broken = 0;
  for (unsigned int seed = first; seed <= last; ++seed) {
    std::mt19937 random(seed);
    const std::string& whole = seeds[random() % seeds.size()];
    const std::string source = Mutate(whole, random);
    if (source.find("]=======]") != std::string::npos || source.find('\r') != std::string::npos) {
      continue;
    }
    const SourceFacts facts = ParseSource(source, false);
    if (facts.syntax_ok) {
      const int compiling = CountCompiling(source, RewriteSource(source, facts.insertions));
      EXPECT_TRUE(compiling == 0 || compiling == 2) << "seed " << seed << "\n" << source;
      (compiling == 2 ? sound : broken) += 1;
    } else {
      EXPECT_EQ(CountCompiling(source, "="), 0)
          << "seed " << seed << ": " << facts.problems.back().what << "\n"
          << source;
      ++broken;
    }
  }
  EXPECT_GT(sound, 5);
  EXPECT_GT(broken, 5);
}

TEST(Rewriter, AgreesWithLuaJitOnBrokenSources) { AgreeOnMutants(1, 300); }
TEST(NightRewriter, AgreesWithLuaJitOnBrokenSources) { AgreeOnMutants(301, 6'000); }

}  // namespace
}  // namespace muster::luajit::testing
