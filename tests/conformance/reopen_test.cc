// Every recorded case once more, with the engine closed and opened again after each step: what the
// journal keeps is all there is to remember.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <iostream>
#include <set>
#include <string>

#include "tests/conformance/case.h"
#include "tests/testing/memory_journal.h"
#include "tests/testing/paths.h"

namespace muster::conformance {
namespace {

/// A part of the families of many cycles comes with every run, everything with the long one.
constexpr std::size_t kPart = 4;
const std::set<std::string> kSequences = {"afs",   "churn",  "fairchurn", "fairqueue",
                                          "queue", "slices", "variants"};
/// They need what is not there yet; floors.txt says how much of it.
const std::set<std::string> kNotAsked = {"schedule"};

/// Plays every `part`-th case of the families that `asked` names, reopening after each step.
void ReopenAfterEveryStep(std::size_t part,
                          const std::function<bool(const std::string& family)>& asked) {
  const auto shared = testing::SharedDir();
  if (!shared) GTEST_SKIP() << testing::kSharedIsAbsent;
  std::size_t reopened = 0;
  for (const auto& [family, cases] : FindCases(*shared)) {
    if (!asked(family)) continue;
    for (std::size_t i = 0; i < cases.size(); i += part) {
      const std::filesystem::path& input = cases[i];
      testing::MemoryJournal journal;
      const CaseResult result = RunCase(
          input,
          [&](Engine& engine) {
            const std::string before = *engine.StateHash();
            const Status status = journal.Reopen(engine);
            EXPECT_TRUE(status.ok()) << input.filename() << ": " << status.message();
            EXPECT_EQ(*engine.StateHash(), before) << input.filename();
            ++reopened;
            return status;
          },
          &journal);
      EXPECT_TRUE(result.reasons) << input.filename() << ": " << result.difference;
      if (::testing::Test::HasFailure()) return;  // one broken case tells enough
    }
  }
  EXPECT_GT(reopened, 0u);
  std::cout << reopened << " times reopened\n";
}

TEST(Reopening, AfterEveryStepChangesNothing) {
  ReopenAfterEveryStep(kPart,
                       [](const std::string& family) { return kSequences.contains(family); });
}

TEST(LongReopening, AfterEveryStepChangesNothing) {
  ReopenAfterEveryStep(4, [](const std::string& family) { return !kNotAsked.contains(family); });
}
TEST(NightReopening, AfterEveryStepChangesNothing) {
  ReopenAfterEveryStep(1, [](const std::string& family) { return !kNotAsked.contains(family); });
}

}  // namespace
}  // namespace muster::conformance
