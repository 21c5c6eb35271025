// Recorded outcomes of job kinds: those in the tree, and all of them where they are at hand.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/conformance/kinds/kind_case.h"
#include "tests/testing/paths.h"

namespace muster::conformance {
namespace {

constexpr std::size_t kSample = 123;
constexpr std::size_t kAll = 633;
constexpr std::size_t kFamilies = 21;

/// Plays a folder and answers how many cases it holds.
std::size_t PlayAll(const std::filesystem::path& folder) {
  const auto families = FindKindCases(folder);
  EXPECT_EQ(families.size(), kFamilies);
  std::size_t cases = 0;
  for (const auto& [family, inputs] : families) {
    for (const std::filesystem::path& input : inputs) {
      for (const std::string& line : RunKindCase(input)) {
        ADD_FAILURE() << input.stem().string() << ": " << line;
      }
      ++cases;
    }
  }
  return cases;
}

TEST(KindSample, EveryObjectBecomesWhatTheReferenceMadeOfIt) {
  EXPECT_EQ(PlayAll(testing::SourceDir() / "tests/conformance/kinds/sample"), kSample);
}

TEST(Kinds, EveryRecordedObjectBecomesWhatTheReferenceMadeOfIt) {
  const auto shared = testing::SharedDir();
  if (!shared) GTEST_SKIP() << testing::kSharedIsAbsent;
  EXPECT_EQ(PlayAll(*shared / "conformance/kinds"), kAll);
}

TEST(KindCases, ADifferenceIsTold) {
  const testing::TemporaryDirectory folder;
  const auto sample = testing::SourceDir() / "tests/conformance/kinds/sample";
  const auto families = FindKindCases(sample);
  const std::filesystem::path input = families.at("cronjob").front();
  folder.Write("cronjob-001.yaml", testing::ReadFile(input));
  folder.Write("cronjob-001.json", R"({"action": "create", "workloads": []})");
  EXPECT_FALSE(RunKindCase(folder.path() / "cronjob-001.yaml").empty());
  folder.Write("cronjob-001.json", "no JSON");
  EXPECT_EQ(RunKindCase(folder.path() / "cronjob-001.yaml").size(), 1U);
}

}  // namespace
}  // namespace muster::conformance
