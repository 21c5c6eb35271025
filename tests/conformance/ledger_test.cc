// Recorded cases on a real ledger: closed and opened again after each step, nothing changes; and
// what was recorded can be done again, event by event, to the same state.
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <vector>

#include "bindings/cpp/replay.h"
#include "db/store.h"
#include "muster/durable_engine.h"
#include "tests/conformance/case.h"
#include "tests/testing/memory_journal.h"
#include "tests/testing/paths.h"

namespace muster::conformance {
namespace {

/// A ledger that is closed and opened; the engine over it is handed out each time.
class Reopened {
 public:
  Status Open() {
    ledger_.reset();
    Result<std::unique_ptr<DurableEngine>> opened =
        DurableEngine::Open(path_.string(), {.relaxed = true});
    if (!opened.ok()) return opened.status();
    ledger_ = std::move(*opened);
    return Status::Ok();
  }
  Store& ledger() { return ledger_->ledger(); }
  Engine& engine() { return ledger_->engine(); }

 private:
  testing::TemporaryDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "ledger";
  std::unique_ptr<DurableEngine> ledger_;
};

/// Plays the case on a ledger that is closed and opened after each step; how often that was.
std::size_t PlayReopened(const std::filesystem::path& input) {
  std::size_t reopened = 0;
  Reopened ledger;
  EXPECT_TRUE(ledger.Open().ok());
  const CaseResult result = RunCase(
      input,
      [&](Engine& engine) {
        const std::string before = *engine.StateHash();
        engine = Engine();  // lets go of the ledger that is about to close
        const Status status = ledger.Open();
        if (!status.ok()) return status;
        EXPECT_EQ(*ledger.engine().StateHash(), before) << input.filename();
        engine = std::move(ledger.engine());
        ++reopened;
        return status;
      },
      &ledger.ledger());
  EXPECT_TRUE(result.reasons) << input.filename() << ": " << result.difference;
  return reopened;
}

/// Every `stride`-th case of the families in which time passes.
void PlayFamilies(std::size_t stride, std::size_t at_least) {
  const auto shared = testing::SharedDir();
  if (!shared) GTEST_SKIP() << testing::kSharedIsAbsent;
  std::size_t reopened = 0;
  auto families = FindCases(*shared);
  for (const char* family : {"queue", "fairqueue", "churn", "fairchurn", "afs", "largequeue",
                             "largefairqueue", "slices", "variants"}) {
    const std::vector<std::filesystem::path>& cases = families[family];
    ASSERT_FALSE(cases.empty()) << family;
    for (std::size_t i = 0; i < cases.size(); i += stride) {
      reopened += PlayReopened(cases[i]);
      if (::testing::Test::HasFailure()) return;  // one broken case tells enough
    }
  }
  std::cout << reopened << " times closed and opened\n";
  EXPECT_GT(reopened, at_least);
}

TEST(Ledger, ClosedAndOpenedAfterEveryStepDecidesTheSame) { PlayFamilies(200, 25); }
TEST(LongLedger, ClosedAndOpenedAfterEveryStepDecidesTheSame) { PlayFamilies(25, 300); }
TEST(NightLedger, ClosedAndOpenedAfterEveryStepDecidesTheSame) { PlayFamilies(1, 1000); }

TEST(LongReplay, OfEveryCaseComesToTheSameState) {
  const auto shared = testing::SharedDir();
  if (!shared) GTEST_SKIP() << testing::kSharedIsAbsent;
  std::size_t commits = 0;
  for (const auto& [family, cases] : FindCases(*shared)) {
    if (family == "topology" || family == "schedule") continue;
    for (const std::filesystem::path& input : cases) {
      testing::MemoryJournal journal;
      std::string state;
      RunCase(
          input,
          [&state](Engine& engine) {
            state = *engine.StateHash();
            return Status::Ok();
          },
          &journal);
      if (state.empty()) continue;  // a single cycle without steps
      Replayer replayer([](std::string_view) {
        return Status(StatusCode::kNotFound, "these cases have no policies");
      });
      for (const Commit& commit : journal.commits()) {
        const Status status = replayer.Redo(commit);
        ASSERT_TRUE(status.ok()) << input.filename() << ": commit " << commits << ", "
                                 << CommandName(commit.command) << ": " << status.message();
        ++commits;
      }
      ASSERT_EQ(*replayer.engine().StateHash(), state) << input.filename();
    }
  }
  std::cout << commits << " commits repeated\n";
  EXPECT_GT(commits, 1000u);
}

}  // namespace
}  // namespace muster::conformance
