// Every file of bad/ is refused with exactly the messages it announces.
#include "tests/unit/manifest/bad_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "bindings/manifest/manifest.h"

namespace muster::manifest {
namespace {

using testing::BadInput;
using ::testing::ElementsAreArray;

constexpr std::size_t kLeastKinds = 40;

class BadInputTest : public ::testing::TestWithParam<BadInput> {};

TEST_P(BadInputTest, IsReportedWithPlaceAndCure) {
  const BadInput& input = GetParam();
  const std::vector<Source> sources = {{input.name, input.text}};
  const Manifests manifests = Parse(sources);
  std::vector<std::string> expected;
  for (const std::string& line : input.expected) {
    expected.push_back(input.name + ":" + testing::ReplaceAll(line, "{file}", input.name));
  }
  ASSERT_FALSE(expected.empty()) << "the file announces nothing";
  std::vector<std::string> reported;
  for (const Diagnostic& diagnostic : manifests.diagnostics) {
    reported.push_back(diagnostic.ToString());
    EXPECT_GT(diagnostic.place.line, 0);
    EXPECT_GT(diagnostic.place.column, 0);
    EXPECT_FALSE(diagnostic.cure.empty()) << diagnostic.what;
  }
  EXPECT_THAT(reported, ElementsAreArray(expected));
  EXPECT_TRUE(manifests.HasErrors());
}

std::string TestName(const ::testing::TestParamInfo<BadInput>& info) {
  std::string name = testing::ReplaceAll(info.param.name, ".yaml", "");
  return testing::ReplaceAll(name, "-", "_");
}

INSTANTIATE_TEST_SUITE_P(Files, BadInputTest, ::testing::ValuesIn(testing::LoadBadInputs()),
                         TestName);

TEST(BadInputs, CoverManyKindsOfMistake) {
  std::set<std::string> families;
  std::set<std::string> messages;
  for (const BadInput& input : testing::LoadBadInputs()) {
    families.insert(input.name.substr(0, input.name.find('-')));
    for (const std::string& line : input.expected) {
      messages.insert(line.substr(line.find(": ") + 2));
    }
  }
  EXPECT_GE(messages.size(), kLeastKinds);
  for (const char* family : {"syntax", "encoding", "kind", "field", "type", "enum", "number",
                             "quantity", "time", "name", "duplicate", "limit", "reference"}) {
    EXPECT_TRUE(families.contains(family)) << family;
  }
}

}  // namespace
}  // namespace muster::manifest
