// Counts the protected calls themselves: this executable's lua_pcall and lua_cpcall stand in front
// of the library's.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "tests/unit/luajit/policy_batch.h"

struct lua_State;
using lua_CFunction = int (*)(lua_State*);

namespace {
int protected_calls = 0;

template <typename F>
F Next(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}
}  // namespace

extern "C" {

int lua_pcall(lua_State* lua, int arguments, int results, int handler) {
  ++protected_calls;
  return Next<decltype(&lua_pcall)>("lua_pcall")(lua, arguments, results, handler);
}

int lua_cpcall(lua_State* lua, lua_CFunction function, void* data) {
  ++protected_calls;
  return Next<decltype(&lua_cpcall)>("lua_cpcall")(lua, function, data);
}

}  // extern "C"

namespace muster::luajit::testing {
namespace {

TEST(OneCall, ABatchOfAnySizeIsOneProtectedCall) {
  const LoadedPackage loaded = Load(OrderOf("return w.priority"));
  ASSERT_NE(loaded.policy, nullptr);
  ASSERT_GT(protected_calls, 0) << "the calls are not counted";
  for (const unsigned int count : {1u, 2u, 1000u}) {
    PolicyBatch batch(count);
    std::vector<double> keys(count);
    const int before = protected_calls;
    EXPECT_TRUE(loaded.policy->Call(Hook::kQueueOrder, batch.Get(), keys).ok);
    EXPECT_EQ(protected_calls - before, 1);
  }
}

TEST(OneCall, AFailingBatchIsOneProtectedCallToo) {
  PolicyBatch batch(1);
  batch[0].gpus = 4;
  std::vector<double> keys(1);
  for (const char* body :
       {"if w.gpus == 4 then error('x') end return 1", "while w.gpus == 4 do end return 1",
        "if w.gpus == 4 then return 0/0 end return 1"}) {
    const LoadedPackage loaded = Load(OrderOf(body));
    ASSERT_NE(loaded.policy, nullptr);
    const int before = protected_calls;
    EXPECT_FALSE(loaded.policy->Call(Hook::kQueueOrder, batch.Get(), keys).ok);
    EXPECT_EQ(protected_calls - before, 1);
  }
}

}  // namespace
}  // namespace muster::luajit::testing
