// Hooks that fail at random moments of random stories: native and scripted answers never mix. A
// cycle in which a hook fails at its third call must decide what it decides when the first fails,
// where no scripted answer of that hook exists that could have been mixed in. That goes for the
// order inside queues too, which is asked for queue by queue, many in one call.
#include <gtest/gtest.h>

#include <algorithm>
#include <compare>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/property/for_each_world.h"
#include "tests/property/random_story.h"

namespace muster::testing {
namespace {

/// What is decided as one: a hook in a cycle. Those without heads have no number of their own, and
/// ask for boosts all the same.
struct Place {
  std::int64_t call = 0;  ///< of RunCycle
  std::int64_t cycle = 0;
  Hook hook = Hook::kQueueOrder;
  auto operator<=>(const Place&) const = default;
};

/// From which call on a hook fails in a cycle, from 1; 0: never.
using Schedule = std::function<int(const Place&)>;

std::uint64_t Mix(std::uint64_t hash, double value) {
  hash = (hash ^ static_cast<std::uint64_t>(static_cast<std::int64_t>(value * 8))) *
         0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

/// Prefers without sense, but always the same; every hook fails when its schedule says so.
class FlakyPolicy final : public Policy {
 public:
  FlakyPolicy(const std::vector<Hook>& hooks, std::uint64_t seed, Schedule fails)
      : seed_(seed), fails_(std::move(fails)) {
    info_.name = "flaky";
    info_.hash = std::string(64, 'e');
    for (const Hook hook : hooks) {
      HookInfo& info = info_.hooks.emplace_back();
      info.hook = hook;
      info.keys = hook == Hook::kPreemptLimits ? 2 : 1;
      info.reads = {"cycle", "usage", "borrowed", "native_share", "free"};
    }
  }

  const PolicyInfo& info() const override { return info_; }
  void BeginCycle(const std::shared_ptr<PolicyTime>&) override { ++begun_; }

  HookOutcome Call(Hook hook, const muster_batch& batch, std::span<double> answers) override {
    const Place place{begun_, static_cast<std::int64_t>(batch.cycle), hook};
    const int call = ++calls_[place];
    for (std::size_t i = 0; i < answers.size(); ++i) {
      answers[i] = Answer(hook, batch, hook == Hook::kPreemptLimits ? 0 : i);
    }
    const int first = fails_(place);
    if (first == 0 || call < first) return {true, "", static_cast<std::int64_t>(answers.size())};
    failed_.insert(place);
    return {false, call % 2 == 0 ? "policy.lua:3: out of fuel" : "policy.lua:4: no", 3};
  }

  bool CallEach(Hook hook, std::span<const muster_batch> batches, std::span<double> answers,
                std::span<std::int64_t> fuel) override {
    const std::map<Place, int> calls = calls_;
    const std::set<Place> failed = failed_;
    for (std::size_t i = 0; i < batches.size(); ++i) {
      const HookOutcome outcome = Call(hook, batches[i], answers.first(batches[i].count));
      if (!outcome.ok) {
        calls_ = calls;
        failed_ = failed;
        return false;
      }
      fuel[i] = outcome.fuel;
      answers = answers.subspan(batches[i].count);
    }
    return true;
  }

  const std::set<Place>& failed() const { return failed_; }

 private:
  double Answer(Hook hook, const muster_batch& batch, std::size_t i) const {
    std::uint64_t hash = Mix(seed_, static_cast<int>(hook));
    if (batch.workloads != nullptr) {
      const muster_workload& w = batch.workloads[i];
      hash = Mix(Mix(Mix(hash, w.priority), w.created), w.request[0]);
    }
    if (batch.nodes != nullptr) hash = Mix(hash, batch.nodes[i].usage[0]);
    if (batch.flavors != nullptr) hash = Mix(hash, batch.flavors[i].index);
    if (hook == Hook::kPreemptLimits) return static_cast<double>(1 + hash % 40);
    return static_cast<double>(hash % 5);
  }

  std::uint64_t seed_;
  Schedule fails_;
  PolicyInfo info_;
  std::int64_t begun_ = 0;  ///< calls of RunCycle that looked at something
  std::map<Place, int> calls_;
  std::set<Place> failed_;
};

std::vector<Hook> AllHooks() {
  return {Hook::kQueueOrder,    Hook::kCycleOrder, Hook::kShare, Hook::kFlavorOrder,
          Hook::kPreemptLimits, Hook::kVictim,     Hook::kBoost};
}

struct Counts {
  int failed = 0, changed = 0;
};

// Tells the story with hooks that fail at any call, and again with those same hooks failing in
// those cycles at the first one.
void CheckThatFailingLateIsFailingFirst(const Story& story, Choices& choices, Counts& counts) {
  const auto seed = static_cast<std::uint64_t>(choices.Below(1'000'000));
  std::vector<Hook> hooks = AllHooks();
  if (choices.Below(7) > 0) hooks = {choices.Pick(hooks)};
  SCOPED_TRACE("hooks from " + std::string(HookName(hooks[0])));
  const auto any = std::make_shared<FlakyPolicy>(hooks, seed, [seed](const Place& place) {
    const std::uint64_t hash =
        Mix(Mix(seed + 1, static_cast<double>(place.call)), static_cast<int>(place.hook));
    return hash % 2 == 0 ? static_cast<int>(1 + hash / 2 % 3) : 0;
  });
  EngineTeller late(story, any);
  std::vector<Picture> told;
  for (const oracle::Step& step : story.steps) {
    const std::size_t before = any->failed().size();
    told.push_back(late.Tell(step));
    if (!late.cycle()) continue;
    EXPECT_EQ(late.cycle()->policy_failures.empty(), any->failed().size() == before)
        << "every failure is reported";
  }
  const std::set<Place> failed = any->failed();
  const auto first = std::make_shared<FlakyPolicy>(
      hooks, seed, [&failed](const Place& place) { return failed.contains(place) ? 1 : 0; });
  const auto never = std::make_shared<FlakyPolicy>(hooks, seed, [](const Place&) { return 0; });
  EngineTeller again(story, first), scripted(story, never);
  for (std::size_t i = 0; i < story.steps.size(); ++i) {
    EXPECT_EQ(told[i], again.Tell(story.steps[i])) << "step " << i << " of\n" << ToCase(story);
    counts.changed += scripted.Tell(story.steps[i]) != told[i];
  }
  // One hook that fails at once may spare another its call.
  EXPECT_TRUE(std::ranges::includes(failed, first->failed()));
  EXPECT_TRUE(hooks.size() > 1 || first->failed() == failed);
  counts.failed += static_cast<int>(failed.size());
}

void CheckStories(int count, Seeds seeds) {
  Counts counts;
  ForEach(MakeRandomStory, count, seeds, [&counts](const Story& story, Choices& choices) {
    CheckThatFailingLateIsFailingFirst(story, choices, counts);
  });
  if (std::getenv("MUSTER_SEED")) return;
  EXPECT_GT(counts.failed, count / 3) << "hooks must fail";
  EXPECT_GT(counts.changed, count / 10) << "and it must make a difference";
}

TEST(FailingHooks, LeaveTheWholeCycleToTheNativeRule) { CheckStories(300, Seeds::kFixed); }
TEST(LongFailingHooks, LeaveTheWholeCycleToTheNativeRule) { CheckStories(800, Seeds::kFresh); }
TEST(NightFailingHooks, LeaveTheWholeCycleToTheNativeRule) { CheckStories(10'000, Seeds::kFresh); }

}  // namespace
}  // namespace muster::testing
