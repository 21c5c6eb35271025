// Every recorded case against a floor per family that only rises. floors.txt holds a line
// `family decisions reasons`: how many cases must agree in what was decided, and how many also in
// every pending reason.
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/conformance/case.h"
#include "tests/testing/paths.h"

namespace muster::conformance {
namespace {

constexpr std::size_t kDifferencesShown = 5;

struct Floor {
  std::string family;
  std::size_t decisions = 0;
  std::size_t reasons = 0;
};

std::vector<Floor> ReadFloors() {
  std::istringstream lines(
      testing::ReadFile(testing::SourceDir() / "tests/conformance/floors.txt"));
  std::vector<Floor> floors;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    Floor floor;
    std::istringstream(line) >> floor.family >> floor.decisions >> floor.reasons;
    floors.push_back(floor);
  }
  return floors;
}

std::string NameOf(const ::testing::TestParamInfo<Floor>& info) { return info.param.family; }

class Family : public ::testing::TestWithParam<Floor> {
 protected:
  void SetUp() override {
    const auto shared = testing::SharedDir();
    if (!shared) GTEST_SKIP() << testing::kSharedIsAbsent;
    cases_ = FindCases(*shared)[GetParam().family];
  }

  std::vector<std::filesystem::path> cases_;
};

TEST_P(Family, DecidesAsTheReferenceDid) {
  const Floor& floor = GetParam();
  std::size_t decisions = 0;
  std::size_t reasons = 0;
  std::ostringstream differences;
  std::size_t shown = 0;
  for (const std::filesystem::path& input : cases_) {
    const CaseResult result = RunCase(input);
    decisions += result.decisions ? 1 : 0;
    reasons += result.reasons ? 1 : 0;
    if (!result.difference.empty() && shown++ < kDifferencesShown) {
      differences << "  " << input.filename().string() << ": " << result.difference << '\n';
    }
  }
  std::cout << floor.family << ": " << decisions << " of " << cases_.size() << " decided alike, "
            << reasons << " with every reason\n"
            << differences.str();
  EXPECT_GE(decisions, floor.decisions) << differences.str();
  EXPECT_GE(reasons, floor.reasons) << differences.str();
  if (decisions > floor.decisions || reasons > floor.reasons) {
    std::cout << "raise the floor: " << floor.family << ' ' << decisions << ' ' << reasons << '\n';
  }
}

INSTANTIATE_TEST_SUITE_P(Conformance, Family, ::testing::ValuesIn(ReadFloors()), NameOf);

TEST(Conformance, EveryFamilyHasAFloor) {
  const auto shared = testing::SharedDir();
  if (!shared) GTEST_SKIP() << testing::kSharedIsAbsent;
  std::map<std::string, Floor> floors;
  for (const Floor& floor : ReadFloors()) floors[floor.family] = floor;
  const auto families = FindCases(*shared);
  EXPECT_FALSE(families.empty());
  for (const auto& [family, cases] : families) {
    EXPECT_TRUE(floors.contains(family)) << "add a line for " << family << " to floors.txt";
    EXPECT_LE(floors[family].decisions, cases.size()) << family;
  }
}

}  // namespace
}  // namespace muster::conformance
