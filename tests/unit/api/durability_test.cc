// The engine and its journal: nothing is visible that was not stored, and what is stored is all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"

namespace muster {
namespace {

using testing::Cpu;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kNoon;
using testing::MakeWorkload;

std::vector<Object> SmallCluster() {
  return {testing::MakeNamespace(), testing::MakeFlavor("default"),
          testing::MakeQueue("q", "", {{.nominal = 2}}), testing::MakeLocalQueue("q"),
          MakeWorkload("w", "q", Cpu(1))};
}

std::vector<EventKind> KindsOf(const Commit& commit) {
  std::vector<EventKind> kinds;
  for (const Event& event : commit.events) kinds.push_back(event.kind);
  return kinds;
}

TEST(Durability, EachCallIsOneCommitThatSaysWhatHappened) {
  testing::MemoryJournal journal;
  Engine engine(&journal);
  ASSERT_TRUE(engine.Apply(SmallCluster(), kNoon).ok());
  ASSERT_TRUE(engine.RunCycle(kNoon + kSecond).ok());
  ASSERT_EQ(journal.commits().size(), 2u);
  EXPECT_EQ(journal.commits()[0].command, CommandKind::kApply);
  EXPECT_EQ(journal.commits()[1].command, CommandKind::kCycle);
  EXPECT_EQ(journal.commits()[1].cycle, 1);
  EXPECT_EQ(journal.commits()[1].at, kNoon + kSecond);
  EXPECT_THAT(KindsOf(journal.commits()[1]),
              ::testing::IsSupersetOf({EventKind::kQuotaReserved, EventKind::kAdmitted}));
}

TEST(Durability, ACallThatChangesNothingIsNoCommit) {
  testing::MemoryJournal journal;
  Engine engine(&journal);
  ASSERT_TRUE(engine.Apply(SmallCluster(), kNoon).ok());
  ASSERT_TRUE(engine.RunCycle(kNoon).ok());
  const std::size_t before = journal.commits().size();
  ASSERT_TRUE(engine.RunCycle(kNoon).ok());
  ASSERT_TRUE(engine.Apply(SmallCluster(), kNoon).ok());
  EXPECT_EQ(journal.commits().size(), before);
}

/// Counts rows on their way.
class CountingJournal : public testing::MemoryJournal {
 public:
  Result<Ticket> Append(Commit commit) override {
    rows += commit.rows.size();
    return MemoryJournal::Append(std::move(commit));
  }
  std::size_t rows = 0;
};

/// A queue with room for two of `waiting` equal workloads; then one ends and the next starts.
std::size_t RowsOfOneAfterTheOther(int waiting) {
  CountingJournal journal;
  Engine engine(&journal);
  EXPECT_TRUE(engine.Apply(SmallCluster(), kNoon).ok());
  std::vector<Workload> workloads;
  for (int i = 0; i < waiting; ++i) {
    workloads.push_back(MakeWorkload("w" + std::to_string(i), "q", Cpu(1)));
    workloads.back().created = kNoon + i * kSecond;
  }
  EXPECT_TRUE(engine.Submit(workloads, kNoon).ok());
  const auto decide = [&] {
    std::vector<std::string> admitted;
    for (int cycle = 0; cycle < 3; ++cycle) {
      const Result<CycleResult> result = engine.RunCycle(kNoon);
      for (const std::string& name : testing::AdmittedNames(*result)) admitted.push_back(name);
    }
    return admitted;
  };
  EXPECT_EQ(decide().size(), 2u);
  journal.rows = 0;
  const Key running = testing::DefaultKey("w0");
  EXPECT_TRUE(engine.Finish(std::span(&running, 1), false, kNoon).ok());
  EXPECT_EQ(decide(), std::vector<std::string>{"w1"});
  const std::size_t rows = journal.rows;
  const std::string state = *engine.StateHash();
  EXPECT_TRUE(journal.Reopen(engine).ok());
  EXPECT_EQ(*engine.StateHash(), state) << "what turned over without a row is known all the same";
  return rows;
}

TEST(Durability, WhatAnEventWritesDoesNotGrowWithTheEqualOnesThatWait) {
  EXPECT_EQ(RowsOfOneAfterTheOther(1000), RowsOfOneAfterTheOther(10));
}

class FailingJournal : public testing::MemoryJournal {
 public:
  Status Durable(Ticket ticket) override {
    if (fail) return Status(StatusCode::kUnavailable, "disk full");
    return MemoryJournal::Durable(ticket);
  }
  bool fail = false;
};

TEST(Durability, WhatCouldNotBeStoredIsNeverShown) {
  FailingJournal journal;
  Engine engine(&journal);
  ASSERT_TRUE(engine.Apply(SmallCluster(), kNoon).ok());
  journal.fail = true;
  const Result<CycleResult> result = engine.RunCycle(kNoon);
  EXPECT_EQ(result.status().code(), StatusCode::kUnavailable);
  EXPECT_THAT(result.status().message(), HasSubstr("disk full"));
  EXPECT_FALSE(engine.Workloads().ok());
  journal.fail = false;
  EXPECT_EQ(engine.RunCycle(kNoon).status().code(), StatusCode::kUnavailable) << "read-only now";
}

TEST(Durability, AStoredStateGoesIntoAnEngineThatHasDoneNothing) {
  const auto nothing = [](const Engine::RowSink&) { return Status::Ok(); };
  Engine engine;
  ASSERT_TRUE(engine.Apply(SmallCluster(), kNoon).ok());
  const std::string before = *engine.StateHash();
  const Status refused = engine.Restore(nothing);
  EXPECT_EQ(refused.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(refused.message(), HasSubstr("make another engine"));
  EXPECT_EQ(*engine.StateHash(), before) << "it is open, and as it was";
  Engine fresh;
  ASSERT_TRUE(fresh.Validate(SmallCluster()).ok());
  ASSERT_TRUE(fresh.Restore(nothing).ok()) << "a question is no use";
  EXPECT_EQ(fresh.Restore(nothing).code(), StatusCode::kFailedPrecondition) << "nor twice";
}

TEST(Durability, AnApplyOfOneQueueWritesOneRowForItsTree) {
  testing::MemoryJournal journal;
  Engine engine(&journal);
  std::vector<Object> objects{testing::MakeNamespace(), testing::MakeFlavor("default")};
  for (int i = 0; i < 50; ++i) {
    objects.push_back(testing::MakeQueue("q" + std::to_string(i), "cohort", {{.nominal = 1}}));
  }
  ASSERT_TRUE(engine.Apply(objects, kNoon).ok());
  const auto rows = [&](const std::vector<Object>& changed) {
    EXPECT_TRUE(engine.Apply(changed, kNoon).ok());
    return journal.last_rows();
  };
  constexpr std::size_t kTheEngines = 1;
  EXPECT_LE(rows({testing::MakeQueue("q7", "cohort", {{.nominal = 2}})}), 2 + kTheEngines);
  EXPECT_LE(rows({testing::MakeQueue("new", "cohort", {{.nominal = 2}})}), 2 + kTheEngines);
  EXPECT_LE(rows({testing::MakeCohort("cohort", "", {{.nominal = 2}})}), 2 + kTheEngines);
  EXPECT_LE(rows({testing::MakeCohort("cohort", "above", {{.nominal = 2}})}), 2 + kTheEngines);
}

TEST(Durability, DamagedRowsAreRefused) {
  Engine engine;
  const Status status = engine.Restore([](const Engine::RowSink& sink) {
    return sink(StateRow::Table::kWorkload, "default/w", "no such encoding");
  });
  EXPECT_EQ(status.code(), StatusCode::kDataLoss);
  EXPECT_THAT(status.message(), HasSubstr("default/w"));
}

TEST(Durability, AQueueThatIsGoneIsGoneAfterReopening) {
  testing::MemoryJournal journal;
  Engine engine(&journal);
  ASSERT_TRUE(engine.Apply(SmallCluster(), kNoon).ok());
  ASSERT_TRUE(engine.RunCycle(kNoon).ok());
  ASSERT_TRUE(engine.Delete(ObjectKind::kClusterQueue, {"", "q"}, kNoon, true).ok());
  const std::string before = *engine.StateHash();
  ASSERT_TRUE(journal.Reopen(engine).ok());
  EXPECT_EQ(*engine.StateHash(), before);
  EXPECT_THAT(*engine.ClusterQueues(), IsEmpty());
}

TEST(Durability, ACancelledWorkloadStaysForgottenAfterReopening) {
  testing::MemoryJournal journal;
  Engine engine(&journal);
  ASSERT_TRUE(engine.Apply(SmallCluster(), kNoon).ok());
  const Key key = testing::DefaultKey("w");
  ASSERT_TRUE(engine.Cancel(std::span(&key, 1), kNoon).ok());
  ASSERT_TRUE(journal.Reopen(engine).ok());
  EXPECT_THAT(*engine.Workloads(), IsEmpty());
}

/// Two queues in which jobs of two templates run, wait, are told to leave and gave up pods; the
/// order of their names is not that of their arrival.
void FillTwoQueues(Engine& engine) {
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default"),
                                 testing::MakeFlavor("other")};
  for (const char* queue : {"a", "b"}) {
    objects.push_back(testing::MakeQueue(queue, "cohort", {{.nominal = 20}}));
    objects.push_back(testing::MakeLocalQueue(queue));
  }
  ASSERT_TRUE(engine.Apply(objects, kNoon).ok());
  for (int i = 30; i > 0; --i) {
    Workload workload = MakeWorkload("w" + std::to_string(i), i % 2 == 0 ? "a" : "b",
                                     Cpu(1 + i % 3), i % 4, /*count=*/1 + i % 2);
    if (i % 3 != 0) {
      workload = testing::Holding(workload, i % 5 == 0 ? "a" : "b",
                                  i % 7 == 0 ? "other" : "default", kNoon + i % 4 * kSecond);
    }
    if (i % 6 == 1) workload.status.reclaimable_pods = {{"main", 1}};
    ASSERT_TRUE(engine.Submit(std::span(&workload, 1), kNoon + kSecond).ok());
  }
  ASSERT_TRUE(engine.RunCycle(kNoon + kSecond).ok());
}

TEST(Durability, RowsMayComeInAnyOrder) {
  for (const bool backwards : {false, true}) {
    testing::MemoryJournal journal;
    Engine engine(&journal);
    FillTwoQueues(engine);
    const std::string before = *engine.StateHash();
    const Status status = journal.Reopen(engine, backwards);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(*engine.StateHash(), before) << "a pair that no quota names is charged too";
    EXPECT_TRUE(engine.CheckInvariants().ok());
  }
}

TEST(Durability, TheFewWhoAreLeftOfManyComeBackAsTheyWere) {
  testing::MemoryJournal journal;
  Engine engine(&journal);
  FillTwoQueues(engine);
  for (int i = 30; i > 0; --i) {
    if (i == 29 || i == 3) continue;
    const Key gone = testing::DefaultKey("w" + std::to_string(i));
    ASSERT_TRUE(engine.Cancel(std::span(&gone, 1), kNoon + kSecond).ok());
  }
  const std::string before = *engine.StateHash();
  ASSERT_TRUE(journal.Reopen(engine).ok());
  EXPECT_EQ(*engine.StateHash(), before);
  EXPECT_TRUE(engine.CheckInvariants().ok());
}

TEST(Durability, AReopenedEngineDecidesAsTheOneThatWasNot) {
  testing::MemoryJournal journals[2];
  std::vector<std::string> after;
  for (const bool reopened : {false, true}) {
    Engine engine(&journals[reopened]);
    FillTwoQueues(engine);
    if (reopened) {
      ASSERT_TRUE(journals[1].Reopen(engine).ok());
    }
    const Key gone = testing::DefaultKey("w10");
    ASSERT_TRUE(engine.Finish(std::span(&gone, 1), false, kNoon + 2 * kSecond).ok());
    for (int cycle = 0; cycle < 5; ++cycle) {
      ASSERT_TRUE(engine.RunCycle(kNoon + (3 + cycle) * kSecond).ok());
    }
    after.push_back(*engine.StateHash());
  }
  EXPECT_EQ(after[0], after[1]);
}

TEST(Durability, TwoRowsOfOneWorkloadAreDamage) {
  testing::MemoryJournal journal;
  Engine engine(&journal);
  ASSERT_TRUE(engine.Apply(SmallCluster(), kNoon).ok());
  journal.CopyRow(StateRow::Table::kWorkload, "default/w", "default/x");
  const Status status = journal.Reopen(engine);
  EXPECT_EQ(status.code(), StatusCode::kDataLoss);
  EXPECT_THAT(status.message(), HasSubstr("I3 one place"));
}

}  // namespace
}  // namespace muster
