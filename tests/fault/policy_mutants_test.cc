// Packages with some of their bytes changed: refused with a place, or they behave. Most are broken
// in ways that no author would write down.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/fault/hostile_corpus.h"
#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> Seeds() {
  std::vector<std::string> seeds;
  for (const Hostile& hostile : ReadCorpus()) seeds.push_back(hostile.source);
  for (const auto& path :
       muster::testing::FilesUnder(muster::testing::SourceDir() / "policies", "policy.lua")) {
    seeds.push_back(muster::testing::ReadFile(path));
  }
  return seeds;
}

// Bytes flipped, dropped, doubled, moved; or the end of one file behind the front of another.
std::string Mutate(const std::vector<std::string>& seeds, std::mt19937& random) {
  const auto pick = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::string source = seeds[pick(seeds.size())];
  for (std::size_t edits = 1 + pick(4); edits > 0 && source.size() > 8; --edits) {
    const std::size_t at = pick(source.size()), length = 1 + pick(8);
    switch (pick(5)) {
      case 0:
        source[at] = static_cast<char>(random() & 0xFF);
        break;
      case 1:
        source.erase(at, length);
        break;
      case 2:
        source.insert(pick(source.size()), source.substr(at, length));
        break;
      case 3:
        std::swap(source[at], source[pick(source.size())]);
        break;
      default: {
        const std::string& other = seeds[pick(seeds.size())];
        source = source.substr(0, at) + other.substr(std::min(at, other.size()));
      }
    }
  }
  return source;
}

void EveryMutantIsRefusedOrBehaves(unsigned int first, unsigned int last) {
  const std::vector<std::string> seeds = Seeds();
  int refused = 0, asked = 0;
  for (unsigned int seed = first; seed <= last; ++seed) {
    std::mt19937 random(seed);
    const std::string source = Mutate(seeds, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + source);
    const LoadedPackage loaded = Load(SourceOf(source));
    if (loaded.policy == nullptr) {
      ASSERT_FALSE(loaded.problems.empty());
      for (const PackageProblem& problem : loaded.problems) {
        EXPECT_THAT(problem.ToString(), HasSubstr("policies/x/policy.lua"));
        EXPECT_FALSE(problem.what.empty());
      }
      ++refused;
      continue;
    }
    const HookInfo& hook = loaded.policy->info().hooks.at(0);
    if (hook.hook != Hook::kQueueOrder) continue;
    PolicyBatch batch(3);
    batch.AddResource("cpu");
    batch[1].gpus = 4;
    std::vector<double> keys(3 * static_cast<std::size_t>(hook.keys));
    for (int i = 0; i < 2; ++i) {
      const HookOutcome outcome = loaded.policy->Call(Hook::kQueueOrder, batch.Get(), keys);
      EXPECT_LE(outcome.fuel, 200 + 3 * 50);
      EXPECT_EQ(outcome.ok, outcome.message.empty());
    }
    ++asked;
  }
  EXPECT_GT(refused, static_cast<int>(last - first) / 4);
  EXPECT_GT(asked, static_cast<int>(last - first) / 25);
}

TEST(PolicyMutants, AreRefusedOrBehave) { EveryMutantIsRefusedOrBehaves(1, 300); }
TEST(LongPolicyMutants, AreRefusedOrBehave) { EveryMutantIsRefusedOrBehaves(301, 1'200); }
TEST(NightPolicyMutants, AreRefusedOrBehave) { EveryMutantIsRefusedOrBehaves(301, 20'000); }

}  // namespace
}  // namespace muster::luajit::testing
