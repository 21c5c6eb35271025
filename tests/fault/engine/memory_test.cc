// Every allocation in the life of an engine fails, once and from then on. The call that meets it
// has changed nothing, and the engine goes on as if it had not been made; or the engine is closed
// and says so whatever it is asked. Nothing is lost but what was not stored, and no memory.
#include <gtest/gtest.h>

#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "db/sqlite/ledger.h"
#include "db/sqlite/testing.h"
#include "muster/muster.h"
#include "muster/pipeline.h"
#include "tests/fault/engine/memory_story.h"
#include "tests/testing/builders.h"
#include "tests/testing/engine_calls.h"
#include "tests/testing/failing_memory.h"
#include "tests/testing/memory_journal.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

using Lasting = FailingMemory::Lasting;

/// With a hook in Lua: it has been asked before, so that it is the same in every life.
std::shared_ptr<Policy> LuaPolicy() {
  static const Result<std::shared_ptr<Policy>> policy =
      LoadPolicy((SourceDir() / "tests/fault/engine/labelling").string());
  EXPECT_TRUE(policy.ok()) << policy.status().message();
  return *policy;
}

const std::vector<MemoryStep>& Story() {
  static const std::vector<MemoryStep> story = MemoryStory(LuaPolicy());
  return story;
}

/// The state before each step, and at the end, of an engine that lacks nothing.
const std::vector<std::string>& States() {
  static const std::vector<std::string> told = [] {
    MemoryJournal journal;
    Engine engine(&journal);
    std::vector<std::string> states = {*engine.StateHash()};
    for (const MemoryStep& step : Story()) {
      const Status status = step.call(engine);
      EXPECT_TRUE(status.ok()) << step.name << ": " << status.message();
      states.push_back(*engine.StateHash());
    }
    return states;
  }();
  return told;
}

/// What became of one life.
struct Life {
  bool failed = false;  ///< an allocation was refused
  bool closed = false;
  std::size_t steps = 0;  ///< that were done
  std::string wrong = {};
};

/// Whether every call says that the engine is closed, also while there is no memory to say it with.
std::string SaysWhy(Engine& engine) {
  const Status closed = engine.Closed();
  if (closed.ok()) return "it is open";
  if (closed.message().find("out of memory") == std::string::npos) return closed.message();
  for (const auto& [name, call] : AllEngineCalls()) {
    Status said;
    {
      const FailingMemory::While running;
      said = call(engine);
    }
    if (said.code() != closed.code() || said.message() != closed.message()) {
      return name + " says: " + said.message();
    }
  }
  return "";
}

Status Call(const MemoryStep& step, Engine& engine) {
  const FailingMemory::While running;
  return step.call(engine);
}

/// The story until an allocation is refused that closes the engine, or to its end.
Life Live(Engine& engine) {
  Life life;
  for (; life.steps < Story().size(); ++life.steps) {
    const MemoryStep& step = Story()[life.steps];
    Status status = Call(step, engine);
    if (!life.failed && FailingMemory::refused()) {
      life.failed = true;
      if (!engine.Closed().ok()) {
        life.closed = true;
        life.wrong = status.ok() ? "a call that closed the engine succeeded" : SaysWhy(engine);
        return life;
      }
      const std::string before = States()[life.steps];
      FailingMemory::Arm(0, Lasting::kOnce);
      if (!status.ok() && *engine.StateHash() != before) life.wrong = step.name + " left a half";
      if (!status.ok()) status = Call(step, engine);
    }
    if (status.ok() && *engine.StateHash() != States()[life.steps + 1]) {
      life.wrong = step.name + " came to something else";
    }
    if (!status.ok()) life.wrong = step.name + ": " + status.message();
    if (!life.wrong.empty()) return life;
  }
  return life;
}

struct Sum {
  std::int64_t lives = 0;
  std::int64_t closed = 0;
};

/// Every `every`-th allocation of the story fails.
void FailEach(Lasting lasting, std::int64_t every) {
  (void)States();
  (void)AllEngineCalls();
  Sum sum;
  for (std::int64_t k = 1;; k += every) {
    Life life;
    const std::int64_t before = FailingMemory::blocks();
    {
      Engine engine;
      FailingMemory::Arm(k, lasting);
      life = Live(engine);
      FailingMemory::Arm(0, Lasting::kOnce);
    }
    ASSERT_EQ(life.wrong, "") << "allocation " << k << ", in step " << life.steps;
    ASSERT_EQ(FailingMemory::blocks(), before) << "allocation " << k << " leaks";
    ++sum.lives;
    sum.closed += life.closed ? 1 : 0;
    if (!life.failed) break;
  }
  std::cout << sum.lives << " engines, of which " << sum.closed << " closed\n";
  EXPECT_GT(sum.closed, 2000 / every);
}

TEST(EngineWithoutMemory, ChangesNothingOrClosesWhenOneAllocationFails) {
  FailEach(Lasting::kOnce, 5);
}
TEST(EngineWithoutMemory, ChangesNothingOrClosesWhenMemoryHasRunOut) {
  FailEach(Lasting::kFromThenOn, 7);
}
TEST(NightEngineWithoutMemory, ChangesNothingOrCloses) {
  for (const Lasting lasting : {Lasting::kOnce, Lasting::kFromThenOn}) FailEach(lasting, 1);
}

TEST(EngineWithoutMemory, IsNotRestoredByHalf) {
  MemoryJournal journal;
  Engine told(&journal);
  for (const MemoryStep& step : Story()) {
    if (step.name != "roll back") {
      ASSERT_TRUE(step.call(told).ok()) << step.name;
    }
  }
  std::vector<std::tuple<StateRow::Table, std::string, std::string>> rows;
  for (const auto& [place, value] : journal.rows()) {
    rows.emplace_back(place.first, place.second, value);
  }
  const auto load = [&rows](const Engine::RowSink& sink) {
    for (const auto& [table, key, value] : rows) {
      if (Status status = sink(table, key, value); !status.ok()) return status;
    }
    return Status::Ok();
  };
  for (const Lasting lasting : {Lasting::kOnce, Lasting::kFromThenOn}) {
    for (std::int64_t k = 1;; k += 7) {
      std::optional<Engine> engine;
      FailingMemory::Arm(k, lasting);
      Status status;
      {
        const FailingMemory::While running;
        engine.emplace();
        status = engine->Restore(load);
      }
      const bool refused = FailingMemory::refused();
      if (status.ok()) {
        FailingMemory::Arm(0, Lasting::kOnce);
        ASSERT_TRUE(engine->CheckInvariants().ok());
      } else {
        ASSERT_FALSE(engine->Closed().ok()) << "allocation " << k;
        FailingMemory::Arm(0, Lasting::kOnce);
      }
      if (!refused) break;
    }
  }
}

/// Disks are not what fails here.
LedgerTesting Testing() {
  LedgerTesting testing;
  testing.synchronous = "OFF";
  testing.reserve_bytes = 4096;
  return testing;
}

std::string RowsOf(const StoredHistory& ledger) {
  std::string rows;
  const Status read =
      ledger.Load([&rows](StateRow::Table, std::string_view key, std::string_view value) {
        rows.append(key).append("=").append(value).append("\n");
        return Status::Ok();
      });
  return read.ok() ? rows : read.message();
}

/// What the ledger of an engine that lacks nothing holds before each step, and at the end.
std::vector<std::string> RowsOfTheStory() {
  TemporaryDirectory directory;
  directory.HoldsNoHistory("L");  // its policies in C++ are no packages that it could keep
  const LedgerTesting testing = Testing();
  auto opened = DurableEngine::Open(directory.path() / "L", {.testing = &testing});
  EXPECT_TRUE(opened.ok()) << opened.status().message();
  std::vector<std::string> told = {RowsOf((*opened)->ledger())};
  for (const MemoryStep& step : Story()) {
    EXPECT_TRUE(step.call((*opened)->engine()).ok()) << step.name;
    told.push_back(RowsOf((*opened)->ledger()));
  }
  return told;
}

/// Every `every`-th allocation of an engine with a ledger fails, each in a file of its own.
void FailEachWithALedger(Lasting lasting, std::int64_t every) {
  (void)States();
  (void)AllEngineCalls();
  const std::vector<std::string> told = RowsOfTheStory();
  const LedgerTesting testing = Testing();
  std::int64_t closed = 0;
  for (std::int64_t k = 1;; k += every) {
    TemporaryDirectory directory;
    directory.HoldsNoHistory("L");  // its policies in C++ are no packages that it could keep
    const std::string path = directory.path() / "L";
    Life life;
    {
      auto opened = DurableEngine::Open(path, {.testing = &testing});
      ASSERT_TRUE(opened.ok()) << opened.status().message();
      FailingMemory::Arm(k, lasting);
      life = Live((*opened)->engine());
      FailingMemory::Arm(0, Lasting::kOnce);
    }
    ASSERT_EQ(life.wrong, "") << "allocation " << k << ", in step " << life.steps;
    LedgerOptions options;
    options.testing = &testing;
    const auto ledger = Ledger::Open(path, OpenMode::kExisting, options);
    ASSERT_TRUE(ledger.ok()) << ledger.status().message();
    // Policies in C++ are in no ledger, so that no engine could open this one.
    const std::string rows = RowsOf(**ledger);
    const bool known = rows == told[life.steps] || (life.closed && rows == told[life.steps + 1]);
    ASSERT_TRUE(known) << "allocation " << k << ": a state that never was";
    closed += life.closed ? 1 : 0;
    if (!life.failed) break;
  }
  std::cout << closed << " engines closed\n";
  EXPECT_GT(closed, 2000 / every);
}

/// The story through a pipeline, whose thread lacks memory as well, up to the first failure.
Life LiveAhead(DurableEngine& engine) {
  Life life;
  const FailingMemory::While running;
  const auto pipeline = Pipeline::Start(engine);
  if (!pipeline.ok()) return life;
  for (const MemoryStep& step : Story()) {
    auto sealed = (*pipeline)->Call([&step](Engine& e) { return step.call(e); });
    if (!sealed.Wait().ok()) break;
    ++life.steps;
  }
  life.closed = !(*pipeline)->Settle().ok();
  return life;
}

void FailEachWithAPipeline(Lasting lasting, std::int64_t every) {
  (void)States();
  const std::vector<std::string> told = RowsOfTheStory();
  const LedgerTesting testing = Testing();
  bool refused = true;
  for (std::int64_t k = 1; refused; k += every) {
    TemporaryDirectory directory;
    directory.HoldsNoHistory("L");  // its policies in C++ are no packages that it could keep
    const std::string path = directory.path() / "L";
    Life life;
    {
      auto opened = DurableEngine::Open(path, {.testing = &testing});
      ASSERT_TRUE(opened.ok()) << opened.status().message();
      FailingMemory::Arm(k, lasting);
      life = LiveAhead(**opened);
      refused = FailingMemory::refused();
      FailingMemory::Arm(0, Lasting::kOnce);
      ASSERT_EQ((*opened)->engine().Closed().ok(), !life.closed);
    }
    LedgerOptions options;
    options.testing = &testing;
    const auto ledger = Ledger::Open(path, OpenMode::kExisting, options);
    ASSERT_TRUE(ledger.ok()) << ledger.status().message();
    const std::string rows = RowsOf(**ledger);
    const bool known =
        rows == told[life.steps] || (life.steps + 1 < told.size() && rows == told[life.steps + 1]);
    ASSERT_TRUE(known) << "allocation " << k << ": a state that never was";
  }
}

TEST(PipelineWithoutMemory, LeavesItsLedgerInAStateThatWas) {
  FailEachWithAPipeline(Lasting::kOnce, 401);
  FailEachWithAPipeline(Lasting::kFromThenOn, 409);
}
TEST(LongPipelineWithoutMemory, LeavesItsLedgerInAStateThatWas) {
  FailEachWithAPipeline(Lasting::kOnce, 17);
  FailEachWithAPipeline(Lasting::kFromThenOn, 19);
}
TEST(EngineWithoutMemory, LeavesItsLedgerInAStateThatWas) {
  FailEachWithALedger(Lasting::kOnce, 401);
  FailEachWithALedger(Lasting::kFromThenOn, 409);
}
TEST(LongEngineWithoutMemory, LeavesItsLedgerInAStateThatWas) {
  FailEachWithALedger(Lasting::kOnce, 17);
  FailEachWithALedger(Lasting::kFromThenOn, 19);
}

}  // namespace
}  // namespace muster::testing
