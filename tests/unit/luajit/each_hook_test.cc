// Several batches in one call, for the hooks that cycles ask about a job here and a job there: each
// is answered and pays as if it were alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

std::shared_ptr<LuaPolicy> LoadHook(const std::string& hook, const std::string& function) {
  const LoadedPackage loaded =
      Load(SourceOf("return { api = 1, name = 'x', " + hook + " = " + function + " }"));
  for (const PackageProblem& problem : loaded.problems) ADD_FAILURE() << problem.ToString();
  return loaded.policy;
}

/// Cuts `all` into batches of these sizes.
std::vector<muster_batch> Cut(const muster_batch& all, const std::vector<unsigned int>& sizes) {
  std::vector<muster_batch> parts;
  unsigned int first = 0;
  for (const unsigned int size : sizes) {
    muster_batch& part = parts.emplace_back(all);
    if (all.workloads != nullptr) part.workloads = all.workloads + first;
    if (all.flavors != nullptr) part.flavors = all.flavors + first;
    part.count = size;
    first += size;
  }
  return parts;
}

struct Answered {
  std::vector<double> answers;
  std::vector<std::int64_t> fuel;
};

Answered AskTogether(LuaPolicy& policy, Hook hook, const std::vector<muster_batch>& parts) {
  std::size_t items = 0;
  for (const muster_batch& part : parts) items += part.count;
  const auto width = static_cast<std::size_t>(policy.info().hooks.at(0).keys);
  Answered each{std::vector<double>(items * width, -1),
                std::vector<std::int64_t>(parts.size(), -1)};
  EXPECT_TRUE(policy.CallEach(hook, parts, each.answers, each.fuel));
  return each;
}

Answered AskOneByOne(LuaPolicy& policy, Hook hook, const std::vector<muster_batch>& parts,
                     std::vector<std::vector<std::string>>* reasons = nullptr) {
  Answered each;
  const auto width = static_cast<std::size_t>(policy.info().hooks.at(0).keys);
  for (const muster_batch& part : parts) {
    std::vector<double> answers(part.count * width);
    const HookOutcome outcome = policy.Call(hook, part, answers);
    EXPECT_TRUE(outcome.ok) << outcome.message;
    each.answers.insert(each.answers.end(), answers.begin(), answers.end());
    each.fuel.push_back(outcome.fuel);
    if (reasons != nullptr) reasons->push_back(outcome.reasons);
  }
  return each;
}

TEST(EachHook, BoostIsAnsweredAndPaidAsAlone) {
  const auto policy = LoadHook(
      "boost", "function(w) local s = 0 for i = 1, w.priority do s = s + i end return s end");
  PolicyBatch rows(60);
  std::vector<unsigned int> sizes(50, 1);
  sizes.push_back(10);
  const std::vector<muster_batch> parts = Cut(rows.Get(), sizes);
  for (int round = 0; round < 3; ++round) {
    const Answered alone = AskOneByOne(*policy, Hook::kBoost, parts);
    const Answered together = AskTogether(*policy, Hook::kBoost, parts);
    EXPECT_EQ(together.answers, alone.answers);
    EXPECT_EQ(together.fuel, alone.fuel);
  }
}

TEST(EachHook, AReasonOfHoldCostsAnewInEachBatch) {
  const auto policy = LoadHook("hold", R"(function(w, c)
    if w.priority % 3 == 0 then return nil end
    return c.hold(w.priority % 3 == 1 and 'one' or 'two', 1000 + w.priority)
  end)");
  PolicyBatch rows(60);
  std::vector<unsigned int> sizes(40, 1);
  for (int i = 0; i < 5; ++i) sizes.push_back(4);
  const std::vector<muster_batch> parts = Cut(rows.Get(), sizes);
  for (int round = 0; round < 3; ++round) {
    const Answered alone = AskOneByOne(*policy, Hook::kHold, parts);
    const Answered together = AskTogether(*policy, Hook::kHold, parts);
    EXPECT_EQ(together.fuel, alone.fuel);
    for (std::size_t i = 0; i < alone.answers.size(); i += 2) {
      EXPECT_EQ(together.answers[i] != 0, alone.answers[i] != 0) << "job " << i / 2;
      EXPECT_EQ(together.answers[i + 1], alone.answers[i + 1]) << "job " << i / 2;
    }
  }
}

TEST(EachHook, FlavorsAreThoseOfTheSubjectOfTheirBatch) {
  const auto policy =
      LoadHook("flavor_order", "function(w, f) return w.priority * 10 - f.index end");
  PolicyBatch rows(20);
  const muster_batch& all = rows.Get();
  std::vector<muster_batch> parts;
  std::array<muster_flavor, 3> flavors = {};
  for (std::size_t i = 0; i < flavors.size(); ++i) flavors[i].index = static_cast<double>(i);
  for (unsigned int i = 0; i < 20; ++i) {
    muster_batch& part = parts.emplace_back(all);
    part.workloads = nullptr;
    part.subject = all.workloads + i;
    part.flavors = flavors.data();
    part.count = 1 + i % 3;
  }
  const Answered alone = AskOneByOne(*policy, Hook::kFlavorOrder, parts);
  const Answered together = AskTogether(*policy, Hook::kFlavorOrder, parts);
  EXPECT_EQ(together.answers, alone.answers);
  EXPECT_EQ(together.fuel, alone.fuel);
  EXPECT_EQ(together.answers.back(), 19 * 10 - 1);
}

TEST(EachHook, WhereOneFailsNothingIsSaid) {
  const auto policy =
      LoadHook("hold", "function(w, c) if w.gpus == 4 then error('no') end return nil end");
  PolicyBatch rows(3);
  rows[1].gpus = 4;
  const std::vector<muster_batch> parts = Cut(rows.Get(), {1, 1, 1});
  std::vector<double> answers(6);
  std::vector<std::int64_t> fuel(3);
  EXPECT_FALSE(policy->CallEach(Hook::kHold, parts, answers, fuel));
  EXPECT_TRUE(policy->Call(Hook::kHold, parts[0], std::span(answers).first(2)).ok);
  EXPECT_FALSE(policy->Call(Hook::kHold, parts[1], std::span(answers).first(2)).ok);
}

TEST(EachHook, AHookNamesItsOwnAccountsAlone) {
  const LoadedPackage loaded = Load(SourceOf(R"(
local function few(w) return w.account.few < 3 end
return { api = 1, name = 'x',
  accounts = {
    few = { by = 'user', of = 'running' }, used = { by = 'user', of = 'admitted' },
    other = { by = 'user', of = 'pending' },
  },
  hold = { reads = { 'account' }, function(w, c)
    if few(w) then return nil end
    return c.hold('enough')
  end },
  queue_order = { reads = { 'account' }, function(w) return -w.account.used end },
}
)"));
  ASSERT_NE(loaded.policy, nullptr);
  for (const HookInfo& hook : loaded.policy->info().hooks) {
    ASSERT_TRUE(hook.named);
    const auto names = [&](const std::string& name) {
      return std::find(hook.named->begin(), hook.named->end(), name) != hook.named->end();
    };
    EXPECT_TRUE(names("few")) << "a helper names it: any hook may call it";
    EXPECT_EQ(names("used"), hook.hook == Hook::kQueueOrder);
    EXPECT_FALSE(names("other"));
  }
}

TEST(EachHook, AnAccountThatIsChosenWhileItRunsMayBeAnyOfThem) {
  const LoadedPackage loaded = Load(SourceOf(R"(
return { api = 1, name = 'x',
  accounts = { few = { by = 'user', of = 'running' }, used = { by = 'user', of = 'admitted' } },
  queue_order = { reads = { 'account' }, function(w)
    local a = w.account
    return a[w.priority > 1 and 'few' or 'used']
  end },
}
)"));
  ASSERT_NE(loaded.policy, nullptr);
  const auto& named = loaded.policy->info().hooks.at(0).named;
  if (!named) return;  // any field
  EXPECT_NE(std::find(named->begin(), named->end(), "few"), named->end());
  EXPECT_NE(std::find(named->begin(), named->end(), "used"), named->end());
}

}  // namespace
}  // namespace muster::luajit::testing
