// Time zones: rules as the system's own functions read them, what of them becomes part of a
// package, and what a hook is shown.
#include "bindings/luajit/time_zone.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "bindings/luajit/spec_runner.h"
#include "tests/testing/paths.h"
#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

using muster::testing::TemporaryDirectory;
using ::testing::HasSubstr;

constexpr std::int64_t kSpring = 1'774'746'000;  // 2026-03-29T01:00:00Z
constexpr std::int64_t kAutumn = 1'792'890'000;  // 2026-10-25T01:00:00Z

TimeZone Zone(const std::string& name) {
  const auto bytes = ReadSystemZone(name);
  EXPECT_TRUE(bytes) << name << "; is the package tzdata installed?";
  const auto zone = TimeZone::Parse(bytes.value_or(""));
  EXPECT_TRUE(zone) << name;
  return zone.value_or(TimeZone());
}

TEST(TimeZone, ZurichChangesItsClocksTwiceAYear) {
  const TimeZone zurich = Zone("Europe/Zurich");
  EXPECT_EQ(zurich.OffsetAt(kSpring - 1), 3600);
  EXPECT_EQ(zurich.OffsetAt(kSpring), 7200);
  EXPECT_EQ(zurich.OffsetAt(kAutumn - 1), 7200);
  EXPECT_EQ(zurich.OffsetAt(kAutumn), 3600);
}

TEST(TimeZone, AgreesWithTheSystemFarBehindTheLastTransition) {
  const char* const before = std::getenv("TZ");
  const std::string kept = before == nullptr ? "" : before;
  for (const char* name :
       {"UTC", "Europe/Zurich", "Europe/Dublin", "Australia/Sydney", "Australia/Lord_Howe",
        "America/St_Johns", "America/Santiago", "Asia/Kolkata", "Asia/Gaza", "Africa/Casablanca",
        "Pacific/Chatham", "America/Nuuk", "Asia/Tokyo"}) {
    const TimeZone zone = Zone(name);
    setenv("TZ", name, 1);
    tzset();
    constexpr std::int64_t kFirst = 0, kLast = 4'733'510'400;  // 2120
    for (std::int64_t at = kFirst; at < kLast; at += 1'000'003) {
      const auto time = static_cast<std::time_t>(at);
      std::tm shown = {};
      localtime_r(&time, &shown);
      ASSERT_EQ(zone.OffsetAt(at), shown.tm_gmtoff) << name << " at " << at;
    }
  }
  if (before == nullptr) {
    unsetenv("TZ");
  } else {
    setenv("TZ", kept.c_str(), 1);
  }
  tzset();
}

TEST(TimeZone, BytesThatAreNoFileAreRefused) {
  const std::string bytes = ReadSystemZone("Europe/Zurich").value_or("");
  ASSERT_FALSE(bytes.empty());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_FALSE(TimeZone::Parse(bytes.substr(0, size))) << size;
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(~damaged[at]);
    const auto zone = TimeZone::Parse(damaged);
    if (zone) zone->OffsetAt(kSpring);
  }
}

TEST(TimeZone, NoNameLeadsOutOfTheFolder) {
  for (const char* name : {"", "/", "../passwd", "Europe/", "/etc/passwd", "Europe//Zurich", "a.b",
                           "Europe/../../x"}) {
    EXPECT_FALSE(IsZoneName(name)) << name;
    EXPECT_FALSE(ReadSystemZone(name)) << name;
  }
  EXPECT_FALSE(ReadSystemZone("Europe")) << "a folder";
  EXPECT_THAT(SystemZones(), ::testing::IsSupersetOf({"UTC", "Europe/Zurich", "Etc/GMT+5"}));
}

std::string Package(const std::string& body, const std::string& zones) {
  return "return { api = 1, name = 'x', zones = " + zones +
         ", queue_order = { reads = { 'now' }, function(w, c) " + body + " end } }";
}

PackageSource InFolder(const TemporaryDirectory& folder, const std::string& lua) {
  folder.Write("policy.lua", lua);
  const auto source = ReadPackage(folder.path().string());
  EXPECT_TRUE(source.ok()) << source.status().message();
  return source.ok() ? *source : PackageSource();
}

/// Each field of c.local_time at `now`, put together; the error where there is one.
std::string Shown(const std::string& zone, double now) {
  const TemporaryDirectory folder;
  const PackageSource source = InFolder(
      folder, Package("local t = c.local_time('" + zone +
                          "') return t.year * 10000 + t.month * 100 + t.day, t.hour * 100 + "
                          "t.minute, t.weekday * 1000 + t.yday",
                      "{ '" + zone + "' }"));
  PolicyBatch batch(3);
  batch.header().now = now;
  std::vector<double> keys;
  const HookOutcome outcome = Order(source, batch, &keys);
  if (!outcome.ok) return outcome.message;
  std::string text;
  for (std::size_t i = 0; i < 3; ++i) {
    text += (i == 0 ? "" : " ") + std::to_string(static_cast<std::int64_t>(keys[i]));
  }
  return text;
}

TEST(LocalTime, IsWhatClocksShow) {
  constexpr double kMinute = 60;
  EXPECT_EQ(Shown("Europe/Zurich", kSpring - kMinute), "20260329 159 7088");
  EXPECT_EQ(Shown("Europe/Zurich", kSpring), "20260329 300 7088");
  EXPECT_EQ(Shown("Europe/Zurich", kAutumn - kMinute), "20261025 259 7298");
  EXPECT_EQ(Shown("Europe/Zurich", kAutumn), "20261025 200 7298");
  EXPECT_EQ(Shown("UTC", kSpring + 0.75), "20260329 100 7088");
  EXPECT_EQ(Shown("Australia/Sydney", 1'767'268'800), "20260101 2300 4001");
  EXPECT_EQ(Shown("America/St_Johns", 1'767'238'200), "20260101 0 4001");
  EXPECT_EQ(Shown("Europe/Zurich", 2'540'246'400), "20500701 200 5182") << "behind all transitions";
  EXPECT_EQ(Shown("UTC", 1'709'164'800), "20240229 0 4060");
}

TEST(LocalTime, ItsRulesArePartOfThePackage) {
  const TemporaryDirectory folder;
  const std::string body = "return c.local_time('Europe/Zurich').hour";
  PackageSource source = InFolder(folder, Package(body, "{ 'Europe/Zurich' }"));
  const auto file = std::find_if(source.files.begin(), source.files.end(), [](const auto& each) {
    return each.path == "zones/Europe/Zurich";
  });
  ASSERT_NE(file, source.files.end());
  const std::string hash = source.Hash();
  file->bytes = ReadSystemZone("Asia/Tokyo").value();
  EXPECT_NE(source.Hash(), hash) << "other rules are another generation";
  PolicyBatch batch(1);
  batch.header().now = 0;
  std::vector<double> keys;
  ASSERT_TRUE(Order(source, batch, &keys).ok);
  EXPECT_EQ(keys[0], 9) << "and they decide, whatever this machine has";
  folder.Write("zones/Europe/Zurich", file->bytes);
  EXPECT_EQ(ReadPackage(folder.path().string())->Hash(), source.Hash())
      << "a package may bring its own";
}

std::string Refusal(const std::string& body, const std::string& zones) {
  const TemporaryDirectory folder;
  const auto problems = CheckPackage(InFolder(folder, Package(body, zones)));
  return problems.empty() ? "" : problems[0].what + "; " + problems[0].cure;
}

TEST(LocalTime, UnknownAndUndeclaredZonesAreRefused) {
  const std::string one = "return c.local_time('Europe/Zurich').hour";
  EXPECT_EQ(Refusal(one, "{ 'Europe/Zurich' }"), "");
  EXPECT_EQ(Refusal(one, "{ 'UTC' }"),
            "time zone 'Europe/Zurich' is not declared; add it to zones = {\"Europe/Zurich\"}");
  EXPECT_EQ(Refusal("return c.local_time('UTC').hour", "{ 'UTC', 'Europe/Zuerich' }"),
            "no time zone 'Europe/Zuerich'; did you mean 'Europe/Zurich'?");
  EXPECT_EQ(Refusal("local z = 'U' .. 'TC' return c.local_time(z).hour", "{ 'Asia/Tokyo' }"),
            "time zone 'UTC' is not declared; add it to zones = {\"UTC\"}");
  EXPECT_EQ(Refusal("return c.local_time('UTC').hours", "{ 'UTC' }"),
            "no field 'hours'; did you mean 'hour'?");
  EXPECT_THAT(Refusal("return 1", "'UTC'"), HasSubstr("zones is not a list of names"));
  EXPECT_THAT(Refusal("local t = c.local_time('UTC') t.hour = 3 return t.hour", "{ 'UTC' }"),
              HasSubstr("cannot write to c.local_time"));
}

TEST(LocalTime, IsMovedBySpecs) {
  const TemporaryDirectory folder;
  folder.Write("policy_spec.lua",
               "it('a', function() local p, jobs = fx.policy(), { fx.workload {} }\n"
               "assert.same({ { 13 } }, p:keys(jobs))\n"
               "assert.same({ { 1 } }, p:at('12h'):keys(jobs))\n"
               "assert.same({ { 14 } }, p:at('180d'):keys(jobs)) end)");
  const SpecRun run = RunSpecs(InFolder(
      folder, Package("return c.local_time('Europe/Zurich').hour", "{ 'Europe/Zurich' }")));
  ASSERT_EQ(run.cases.size(), 1U);
  EXPECT_EQ(run.cases[0].message, "");
}

TEST(LocalTime, ReadsTheTime) {
  const TemporaryDirectory folder;
  const auto problems = CheckPackage(
      InFolder(folder,
               "return { api = 1, name = 'x', zones = { 'UTC' }, queue_order = function(w, c) "
               "return c.local_time('UTC').hour end }"));
  ASSERT_FALSE(problems.empty());
  EXPECT_EQ(problems[0].ToString().substr(folder.path().string().size()),
            "/policy.lua:1:88: 'local_time' changes by itself and is not declared; add reads = "
            "{\"now\"} to queue_order");
}

}  // namespace
}  // namespace muster::luajit::testing
