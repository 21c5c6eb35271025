// Exit codes and streams of the real binary: 0 done, 1 wrong use, 2 the answer is no.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/testing/command.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kCluster = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: default}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team-a}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - name: default
      resources: [{name: cpu, nominalQuota: 4}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: team-a}
spec: {clusterQueue: team-a}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: train
  namespace: team-a
  labels: {kueue.x-k8s.io/queue-name: main}
spec:
  template:
    spec:
      containers:
      - {name: c, image: i, resources: {requests: {cpu: 3}}}
)";

class ExitCode : public ::testing::Test {
 protected:
  std::string Cluster() const { return directory_.Write("cluster.yaml", kCluster).string(); }

  TemporaryDirectory directory_;
};

TEST_F(ExitCode, DoneIsZeroAndSaysNothingOnStderr) {
  for (const char* verb : {"apply", "validate", "schedule"}) {
    const CommandResult result = RunMuster({verb, "-f", Cluster()});
    EXPECT_EQ(result.exit_code, 0) << verb << result.err;
    EXPECT_THAT(result.err, IsEmpty()) << verb;
    EXPECT_THAT(result.out, Not(IsEmpty())) << verb;
  }
}

TEST_F(ExitCode, ScheduleJsonIsOneObjectOnStdout) {
  const CommandResult result =
      RunMuster({"schedule", "-f", "-", "-o", "json", "--now", "2026-01-01T12:00:00Z"},
                {kCluster, std::nullopt, {}});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["steps"][0]["at"], "2026-01-01T12:00:00Z");
  EXPECT_EQ(json["steps"][0]["admitted"]["team-a/job-train"]["clusterQueue"], "team-a");
}

TEST_F(ExitCode, WrongUseIsOne) {
  const std::string cluster = Cluster();
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"nonsense"},
      {"schedule"},
      {"schedule", "-f", (directory_.path() / "absent.yaml").string()},
      {"schedule", "-f", cluster, "--cycles", "none"},
      {"schedule", "-f", cluster, "--cycles", "2", "--until-idle"},
      {"schedule", "-f", cluster, "--now", "yesterday"},
      {"schedule", "-f", cluster, "-o", "xml"},
      {"get", "-f", cluster},
      {"get", "gizmos", "-f", cluster},
      {"explain", "train", "-f", cluster},
      {"test"},
  };
  for (const auto& args : wrong) {
    const CommandResult result = RunMuster(args);
    const std::string line = args.empty() ? "" : args.front();
    EXPECT_EQ(result.exit_code, 1) << line << ": " << result.err;
    EXPECT_THAT(result.out, IsEmpty()) << line;
    EXPECT_THAT(result.err, StartsWith("muster:")) << line;
  }
}

TEST_F(ExitCode, AScenarioLeavesNoRoomForCyclesOrAClock) {
  const std::string scenario =
      directory_
          .Write("scenario.yaml",
                 "apiVersion: muster.dev/v1\nkind: Scenario\nnow: '2026-01-01T12:00:00Z'\n"
                 "steps: [{cycle: 1}]\n")
          .string();
  EXPECT_EQ(RunMuster({"schedule", "-f", scenario}).exit_code, 0);
  for (const std::vector<std::string>& more : {std::vector<std::string>{"--cycles", "2"},
                                               {"--until-idle"},
                                               {"--complete-evictions"},
                                               {"--now", "2026-01-01T12:00:00Z"}}) {
    std::vector<std::string> args = {"schedule", "-f", scenario};
    args.insert(args.end(), more.begin(), more.end());
    const CommandResult result = RunMuster(args);
    EXPECT_EQ(result.exit_code, 1) << more[0];
    EXPECT_THAT(result.err, HasSubstr(more[0] + " does not go with a Scenario"));
  }
}

TEST_F(ExitCode, NoIsTwo) {
  const std::string cluster = Cluster();
  const std::string invalid = directory_.Write("invalid.yaml", "kind: ClusterQueue\n").string();
  const std::vector<std::vector<std::string>> no = {
      {"apply", "-f", invalid},
      {"validate", "-f", invalid},
      {"schedule", "-f", invalid},
      {"get", "clusterqueue", "team-z", "-f", cluster},
      {"describe", "clusterqueue", "team-z", "-f", cluster},
      {"explain", "team-a/absent", "-f", cluster},
      {"test", "-f", cluster},
      {"policy", "check", (directory_.path() / "absent").string()},
  };
  for (const auto& args : no) {
    const CommandResult result = RunMuster(args);
    EXPECT_EQ(result.exit_code, 2) << args.front() << ": " << result.err;
    EXPECT_THAT(result.err, Not(IsEmpty())) << args.front();
  }
}

TEST_F(ExitCode, AnUnreadableFolderEntryIsThree) {
  const auto directory = directory_.path() / "folder.yaml";
  std::filesystem::create_directory_symlink(directory_.path() / "nowhere", directory);
  EXPECT_EQ(RunMuster({"apply", "-f", directory_.path().string()}).exit_code, 3);
}

TEST_F(ExitCode, AFullDiskIsThree) {
  const CommandResult result =
      RunCommand({"/bin/sh", "-c", "exec \"$0\" version > /dev/full", MusterBinary().string()});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("cannot write the output"));
}

TEST_F(ExitCode, ATerminalGetsColourUnlessNoColorIsSet) {
  const std::string help = MusterBinary().string() + " --help";
  const std::vector<std::string> on_a_terminal = {"script", "-qec", help, "/dev/null"};
  CommandOptions options;
  options.environment = {{"NO_COLOR", ""}};
  const CommandResult coloured = RunCommand(on_a_terminal, options);
  if (coloured.exit_code != 0 && coloured.out.empty()) {
    GTEST_SKIP() << "skipped: `script` is not there or can make no terminal";
  }
  EXPECT_THAT(coloured.out, HasSubstr("\033[1mGetting started\033[0m"));
  options.environment = {{"NO_COLOR", "1"}};
  const CommandResult plain = RunCommand(on_a_terminal, options);
  EXPECT_THAT(plain.out, HasSubstr("Getting started"));
  EXPECT_THAT(plain.out, Not(HasSubstr("\033[")));
}

TEST_F(ExitCode, NothingIsColouredInAPipe) {
  for (const auto& args : {std::vector<std::string>{"schedule", "-f", Cluster()},
                           {"schedule", "-f", "nowhere"},
                           {"--help"}}) {
    const CommandResult result = RunMuster(args);
    EXPECT_THAT(result.out, Not(HasSubstr("\033["))) << args.front();
    EXPECT_THAT(result.err, Not(HasSubstr("\033["))) << args.front();
  }
}

}  // namespace
}  // namespace muster::testing
