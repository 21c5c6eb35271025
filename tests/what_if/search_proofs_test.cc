// What an explanation proves of a search for victims, against trying every set of candidates: the
// smallest is the smallest, a bound is never too high, and where it says that none helps none does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "muster/engine.h"
#include "tests/exhaustive/small_world.h"
#include "tests/property/for_each_world.h"
#include "tests/testing/exhaustigen.h"
#include "tests/what_if/turn.h"

namespace muster::testing {
namespace {

using enum PreemptionPolicy;

World Without(const World& world, const std::set<Key>& gone) {
  World left;
  for (const Object& object : world) {
    const auto* const workload = std::get_if<Workload>(&object);
    if (workload == nullptr || !gone.contains(workload->key)) left.push_back(object);
  }
  return left;
}

// Of one job and the search for its victims.
class Proof {
 public:
  // `alone` is the world in its turn.
  Proof(const World& alone, const Key& key, const Explanation& explanation)
      : alone_(alone), key_(key), certificate_(explanation.certificate) {
    for (const CandidateTrace& candidate : explanation.candidates) {
      all_.push_back(candidate.workload);
      if (candidate.fate == CandidateTrace::Fate::kVictim) victims_.insert(candidate.workload);
    }
  }

  void Check() {
    ASSERT_EQ(certificate_.taken, static_cast<std::int64_t>(victims_.size()));
    ASSERT_EQ(certificate_.candidates, static_cast<std::int64_t>(all_.size()));
    ASSERT_FALSE(certificate_.more_candidates);
    fewest_ = FewestByTrying();
    switch (certificate_.proof) {
      case SearchProof::kMinimal:
        ASSERT_EQ(fewest_, certificate_.taken);
        ASSERT_EQ(certificate_.fewest, certificate_.taken);
        return;
      case SearchProof::kBound:
        return CheckBound();
      case SearchProof::kImpossible:
        ASSERT_FALSE(fewest_.has_value());
        ASSERT_TRUE(victims_.empty());
        return CheckBinding();
      case SearchProof::kRefused:
        return CheckRefused();
      case SearchProof::kOpen:
      case SearchProof::kNone:
        break;
    }
    FAIL() << "nothing is proven";
  }

 private:
  bool StartsWithout(const std::set<Key>& gone) const {
    return TryTurn(Without(alone_, gone), key_) == Turn::kStarts;
  }

  std::optional<std::int64_t> FewestByTrying() const {
    std::optional<std::int64_t> fewest;
    for (std::uint32_t bits = 0; bits < (1U << all_.size()); ++bits) {
      std::set<Key> gone;
      for (std::size_t i = 0; i < all_.size(); ++i) {
        if ((bits >> i & 1U) != 0) gone.insert(all_[i]);
      }
      const auto number = static_cast<std::int64_t>(gone.size());
      if (fewest && *fewest <= number) continue;
      if (StartsWithout(gone)) fewest = number;
    }
    return fewest;
  }

  // So few are enough, so all of them have been tried.
  void CheckBound() const {
    ASSERT_LT(certificate_.fewest, certificate_.taken);
    ASSERT_EQ(fewest_, certificate_.fewest);
    const std::set<Key> smaller(certificate_.smaller.begin(), certificate_.smaller.end());
    ASSERT_EQ(static_cast<std::int64_t>(smaller.size()), certificate_.fewest);
    ASSERT_TRUE(StartsWithout(smaller));
  }

  // Without all candidates it is short there of so much, and not of less.
  void CheckBinding() const {
    ASSERT_TRUE(certificate_.binding.has_value());
    const BindingQuota& binding = *certificate_.binding;
    ASSERT_GT(binding.missing, 0);
    const QuotaRaise place{binding.kind, binding.name, binding.field, binding.flavor,
                           binding.resource};
    World left = Without(alone_, {all_.begin(), all_.end()});
    const ResourceQuota* const quota = FindQuota(left, place);
    if (quota == nullptr) {  // a cohort that brings in none itself: it has what those below lend
      ASSERT_EQ(binding.kind, ObjectKind::kCohort);
      return;
    }
    const Quantity now =
        binding.field == QuotaField::kNominalQuota ? quota->nominal : *quota->borrowing_limit;
    const Amount value = now.ToAmount(binding.resource);
    Put(left, place, value + binding.missing - 1);
    ASSERT_NE(TryTurn(left, key_), Turn::kStarts);
    Put(left, place, value + binding.missing);
    if (TryTurn(left, key_) == Turn::kStarts) return;
    Engine engine;
    ASSERT_TRUE(engine.Apply(left, kNow, MissingReference::kAccept).ok());
    const auto next = engine.Explain(key_)->certificate.binding;
    if (!next) return;
    ASSERT_NE(std::tie(next->name, next->field, next->resource),
              std::tie(binding.name, binding.field, binding.resource));
  }

  void CheckRefused() const {
    ASSERT_TRUE(fewest_.has_value());
    ASSERT_TRUE(victims_.empty());
    ASSERT_FALSE(certificate_.spared_by.empty());
    ASSERT_TRUE(StartsWithout({all_.begin(), all_.end()}));
  }

  const World& alone_;
  const Key key_;
  const SearchCertificate certificate_;
  std::vector<Key> all_;
  std::set<Key> victims_;
  std::optional<std::int64_t> fewest_;
};

std::string Told(const Explanation& explanation) {
  std::string text =
      explanation.verdict + " " + std::string(ProofName(explanation.certificate.proof));
  for (const CandidateTrace& candidate : explanation.candidates) {
    text += " " + candidate.workload.name;
  }
  return text;
}

using Counts = std::map<SearchProof, int>;

void Print(const Counts& counts) {
  for (const auto& [proof, count] : counts) std::cout << ProofName(proof) << " " << count << "\n";
}

enum class Sharing { kClassical, kFair };

void CheckAll(const WorldScope& scope, Sharing sharing) {
  Exhaustigen gen;
  Counts counts;
  while (gen.Next()) {
    World world = MakeSmallWorld(gen, scope);
    if (sharing == Sharing::kFair) {
      Configuration config;
      config.fair_sharing = FairSharingConfig{};
      world.insert(world.begin(), config);
    }
    Engine engine;
    ASSERT_TRUE(engine.Apply(world, kNow, MissingReference::kAccept).ok());
    const std::string before = *engine.StateHash();
    for (const Object& object : world) {
      const auto* const job = std::get_if<Workload>(&object);
      if (job == nullptr || !Waits(*job)) continue;
      const Explanation explanation = *engine.Explain(job->key);
      const SearchProof proof = explanation.certificate.proof;
      ++counts[proof];
      if (proof == SearchProof::kNone) continue;
      Proof(WithoutOthers(world, job->key), job->key, explanation).Check();
      if (::testing::Test::HasFatalFailure()) FAIL() << Told(explanation);
    }
    ASSERT_EQ(*engine.StateHash(), before);
  }
  Print(counts);
  for (const SearchProof proof : {SearchProof::kMinimal, SearchProof::kBound,
                                  SearchProof::kImpossible, SearchProof::kRefused}) {
    EXPECT_GT(counts[proof], 0) << ProofName(proof);
  }
}

constexpr PreemptionRules kAnyOfOthers = {kLowerPriority, kAny, kNever, std::nullopt};
constexpr PreemptionRules kWhileBorrowing = {kLowerPriority, kAny, kLowerPriority, 0};

std::vector<SmallJob> Holds(const std::vector<int>& sizes, int priority) {
  std::vector<SmallJob> jobs;
  for (const int size : sizes) jobs.push_back({0, size, priority});
  return jobs;
}

WorldScope SmallScope() {
  return {.nodes = {1, 2, 3},
          .queue_quotas = {{.nominal = 1}, {.nominal = 3}, {2, 2, 1}},
          .cohort_quotas = {{}, {1, 1, std::nullopt}},
          .rules = {kAnyOfOthers, kWhileBorrowing},
          .jobs = {Holds({1, 2}, 0),
                   Holds({1, 3}, 0),
                   Holds({1}, 1),
                   {{std::nullopt, 2, 1}, {std::nullopt, 3, 1}}}};
}

TEST(SearchProofs, HoldInEveryTreeOfUpToThreeNodes) { CheckAll(SmallScope(), Sharing::kClassical); }

TEST(SearchProofs, HoldInEveryTreeOfUpToThreeNodesUnderFairSharing) {
  WorldScope scope = SmallScope();
  scope.rules = {kAnyOfOthers};
  CheckAll(scope, Sharing::kFair);
}

TEST(NightSearchProofs, HoldInEveryTreeOfFourNodes) {
  WorldScope scope = SmallScope();
  scope.nodes = {4};
  scope.queue_quotas = {{.nominal = 1}, {2, 2, 1}};
  CheckAll(scope, Sharing::kClassical);
}

bool HasOneFlavorAGroup(const World& world, const std::string& queue) {
  return std::any_of(world.begin(), world.end(), [&](const Object& object) {
    const auto* const found = std::get_if<ClusterQueue>(&object);
    return found != nullptr && found->name == queue &&
           std::all_of(found->resource_groups.begin(), found->resource_groups.end(),
                       [](const ResourceGroup& group) { return group.flavors.size() == 1; });
  });
}

bool MayStartWithFewer(const Workload& job) {
  return std::any_of(job.pod_sets.begin(), job.pod_sets.end(),
                     [](const PodSet& pod_set) { return pod_set.min_count.has_value(); });
}

// Of several resources and podsets, with amounts of any size. There a flavor is chosen from many:
// what is tried is about the only one.
TEST(SearchProofs, HoldInRandomWorldsOfOneFlavorEach) {
  Counts counts;
  ForEachWorld(10'000, Seeds::kFixed, [&](const World& world, Choices&) {
    Engine engine;
    ASSERT_TRUE(engine.Apply(world, kNow, MissingReference::kAccept).ok());
    for (const Object& object : world) {
      const auto* const job = std::get_if<Workload>(&object);
      if (job == nullptr || !Waits(*job) || MayStartWithFewer(*job)) continue;
      const Explanation explanation = *engine.Explain(job->key);
      const SearchProof proof = explanation.certificate.proof;
      if (proof == SearchProof::kNone) continue;
      if (!HasOneFlavorAGroup(world, explanation.workload.cluster_queue)) continue;
      ++counts[proof];
      Proof(WithoutOthers(world, job->key), job->key, explanation).Check();
      ASSERT_FALSE(::testing::Test::HasFatalFailure()) << Told(explanation);
    }
  });
  Print(counts);
  EXPECT_GT(counts[SearchProof::kMinimal], 0);
  EXPECT_GT(counts[SearchProof::kImpossible], 0);
}

}  // namespace
}  // namespace muster::testing
