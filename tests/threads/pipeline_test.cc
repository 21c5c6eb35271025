// The engine's thread and the ledger's: calls computed ahead of the disk, looked at from both sides
// at every point where they meet. ThreadSanitizer must see no race.
#include "muster/pipeline.h"

#include <gtest/gtest.h>

#include <deque>

#include "muster/muster.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

constexpr int kRounds = 60;

TEST(EngineAndItsLedgersThread, ShareNothingButWhatIsHandedOver) {
  const TemporaryDirectory directory;
  auto durable = DurableEngine::Open((directory.path() / "ledger").string(), {.relaxed = true});
  ASSERT_TRUE(durable.ok()) << durable.status().message();
  const std::vector<Object> objects = {MakeNamespace(), MakeFlavor("default"),
                                       MakeQueue("q", "", {{.nominal = kRounds}}),
                                       MakeLocalQueue("q")};
  ASSERT_TRUE((*durable)->engine().Apply(objects, kNoon).ok());
  auto pipeline = Pipeline::Start(**durable, 4);
  ASSERT_TRUE(pipeline.ok()) << pipeline.status().message();
  std::deque<Sealed<Result<CycleResult>>> decided;
  std::size_t admitted = 0;
  for (int round = 0; round < kRounds; ++round) {
    const TimeNs now = kNoon + round * kSecond;
    (*pipeline)->Call([&](Engine& engine) {
      const Workload job = MakeWorkload("job-" + std::to_string(round), "q", Cpu(1));
      return engine.Submit({&job, 1}, now);
    });
    decided.push_back((*pipeline)->Call([&](Engine& engine) { return engine.RunCycle(now); }));
    if (round % 3 == 0) {
      ASSERT_TRUE((*pipeline)->Settle().ok());
    }
    while (!decided.empty() && decided.front().Settled()) {
      admitted += AdmittedNames(*decided.front().Wait()).size();
      decided.pop_front();
    }
  }
  for (auto& each : decided) admitted += AdmittedNames(*each.Wait()).size();
  EXPECT_EQ(admitted, static_cast<std::size_t>(kRounds));
}

}  // namespace
}  // namespace muster::testing
