// A process with a whole engine is killed again and again while it works at full speed: whatever it
// acknowledged - a submit, a decision, an end - is there when its ledger is opened next, the state
// keeps every invariant, and doing everything again leads to the same state.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <map>
#include <random>
#include <thread>

#include "bindings/cpp/replay.h"
#include "db/sqlite/ledger.h"
#include "db/sqlite/read_only_ledger.h"
#include "muster/durable_engine.h"
#include "tests/testing/doomed_process.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

constexpr std::chrono::milliseconds kPatience{30'000};

/// How often each "EVENT NAMESPACE/NAME" happened.
using Tally = std::map<std::string, int>;

/// One ledger, killed many times.
class Victim {
 public:
  /// `program` says what it does as kill_engine_child.cc has it.
  explicit Victim(std::string program = ENGINE_KILL_CHILD) : program_(std::move(program)) {}

  int lost = 0;  ///< acknowledged events that were gone
  int acknowledged = 0;
  int killed_between = 0;  ///< kills between BEGIN and the acknowledgement

  /// Lets it run for `milliseconds`, or until it stops at a point that `arguments` name.
  void Kill(const std::vector<std::string>& arguments, int milliseconds) {
    std::vector<std::string> command = {program_, path_.string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    DoomedProcess process(command);
    ASSERT_TRUE(process.WaitFor("open", kPatience));
    if (arguments.empty()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    } else {
      ASSERT_TRUE(process.WaitFor("stopped", kPatience));
      ++killed_between;
    }
    bool by_us = false;
    const std::vector<std::string> said = process.Kill(&by_us);
    ASSERT_TRUE(by_us) << "it ended by itself: " << (said.empty() ? "" : said.back());
    for (const std::string& line : said) {
      if (!line.starts_with("ack ")) continue;
      ++promised_[line.substr(4)];
      ++acknowledged;
    }
    Look();
  }

 private:
  void Look() {
    const auto opened = DurableEngine::Open(path_.string(), {.create = false});
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    Engine& engine = (*opened)->engine();
    ASSERT_TRUE(engine.CheckInvariants().ok()) << engine.CheckInvariants().message();
    Tally found;
    const Status read = (*opened)->ledger().ReadCommits(1, [&found](const CommitRecord& commit) {
      for (const Event& event : commit.events) {
        ++found[std::string(EventName(event.kind)) + " " + event.subject];
      }
      return Status::Ok();
    });
    ASSERT_TRUE(read.ok()) << read.message();
    for (auto& [event, count] : promised_) {
      if (found[event] < count) lost += count - found[event];
      count = std::min(count, found[event]);
    }
    const auto ledger = ReadOnlyLedger::Open(path_.string());
    ASSERT_TRUE(ledger.ok()) << ledger.status().message();
    const Result<Replayed> replayed = ReplayLedger(**ledger);
    ASSERT_TRUE(replayed.ok()) << replayed.status().message();
    ASSERT_EQ(replayed->state_hash, *engine.StateHash());
  }

  std::string program_;
  TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "ledger";
  Tally promised_;
};

/// Kills `program` 200 times, a new ledger every 20; a quarter of the kills at named points.
void KillAgainAndAgain(const std::string& program) {
  constexpr int kKills = 200;
  constexpr int kKillsOfOneLedger = 20;
  const char* const points[] = {"begun", "written", "committed"};
  std::mt19937 random(20260102);
  int acknowledged = 0;
  int between = 0;
  for (int first = 0; first < kKills; first += kKillsOfOneLedger) {
    Victim victim(program);
    for (int i = 0; i < kKillsOfOneLedger; ++i) {
      std::vector<std::string> arguments;
      if (i % 4 == 3) {
        arguments = {"--stop-at", points[(first + i / 4) % 3], "--after",
                     std::to_string(random() % 30)};
      }
      ASSERT_NO_FATAL_FAILURE(victim.Kill(arguments, static_cast<int>(random() % 60)));
      ASSERT_EQ(victim.lost, 0) << "kill " << first + i;
    }
    acknowledged += victim.acknowledged;
    between += victim.killed_between;
  }
  std::cout << kKills << " kills, " << between << " of them between BEGIN and acknowledgement, "
            << acknowledged << " events acknowledged, 0 lost\n";
  EXPECT_GE(between, 30);
  EXPECT_GE(acknowledged, 1000);
}

TEST(LongKilledEngine, LosesNothingThatItAcknowledged) { KillAgainAndAgain(ENGINE_KILL_CHILD); }

TEST(LongKilledEngine, LosesNothingThatItAcknowledgedWhenItComputesAhead) {
  KillAgainAndAgain(PIPELINE_KILL_CHILD);
}

TEST(KilledEngineTestItself, NoticesAnAcknowledgementBeforeTheCommit) {
  Victim victim;
  for (int i = 0; i < 3; ++i) {
    ASSERT_NO_FATAL_FAILURE(
        victim.Kill({"--stop-at", "written", "--after", "2", "--ack-early"}, 0));
  }
  EXPECT_EQ(victim.lost, 9);
}

}  // namespace
}  // namespace muster::testing
