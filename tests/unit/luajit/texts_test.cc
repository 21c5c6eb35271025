// Texts: string.find, string.byte, muster.split and muster.hash, with what is hostile to them, and
// draws for longer than a cycle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The keys of one job, compiled and interpreted, as text; the error where it fails.
std::string Says(const std::string& body) {
  std::string said[2];
  for (const bool compiled : {false, true}) {
    SandboxOptions options;
    options.compiled = compiled;
    PolicyBatch batch(200);
    std::vector<double> keys;
    const HookOutcome outcome = Order(OrderOf(body), batch, &keys, options);
    std::string& text = said[compiled ? 1 : 0];
    if (!outcome.ok) {
      text = outcome.message;
      continue;
    }
    const std::size_t width = keys.size() / 200;
    for (std::size_t i = 0; i < width; ++i) {
      text += (i == 0 ? "" : " ") + std::to_string(static_cast<std::int64_t>(keys[i]));
    }
    for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(keys[i], keys[i % width]) << body;
  }
  EXPECT_EQ(said[0], said[1]) << body;
  return said[1];
}

TEST(Texts, FindIsPlainAndSaysWhere) {
  EXPECT_EQ(Says("return string.find('team-a', '-')"), "5 5");
  EXPECT_EQ(Says("local a, b = ('gpu.large'):find('.') return a, b"), "4 4");
  EXPECT_EQ(Says("return ('abab'):find('ab', 2)"), "3 4");
  EXPECT_EQ(Says("return ('abab'):find('ab', -2)"), "3 4");
  EXPECT_EQ(Says("return ('abab'):find('ab', -99)"), "1 2");
  EXPECT_EQ(Says("return ('abab'):find('ab', 1, true)"), "1 2");
  EXPECT_EQ(Says("return ('a'):find('b') == nil and 1 or 0"), "1");
  EXPECT_EQ(Says("return ('abc'):find('', 4)"), "4 3");
  EXPECT_EQ(Says("return ('abc'):find('', 5) == nil and 1 or 0"), "1");
  EXPECT_EQ(Says("return ('a[b]%'):find('%', 1, true)"), "5 5");
  EXPECT_EQ(Says("return string.find(1234, 3)"), "3 3");
}

TEST(Texts, APatternIsRefusedBeforeItRuns) {
  for (const char* pattern : {"^a", "a$", "%d", "[ab]", "a.*", "a.+", "a.-b"}) {
    EXPECT_THAT(Says("return w.name:find('" + std::string(pattern) + "') or 0"),
                HasSubstr("string.find takes no pattern, and '" + std::string(pattern) +
                          "' looks like one; use muster.glob"));
    EXPECT_THAT(Says("return string.find(w.name, '" + std::string(pattern) + "') or 0"),
                HasSubstr("looks like one"));
    EXPECT_EQ(Says("return w.name:find('" + std::string(pattern) + "', 1, true) or 0"), "0");
  }
  EXPECT_THAT(Says("return ('a'):find('a', 1, false)"),
              HasSubstr("string.find takes no pattern; leave the fourth argument out"));
}

TEST(Texts, OddPlacesAreErrorsAndNoMore) {
  for (const char* place : {"0/0", "1/0", "-1/0", "1e300", "0.5", "2147483648"}) {
    EXPECT_THAT(Says("return ('abc'):find('b', " + std::string(place) + ")"),
                HasSubstr("is no place in a list"))
        << place;
  }
  EXPECT_THAT(Says("return ('abc'):find('b', '1')"), HasSubstr("number expected, got string"));
  EXPECT_THAT(Says("return ('abc'):find()"), HasSubstr("string expected, got nil"));
  EXPECT_THAT(Says("return ('abc'):byte(1, 1000)"), HasSubstr("string.byte of more than"));
  EXPECT_THAT(Says("return ('abc'):byte(1e300)"), HasSubstr("is no place in a list"));
  EXPECT_EQ(Says("return ('abc'):byte(-1)"), "99");
}

TEST(Texts, SplitGivesTheParts) {
  const std::string shown =
      "local s = #t .. ':' for _, x in ipairs(t) do s = s .. '<' .. x .. '>' end ";
  const auto split = [&](const std::string& arguments, const std::string& expected) {
    EXPECT_EQ(Says("local t = muster.split(" + arguments + ") " + shown + "return s == '" +
                   expected + "' and 1 or 0"),
              "1")
        << arguments;
  };
  split("'a,b,c', ','", "3:<a><b><c>");
  split("'a', ','", "1:<a>");
  split("'', ','", "1:<>");
  split("',a,', ','", "3:<><a><>");
  split("'a::b:c', '::'", "2:<a><b:c>");
  split("'a.b', '.'", "2:<a><b>");
  split("12.5, '.'", "2:<12><5>");
  EXPECT_EQ(Says("local t = muster.split('b,a', ',') table.sort(t) return t[1] == 'a' and 1 or 0"),
            "1")
      << "the list is the caller's own";
  EXPECT_THAT(Says("return #muster.split('a', '')"), HasSubstr("muster.split needs a separator"));
  EXPECT_THAT(Says("return #muster.split('a', 1)"), HasSubstr("string expected, got number"));
  EXPECT_THAT(Says("return #muster.split(('x'):rep(1001), 'x')"), HasSubstr("out of fuel"));
}

TEST(Texts, LongOnesArePaidFor) {
  EXPECT_THAT(Says("local big = ('a'):rep(65536) return big:find(('a'):rep(999) .. 'b') or 0"),
              HasSubstr("out of fuel"));
  EXPECT_THAT(Says("return muster.hash(('a'):rep(65536))"), HasSubstr("out of fuel"));
  EXPECT_EQ(Says("local long = ('a'):rep(1000) return long:find('b') or 0"), "0");
  EXPECT_EQ(Says("return muster.hash(('a'):rep(1000)) > 0 and 1 or 0"), "1");
}

// By another program: FNV-1a of 64 bits, the finalizer of SplitMix64, shifted right by 11. These
// never change.
TEST(Texts, TheHashIsTheSameForEver) {
  EXPECT_EQ(Says("return muster.hash(''), muster.hash('a'), muster.hash('team-a')"),
            "8625955362125501 96858892993156 2459300924353107");
  EXPECT_EQ(Says("return muster.hash('\\0\\255')"), "5877430054607112");
  EXPECT_THAT(Says("return muster.hash(1)"), HasSubstr("string expected, got number"));
}

std::vector<double> Draw(const std::string& expression, double now, double cycle) {
  PolicyBatch batch(1);
  batch.header().now = now;
  batch.header().cycle = cycle;
  std::vector<double> keys;
  const HookOutcome outcome = Order(OrderOf("return " + expression), batch, &keys);
  EXPECT_TRUE(outcome.ok) << outcome.message;
  return keys;
}

TEST(Draws, StayForTheirPeriod) {
  constexpr double kHour = 3600, kDay = 86400, kMonday = 1'767'571'200;  // 2026-01-05
  for (const auto& [per, length] : std::map<std::string, double>{
           {"hour", kHour}, {"day", kDay}, {"week", 7 * kDay}, {"2h", 2 * kHour}, {"90s", 90}}) {
    const std::string draw = "c.rng('s', '" + per + "')";
    const std::vector<double> first = Draw(draw, kMonday, 1);
    EXPECT_EQ(first, Draw(draw, kMonday + length - 1, 9)) << per;
    EXPECT_NE(first, Draw(draw, kMonday + length, 1)) << per;
    EXPECT_NE(first, Draw(draw, kMonday - 1, 1)) << per;
    EXPECT_NE(first, Draw("c.rng('t', '" + per + "')", kMonday, 1)) << per;
  }
  for (const char* both :
       {"c.rng('s', 'hour'), c.rng('s', '1h')", "c.rng('s', 'cycle'), c.rng('s')"}) {
    const std::vector<double> drawn = Draw(both, kMonday, 3);
    EXPECT_EQ(drawn.at(0), drawn.at(1)) << both;
  }
}

TEST(Draws, APeriodOfTimeNeedsTheTime) {
  const auto load = [](const std::string& hook) {
    const LoadedPackage loaded =
        Load(SourceOf("return { api = 1, name = 'x', queue_order = " + hook + " }"));
    return loaded.policy == nullptr ? loaded.problems[0].what + "; " + loaded.problems[0].cure : "";
  };
  EXPECT_THAT(load("function(w, c) return c.rng('s', 'day') end"),
              HasSubstr("'rng' per 'day' changes with the time, which is not declared; add reads = "
                        "{\"now\"} to queue_order"));
  EXPECT_THAT(load("function(w, c) local p = 'day' return c.rng('s', p) end"),
              HasSubstr("add reads = {\"now\"}"));
  EXPECT_THAT(load("{ reads = { 'now' }, function(w, c) return c.rng('s', 'dai') end }"),
              HasSubstr("c.rng draws per 'dai', which is no period; write \"cycle\", \"hour\""));
  EXPECT_EQ(load("function(w, c) return c.rng('s', 'cycle') end"), "");
}

TEST(Draws, OnlyThoseOfACycleMakeKeysStaleInEachCycle) {
  const auto reads = [](const std::string& body) {
    const LoadedPackage loaded = Load(OrderOf(body));
    EXPECT_NE(loaded.policy, nullptr) << body;
    return loaded.policy == nullptr ? std::vector<std::string>()
                                    : loaded.policy->info().hooks[0].reads;
  };
  EXPECT_THAT(reads("return c.rng('s', 'day')"), ElementsAre("now"));
  EXPECT_THAT(reads("return c.rng('s', 'cycle')"), ElementsAre("now", "cycle"));
  EXPECT_THAT(reads("local p = 'day' return c.rng('s', p)"), ElementsAre("now", "cycle"));
  EXPECT_THAT(reads("return c.rng('s', 'day') + c.rng('s')"), ElementsAre("now", "cycle"));
  EXPECT_THAT(reads("local r = c.rng return r('s', 'day')"), ElementsAre("now", "cycle"));
}

}  // namespace
}  // namespace muster::luajit::testing
