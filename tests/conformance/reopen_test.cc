// Every recorded case once more, with the engine closed and opened again after each step: what the
// journal keeps is all there is to remember.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/conformance/case.h"
#include "tests/testing/memory_journal.h"
#include "tests/testing/paths.h"

namespace muster::conformance {
namespace {

TEST(Reopening, AfterEveryStepChangesNothing) {
  const auto shared = testing::SharedDir();
  if (!shared) GTEST_SKIP() << testing::kSharedIsAbsent;
  std::size_t reopened = 0;
  for (const auto& [family, cases] : FindCases(*shared / "conformance" / "cases")) {
    if (family == "topology" || family == "schedule") continue;
    for (const std::filesystem::path& input : cases) {
      testing::MemoryJournal journal;
      const CaseResult result = RunCase(
          input,
          [&](Engine& engine) {
            const std::string before = engine.StateHash();
            const Status status = journal.Reopen(engine);
            EXPECT_TRUE(status.ok()) << input.filename() << ": " << status.message();
            EXPECT_EQ(engine.StateHash(), before) << input.filename();
            ++reopened;
            return status;
          },
          &journal);
      EXPECT_TRUE(result.reasons) << input.filename() << ": " << result.difference;
      if (HasFailure()) return;  // one broken case tells enough
    }
  }
  std::cout << reopened << " times reopened\n";
}

}  // namespace
}  // namespace muster::conformance
