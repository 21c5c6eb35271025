// Recorded cases with policies: those in Lua that say what the native rules say decide the same,
// and when every hook fails the native rules decide. A sample of each family, all in `make check`.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "muster/muster.h"
#include "tests/conformance/case.h"
#include "tests/testing/paths.h"

namespace muster::conformance {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSample = 4;  // cases of a family

/// Loads, but fails whenever a hook is asked about something real.
class FailingPolicy final : public Policy {
 public:
  FailingPolicy() {
    info_.name = "failing";
    info_.hash = std::string(64, 'f');
    for (int i = 0; i < kHooks; ++i) {
      HookInfo& hook = info_.hooks.emplace_back();
      hook.hook = static_cast<Hook>(i);
      if (hook.hook == Hook::kPreemptLimits) hook.keys = 2;
    }
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch&, std::span<double> answers) override {
    ++calls;
    for (double& answer : answers) answer = static_cast<double>(calls % 7);
    return {false, "policy.lua:1: no", 1};
  }
  HookOutcome Submit(const muster_batch&, SubmitAnswer* answer) override {
    ++calls;
    answer->rejected = "no";
    return {false, "policy.lua:1: no", 1};
  }
  std::size_t calls = 0;

 private:
  PolicyInfo info_;
};

/// Wants all domains alike.
class EqualScores final : public Policy {
 public:
  EqualScores() {
    info_.name = "equal-scores";
    info_.hash = std::string(64, 'e');
    info_.hooks.emplace_back().hook = Hook::kDomainOrder;
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> answers) override {
    EXPECT_NE(batch.domains, nullptr);
    ++calls;
    std::fill(answers.begin(), answers.end(), -7);
    return {};
  }
  std::size_t calls = 0;

 private:
  PolicyInfo info_;
};

/// Packages that say what the engine does anyway.
std::vector<std::string> NativeRules() {
  return {"policies/fifo-priority", "policies/dominant-share", "tests/conformance/native-order",
          "tests/conformance/native-preemption"};
}

/// Plays `sample` cases of each family (all when there are fewer) with `packages` bound.
void Play(const std::vector<std::string>& packages, std::size_t sample) {
  const auto shared = testing::SharedDir();
  if (!shared) GTEST_SKIP() << testing::kSharedIsAbsent;
  const bool failing = packages.front() == "failing";
  std::size_t played = 0;
  std::size_t failures = 0;
  for (const auto& [family, cases] : FindCases(*shared)) {
    if (family == "topology" || family == "schedule") continue;
    const std::size_t step = std::max<std::size_t>(1, cases.size() / sample);
    for (std::size_t i = 0; i < cases.size(); i += step) {
      std::vector<std::shared_ptr<Policy>> policies;
      for (const std::string& package : packages) {
        // Its keys are those of the classical order.
        if (package.ends_with("native-order") && family.find("fair") != family.npos) continue;
        Result<std::shared_ptr<Policy>> policy =
            failing ? std::shared_ptr<Policy>(std::make_shared<FailingPolicy>())
                    : LoadPolicy((testing::SourceDir() / package).string());
        ASSERT_TRUE(policy.ok()) << policy.status().message();
        policies.push_back(*policy);
      }
      const CaseResult result = RunCase(cases[i], {}, nullptr, policies);
      ASSERT_TRUE(result.reasons) << cases[i].filename() << ": " << result.difference;
      EXPECT_TRUE(failing || result.policy_failures == 0)
          << cases[i].filename() << ": " << result.first_failure;
      failures += result.policy_failures;
      ++played;
    }
  }
  std::cout << played << " cases, " << failures << " failed calls\n";
  EXPECT_GT(played, 0u);
  EXPECT_EQ(failures > played, failing);
}

/// Plays recorded cases of topologies with all domains scored alike: as recorded, or as without.
void PlayPlaces(const std::vector<fs::path>& cases) {
  const auto policy = std::make_shared<EqualScores>();
  for (const fs::path& input : cases) {
    const CaseResult result = RunCase(input, {}, nullptr, {policy});
    if (!result.reasons) {
      EXPECT_EQ(result.difference, RunCase(input).difference) << input.filename();
    }
    EXPECT_EQ(result.policy_failures, 0u) << input.filename() << ": " << result.first_failure;
  }
  EXPECT_GT(policy->calls, cases.size() / 4) << cases.size();
}

TEST(Policies, ThatScoreAllDomainsAlikePlaceAsRecorded) {
  std::vector<fs::path> cases =
      testing::FilesUnder(testing::SourceDir() / "tests/conformance/sample", ".yaml");
  std::erase_if(cases, [](const fs::path& input) {
    return !input.filename().string().starts_with("topology-");
  });
  PlayPlaces(cases);
}
TEST(LongPolicies, ThatScoreAllDomainsAlikePlaceAsRecorded) {
  const auto shared = testing::SharedDir();
  if (!shared) GTEST_SKIP() << testing::kSharedIsAbsent;
  PlayPlaces(FindCases(*shared).at("topology"));
}

TEST(Policies, InLuaThatSayWhatTheNativeRulesSayDecideTheSame) { Play(NativeRules(), kSample); }
TEST(Policies, ThatFailInEveryHookLeaveTheDecisionsToTheNativeRules) { Play({"failing"}, kSample); }

TEST(NightPolicies, InLuaThatSayWhatTheNativeRulesSayDecideTheSame) {
  Play(NativeRules(), 100'000);
}
TEST(LongPolicies, ThatFailInEveryHookLeaveTheDecisionsToTheNativeRules) {
  Play({"failing"}, 100'000);
}

}  // namespace
}  // namespace muster::conformance
