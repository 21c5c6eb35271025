// What is measured is also right: on the inputs of the benchmarks the naive reference decides what
// the engine decides, and with the policy in Lua the engine decides what it decides without.
//
// The reference knows no fair sharing; the recorded cases and the laws cover that.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/luajit/policy_package.h"
#include "tests/bench/borrowers.h"
#include "tests/bench/kueue_set.h"
#include "tests/bench/mixed.h"
#include "tests/bench/worlds.h"
#include "tests/property/story.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster::bench {
namespace {

using testing::Story;

void AddCycles(Story& story, int cycles) {
  for (int i = 0; i < cycles; ++i) story.steps.emplace_back(oracle::Cycle{});
}

/// Submits them, decides, ends every other one that runs by then, and decides again.
Story Busy(std::vector<Object> objects, std::vector<Workload> workloads, int cycles) {
  Story story{std::move(objects), {}, testing::kNoon + kSecond * 60};
  std::vector<Key> every_other;
  for (std::size_t i = 0; i < workloads.size(); i += 2) every_other.push_back(workloads[i].key);
  story.steps.emplace_back(oracle::Submit{std::move(workloads)});
  AddCycles(story, cycles);
  story.steps.emplace_back(oracle::Finish{std::move(every_other)});
  AddCycles(story, cycles);
  return story;
}

/// One workload makes room for itself, starts and ends.
Story Preempting(const Borrowers& borrowers, int cpu) {
  Story story{borrowers.Objects(), {}, testing::kNoon + kSecond};
  for (Workload& workload : borrowers.Running()) story.world.emplace_back(std::move(workload));
  const Workload preemptor = testing::MakeWorkload("preemptor", kOwner, testing::Cpu(cpu), 100);
  story.steps.emplace_back(oracle::Submit{{preemptor}});
  AddCycles(story, 1);
  story.steps.emplace_back(oracle::CompleteEvictions{});
  AddCycles(story, 2);
  story.steps.emplace_back(oracle::Finish{{preemptor.key}});
  AddCycles(story, 2);
  return story;
}

/// The set as it arrives; what has run long enough by an arrival ends then.
Story Arriving(const ArrivalSet& set) {
  Story story{set.objects, {}, testing::kNoon};
  TimeNs at = 0;
  std::vector<std::pair<TimeNs, Key>> endings;
  for (const Arrival& arrival : set.arrivals) {
    if (arrival.at > at) {
      story.steps.emplace_back(oracle::Pass{arrival.at - at});
      at = arrival.at;
      std::vector<Key> ended;
      std::erase_if(endings, [&](const auto& ending) {
        if (ending.first <= at) ended.push_back(ending.second);
        return ending.first <= at;
      });
      if (!ended.empty()) story.steps.emplace_back(oracle::Finish{ended});
    }
    story.steps.emplace_back(oracle::Submit{{arrival.workload}});
    AddCycles(story, 2);
    story.steps.emplace_back(oracle::CompleteEvictions{});
    endings.emplace_back(at + arrival.runtime, arrival.workload.key);
  }
  return story;
}

void ExpectAgreement(const Story& story) {
  const std::optional<std::string> disagreement = FindDisagreement(story);
  EXPECT_FALSE(disagreement.has_value()) << *disagreement;
  const std::string folder = testing::SourceDir() / "policies" / "fifo-priority";
  const Result<luajit::PackageSource> source = luajit::ReadPackage(folder);
  ASSERT_TRUE(source.ok());
  auto policy = luajit::LoadPackage(*source);
  ASSERT_TRUE(policy.ok());
  testing::EngineTeller native(story);
  testing::EngineTeller scripted(story, std::move(*policy));
  for (const oracle::Step& step : story.steps) {
    ASSERT_EQ(native.Tell(step), scripted.Tell(step));
  }
}

void CheckBacklogs(int cohorts, int per_queue, int cycles) {
  ExpectAgreement(
      Busy(FlatCohorts(cohorts), MixedBacklog(cohorts * kQueuesPerCohort, per_queue), cycles));
}
void CheckDeepTree(int queues, int workloads, int cycles) {
  ExpectAgreement(Busy(DeepTree({3, 3, queues / 9}),
                       SmallOnes("w", queues, workloads, 0, testing::kNoon), cycles));
}
void CheckPreemption(int running) {
  ExpectAgreement(Preempting({.running = running}, 3));
  ExpectAgreement(Preempting({.running = running, .protected_ones = true}, running));
}
void CheckArrivals(std::size_t most, int thin) {
  const auto shared = testing::SharedDir();
  if (!shared) GTEST_SKIP() << testing::kSharedIsAbsent;
  ArrivalSet set = ReadKueueSet(*shared / "perf" / "baseline.yaml", thin);
  set.arrivals.resize(std::min(most, set.arrivals.size()));
  ExpectAgreement(Arriving(set));
}

TEST(BenchInputs, TheMixedOneIsAsMixedAsItSays) {
  std::vector<std::tuple<std::vector<std::string>, FungibilityPolicy, FungibilityPolicy>> offers;
  int bindings = 0, several = 0;
  for (const Object& object : MixedObjects()) {
    bindings += std::holds_alternative<PolicyBinding>(object) ? 1 : 0;
    const auto* queue = std::get_if<ClusterQueue>(&object);
    if (queue == nullptr) continue;
    std::vector<std::string> flavors;
    for (const FlavorQuotas& flavor : queue->resource_groups[0].flavors) {
      flavors.push_back(flavor.name);
    }
    several += flavors.size() > 1 ? 1 : 0;
    offers.emplace_back(std::move(flavors), queue->flavor_fungibility.when_can_borrow,
                        queue->flavor_fungibility.when_can_preempt);
  }
  EXPECT_EQ(offers.size(), static_cast<std::size_t>(kMixedQueues));
  EXPECT_EQ(several * 3, kMixedQueues * 2);
  EXPECT_EQ(bindings, kMixedBindings);
  std::sort(offers.begin(), offers.end());
  EXPECT_EQ(std::unique(offers.begin(), offers.end()) - offers.begin(), kMixedOffers);
  std::set<std::string> shapes;
  for (int i = 0; i < 10 * kMixedShapes; ++i) {
    Workload job = MixedJob(i, testing::kNoon);
    Workload shape;
    shape.key = {"default", "shape"};
    shape.pod_sets = std::move(job.pod_sets);
    shapes.insert(manifest::ToYaml(shape));
  }
  EXPECT_EQ(shapes.size(), static_cast<std::size_t>(kMixedShapes));
}

TEST(BenchInputs, BacklogIsDecidedAsTheReferenceDoes) { CheckBacklogs(1, 20, 6); }
TEST(BenchInputs, DeepTreeIsDecidedAsTheReferenceDoes) { CheckDeepTree(18, 60, 4); }
TEST(BenchInputs, PreemptionIsDecidedAsTheReferenceDoes) { CheckPreemption(30); }
TEST(BenchInputs, ArrivalsAreDecidedAsTheReferenceDoes) { CheckArrivals(40, 100); }

TEST(LongBenchInputs, BacklogIsDecidedAsTheReferenceDoes) { CheckBacklogs(5, 50, 12); }
TEST(LongBenchInputs, DeepTreeIsDecidedAsTheReferenceDoes) { CheckDeepTree(90, 900, 10); }
TEST(LongBenchInputs, PreemptionIsDecidedAsTheReferenceDoes) { CheckPreemption(1'000); }
TEST(LongBenchInputs, ArrivalsAreDecidedAsTheReferenceDoes) { CheckArrivals(300, 40); }

}  // namespace
}  // namespace muster::bench
