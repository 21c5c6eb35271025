// Numbers that are no ordinary ones: what every function makes of them is the same compiled and
// interpreted, bit for bit.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

const char* const kOdd =
    "local nan, inf = 0 / 0, 1 / 0 local odd = { nan, inf, -inf, 0, -0.0, 1, -1, 0.5, -0.5, 2^31 }"
    "local function bits(x) if type(x) == 'boolean' then return x and 1 or 0 end "
    "if type(x) == 'string' then return #x + 0.25 end if x == nil then return 0.75 end "
    "if x ~= x then return 1e300 end if x == 0 then return 1 / x > 0 and 2e300 or 3e300 end "
    "if x == inf then return 4e300 end if x == -inf then return 5e300 end return x end ";

/// What `expression` gives for the numbers odd[i], odd[j] of each job, as x and y.
std::vector<double> Answers(const std::string& expression, bool compiled) {
  constexpr unsigned int kNumbers = 10, kRounds = 3;
  std::string before = kOdd;
  before.replace(before.find("2^31"), 4, "2147483648");
  SandboxOptions options;
  options.compiled = compiled;
  PolicyBatch batch(kNumbers * kNumbers * kRounds);
  const LoadedPackage loaded =
      Load(OrderOf("local i = w.priority % 100 local x, y = odd[i % 10 + 1], odd[(i - i % 10) / 10 "
                   "+ 1] local ok, a = pcall(function() return " +
                       expression + " end) return ok and bits(a) or -7",
                   before),
           {}, options);
  std::vector<double> keys(batch.Get().count);
  if (loaded.policy == nullptr) {
    ADD_FAILURE() << expression << ": " << loaded.problems[0].ToString();
    return keys;
  }
  for (int call = 0; call < 3; ++call) {
    const HookOutcome outcome = loaded.policy->Call(Hook::kQueueOrder, batch.Get(), keys);
    EXPECT_TRUE(outcome.ok) << expression << ": " << outcome.message;
  }
  return keys;
}

TEST(OddNumbers, GiveTheSameCompiledAndInterpreted) {
  for (const char* expression : {"math.min(x, y)",
                                 "math.max(x, y)",
                                 "math.min(x, y, 0)",
                                 "math.max(1, x, y)",
                                 "math.min(x, 0)",
                                 "math.max(0, x)",
                                 "math.fmod(x, y)",
                                 "math.atan2(x, y)",
                                 "math.floor(x)",
                                 "math.ceil(y)",
                                 "math.abs(x)",
                                 "math.sqrt(x)",
                                 "muster.pow(x, y)",
                                 "muster.clamp(x, y, 1)",
                                 "muster.clamp(1, x, y)",
                                 "muster.sq(x)",
                                 "bit.band(x, y)",
                                 "bit.lshift(x, y)",
                                 "bit.tobit(x)",
                                 "x % y",
                                 "x / y",
                                 "x * y",
                                 "x < y",
                                 "x <= y",
                                 "('abcdef'):sub(x, y)",
                                 "('abcdef'):byte(x)",
                                 "('ab'):rep(x)",
                                 "select(x, 1, 2, 3)",
                                 "tostring(x)",
                                 "#string.format('%d', x)",
                                 "math.ldexp(x, y)",
                                 "(math.modf(x))",
                                 "(math.frexp(x))"}) {
    const std::vector<double> compiled = Answers(expression, true);
    const std::vector<double> interpreted = Answers(expression, false);
    for (std::size_t i = 0; i < compiled.size(); ++i) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(compiled[i]),
                std::bit_cast<std::uint64_t>(interpreted[i]))
          << expression << " for job " << i;
    }
  }
}

double Value(const std::string& expression) {
  PolicyBatch batch(1);
  std::vector<double> keys;
  const HookOutcome outcome = Order(OrderOf("return " + expression), batch, &keys);
  EXPECT_TRUE(outcome.ok) << outcome.message;
  return keys.empty() ? -1 : keys[0];
}

TEST(OddNumbers, TheLeastAndTheGreatestSaySoOfNanAndZeros) {
  for (const char* one : {"math.min", "math.max"}) {
    const std::string name(one);
    EXPECT_EQ(Value("tostring(" + name + "(0 / 0, 1)) == 'nan' and 1 or 0"), 1) << name;
    EXPECT_EQ(Value("tostring(" + name + "(1, 0 / 0)) == 'nan' and 1 or 0"), 1) << name;
    EXPECT_EQ(Value("tostring(" + name + "(1, 2, 0 / 0, 3)) == 'nan' and 1 or 0"), 1) << name;
    EXPECT_EQ(Value("1 / " + name + "(0, -0.0) > 0 and 1 or 0"), 1) << name << ", the first";
    EXPECT_EQ(Value(name + "('5', 5)"), 5) << "a text is read";
    EXPECT_EQ(Value("select('#', " + name + "(1, 2))"), 1);
  }
  EXPECT_EQ(Value("math.max(3, '7', 5)"), 7);
  EXPECT_EQ(Value("math.min(3, 7, '-5')"), -5);
}

TEST(OddNumbers, ANumberSeparatesAsATextDoes) {
  EXPECT_EQ(Value("tonumber(table.concat({ 1, 2, 3 }, 5))"), 15253);
}

}  // namespace
}  // namespace muster::luajit::testing
