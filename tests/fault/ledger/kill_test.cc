// A process that commits at full speed is killed again and again; whatever it had acknowledged is
// there when the ledger is opened next, and nothing is there by half.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <random>
#include <thread>

#include "db/sqlite/ledger.h"
#include "db/sqlite/read_only_ledger.h"
#include "tests/fault/ledger/kill_history.h"
#include "tests/fault/ledger/ledger_check.h"
#include "tests/testing/doomed_process.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

constexpr std::chrono::milliseconds kPatience{20'000};

/// Highest N of the lines "ack N".
std::int64_t Acknowledged(const std::vector<std::string>& lines) {
  std::int64_t highest = 0;
  for (const std::string& line : lines) {
    if (line.starts_with("ack "))
      highest = std::max(highest, std::int64_t{std::stoll(line.substr(4))});
  }
  return highest;
}

/// One ledger, killed many times.
class Victim {
 public:
  std::int64_t lost = 0;  ///< acknowledged commits that were gone
  std::int64_t acknowledged = 0;
  int killed_between = 0;  ///< kills between BEGIN and the acknowledgement

  /// Lets it run for `milliseconds`, or until it stops at a point that `arguments` name.
  void Kill(std::vector<std::string> arguments, int milliseconds, bool stops) {
    std::vector<std::string> command = {LEDGER_KILL_CHILD, path_.string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    DoomedProcess process(command);
    ASSERT_TRUE(process.WaitFor("open", kPatience));
    if (stops) {
      ASSERT_TRUE(process.WaitFor("stopped", kPatience));
      ++killed_between;
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    }
    bool by_us = false;
    acknowledged = std::max(acknowledged, Acknowledged(process.Kill(&by_us)));
    ASSERT_TRUE(by_us) << "it ended by itself";
    Look();
  }

 private:
  void Look() {
    // It is not recovered yet: a reader must see all the same.
    const Result<std::unique_ptr<ReadOnlyLedger>> reader = ReadOnlyLedger::Open(path_);
    ASSERT_TRUE(reader.ok()) << reader.status().message();
    const Result<LastCommit> last = (*reader)->last();
    const Result<std::unique_ptr<Ledger>> ledger = Ledger::Open(path_, OpenMode::kExisting);
    ASSERT_TRUE(ledger.ok()) << ledger.status().message();
    const std::int64_t there = (*ledger)->last()->seq;
    ASSERT_TRUE(last.ok()) << last.status().message();
    ASSERT_EQ(last->seq, there);
    while (static_cast<std::int64_t>(history_.size()) < there) {
      history_.push_back(
          NextOfKillHistory(&world_, static_cast<std::int64_t>(history_.size()) + 1));
    }
    std::int64_t commits = 0;
    ASSERT_EQ(CompareWithHistory(**ledger, history_, &commits), "");
    if (commits < acknowledged) lost += acknowledged - commits;
    acknowledged = std::min(acknowledged, commits);
  }

  TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "ledger";
  LedgerWorld world_;
  std::vector<Commit> history_;
};

/// A new ledger every 20 kills; a fifth of them at named points.
void KillAgainAndAgain(int kills) {
  constexpr int kKillsOfOneLedger = 20;
  const char* const points[] = {"begun", "written", "committed"};
  std::mt19937 random(20260101);
  std::int64_t acknowledged = 0;
  int between = 0;
  for (int first = 0; first < kills; first += kKillsOfOneLedger) {
    Victim victim;
    for (int i = 0; i < kKillsOfOneLedger; ++i) {
      const bool stops = i % 5 == 4;
      std::vector<std::string> arguments;
      if (stops) {
        arguments = {"--stop-at", points[(first + i) % 3], "--after",
                     std::to_string(random() % 30)};
      }
      ASSERT_NO_FATAL_FAILURE(victim.Kill(arguments, static_cast<int>(random() % 60), stops));
      ASSERT_EQ(victim.lost, 0) << "kill " << first + i;
    }
    acknowledged += victim.acknowledged;
    between += victim.killed_between;
  }
  std::cout << kills << " kills, " << between << " of them between BEGIN and acknowledgement, "
            << acknowledged << " commits acknowledged, 0 lost\n";
  EXPECT_GE(between, kills / 6);
  EXPECT_GE(acknowledged, kills);
}

TEST(KilledProcess, LosesNothingThatItAcknowledged) { KillAgainAndAgain(40); }
TEST(LongKilledProcess, LosesNothingThatItAcknowledged) { KillAgainAndAgain(200); }

TEST(KilledProcessTestItself, NoticesAnAcknowledgementBeforeTheCommit) {
  Victim victim;
  for (int i = 0; i < 3; ++i) {
    ASSERT_NO_FATAL_FAILURE(
        victim.Kill({"--stop-at", "written", "--after", "5", "--ack-early"}, 0, true));
  }
  EXPECT_EQ(victim.lost, 3);
}

}  // namespace
}  // namespace muster::testing
