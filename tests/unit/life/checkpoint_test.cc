// Checkpoints: until when the work of a run is saved, and for which run that counts.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using testing::kNoon;
using testing::MakeWorkload;

constexpr TimeNs kMinute = 60 * kSecond;

class Checkpoint : public ::testing::Test {
 protected:
  void SetUp() override {
    ClusterQueue queue = testing::MakeQueue("q", "", {{.nominal = 1}});
    queue.preemption.within_cluster_queue = PreemptionPolicy::kLowerPriority;
    const std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default"),
                                         queue, testing::MakeLocalQueue("q"),
                                         MakeWorkload("job", "q", Cpu(1))};
    ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
  }
  void Cycle(TimeNs now) { ASSERT_TRUE(engine_.RunCycle(now).ok()); }
  Status Report(TimeNs at, TimeNs now) {
    WorkloadUpdate update;
    update.workload = DefaultKey("job");
    update.checkpointed = at;
    const Status status = engine_.Update(update, now);
    EXPECT_TRUE(engine_.CheckInvariants().ok());
    return status;
  }
  TimeNs Known() { return engine_.GetWorkload(DefaultKey("job"))->checkpointed; }

  testing::MemoryJournal journal_;
  Engine engine_{&journal_};
};

TEST_F(Checkpoint, OfARunIsTheLastThatWasReported) {
  Cycle(kNoon);
  EXPECT_EQ(Known(), kNoTime);
  EXPECT_TRUE(Report(kNoon + 2 * kMinute, kNoon + 3 * kMinute).ok());
  EXPECT_EQ(Known(), kNoon + 2 * kMinute);
  const std::size_t commits = journal_.commits().size();
  EXPECT_TRUE(Report(kNoon + kMinute, kNoon + 4 * kMinute).ok()) << "it came late";
  EXPECT_EQ(Known(), kNoon + 2 * kMinute);
  EXPECT_EQ(journal_.commits().size(), commits) << "nothing has changed";
}

TEST_F(Checkpoint, WithoutARunIsRefused) {
  const Status status = Report(kNoon, kNoon);
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(status.message(),
            "default/job is not admitted: there is no run that could have a checkpoint");
}

TEST_F(Checkpoint, InTheFutureOrBeforeTheRunIsRefused) {
  Cycle(kNoon);
  EXPECT_EQ(Report(kNoon + 2 * kMinute, kNoon + kMinute).message(),
            "a checkpoint of default/job at 2026-01-01T12:02:00Z is in the future: it is "
            "2026-01-01T12:01:00Z");
  EXPECT_EQ(Report(kNoon - kSecond, kNoon + kMinute).message(),
            "a checkpoint of default/job at 2026-01-01T11:59:59Z is of an earlier run: this one "
            "began at 2026-01-01T12:00:00Z");
  EXPECT_EQ(Known(), kNoTime);
}

TEST_F(Checkpoint, OfAnEarlierRunCountsNoLonger) {
  Cycle(kNoon);
  EXPECT_TRUE(Report(kNoon + kMinute, kNoon + kMinute).ok());
  ASSERT_TRUE(engine_.Evict(DefaultKey("job"), "NodeFailures", kNoon + 2 * kMinute).ok());
  EXPECT_EQ(Known(), kNoon + kMinute) << "its pods still run";
  ASSERT_TRUE(engine_.Evicted(*engine_.Evicting(), kNoon + 3 * kMinute).ok());
  EXPECT_EQ(Known(), kNoTime);
  Cycle(kNoon + 4 * kMinute);
  EXPECT_EQ(Known(), kNoTime);
}

TEST_F(Checkpoint, ChangesNothingElse) {
  Cycle(kNoon);
  const std::string before = *engine_.StateHash();
  EXPECT_TRUE(Report(kNoon, kNoon + kMinute).ok());
  EXPECT_NE(*engine_.StateHash(), before);
  ASSERT_EQ(journal_.commits().back().events.size(), 1u);
  const Event& event = journal_.commits().back().events.front();
  EXPECT_EQ(event.kind, EventKind::kCheckpointed);
  EXPECT_EQ(event.payload, R"({"checkpointed":"2026-01-01T12:00:00Z"})");
  EXPECT_EQ(journal_.last_rows(), 2u) << "the workload's and the engine's";
}

TEST_F(Checkpoint, IsThereAfterReopening) {
  Cycle(kNoon);
  EXPECT_TRUE(Report(kNoon + kMinute, kNoon + kMinute).ok());
  const std::string before = *engine_.StateHash();
  ASSERT_TRUE(journal_.Reopen(engine_).ok());
  EXPECT_EQ(*engine_.StateHash(), before);
  EXPECT_EQ(Known(), kNoon + kMinute);
}

/// Protects runs that have saved nothing for a minute.
class SavedOnly : public Policy {
 public:
  SavedOnly() {
    info_.name = "saved-only";
    info_.hash = std::string(64, 'a');
    info_.hooks.emplace_back().hook = Hook::kVictim;
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> answers) override {
    for (unsigned i = 0; i < batch.count; ++i) {
      answers[i] = batch.holdings[i].checkpointed > 0 ? 1 : HUGE_VAL;
    }
    return {};
  }

 private:
  PolicyInfo info_;
};

TEST_F(Checkpoint, MakesAVictimOfARunThatWasProtectedWithoutIt) {
  Cycle(kNoon);
  ASSERT_TRUE(engine_.ActivatePolicy(std::make_shared<SavedOnly>(), kNoon).ok());
  const Workload urgent = MakeWorkload("urgent", "q", Cpu(1), 9);
  ASSERT_TRUE(engine_.Submit(std::span(&urgent, 1), kNoon).ok());
  Cycle(kNoon + kMinute);
  EXPECT_TRUE(engine_.Evicting()->empty());
  EXPECT_TRUE(Report(kNoon + kMinute, kNoon + 2 * kMinute).ok());
  Cycle(kNoon + 2 * kMinute);
  EXPECT_EQ(engine_.Evicting()->size(), 1u);
}

}  // namespace
}  // namespace muster
