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

TEST(Memory, AGenerationIsSmall) {
  const LoadedPackage loaded = Load(OrderOf(kBody));
  ASSERT_NE(loaded.policy, nullptr);
  EXPECT_LT(loaded.policy->state().memory().used(), 512u << 10);
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
