// `muster test`: what passes, what fails and how it is told, and what --update leaves behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bindings/cli/json.h"
#include "tests/testing/paths.h"
#include "tests/unit/cli/run_cli.h"
#include "tests/unit/cli/sample.h"

namespace muster::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string Story(const std::string& steps) {
  return std::string(kQueues) + kRedJobs +
         "---\napiVersion: muster.dev/v1\nkind: Scenario\nnow: '2026-01-01T12:00:00Z'\nsteps:\n" +
         steps;
}

const std::string& Right() {
  static const std::string kText = Story(
      "- cycle: 1\n"
      "  expect:\n"
      "    admitted: {lab/job-train: {clusterQueue: red}}\n"
      "- cycle: 2\n"
      "  expect: {pending: {lab/job-wait: {parked: true}}, preempted: {}}\n");
  return kText;
}

const std::string& Wrong() {
  static const std::string kText = Story(
      "- cycle: 1       # the only one\n"
      "  expect:\n"
      "    admitted: {lab/job-wait: {clusterQueue: red}}   # it is not\n"
      "# the end\n");
  return kText;
}

class TestVerb : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    return directory_.Write(name, text).string();
  }
  std::string Folder() const { return directory_.path().string(); }

 private:
  muster::testing::TemporaryDirectory directory_;
};

TEST_F(TestVerb, PassesWhenEveryExpectationHolds) {
  Write("topic/right.yaml", Right());
  const Said said = RunCli({"test", "-f", Folder()});
  EXPECT_EQ(said.code, kDone) << said.out << said.err;
  EXPECT_THAT(said.out, HasSubstr("ok    " + Folder() + "/topic/right.yaml  2 checks"));
  EXPECT_THAT(said.out, HasSubstr("1 passed, 0 failed (2 checks)"));
}

TEST_F(TestVerb, AFailureShowsPlacePathExpectedAndGot) {
  const std::string file = Write("wrong.yaml", Wrong());
  const Said said = RunCli({"test", "-f", file});
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.out, HasSubstr("FAIL  " + file + "\n      " + file +
                                  ":61: admitted.lab/job-wait\n"
                                  "        expected: {clusterQueue: red}\n"
                                  "        got:      nothing\n"));
}

TEST_F(TestVerb, AFileThatCannotBePlayedIsBroken) {
  const std::string file = Write("broken.yaml", Story("- cycles: 1\n"));
  const Said said = RunCli({"test", "-f", file});
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.out, HasSubstr(file + ":60:3: "));
}

TEST_F(TestVerb, AFileThatEndsOnTheWayTellsWhatWasNotAsExpectedBefore) {
  const std::string file = Write("ends.yaml", Story("- cycle: 1\n"
                                                    "  expect: {admitted: {}}\n"
                                                    "- cancel: [lab/job-wait]\n"
                                                    "- cancel: [lab/job-wait]\n"
                                                    "- cycle: 1\n"
                                                    "  expect: {pending: {}}\n"));
  const Said said = RunCli({"test", "-f", file});
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.out, HasSubstr(file + ":61: admitted\n        expected: {}\n"));
  EXPECT_THAT(said.out, HasSubstr(file + ":63:3: there is no workload lab/job-wait"));
  const Json json = Json::parse(RunCli({"test", "-f", file, "-o", "json"}).out);
  EXPECT_EQ(json["tests"][0]["verdict"], "broken");
  EXPECT_EQ(json["tests"][0]["failures"][0]["line"], 61);
  EXPECT_THAT(std::string(json["tests"][0]["message"]), HasSubstr("no workload lab/job-wait"));
}

TEST_F(TestVerb, AStepOfMoreCyclesThanAnyTestNeedsIsRefused) {
  const std::string file = Write("long.yaml", Story("- cycle: 2000000000\n  expect: {}\n"));
  const Said said = RunCli({"test", "-f", file});
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.out, HasSubstr(file + ":60:10: \"cycle\" must be at most 10000"));
}

TEST_F(TestVerb, NothingThatExpectsIsNothingThatRan) {
  Write("queues.yaml", kQueues);
  Write("silent.yaml", Story("- cycle: 1\n"));
  const Said said = RunCli({"test", "-f", Folder()});
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.out, HasSubstr("queues.yaml  no document of kind Scenario"));
  EXPECT_THAT(said.out, HasSubstr("0 passed, 0 failed, 2 skipped"));
  EXPECT_THAT(said.err, HasSubstr("no test ran"));
}

TEST_F(TestVerb, ReportsForMachines) {
  Write("a-right.yaml", Right());
  Write("b-wrong.yaml", Wrong());
  Write("c-queues.yaml", kQueues);
  const std::string tap = RunCli({"test", "-f", Folder(), "-o", "tap"}).out;
  EXPECT_THAT(tap, StartsWith("TAP version 13\n1..3\nok 1 - "));
  EXPECT_THAT(tap, HasSubstr("\nnot ok 2 - "));
  EXPECT_THAT(tap, HasSubstr("\n#   expected: {clusterQueue: red}\n"));
  EXPECT_THAT(tap, HasSubstr("c-queues.yaml # SKIP "));
  const std::string junit = RunCli({"test", "-f", Folder(), "-o", "junit"}).out;
  EXPECT_THAT(junit, HasSubstr("tests=\"3\" failures=\"1\" skipped=\"1\""));
  EXPECT_THAT(junit, HasSubstr("<failure message=\"failed\">"));
  const Json json = Json::parse(RunCli({"test", "-f", Folder(), "-o", "json"}).out);
  EXPECT_EQ(json["passed"], 1);
  EXPECT_EQ(json["tests"][1]["failures"][0]["line"], 61);
  EXPECT_EQ(json["tests"][1]["failures"][0]["path"], "admitted.lab/job-wait");
}

TEST_F(TestVerb, UpdateWritesWhatHappenedAndNothingElse) {
  const std::string right = Write("right.yaml", Right());
  const std::string wrong = Write("wrong.yaml", Wrong());
  const Said said = RunCli({"test", "-f", Folder(), "--update"});
  EXPECT_EQ(said.code, kDone) << said.out;
  EXPECT_EQ(muster::testing::ReadFile(right), Right());
  EXPECT_EQ(muster::testing::ReadFile(wrong), Story("- cycle: 1       # the only one\n"
                                                    "  expect:\n"
                                                    "    admitted:\n"
                                                    "      lab/job-train:\n"
                                                    "        clusterQueue: red\n"
                                                    "        phase: Admitted\n"
                                                    "        podSets:\n"
                                                    "        - name: main\n"
                                                    "          count: 1\n"
                                                    "          flavors: {cpu: default}\n"
                                                    "# the end\n"));
  EXPECT_EQ(said.err, wrong + ": updated\n");
}

TEST_F(TestVerb, UpdateLeavesABrokenFileAlone) {
  const std::string broken = Story("- cycles: 1\n");
  const std::string file = Write("broken.yaml", broken);
  EXPECT_EQ(RunCli({"test", "-f", file, "--update"}).code, kNo);
  EXPECT_EQ(muster::testing::ReadFile(file), broken);
}

}  // namespace
}  // namespace muster::cli
