// Memory: every allocation may fail, and what is over a limit ends the call and not the process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

constexpr const char* kBody =
    "local t = {} for i = 1, 5 do t[i] = w.name .. i end table.sort(t)\n"
    "local ok, e = pcall(error, 'x')\n"
    "return #table.concat(t), ok and 1 or #e, c.rng(w.name)";

// Loads a package and asks it twice with allocation `failing` refused; true when none was refused.
bool SurvivesFailureOf(std::int64_t failing) {
  SandboxOptions options;
  options.compiled = false;  // the compiler of this LuaJIT does not survive a refused buffer
  options.fail_allocation = failing;
  const LoadedPackage loaded = Load(OrderOf(kBody), {}, options);
  if (loaded.policy == nullptr) {
    EXPECT_FALSE(loaded.problems.empty());
    return false;
  }
  bool ok = true;
  for (int i = 0; i < 2; ++i) {
    PolicyBatch batch(20);
    std::vector<double> keys(60);
    const HookOutcome outcome = loaded.policy->Call(Hook::kQueueOrder, batch.Get(), keys);
    ok = ok && outcome.ok;
    if (!outcome.ok) {
      EXPECT_THAT(outcome.message, ::testing::HasSubstr("not enough memory"));
    }
  }
  return ok;
}

// An unprotected error would end in the panic handler, and that in abort.
void FailEveryNth(std::int64_t step) {
  int refused = 0, untouched = 0;
  for (std::int64_t failing = 1; untouched < 20; failing += step) {
    SCOPED_TRACE("allocation " + std::to_string(failing));
    if (SurvivesFailureOf(failing)) {
      ++untouched;
    } else {
      ++refused;
      untouched = 0;
    }
  }
  EXPECT_GT(refused, 200 / step);
}

TEST(Memory, ARefusedAllocationIsAnErrorAndNeverAPanic) { FailEveryNth(53); }
TEST(LongMemory, ARefusedAllocationIsAnErrorAndNeverAPanic) { FailEveryNth(1); }

// Half a megabyte; what the compiler keeps of its traces differs from run to run.
TEST(Memory, AGenerationIsSmall) {
  const LoadedPackage loaded = Load(OrderOf(kBody));
  ASSERT_NE(loaded.policy, nullptr);
  EXPECT_LT(loaded.policy->state().memory().used(), 640u << 10);
}

struct Hungry {
  const char* what;
  std::string body;         ///< a statement that makes something new of i
  std::string before = {};  ///< in front of the package
};

std::string Repeated(const std::string& text, int count, const std::string& between = "") {
  std::string all;
  for (int i = 0; i < count; ++i) all += (i > 0 ? between : "") + text;
  return all;
}

std::string Numbered(const std::string& text, int count, const std::string& after = "") {
  std::string all;
  for (int i = 0; i < count; ++i) all += (i > 0 ? ", " : "") + text + std::to_string(i) + after;
  return all;
}

// What keeps most bytes for its fuel.
std::vector<Hungry> HungryBodies() {
  const std::string locals = "local " + Numbered("a", 60) + " ";
  const std::string holds = "t[i] = function() return " + Numbered("a", 50) + " end ";
  return {
      {"long texts", "t[i] = (i + 10000 .. ''):rep(12000)"},
      {"texts that are just free", "t[i] = ('x'):rep(48) .. i"},
      {"parts of a text", "t[i] = i .. big:sub(1, 50)", "local big = ('x'):rep(60000) "},
      {"formatted numbers", "t[i] = ('%.99f'):format(1e300 * i)"},
      {"padded numbers", "t[i] = ('%99d%99d'):format(i, i)"},
      {"empty tables", "t[i] = { {}, {}, {}, {} }"},
      {"tables in tables", "t = { t, i }"},
      {"many tables in one statement", "t[i] = { " + Repeated("{}", 400, ",") + " }"},
      {"fields", "t[i] = { " + Numbered("f", 9, "=1") + " }"},
      {"many fields", "t[i] = { " + Numbered("f", 129, "=1") + " }"},
      {"values", "t[i] = { " + Repeated("1", 200, ",") + " }"},
      {"an open call", "t[i] = { unpack(many) }",
       "local many = {} for i = 1, 200 do many[i] = i end "},
      {"values passed on",
       "t[i] = (function(...) local r = {} for k = 1, 9 do r[k] = { ... } end "
       "return r end)(unpack(many))",
       "local many = {} for i = 1, 200 do many[i] = i end "},
      {"functions", holds, locals},
      {"functions with variables of their own", locals + holds},
      {"keys", "t[tostring(i)] = i"},
      {"keys in one statement", "t['a' .. i], t['b' .. i], t['c' .. i] = i, i, i"},
      {"iterations", "local _, s = pairs(one) t[i] = s", "local one = { a = 1 } "},
      {"iterations of own tables", "local _, s = pairs({}) t[i] = s"},
      {"a list", "table.insert(t, i)"},
  };
}

// One item after the other fills the memory, the last until it may not go on. What is said of it
// is the same in every state that a process may be in.
TEST(Memory, NoItemReachesTheLimitWhateverOthersHaveLeft) {
  const std::size_t limit = Limits().call_memory;
  for (const Hungry& hungry : HungryBodies()) {
    SCOPED_TRACE(hungry.what);
    std::string body = "local t = {} if w.pods > 1000 then for i = 1, w.pods - 1000 do " +
                       hungry.body + " end end return 1";
    std::vector<std::string> messages;
    for (const bool compiled : {false, true}) {
      SandboxOptions options;
      options.compiled = compiled;
      const LoadedPackage loaded = Load(OrderOf(body, hungry.before), {}, options);
      ASSERT_NE(loaded.policy, nullptr) << loaded.problems[0].ToString();
      PolicyBatch batch(4000);
      std::vector<double> keys(4000);
      for (const double rounds : {50.0, 100.0, 900.0, 1e9}) {
        for (unsigned int i = 0; i < 3; ++i) batch[i].pods = 1000 + std::min(rounds, 40.0);
        batch[3].pods = 1000 + rounds;
        const HookOutcome outcome = loaded.policy->Call(Hook::kQueueOrder, batch.Get(), keys);
        messages.push_back(outcome.message);
        const auto& memory = loaded.policy->state().memory();
        EXPECT_LT(memory.peak(), limit / 2) << "the rest is for what a file holds, and garbage";
        EXPECT_EQ(memory.trip(), MemoryGauge::Trip::kNone);
      }
    }
    EXPECT_TRUE(std::equal(messages.begin(), messages.begin() + 4, messages.begin() + 4))
        << messages[2] << messages[3] << messages[6] << messages[7];
    EXPECT_THAT(messages[3], ::testing::HasSubstr("one item used all of its 65536"));
  }
}

TEST(Memory, AFailureKeepsNothing) {
  const LoadedPackage loaded =
      Load(OrderOf("local t = {} if w.gpus == 4 then while true do t = { t, w.name } end end "
                   "return 1"));
  ASSERT_NE(loaded.policy, nullptr);
  PolicyBatch batch(1000);
  for (unsigned int i = 0; i < 1000; ++i) batch[i].gpus = 4;
  std::vector<double> keys(1000);
  for (int i = 0; i < 50; ++i)
    EXPECT_FALSE(loaded.policy->Call(Hook::kQueueOrder, batch.Get(), keys).ok);
  EXPECT_LT(loaded.policy->state().memory().used(), 512u << 10);
}

}  // namespace
}  // namespace muster::luajit::testing
