// The manifests of the texts that the project began with go through `apply` as they stand there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/testing/paths.h"
#include "tests/unit/cli/run_cli.h"

namespace muster::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// What stands in fences as YAML, as one stream.
std::string FencedYaml(const std::string& text) {
  const std::string begin = "```yaml\n";
  std::string yaml;
  for (std::size_t at = text.find(begin); at != text.npos; at = text.find(begin, at)) {
    at += begin.size();
    const std::size_t end = text.find("```", at);
    yaml += "---\n" + text.substr(at, end - at);
  }
  return yaml;
}

TEST(Seeds, ManifestsGoThroughUnchanged) {
  const auto shared = testing::SharedDir();
  if (!shared) GTEST_SKIP() << testing::kSharedIsAbsent;
  const testing::TemporaryDirectory directory;
  int texts = 0;
  for (const auto& path : testing::FilesUnder(*shared / "seeds", ".txt")) {
    const std::string yaml = FencedYaml(testing::ReadFile(path));
    if (yaml.empty()) continue;
    ++texts;
    const std::string file = directory.Write("seed.yaml", yaml).string();
    const std::string db = (directory.path() / (std::to_string(texts) + ".ledger")).string();
    const Said said = RunCli({"apply", "-f", file, "--db", db});
    EXPECT_EQ(said.code, kDone) << path << said.err;
    EXPECT_EQ(said.err, "");
    EXPECT_THAT(said.out, AllOf(HasSubstr("Workload team-b/job-team-b-job created"),
                                HasSubstr("Workload team-a/job-team-a-job created")));
  }
  EXPECT_EQ(texts, 1);  // the others have lost the indentation of theirs, or have none
}

}  // namespace
}  // namespace muster::cli
