// Certificates of an explanation, against trying every value: the smallest change that helps is the
// smallest, there is one wherever one helps, and the largest that fits is the largest.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "muster/engine.h"
#include "tests/exhaustive/small_world.h"
#include "tests/property/for_each_world.h"
#include "tests/testing/exhaustigen.h"
#include "tests/what_if/turn.h"

namespace muster::testing {
namespace {

using enum PreemptionPolicy;

Turn TryWith(const World& alone, const Key& key, const Remedy& remedy,
             std::optional<std::size_t> one_less = std::nullopt) {
  World changed = alone;
  for (std::size_t i = 0; i < remedy.raises.size(); ++i) {
    Put(changed, remedy.raises[i], remedy.raises[i].to - (one_less == i ? 1 : 0));
  }
  return TryTurn(changed, key);
}

std::string Text(const Key& key, const Remedy& remedy) {
  std::string text = key.ToString() + ":";
  for (const QuotaRaise& raise : remedy.raises) {
    text += " " + raise.name + " " + raise.flavor + " " + raise.resource + " " +
            (raise.field == QuotaField::kNominalQuota ? "nominal " : "borrowing ") +
            std::to_string(raise.from) + " -> " + std::to_string(raise.to);
  }
  return text;
}

// A place of one value, and the least one that lets the job start.
using Place = std::tuple<ObjectKind, std::string, QuotaField, std::string>;
using Least = std::map<Place, Amount>;

// The nodes from a queue up to the root.
std::vector<std::pair<ObjectKind, std::string>> PathOf(const World& world,
                                                       const std::string& queue) {
  std::map<std::string, std::string> parents;
  std::string above;
  for (const Object& object : world) {
    if (const auto* const cohort = std::get_if<Cohort>(&object)) {
      parents[cohort->name] = cohort->parent;
    } else if (const auto* const found = std::get_if<ClusterQueue>(&object)) {
      if (found->name == queue) above = found->cohort;
    }
  }
  std::vector<std::pair<ObjectKind, std::string>> path{{ObjectKind::kClusterQueue, queue}};
  for (; !above.empty(); above = parents[above]) path.emplace_back(ObjectKind::kCohort, above);
  return path;
}

constexpr Amount kFarthest = 12;  // more than all jobs of a small world hold and ask for

Least TryEverything(const World& alone, const Workload& job, int flavors) {
  Least least;
  for (const auto& [kind, name] : PathOf(alone, job.queue)) {
    for (const QuotaField field : {QuotaField::kNominalQuota, QuotaField::kBorrowingLimit}) {
      for (int f = 0; f < flavors; ++f) {
        QuotaRaise raise{kind, name, field, "f" + std::to_string(f), "nvidia.com/gpu"};
        World changed = alone;
        const ResourceQuota quota = *FindQuota(changed, raise);
        const bool nominal = field == QuotaField::kNominalQuota;
        if (!nominal && !quota.borrowing_limit) continue;
        const Quantity from = nominal ? quota.nominal : *quota.borrowing_limit;
        raise.from = from.ToAmount(raise.resource);
        if (nominal && kind == ObjectKind::kCohort && raise.from == 0)
          continue;  // no place for a quota
        for (Amount value = raise.from + 1; value <= raise.from + kFarthest; ++value) {
          Put(changed, raise, value);
          if (TryTurn(changed, job.key) != Turn::kStarts) continue;
          least[{kind, name, field, raise.flavor}] = value;
          break;
        }
      }
    }
  }
  return least;
}

Least Told(const std::vector<Remedy>& remedies) {
  Least least;
  for (const Remedy& remedy : remedies) {
    const QuotaRaise& raise = remedy.raises.front();
    EXPECT_EQ(remedy.raises.size(), 1U);
    least[{raise.kind, raise.name, raise.field, raise.flavor}] = raise.to;
  }
  return least;
}

void CheckAll(const WorldScope& scope) {
  Exhaustigen gen;
  int worlds = 0;
  int told = 0;
  for (; gen.Next(); ++worlds) {
    const World world = MakeSmallWorld(gen, scope);
    Engine engine;
    ASSERT_TRUE(engine.Apply(world, kNow, MissingReference::kAccept).ok());
    const std::string before = *engine.StateHash();
    for (const Object& object : world) {
      const auto* const job = std::get_if<Workload>(&object);
      if (job == nullptr || !Waits(*job)) continue;
      const World alone = WithoutOthers(world, job->key);
      const Explanation explanation = *engine.Explain(job->key);
      const Least expected = TryTurn(alone, job->key) == Turn::kWaits
                                 ? TryEverything(alone, *job, scope.flavors)
                                 : Least();
      ASSERT_EQ(Told(explanation.remedies), expected) << explanation.verdict;
      told += static_cast<int>(expected.size());
    }
    ASSERT_EQ(*engine.StateHash(), before);
    ASSERT_TRUE(engine.CheckInvariants().ok());
  }
  std::cout << worlds << " worlds, " << told << " certificates\n";
  EXPECT_GT(told, 0);
}

const PreemptionRules kReclaim = {kLowerPriority, kAny, kNever, std::nullopt};
const std::vector<SmallQuota> kLimits = {
    {.nominal = 0}, {.nominal = 2}, {2, 0, std::nullopt}, {2, std::nullopt, 0}, {2, 1, 1}};

std::vector<SmallJob> Holding(std::vector<int> sizes, int flavors) {
  std::vector<SmallJob> jobs;
  for (const int size : sizes) {
    for (int f = 0; f < flavors; ++f) jobs.push_back({f, size, 0});
  }
  return jobs;
}

std::vector<SmallJob> Waiting(std::vector<int> sizes) {
  std::vector<SmallJob> jobs;
  for (const int size : sizes) jobs.push_back({std::nullopt, size, 0});
  return jobs;
}

TEST(SmallestChange, IsTheSmallestInEveryTreeOfUpToThreeNodes) {
  CheckAll({.nodes = {1, 2, 3},
            .queue_quotas = kLimits,
            .cohort_quotas = {{}, {.nominal = 1}, {1, 1, 1}},
            .rules = {{}, kReclaim},
            .jobs = {Holding({2}, 1), Waiting({1, 4})}});
}

TEST(SmallestChange, IsTheSmallestWithTwoFlavors) {
  CheckAll({.nodes = {1, 2, 3},
            .flavors = 2,
            .queue_quotas = {{.nominal = 1}, {2, 1, 1}},
            .cohort_quotas = {{}, {1, 1, std::nullopt}},
            .jobs = {Holding({2}, 2), Waiting({3})}});
}

TEST(LongSmallestChange, IsTheSmallestInEveryTreeOfFourNodes) {
  CheckAll({.nodes = {4},
            .queue_quotas = kLimits,
            .cohort_quotas = {{}, {1, 1, 1}},
            .rules = {kReclaim},
            .jobs = {Holding({2}, 1), Waiting({3})}});
}

// With several resources, podsets and amounts of any size: what is told helps, and nothing less.
void CheckRandom(int count, Seeds seeds) {
  int told = 0;
  int several = 0;
  ForEachWorld(count, seeds, [&](const World& world, Choices&) {
    Engine engine;
    ASSERT_TRUE(engine.Apply(world, kNow, MissingReference::kAccept).ok());
    for (const Object& object : world) {
      const auto* const job = std::get_if<Workload>(&object);
      if (job == nullptr || !Waits(*job)) continue;
      const World alone = WithoutOthers(world, job->key);
      const Explanation explanation = *engine.Explain(job->key);
      for (const Remedy& remedy : explanation.remedies) {
        const std::string text = Text(job->key, remedy);
        ASSERT_EQ(TryWith(alone, job->key, remedy), Turn::kStarts) << text;
        for (std::size_t i = 0; i < remedy.raises.size(); ++i) {
          ASSERT_NE(TryWith(alone, job->key, remedy, i), Turn::kStarts) << text;
        }
        ++told;
        several += remedy.raises.size() > 1;
      }
    }
  });
  std::cout << told << " certificates, " << several << " of several values\n";
  EXPECT_GT(told, 0);
  EXPECT_GT(several, 0);
}

TEST(SmallestChange, HelpsAndNothingLessDoesInRandomWorlds) { CheckRandom(1'000, Seeds::kFixed); }

TEST(LongSmallestChange, HelpsAndNothingLessDoesInRandomWorlds) {
  CheckRandom(10'000, Seeds::kFresh);
}

bool HasVictims(const Explanation& explanation) {
  return std::any_of(explanation.candidates.begin(), explanation.candidates.end(),
                     [](const CandidateTrace& candidate) {
                       return candidate.fate == CandidateTrace::Fate::kVictim;
                     });
}

// Worlds in which jobs have many pods.
World WithManyPods(const World& drawn, Choices& choices) {
  World world = drawn;
  for (Object& object : world) {
    auto* const job = std::get_if<Workload>(&object);
    if (job == nullptr || !Waits(*job)) continue;
    for (PodSet& pod_set : job->pod_sets) pod_set.count = choices.Between(1, 9);
  }
  return world;
}

TEST(MostPods, IsTheLargestThatFits) {
  int told = 0;
  ForEachWorld(1'000, Seeds::kFixed, [&](const World& drawn, Choices& choices) {
    const World world = WithManyPods(drawn, choices);
    Engine engine;
    ASSERT_TRUE(engine.Apply(world, kNow, MissingReference::kAccept).ok());
    for (const Object& object : world) {
      const auto* const job = std::get_if<Workload>(&object);
      if (job == nullptr || !Waits(*job)) continue;
      World alone = WithoutOthers(world, job->key);
      if (TryTurn(alone, job->key) != Turn::kWaits) continue;
      std::map<std::string, std::int32_t> most;
      const Explanation explanation = *engine.Explain(job->key);
      if (HasVictims(explanation)) continue;  // they have been told to leave before
      for (const MostPods& each : explanation.most_pods) {
        most[each.pod_set] = each.fits;
      }
      std::map<std::string, std::int32_t> expected;
      for (Object& changed : alone) {
        auto* const smaller = std::get_if<Workload>(&changed);
        if (smaller == nullptr || smaller->key != job->key) continue;
        for (PodSet& pod_set : smaller->pod_sets) {
          const std::int32_t asked = pod_set.count;
          for (std::int32_t count = 1; count < asked; ++count) {
            pod_set.count = count;
            if (TryTurn(alone, job->key) == Turn::kStarts) expected[pod_set.name] = count;
          }
          pod_set.count = asked;
        }
      }
      ASSERT_EQ(most, expected) << job->key.ToString() << ": " << explanation.verdict;
      told += static_cast<int>(expected.size());
    }
  });
  std::cout << told << " told\n";
  EXPECT_GT(told, 0);
}

}  // namespace
}  // namespace muster::testing
