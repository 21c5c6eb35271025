// Several batches in one protected call: each is answered and pays as if it were alone, and where
// one would fail nothing is said about any.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

using ::testing::HasSubstr;

/// One batch cut into parts, asked together and one by one.
class Parts {
 public:
  Parts(const PackageSource& source, std::vector<unsigned int> sizes,
        const SandboxOptions& options = {})
      : rows_(std::accumulate(sizes.begin(), sizes.end(), 0u)),
        loaded_(Load(source, {}, options)),
        policy_(loaded_.policy) {
    for (const PackageProblem& problem : loaded_.problems) ADD_FAILURE() << problem.ToString();
    const muster_batch& all = rows_.Get();
    const muster_workload* next = all.workloads;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      queues_.push_back({});
      queues_.back().weight = static_cast<double>(i);
      batches_.push_back(all);
      batches_.back().workloads = next;
      batches_.back().count = sizes[i];
      next += sizes[i];
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) batches_[i].queue = &queues_[i];
    width_ = static_cast<std::size_t>(policy_->info().hooks[0].keys);
  }
  muster_workload& operator[](std::size_t i) { return rows_[i]; }

  bool AskEach() {
    keys.assign(rows_.Get().count * width_, -1);
    fuel.assign(batches_.size(), -1);
    return policy_->CallEach(Hook::kQueueOrder, batches_, keys, fuel);
  }
  HookOutcome Ask(std::size_t i) {
    alone.assign(batches_[i].count * width_, -1);
    return policy_->Call(Hook::kQueueOrder, batches_[i], alone);
  }
  std::vector<double> KeysOf(std::size_t i) const {
    const auto first = static_cast<std::size_t>(batches_[i].workloads - batches_[0].workloads);
    const auto from = keys.begin() + static_cast<std::ptrdiff_t>(first * width_);
    return {from, from + static_cast<std::ptrdiff_t>(batches_[i].count * width_)};
  }
  std::size_t size() const { return batches_.size(); }
  LuaPolicy& policy() { return *policy_; }

  std::vector<double> keys, alone;
  std::vector<std::int64_t> fuel;

 private:
  PolicyBatch rows_;
  LoadedPackage loaded_;
  std::shared_ptr<LuaPolicy> policy_;
  std::vector<muster_node> queues_;
  std::vector<muster_batch> batches_;
  std::size_t width_ = 0;
};

void ExpectEachLikeAlone(Parts& parts) {
  ASSERT_TRUE(parts.AskEach());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const HookOutcome outcome = parts.Ask(i);
    EXPECT_TRUE(outcome.ok) << outcome.message;
    EXPECT_EQ(parts.KeysOf(i), parts.alone) << "batch " << i;
    EXPECT_EQ(parts.fuel[i], outcome.fuel) << "batch " << i;
  }
}

const char* const kEachBody =
    "local s = 0 for i = 1, w.priority % 9 do s = s + i end\n"
    "if w.name == 'job-3' then s = s + c.rng(w.name) end\n"
    "return s, c.queue.weight, #w.name + c.now";

TEST(EachCall, AnswersAndFuelAreThoseOfEachAlone) {
  std::vector<unsigned int> many(300, 1);
  for (std::size_t i = 0; i < many.size(); i += 7) many[i] = 1 + static_cast<unsigned int>(i % 11);
  for (const bool compiled : {true, false}) {
    SandboxOptions options;
    options.compiled = compiled;
    for (const auto& sizes : {std::vector<unsigned int>{1}, {5}, {1, 1, 1}, {3, 1, 40, 2}, many}) {
      Parts parts(OrderOf(kEachBody), sizes, options);
      ExpectEachLikeAlone(parts);
      ExpectEachLikeAlone(parts);
    }
  }
}

TEST(EachCall, WhatOneBatchLeavesIsNotThereForTheNext) {
  // The first needs one tick, the others all of their 250.
  const auto loop = [](int rounds) {
    return OrderOf("if w.gpus == 4 then for i = 1, " + std::to_string(rounds) +
                   " do end end return 1");
  };
  for (const int rounds : {249, 250}) {
    for (const std::size_t costly : {1u, 2u}) {
      Parts parts(loop(rounds), {1, 1, 1});
      parts[costly].gpus = 4;
      EXPECT_EQ(parts.AskEach(), rounds == 249);
      EXPECT_EQ(parts.Ask(costly).ok, rounds == 249);
      EXPECT_TRUE(parts.Ask(0).ok);
    }
  }
}

TEST(EachCall, WhereOneWouldFailNothingIsSaidAndCallTellsWhich) {
  const std::string caught = "if w.gpus == 4 then pcall(function() while true do end end) end ";
  struct Case {
    std::string body, message;
  };
  for (const Case& failing : std::vector<Case>{
           {"if w.gpus == 4 then error('no') end return 1", "1: no (queue_order of ns/job-"},
           {"if w.gpus == 4 then return 'x' end return 1", "returned a string as key 1"},
           {"if w.gpus == 4 then return 0/0 end return 1", "returned nan as key 1"},
           {"if w.gpus == 4 then return 1/0 end return 1", "returned inf as key 1"},
           {"while w.gpus == 4 do end return 1", "out of fuel: used all of"},
           {caught + "return 1", "out of fuel: used all of"},
           {"local function f() return f() + 1 end\n"
            "if w.gpus == 4 then pcall(f) end return 1",
            "out of fuel"},
           {"local s = 'x' if w.gpus == 4 then s = string.rep(s, 70000) end return #s", ""}}) {
    for (const std::size_t where : {0u, 3u, 6u}) {
      Parts parts(OrderOf(failing.body), {1, 1, 2, 2, 1});
      parts[where].gpus = 4;
      EXPECT_FALSE(parts.AskEach()) << failing.body;
      int failed = 0;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const HookOutcome outcome = parts.Ask(i);
        if (outcome.ok) continue;
        ++failed;
        EXPECT_THAT(outcome.message, HasSubstr(failing.message));
      }
      EXPECT_EQ(failed, 1) << failing.body;
      parts[where].gpus = 0;
      ExpectEachLikeAlone(parts);
    }
  }
}

TEST(EachCall, NothingIsSaidOfWhatIsNotMeantForIt) {
  Parts parts(OrderOf("return 1"), {1, 1});
  std::vector<double> keys(2);
  std::vector<std::int64_t> fuel(1);
  EXPECT_FALSE(parts.policy().CallEach(Hook::kQueueOrder, {}, {}, {}));
  PolicyBatch one(2), other(2);
  const std::vector<muster_batch> strangers{one.Get(), other.Get()};
  keys.resize(4);
  fuel.resize(2);
  EXPECT_FALSE(parts.policy().CallEach(Hook::kQueueOrder, strangers, keys, fuel));
  EXPECT_FALSE(parts.policy().CallEach(Hook::kShare, std::span(strangers).first(1), keys, fuel));
}

}  // namespace
}  // namespace muster::luajit::testing
