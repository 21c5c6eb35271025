// Every hole a naive sandbox has is tried twice: with its protection the attack fails, and with
// that one protection switched off it succeeds. The second half proves that the first can turn red.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

using ::testing::HasSubstr;
using Switch = std::function<void(SandboxOptions&)>;

// An attack returns 1 when it got through.
struct Attack {
  std::string name;
  std::string body;         // of queue_order
  Switch protection;        // switches off what stops it
  Switch setting = {};      // switches off what would stop it earlier
  std::string before = {};  // text of the file in front of the package
};

std::ostream& operator<<(std::ostream& out, const Attack& attack) { return out << attack.name; }

bool Succeeds(const Attack& attack, bool protect) {
  SandboxOptions options;
  options.source_rules = false;
  if (attack.setting) attack.setting(options);
  if (!protect) attack.protection(options);
  PolicyBatch batch(1);
  std::vector<double> keys;
  const HookOutcome outcome = Order(OrderOf(attack.body, attack.before), batch, &keys, options);
  return outcome.ok && keys == std::vector<double>{1};
}

class SandboxAttack : public ::testing::TestWithParam<Attack> {};

std::string NameOf(const ::testing::TestParamInfo<Attack>& attack) { return attack.param.name; }

TEST_P(SandboxAttack, TheAttackFailsWithTheProtectionAndOnlyWithIt) {
  EXPECT_FALSE(Succeeds(GetParam(), true));
  EXPECT_TRUE(Succeeds(GetParam(), false));
}

void AllowList(SandboxOptions& o) { o.allow_list = false; }

/// Fuel for more memory than an item may have.
void LargeItems(SandboxOptions& o) {
  o.limits.item_fuel = o.limits.one_item_fuel = 1'000'000;
  o.limits.call_memory = 8U << 20;
  o.limits.call_block = 1U << 20;
}

std::string Reached(const std::string& expression) {
  return "return " + expression + " ~= nil and 1 or 0";
}

INSTANTIATE_TEST_SUITE_P(
    Names, SandboxAttack,
    ::testing::Values(
        Attack{"os", Reached("os.time()"), AllowList}, Attack{"io", Reached("io.open"), AllowList},
        Attack{"package", Reached("package.loaded"), AllowList},
        Attack{"debug", Reached("debug.getregistry()"), AllowList},
        Attack{"ffi_by_require", Reached("require('ffi')"), AllowList},
        Attack{"jit", Reached("jit.version"), AllowList},
        Attack{"coroutine", Reached("coroutine.create"), AllowList},
        Attack{"environment_of_the_host", Reached("getfenv(0).io"), AllowList},
        Attack{"environment_of_a_function", Reached("getfenv(pcall).os"), AllowList},
        Attack{"setfenv", Reached("setfenv(function() end, {})"), AllowList},
        Attack{"code_in_the_collector", Reached("newproxy(true)"), AllowList},
        Attack{"collector", Reached("collectgarbage('count')"), AllowList},
        Attack{"loadstring", Reached("loadstring('return 1')"), AllowList},
        Attack{"load", Reached("load(function() end)"), AllowList},
        Attack{"dofile", Reached("dofile"), AllowList},
        Attack{"loaded_bytecode", Reached("loadstring(_G.string.dump(function() end))"), AllowList},
        Attack{"string_metatable", Reached("setmetatable({}, {}) and getmetatable({}) == nil"),
               AllowList},
        Attack{"rawset", Reached("rawset({}, 1, 1)"), AllowList},
        Attack{"rawget", Reached("rawget({1}, 1)"), AllowList},
        Attack{"next", Reached("next({1})"), AllowList},
        Attack{"xpcall", Reached("xpcall(function() end, function() end)"), AllowList},
        Attack{"print", "print('') return 1", AllowList},
        Attack{"random", Reached("_G.math.random()"), AllowList},
        Attack{"power", Reached("_G.math.pow(2, 2)"), AllowList},
        Attack{"name_made_at_run_time", Reached("_G['o' .. 's'].time()"), AllowList},
        Attack{"patterns",
               "return _G.string.find(('a'):rep(12), ('a?'):rep(12) .. 'b') == nil and 1 or 0",
               AllowList}),
    &NameOf);

INSTANTIATE_TEST_SUITE_P(
    Tables, SandboxAttack,
    ::testing::Values(
        Attack{"host_strings_through_a_method", "return ('x'):gsub('x', 'y') == 'y' and 1 or 0",
               [](SandboxOptions& o) { o.string_metatable = false; }},
        Attack{"host_library_changed",
               "math.floor = function() return 666 end return _G.math.floor(1) == 666 and 1 or 0",
               [](SandboxOptions& o) { o.library_copies = false; },
               [](SandboxOptions& o) { o.allow_list = o.locked_tables = false; }},
        Attack{"memory_in_a_library", "math.pi = 4 return math.pi == 4 and 1 or 0",
               [](SandboxOptions& o) { o.locked_tables = false; }},
        Attack{"memory_in_a_table_of_the_file",
               "local s = seen s.n = 1 return s.n",
               [](SandboxOptions& o) { o.frozen_file = false; },
               {},
               "local seen = {} "},
        Attack{"memory_in_a_variable_of_the_file",
               "n = n + 1 return 1",
               [](SandboxOptions& o) { o.frozen_file = false; },
               {},
               "local n = 0 "},
        Attack{"memory_in_a_global", "ipairs = 4 return ipairs == 4 and 1 or 0",
               [](SandboxOptions& o) { o.locked_tables = false; }},
        Attack{"order_of_a_hash",
               "local t, last, odd = {}, '', 0 for i = 1, 30 do t['k' .. i * 7919 % 101] = i end "
               "for k in pairs(t) do if k < last then odd = 1 end last = k end return odd",
               [](SandboxOptions& o) { o.sorted_pairs = false; }},
        Attack{"undeclared_volatile_input",
               "return 1",
               [](SandboxOptions& o) { o.declared_reads = false; },
               {},
               "do return { api = 1, name = 'x', queue_order = function(w) "
               "return w.waited >= 0 and 1 or 0 end } end "},
        Attack{"package_made_by_a_metatable", "return 0",
               [](SandboxOptions& o) { o.raw_results = false; }, AllowList,
               "do return setmetatable({}, { __index = { api = 1, name = 'x', "
               "queue_order = function() return 1 end } }) end "}),
    &NameOf);

INSTANTIATE_TEST_SUITE_P(
    Costs, SandboxAttack,
    ::testing::Values(
        Attack{"endless_loop", "for i = 1, 1e6 do end return 1",
               [](SandboxOptions& o) { o.rewriting = false; }},
        Attack{"refuelling", "\x80.left = 1e9 for i = 1, 1e6 do end return 1",
               [](SandboxOptions& o) { o.ascii_names = false; }},
        Attack{"long_work_in_c",
               "local s = string.rep('x', 6000) for i = 1, 50 do s:lower() end return 1",
               [](SandboxOptions& o) { o.charges = false; }},
        Attack{"long_repetition", "return #string.rep('x', 500000) == 500000 and 1 or 0",
               [](SandboxOptions& o) { o.bounded_rep = false; },
               [](SandboxOptions& o) { o.charges = false; }},
        Attack{"memory_that_is_kept", "local t = {} for i = 1, 100000 do t = { t } end return 1",
               [](SandboxOptions& o) { o.memory_drain = false; }, &LargeItems},
        Attack{"one_large_block", "local t = {} for i = 1, 50000 do t['k' .. i] = i end return 1",
               [](SandboxOptions& o) { o.block_limit = false; },
               [](SandboxOptions& o) {
                 LargeItems(o);
                 o.memory_drain = false;
               }},
        Attack{"much_short_lived_memory",
               "local s = string.rep('x', 6000) local n = 0 "
               "for i = 1, 40 do n = n + #(s .. i) end return 1",
               [](SandboxOptions& o) { o.charges = false; }},
        Attack{"depth_of_the_stack_as_an_answer",
               "local d = 0 local function f(n) d = n return 1 + f(n + 1) end pcall(f, 1) "
               "return d > 0 and 1 or 0",
               [](SandboxOptions& o) { o.fatal_overflow = false; },
               [](SandboxOptions& o) {
                 o.limits.item_fuel = 1'000'000;
                 o.frozen_file = false;
               }},
        Attack{"long_concatenation",
               "local s = string.rep('x', 60000) s = s .. s return #s == 120000 and 1 or 0",
               [](SandboxOptions& o) { o.bounded_join = false; },
               [](SandboxOptions& o) { o.limits.item_fuel = 10'000; }}),
    &NameOf);

void SourceRules(SandboxOptions& o) { o.source_rules = false; }
void OnlySourceRules(SandboxOptions& o) { o.source_rules = true; }
void ThawedSourceRules(SandboxOptions& o) {
  o.source_rules = true;
  o.frozen_file = false;
}

INSTANTIATE_TEST_SUITE_P(
    Rules, SandboxAttack,
    ::testing::Values(
        Attack{"operator_that_differs_when_compiled", "return 1 ^ 2", SourceRules, OnlySourceRules},
        Attack{"memory_in_an_outer_local", "n = n + 1 return 1", SourceRules, ThawedSourceRules,
               "local n = 0 "},
        Attack{"memory_in_an_outer_table", "t.x = 1 return 1", SourceRules, ThawedSourceRules,
               "local t = {} "},
        Attack{"memory_by_insertion", "table.insert(t, 1) return 1", SourceRules, ThawedSourceRules,
               "local t = {} "},
        Attack{"kept_view", "local t = {} t[1] = w return 1", SourceRules, OnlySourceRules},
        Attack{"kept_view_in_a_constructor", "local t = { w } return 1", SourceRules,
               OnlySourceRules},
        Attack{"kept_view_by_a_helper", "return keep(w)", SourceRules, OnlySourceRules,
               "local function keep(x) local t = {} t.x = x return 1 end "},
        Attack{"boxed_integer", "return 1LL == 1 and 1 or 0", SourceRules, OnlySourceRules},
        Attack{"complex_number", "return 1i ~= nil and 1 or 0", SourceRules, OnlySourceRules}),
    &NameOf);

// The bytes of string.dump(f), read out through keys by a policy without an allow-list.
std::string Dump(const std::string& source) {
  SandboxOptions open;
  open.source_rules = open.allow_list = false;
  PolicyBatch batch(2000);
  std::vector<double> keys;
  const HookOutcome outcome = Order(
      OrderOf("return _G.string.byte(code, w.priority + 1) or -1",
              "local code = _G.string.dump(loadstring([==[" + source + "]==], '@policy.lua')) "),
      batch, &keys, open);
  EXPECT_TRUE(outcome.ok) << outcome.message;
  std::string bytes;
  for (const double key : keys) {
    if (key >= 0) bytes += static_cast<char>(static_cast<unsigned char>(key));
  }
  return bytes;
}

TEST(Sandbox, BytecodeIsRefusedAndWithoutTheRuleItRuns) {
  const std::string code = Dump(
      "local fuel = ... return function() return { api = 1, name = 'x', "
      "queue_order = function() return 1 end } end");
  ASSERT_EQ(code[0], '\x1b');
  PolicyBatch batch(1);
  const HookOutcome refused = Order(SourceOf(code), batch);
  EXPECT_FALSE(refused.ok);
  EXPECT_THAT(refused.message, HasSubstr("bytecode"));
  SandboxOptions options;
  options.text_only = options.source_rules = false;
  std::vector<double> keys;
  EXPECT_TRUE(Order(SourceOf(code), batch, &keys, options).ok);
  EXPECT_EQ(keys, std::vector<double>{1});
}

TEST(Sandbox, AnErrorObjectIsNeverTurnedIntoTextByItsOwnCode) {
  const PackageSource source = OrderOf(
      "if w.gpus == 4 then error(setmetatable({}, { __tostring = function() return 'pwned' end })) "
      "end return 1");
  PolicyBatch batch(1);
  batch[0].gpus = 4;
  SandboxOptions options;
  options.source_rules = options.allow_list = false;
  EXPECT_THAT(Order(source, batch, nullptr, options).message,
              HasSubstr("policy.lua:1: the error raised is a table"));
  options.plain_errors = false;
  EXPECT_THAT(Order(source, batch, nullptr, options).message, HasSubstr("pwned"));
}

TEST(Sandbox, KeysThatAreNotNumbersNeverReachTheEngine) {
  PolicyBatch batch(1);
  batch[0].gpus = 4;
  const PackageSource source = OrderOf("return w.gpus == 4 and 0/0 or 1");
  EXPECT_FALSE(Order(source, batch).ok);
  SandboxOptions options;
  options.checked_keys = false;
  EXPECT_TRUE(Order(source, batch, nullptr, options).ok);
}

TEST(Sandbox, ViewsAreTablesWithoutContentsThatCannotBeWritten) {
  PolicyBatch batch(1);
  batch.AddResource("cpu");
  for (const char* body :
       {"w.priority = 5 return 1", "w.extra = 5 return 1", "w.request.cpu = 1 return 1",
        "w.label.x = 1 return 1", "c.now = 0 return 1", "c.params.x = 0 return 1",
        "c.queue.name = '' return 1", "local v = w v[1] = 0 return 1",
        "table.insert(w, 1) return 1", "table.sort(w) w[1] = 1 return 1"}) {
    SandboxOptions options;
    options.source_rules = false;
    const HookOutcome outcome = Order(OrderOf(body), batch, nullptr, options);
    EXPECT_FALSE(outcome.ok) << body;
    EXPECT_THAT(outcome.message, HasSubstr("policies/x/policy.lua:1")) << body;
  }
}

TEST(Sandbox, NoPolicySeesAPointer) {
  PolicyBatch batch(1);
  std::vector<double> keys;
  const HookOutcome outcome =
      Order(OrderOf("for _, v in ipairs { w, w.request, w.label, c, c.params, c.queue } do\n"
                    "if type(v) ~= 'table' then return 0 end end return 1"),
            batch, &keys, [] {
              SandboxOptions o;
              o.source_rules = false;
              return o;
            }());
  EXPECT_TRUE(outcome.ok) << outcome.message;
  EXPECT_EQ(keys, std::vector<double>{1});
  for (const char* body : {"return #tostring(w)", "return #string.format('%p', 'x')",
                           "return #string.format('%s', w)", "return #(w .. '')"}) {
    EXPECT_FALSE(Order(OrderOf(body), batch).ok) << body;
  }
}

}  // namespace
}  // namespace muster::luajit::testing
