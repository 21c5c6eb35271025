// What is proposed for a misspelt name.
#include "bindings/manifest/closest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace muster::manifest {
namespace {

using ::testing::ElementsAre;

constexpr std::array<std::string_view, 4> kNames = {"cohortName", "stopPolicy", "preemption",
                                                    "resourceGroups"};

TEST(Closest, CountsEditsWithoutCase) {
  EXPECT_EQ(EditDistance("", "abc"), 3U);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3U);
  EXPECT_EQ(EditDistance("cpu", "CPU"), 0U);
  EXPECT_EQ(EditDistance("stopPloicy", "stopPolicy"), 1U) << "a swap of neighbours is one edit";
}

TEST(Closest, FindsNearNamesAndBeginnings) {
  EXPECT_EQ(Closest("stopPolcy", kNames), "stopPolicy");
  EXPECT_EQ(Closest("STOPPOLICY", kNames), "stopPolicy");
  EXPECT_EQ(Closest("cohort", kNames), "cohortName");
  EXPECT_EQ(Closest("weight", kNames), "");
  EXPECT_EQ(Closest("x", {}), "");
}

TEST(Closest, LongWordsAreNearNoName) {
  const std::string name(400, 'x');
  const std::vector<std::string_view> names = {name};
  EXPECT_EQ(Closest(name + "y", names), "");  // its distance to all names would take long
}

TEST(Closest, ProposesOneNearNameOrAllOfThem) {
  EXPECT_EQ(ProposeName("stopPolcy", kNames), "write \"stopPolicy\"");
  constexpr std::array<std::string_view, 2> kPair = {"full", "relaxed"};
  EXPECT_EQ(ProposeName("relaxt", kPair), "write \"relaxed\"");
  EXPECT_EQ(ProposeName("none", kPair), "write one of \"full\" or \"relaxed\"");
  EXPECT_EQ(ProposeName("none", {}), "remove it");
}

TEST(Closest, SortsByDistance) {
  constexpr std::array<std::string_view, 3> kWords = {"Never", "LowerPriority", "Any"};
  EXPECT_THAT(ByCloseness("LowPriority", kWords), ElementsAre("LowerPriority", "Never", "Any"));
}

TEST(Closest, EnumerationsEnd) {
  const std::vector<std::string_view> many(100, "x");
  EXPECT_TRUE(Enumerate(many).ends_with(", ..."));
  EXPECT_LT(Enumerate(many).size(), 200U);
}

}  // namespace
}  // namespace muster::manifest
