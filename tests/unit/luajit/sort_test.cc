// table.sort: as many comparisons as n log2 n whatever the order, equals as they were.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

using ::testing::HasSubstr;

double KeyOf(const std::string& body) {
  SandboxOptions options;
  options.limits.item_fuel = 10'000'000;
  PolicyBatch batch(1);
  std::vector<double> keys;
  const HookOutcome outcome = Order(OrderOf(body), batch, &keys, options);
  EXPECT_TRUE(outcome.ok) << outcome.message;
  return keys.empty() ? -1 : keys[0];
}

std::string MessageOf(const std::string& body) {
  PolicyBatch batch(1);
  return Order(OrderOf(body), batch).message;
}

TEST(Sort, PutsEveryNumberOfValuesInOrder) {
  EXPECT_EQ(KeyOf("for n = 0, 70 do local t = {} for i = 1, n do t[i] = i * 37 % 71 end "
                  "table.sort(t) for i = 2, n do if t[i] <= t[i - 1] then return n end end "
                  "if #t ~= n then return n end end return 100"),
            100);
  EXPECT_EQ(KeyOf("local t = { 'b', 'a', 'c' } table.sort(t) return t[1] .. t[2] .. t[3] == 'abc' "
                  "and 1 or 0"),
            1);
}

TEST(Sort, LeavesEqualsAsTheyWere) {
  EXPECT_EQ(KeyOf("local t = {} for i = 1, 50 do t[i] = { i % 3, i } end "
                  "table.sort(t, function(a, b) return a[1] > b[1] end) "
                  "for i = 2, 50 do if t[i][1] == t[i - 1][1] and t[i][2] < t[i - 1][2] then "
                  "return 0 end end return t[1][1]"),
            2);
}

TEST(Sort, ComparesNoMoreThanNLogNTimesInTheWorstOrder) {
  // What takes quicksort with a median of three the square: each pivot is the second least.
  EXPECT_LE(KeyOf("local t, n, count = {}, 512, { all = 0 } "
                  "for i = 1, n, 2 do t[i], t[i + 1] = i, n + i end "
                  "table.sort(t, function(a, b) count.all = count.all + 1 return a < b end) "
                  "return count.all"),
            512 * 10);
}

TEST(Sort, AFunctionThatSaysOfEqualsThatBothComeFirstIsFoundOut) {
  EXPECT_THAT(MessageOf("local t = { 1, 2, 2, 3 } table.sort(t, function(a, b) return a <= b end) "
                        "return 1"),
              HasSubstr("policies/x/policy.lua:1: invalid order function for sorting; it must say "
                        "a < b"));
}

TEST(Sort, ChangesNothingWhereItFails) {
  EXPECT_EQ(KeyOf("local t = { 3, 2, 1, 'x' } local ok = pcall(table.sort, t) "
                  "return ok and 0 or t[1] * 100 + t[2] * 10 + t[3]"),
            321);
}

}  // namespace
}  // namespace muster::luajit::testing
