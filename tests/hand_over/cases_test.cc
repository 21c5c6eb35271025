// The cases through C++; every ledger that they leave is repeated (tests/testing/audit).
#include "tests/hand_over/cases.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "tests/hand_over/cpp_door.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

TEST(HandOverCases, AreDefinedForEveryCallAndMoment) {
  const nlohmann::json file = HandOverCases();
  std::map<std::string, std::set<std::string>> moments;
  for (const auto& one : file["cases"]) {
    EXPECT_TRUE(moments[one["call"]].insert(one["when"]).second) << NameOf(one) << " stands twice";
    EXPECT_FALSE(one["steps"].empty()) << NameOf(one) << " checks nothing";
  }
  const std::set<std::string> all = {"twice",
                                     "late",
                                     "out of order",
                                     "after a restart",
                                     "job is gone",
                                     "earlier job of the name",
                                     "earlier run of the job"};
  EXPECT_EQ(moments.size(), 13u);
  for (const auto& [call, whens] : moments) EXPECT_EQ(whens, all) << call;
}

TEST(HandOverCases, ComeOutThroughCpp) {
  const nlohmann::json file = HandOverCases();
  for (const auto& one : file["cases"]) {
    SCOPED_TRACE(NameOf(one));
    const TemporaryDirectory directory;
    CppDoor door((directory.path() / "ledger").string());
    Play(file, one, door);
    EXPECT_TRUE(door.engine().CheckInvariants().ok());
    door.Restart();
  }
}

}  // namespace
}  // namespace muster::testing
