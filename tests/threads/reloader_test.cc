// The engine's thread and the one that loads, tests and tries packages: cycles go on while saves
// come in. ThreadSanitizer must see no race.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "muster/muster.h"
#include "muster/policy_reloader.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

constexpr int kSaves = 5;

std::string PackageOfSave(int save) {
  return "return { api = 1, name = 'ours', queue_order = function(w) return w.priority + " +
         std::to_string(save) + " end }\n";
}

TEST(EngineAndTheThreadThatLoadsPackages, ShareNothingButWhatIsHandedOver) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory.path() / "ours");
  Engine engine;
  const std::vector<Object> objects = {MakeNamespace(), MakeFlavor("default"),
                                       MakeQueue("q", "", {{.nominal = 1}}), MakeLocalQueue("q")};
  ASSERT_TRUE(engine.Apply(objects, kNoon).ok());
  ReloadOptions options;
  options.folder = (directory.path() / "ours").string();
  options.quiet = kMillisecond;
  PolicyReloader reloader(std::move(options));
  ASSERT_TRUE(reloader.status().ok()) << reloader.status().message();
  TimeNs now = kNoon;
  for (int save = 0; save < kSaves; ++save) {
    WriteFile(directory.path() / "ours" / "policy.lua", PackageOfSave(save));
    bool live = false;
    for (int poll = 0; !live && poll < 5000; ++poll) {
      now += kSecond;
      const Workload job = MakeWorkload("job-" + std::to_string(now), "q", Cpu(1));
      ASSERT_TRUE(engine.Submit({&job, 1}, now).ok());
      const Result<CycleResult> cycle = engine.RunCycle(now);
      ASSERT_TRUE(cycle.ok());
      EXPECT_TRUE(cycle->policy_failures.empty());
      ASSERT_TRUE(engine.Cancel({&job.key, 1}, now).ok());
      for (const ReloadStep& step : *reloader.Poll(engine, now)) {
        EXPECT_EQ(step.outcome, ReloadStep::Outcome::kActivated) << step.message;
        live = true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(live) << "save " << save << " never went live";
  }
  EXPECT_EQ(engine.Policies()->size(), 1U);
}

}  // namespace
}  // namespace muster::testing
