// An engine belongs to one thread at a time, and engines of different threads share nothing: no
// hidden table, no Lua state, no clock. Each thread plays every scenario with a policy of its own;
// all must see what one thread alone sees, and ThreadSanitizer must see no race.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "bindings/lab/scenario/scenario.h"
#include "bindings/manifest/manifest.h"
#include "muster/muster.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

constexpr int kThreads = 3;
constexpr TimeNs kNow = 1'770'000'000'000'000'000;

std::vector<manifest::Source> Scenarios() {
  std::vector<manifest::Source> sources;
  for (const auto& path : FilesUnder(SourceDir() / "tests/scenarios", ".yaml")) {
    sources.push_back({path.string(), ReadFile(path)});
  }
  return sources;
}

/// What all scenarios decide under policies/small-first, as text.
std::string Play(const std::vector<manifest::Source>& scenarios) {
  std::string decisions;
  for (const manifest::Source& source : scenarios) {
    Engine engine;
    auto policy = LoadPolicy((SourceDir() / "policies/small-first").string());
    if (!policy.ok()) return policy.status().message();
    const Status active = engine.ActivatePolicy(*policy, kNow);
    if (!active.ok()) return active.message();
    const auto played = lab::RunScenario(engine, manifest::Parse({&source, 1}), kNow);
    if (!played.ok()) {  // told for another order: it reports on a job that has not started
      decisions += played.status().message() + "\n";
      continue;
    }
    for (const lab::CycleOutcome& cycle : played->cycles) {
      for (const auto& one : cycle.result.admitted) decisions += "+" + one.workload.name;
      for (const auto& one : cycle.result.preempted) decisions += "-" + one.workload.name;
      for (const auto& one : cycle.pending) decisions += "?" + one.workload.name;
      decisions += "\n";
    }
  }
  return decisions;
}

TEST(EnginesOfDifferentThreads, DecideAsOneAloneDoes) {
  const auto scenarios = Scenarios();
  ASSERT_FALSE(scenarios.empty());
  const std::string alone = Play(scenarios);
  ASSERT_NE(alone.find('+'), std::string::npos) << alone;

  std::vector<std::string> together(kThreads);
  std::vector<std::thread> threads;
  for (std::string& decisions : together) {
    threads.emplace_back([&] { decisions = Play(scenarios); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& decisions : together) EXPECT_EQ(decisions, alone);
}

}  // namespace
}  // namespace muster::testing
