// Fuel is a count of the source and the data: nothing else may change it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

using ::testing::HasSubstr;

std::int64_t FuelOf(const std::string& body, unsigned int count = 1) {
  PolicyBatch batch(count);
  const HookOutcome outcome = Order(OrderOf(body), batch);
  EXPECT_TRUE(outcome.ok) << outcome.message;
  return outcome.fuel;
}

TEST(Fuel, OneTickForEachFunctionEnteredAndLoopRound) {
  EXPECT_EQ(FuelOf("return 1"), 1);
  EXPECT_EQ(FuelOf("return 1", 7), 7);
  EXPECT_EQ(FuelOf("for i = 1, 10 do end return 1"), 11);
  EXPECT_EQ(FuelOf("local s = 0 for i = 1, 3 do for j = 2, 5 do s = s + i * j end end return s"),
            16);
  EXPECT_EQ(FuelOf("for _, v in ipairs { 1, 2, 3 } do end return 1"), 4);
  EXPECT_EQ(FuelOf("local i = 0 while i < 5 do i = i + 1 end return 1"), 6);
  EXPECT_EQ(FuelOf("local i = 0 repeat i = i + 1 until i == 5 return 1"), 6);
  EXPECT_EQ(FuelOf("local i = 0 ::again:: i = i + 1 if i < 5 then goto again end return 1"), 5);
  EXPECT_EQ(
      FuelOf("local function f(n) if n > 0 then return f(n - 1) end return 1 end return f(4)"), 6);
}

TEST(Fuel, TheBudgetGrowsWithTheBatch) {
  const PackageSource source = OrderOf("for i = 1, 60 do end return 1");
  PolicyBatch few(2), many(100);
  EXPECT_TRUE(Order(source, few).ok);
  const HookOutcome outcome = Order(source, many);
  EXPECT_FALSE(outcome.ok);
  EXPECT_EQ(outcome.fuel, 200 + 50 * 100);
  EXPECT_THAT(outcome.message, HasSubstr("policies/x/policy.lua:1: out of fuel"));
}

TEST(Fuel, TheLastTickOfTheBudgetIsStillGood) {
  PolicyBatch batch(1);
  batch[0].gpus = 4;
  const auto loop = [](int rounds) {
    return OrderOf("if w.gpus == 4 then for i = 1, " + std::to_string(rounds) +
                   " do end end return 1");
  };
  EXPECT_TRUE(Order(loop(249), batch).ok);
  EXPECT_FALSE(Order(loop(250), batch).ok);
}

TEST(Fuel, CaughtExhaustionStaysExhausted) {
  PolicyBatch batch(1);
  const HookOutcome outcome =
      Order(OrderOf("if w.gpus == 4 then\npcall(function()\nwhile true do end end)\nend return 1"),
            [&]() -> PolicyBatch& {
              batch[0].gpus = 4;
              return batch;
            }());
  EXPECT_FALSE(outcome.ok);
  EXPECT_THAT(outcome.message, HasSubstr("policies/x/policy.lua:3: out of fuel"));
}

TEST(Fuel, TheCountIsTheSameCompiledAndInterpretedAndOnEveryRun) {
  const std::string body =
      "local s = 0 for i = 1, w.priority % 9 do s = s + i if s % 3 == 0 then goto next end "
      "s = s + 1 ::next:: end return s, #string.rep('x', 100)";
  const auto run = [&](bool compile) {
    SandboxOptions options;
    options.compiled = compile;
    const LoadedPackage loaded = Load(OrderOf(body), {}, options);
    EXPECT_NE(loaded.policy, nullptr);
    PolicyBatch batch(2000);
    std::vector<double> keys(4000);
    std::vector<std::int64_t> fuel;
    for (int i = 0; i < 5; ++i) {
      const HookOutcome outcome = loaded.policy->Call(Hook::kQueueOrder, batch.Get(), keys);
      EXPECT_TRUE(outcome.ok) << outcome.message;
      fuel.push_back(outcome.fuel);
    }
    return std::make_pair(fuel, keys);
  };
  const auto compiled = run(true);
  const auto interpreted = run(false);
  EXPECT_EQ(compiled, interpreted);
  EXPECT_EQ(compiled.first, std::vector<std::int64_t>(5, compiled.first[0]));
  EXPECT_EQ(compiled, run(true));
}

TEST(Fuel, WorkInsideCFunctionsIsChargedBySize) {
  const auto cost = [](const std::string& call) {
    return FuelOf("local s = 'x' local t = {3, 1, 2} " + call + " return 1");
  };
  EXPECT_EQ(cost(""), 1);
  EXPECT_GT(cost("s = string.rep(s, 640)"), 10);
  EXPECT_GT(cost("table.sort(t)"), 4);
  EXPECT_GT(cost("for k in pairs(t) do end"), 6);
  EXPECT_GT(cost("s = ('x'):rep(640) s:upper()"), 20);
}

TEST(Fuel, WhatNoUnitHasForeseenIsEndedByTheClockOnlyAndSaysSo) {
  const std::string body = "for i = 1, w.gpus == 5 and 50000 or 0 do end return 1";
  PolicyBatch batch(2000);
  batch[7].gpus = 5;
  SandboxOptions options;
  options.limits.seconds = 0;
  const LoadedPackage late = Load(OrderOf(body), {}, options);
  const LoadedPackage early = Load(OrderOf(body));
  ASSERT_TRUE(late.policy != nullptr && early.policy != nullptr);
  std::vector<double> keys(2000);
  EXPECT_TRUE(early.policy->Call(Hook::kQueueOrder, batch.Get(), keys).ok);
  late.policy->BeginCycle(std::make_shared<PolicyTime>());
  const HookOutcome outcome = late.policy->Call(Hook::kQueueOrder, batch.Get(), keys);
  EXPECT_FALSE(outcome.ok);
  EXPECT_THAT(outcome.message, HasSubstr("ms that all policies have in a cycle"));
  EXPECT_EQ(outcome.late, 1) << "the first batch of its hook in the cycle";
  EXPECT_EQ(outcome.fuel, 200 + 50 * 2000) << "all of it, wherever the clock stood";
  late.policy->IgnoreTime();
  EXPECT_TRUE(late.policy->Call(Hook::kQueueOrder, batch.Get(), keys).ok);
}

TEST(Fuel, NothingGivesFuelBack) {
  for (const char* call : {"string.rep(s, -8)", "string.rep(s, -1e9)", "table.concat({}, s, 5, 1)",
                           "unpack({}, 5, 1)", "string.byte(s, 5, 1)", "string.sub(s, 5, 1)"}) {
    PolicyBatch batch(1);
    batch[0].gpus = 4;
    const HookOutcome outcome =
        Order(OrderOf("local s = 'xxxxxxxx' if w.gpus == 4 then while true do " +
                      std::string("local x = ") + call + " end end return 1"),
              batch);
    EXPECT_THAT(outcome.message, HasSubstr("out of fuel")) << call;
  }
}

// Asks about one job of 4 GPUs, with whatever fuel is needed; no other job does the work.
HookOutcome OutcomeOf(const std::string& body, unsigned int count = 1,
                      const std::string& before = "") {
  SandboxOptions options;
  options.limits.item_fuel = 10'000'000;
  PolicyBatch batch(count);
  for (unsigned int i = 0; i < count; ++i) batch[i].gpus = 4;
  return Order(OrderOf("if w.gpus ~= 4 then return 1 end " + body + " return 1", before), batch,
               nullptr, options);
}

// Fuel of a body in which `t` is a table of `size` texts.
std::int64_t FuelOfFull(int size, const std::string& body, unsigned int count = 1) {
  const HookOutcome outcome = OutcomeOf(
      "local t = {} for i = 1, " + std::to_string(size) + " do t['f' .. i] = i end " + body, count);
  EXPECT_TRUE(outcome.ok) << outcome.message;
  return outcome.fuel;
}

TEST(Fuel, KeysThatComeAndGoPayForTheTableThatIsMadeAnew) {
  for (const char* gone :
       {"t['k' .. i] = nil", "t['k' .. i] = t.none", "t['k' .. i], t.x = nil, 1",
        "t.x, t['k' .. i] = 1", "local function f() end t['k' .. i], t.x = f()"}) {
    const auto cost = [&](int size) {
      return FuelOfFull(size, "for i = 1, 100 do t['k' .. i] = i " + std::string(gone) + " end") -
             FuelOfFull(size, "for i = 1, 100 do t['k' .. i] = i t.x = i end");
    };
    EXPECT_GT(cost(2048), 100 * 2048 / 64) << gone;
    EXPECT_LT(cost(32), 1'000) << gone;
  }
  EXPECT_EQ(FuelOfFull(10, "t.f1 = nil"), FuelOfFull(10, "t.f1 = 1")) << "small tables are free";
}

TEST(Fuel, WhatOneItemHasFilledIsNothingToTheNext) {
  EXPECT_EQ(FuelOfFull(2048, "t.f1 = nil", 2), 2 * FuelOfFull(2048, "t.f1 = nil", 1));
}

TEST(Fuel, NumbersThatMayAllBeInOnePlaceAreFewAsKeys) {
  const auto fill = [](const std::string& key, int count) {
    return OutcomeOf(
        "local t = {} for i = 1, " + std::to_string(count) + " do t[" + key + "] = i end", 3);
  };
  for (const char* key : {"i + 0.5", "-i", "i * 65536", "1 / (i + 1)"}) {
    EXPECT_TRUE(fill(key, 256).ok) << key << ": for each of the three items";
    EXPECT_THAT(fill(key, 300).message,
                HasSubstr("policies/x/policy.lua:1: more than 256 keys are numbers, but not whole "
                          "ones from 1 to 65536; write t[tostring(x)]"))
        << key;
  }
  EXPECT_TRUE(fill("i", 3'000).ok);
  EXPECT_TRUE(fill("tostring(-i)", 3'000).ok);
  std::string list = "local t = {";
  for (int i = 0; i < 300; ++i) list += "[" + std::to_string(i) + ".5] = 1, ";
  EXPECT_THAT(OutcomeOf("", 1, list + "} ").message, HasSubstr("more than 256 keys are numbers"))
      << "also in a table of the file";
}

TEST(Fuel, AnErrorInALongFunctionPaysForFindingTheNameOfWhatIsNil) {
  const auto cost = [](int statements) {
    std::string body = "local function f() local a, b while b == 1 do ";
    for (int i = 0; i < statements; ++i) body += "a = b ";
    return OutcomeOf(body + "end return a.x end pcall(f)").fuel;
  };
  EXPECT_GE(cost(8'000), cost(1) + 7);
}

TEST(Fuel, MemoryOverTheLimitEndsTheCallAtItsNextTick) {
  PolicyBatch batch(1);
  batch[0].gpus = 4;
  SandboxOptions options;
  options.limits.item_fuel = options.limits.one_item_fuel = 100'000'000;
  options.limits.call_memory = options.limits.memory;
  const LoadedPackage loaded =
      Load(OrderOf("local t = {}\nif w.gpus == 4 then\nwhile true do t = { t } end\nend return 1"),
           {}, options);
  ASSERT_NE(loaded.policy, nullptr);
  std::vector<double> keys(1);
  for (int i = 0; i < 3; ++i) {
    const HookOutcome outcome = loaded.policy->Call(Hook::kQueueOrder, batch.Get(), keys);
    EXPECT_FALSE(outcome.ok);
    EXPECT_THAT(outcome.message, HasSubstr("policies/x/policy.lua:3: the policy holds more than"));
    EXPECT_LT(loaded.policy->state().memory().peak(), 24u << 20);
  }
  batch[0].gpus = 0;
  EXPECT_TRUE(loaded.policy->Call(Hook::kQueueOrder, batch.Get(), keys).ok)
      << "the state is usable again";
  EXPECT_LT(loaded.policy->state().memory().used(), 1u << 20) << "and what it held is free";
}

}  // namespace
}  // namespace muster::luajit::testing
