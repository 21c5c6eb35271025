// What is known of workloads that are over, and what the ledger is told when it is forgotten.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using testing::kNoon;
using testing::MakeWorkload;

/// Takes down which events come.
class EventJournal final : public Journal {
 public:
  Result<Ticket> Append(Commit commit) override {
    for (const Event& event : commit.events) {
      told.push_back(std::string(EventName(event.kind)) + " " + event.subject + event.payload);
    }
    return ++ticket_;
  }
  Status Durable(Ticket) override { return Status::Ok(); }

  std::vector<std::string> told;

 private:
  Ticket ticket_ = 0;
};

class ForgettingTest : public ::testing::Test {
 protected:
  void Build(const std::vector<Object>& configuration) {
    std::vector<Object> objects = configuration;
    objects.emplace_back(testing::MakeNamespace());
    objects.emplace_back(testing::MakeFlavor("default"));
    objects.emplace_back(testing::MakeQueue("q", "", {{.nominal = 3}}));
    objects.emplace_back(testing::MakeLocalQueue("q"));
    for (const char* name : {"a", "b", "c", "waits"}) {
      objects.emplace_back(MakeWorkload(name, "q", Cpu(1)));
    }
    ASSERT_TRUE(engine_.Apply(objects, kNoon).ok());
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
    journal_.told.clear();
  }
  void Finish(const std::string& name, TimeNs now) {
    const Key key = DefaultKey(name);
    ASSERT_TRUE(engine_.Finish({&key, 1}, false, now).ok());
  }
  void Cancel(const std::string& name) {
    const Key key = DefaultKey(name);
    ASSERT_TRUE(engine_.Cancel({&key, 1}, kNoon).ok());
  }
  bool IsKnown(const std::string& name) { return engine_.GetWorkload(DefaultKey(name)).ok(); }
  bool IsParked(const std::string& name) {
    for (const PendingWorkload& pending : *engine_.Pending()) {
      if (pending.workload == DefaultKey(name)) return pending.parked;
    }
    return false;
  }
  static Configuration KeptFor(DurationNs time) {
    Configuration config;
    config.retain_finished = time;
    return config;
  }
  static EngineConfiguration Keep(std::int32_t most) {
    EngineConfiguration config;
    config.keep_finished = most;
    return config;
  }

  EventJournal journal_;
  Engine engine_{&journal_};
};

TEST_F(ForgettingTest, CancellingSaysSoAndWakesForWhatWasHeld) {
  Build({});
  ASSERT_TRUE(IsParked("waits"));
  Cancel("a");
  EXPECT_EQ(journal_.told,
            std::vector<std::string>{R"(Cancelled default/a{"reason":"ByRequest"})"});
  EXPECT_FALSE(IsParked("waits"));
}

TEST_F(ForgettingTest, CancellingAPendingJobWakesNothing) {
  Build({});
  const Workload other = MakeWorkload("other", "q", Cpu(2));
  ASSERT_TRUE(engine_.Submit({&other, 1}, kNoon).ok());
  ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  journal_.told.clear();
  Cancel("other");
  EXPECT_EQ(journal_.told,
            std::vector<std::string>{R"(Cancelled default/other{"reason":"ByRequest"})"});
  EXPECT_TRUE(IsParked("waits"));
}

TEST_F(ForgettingTest, ForgettingAnEndedJobWakesNothing) {
  Build({});
  Finish("a", kNoon);
  ASSERT_TRUE(engine_.RunCycle(kNoon).ok());  // waits starts
  const Workload other = MakeWorkload("other", "q", Cpu(1));
  ASSERT_TRUE(engine_.Submit({&other, 1}, kNoon).ok());
  ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  ASSERT_TRUE(IsParked("other"));
  journal_.told.clear();
  Cancel("a");
  EXPECT_EQ(journal_.told,
            std::vector<std::string>{R"(Forgotten default/a{"reason":"ByRequest"})"});
  EXPECT_TRUE(IsParked("other"));
}

TEST_F(ForgettingTest, AJobThatEndedIsForgottenWhenItsTimeIsOver) {
  Build({KeptFor(60 * kSecond)});
  Finish("a", kNoon);
  EXPECT_EQ(*engine_.NextDeadline(), kNoon + 60 * kSecond);
  ASSERT_TRUE(engine_.Advance(kNoon + 59 * kSecond).ok());
  EXPECT_TRUE(IsKnown("a"));
  journal_.told.clear();
  ASSERT_TRUE(engine_.Advance(kNoon + 60 * kSecond).ok());
  EXPECT_FALSE(IsKnown("a"));
  EXPECT_EQ(journal_.told,
            std::vector<std::string>{R"(Forgotten default/a{"reason":"AfterFinished"})"});
  EXPECT_EQ(*engine_.NextDeadline(), kNoTime);
  EXPECT_TRUE(engine_.CheckInvariants().ok());
}

TEST_F(ForgettingTest, AConfigurationThatComesLaterCoversThePast) {
  Build({});
  Finish("a", kNoon);
  ASSERT_TRUE(engine_.Apply(std::vector<Object>{KeptFor(0)}, kNoon).ok());
  ASSERT_TRUE(engine_.RunCycle(kNoon).ok());
  EXPECT_FALSE(IsKnown("a"));
}

TEST_F(ForgettingTest, OfThoseThatEndedTheNewestAreKept) {
  Build({Keep(1)});
  Finish("b", kNoon);
  EXPECT_TRUE(IsKnown("b"));
  Finish("a", kNoon + kSecond);
  EXPECT_FALSE(IsKnown("b"));
  EXPECT_TRUE(IsKnown("a"));
  ASSERT_TRUE(engine_.Apply(std::vector<Object>{Keep(0)}, kNoon + kSecond).ok());
  EXPECT_FALSE(IsKnown("a"));
  EXPECT_TRUE(IsKnown("c"));
  EXPECT_TRUE(engine_.CheckInvariants().ok());
}

TEST_F(ForgettingTest, AtOneTimeTheFirstThatCameGoesFirst) {
  Build({Keep(1)});
  const std::vector<Key> both = {DefaultKey("c"), DefaultKey("a")};
  ASSERT_TRUE(engine_.Finish(both, false, kNoon).ok());
  EXPECT_FALSE(IsKnown("a"));
  EXPECT_TRUE(IsKnown("c"));
}

TEST(Forgetting, GoesOnAfterReopening) {
  testing::MemoryJournal journal;
  Engine engine(&journal);
  EngineConfiguration keep;
  keep.keep_finished = 1;
  std::vector<Object> objects = {keep,
                                 testing::MakeNamespace(),
                                 testing::MakeFlavor("default"),
                                 testing::MakeQueue("q", "", {{.nominal = 2}}),
                                 testing::MakeLocalQueue("q"),
                                 MakeWorkload("a", "q", Cpu(1)),
                                 MakeWorkload("b", "q", Cpu(1))};
  ASSERT_TRUE(engine.Apply(objects, kNoon).ok());
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(engine.RunCycle(kNoon).ok());
  const Key a = DefaultKey("a");
  const Key b = DefaultKey("b");
  ASSERT_TRUE(engine.Finish({&a, 1}, false, kNoon).ok());
  ASSERT_TRUE(journal.Reopen(engine).ok());
  ASSERT_TRUE(engine.Finish({&b, 1}, false, kNoon + kSecond).ok());
  EXPECT_FALSE(engine.GetWorkload(a).ok());
  EXPECT_TRUE(engine.GetWorkload(b).ok());
}

}  // namespace
}  // namespace muster
