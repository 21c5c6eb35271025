// Every bad input, through the binary: all its mistakes with line and column, exit code 2, nothing
// on stdout. The files of tests/unit/manifest/bad are wrong by themselves; those of bad/ here are
// wrong only together, which is the engine's to say.
#include "tests/unit/manifest/bad_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/testing/command.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::size_t kLeastKinds = 40;

std::vector<BadInput> AllBadInputs() {
  std::vector<BadInput> inputs = LoadBadInputs();
  for (const auto& path : FilesUnder(SourceDir() / "tests/unit/cli/bad", ".yaml")) {
    inputs.push_back(LoadBadInput(path));
  }
  return inputs;
}

class BadInputByCommand : public ::testing::TestWithParam<BadInput> {};

TEST_P(BadInputByCommand, IsRefusedWithEveryPlace) {
  const BadInput& input = GetParam();
  const TemporaryDirectory directory;
  const std::string path = directory.Write(input.name, input.text).string();
  ASSERT_THAT(input.expected, ::testing::Not(IsEmpty())) << "the file announces nothing";
  for (const char* verb : {"apply", "validate"}) {
    const CommandResult result = RunMuster({verb, "-f", path});
    EXPECT_EQ(result.exit_code, 2) << verb;
    EXPECT_THAT(result.out, IsEmpty()) << verb;
    for (const std::string& line : input.expected) {
      EXPECT_THAT(result.err, HasSubstr(path + ":" + ReplaceAll(line, "{file}", path) + "\n"));
    }
  }
}

std::string TestName(const ::testing::TestParamInfo<BadInput>& info) {
  return ReplaceAll(ReplaceAll(info.param.name, ".yaml", ""), "-", "_");
}

INSTANTIATE_TEST_SUITE_P(Files, BadInputByCommand, ::testing::ValuesIn(AllBadInputs()), TestName);

TEST(BadInputsByCommand, AreOfManyKinds) {
  std::set<std::string> messages;
  for (const BadInput& input : AllBadInputs()) {
    for (const std::string& line : input.expected) {
      messages.insert(line.substr(line.find(": ") + 2));
    }
  }
  EXPECT_GE(messages.size(), kLeastKinds);
}

}  // namespace
}  // namespace muster::testing
