// Exit codes and streams of the real binary, and that all verbs mean the same by them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

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

struct VerbUse {
  std::vector<std::string> words;  ///< the verb, and the words that it cannot do without
  std::vector<std::string> named;  ///< options of which each may name what is not there
};

/// Every verb, with "ABSENT" where a file or folder is named.
std::vector<VerbUse> VerbUses() {
  const std::vector<std::string> job = {"team-a/train", "--db", "ABSENT"};
  const auto of = [&job](const std::string& verb, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {verb};
    words.insert(words.end(), job.begin(), job.end());
    words.insert(words.end(), more.begin(), more.end());
    return VerbUse{words, {}};
  };
  return {
      {{"validate", "-f", "ABSENT"}, {}},
      {{"apply", "-f", "ABSENT"}, {}},
      {{"submit", "-f", "ABSENT", "--db", "LEDGER"}, {}},
      {{"submit", "-f", "FILE", "--db", "ABSENT"}, {}},
      {{"delete", "rf", "default", "--db", "ABSENT"}, {}},
      {{"schedule", "-f", "ABSENT"}, {}},
      {{"schedule", "--db", "ABSENT"}, {}},
      {{"schedule", "-f", "FILE"}, {"--policy", "--shadow"}},
      {{"get", "wl", "-f", "ABSENT"}, {}},
      {{"get", "wl", "--db", "ABSENT"}, {}},
      {{"describe", "rf", "default", "-f", "ABSENT"}, {}},
      {{"describe", "rf", "default", "--db", "ABSENT"}, {}},
      {{"explain", "team-a/train", "-f", "ABSENT"}, {}},
      of("explain"),
      {{"usage", "--db", "ABSENT"}, {}},
      of("update", {"--priority", "3"}),
      {{"check", "team-a/train", "budget", "ready", "--db", "ABSENT"}, {}},
      of("ready"),
      of("finish"),
      of("cancel"),
      of("evict", {"--reason", "Maintenance"}),
      of("evicted"),
      {{"do", "-f", "ABSENT", "--db", "LEDGER"}, {}},
      {{"stop", "team-a", "--db", "ABSENT"}, {}},
      {{"resume", "team-a", "--db", "ABSENT"}, {}},
      {{"test", "-f", "ABSENT"}, {}},
      {{"test", "-f", "FILE"}, {"--policy"}},
      {{"policy", "check", "ABSENT"}, {}},
      {{"policy", "test", "ABSENT"}, {}},
      {{"policy", "bench", "ABSENT"}, {}},
      {{"policy", "diff", "native", "ABSENT", "-f", "FILE"}, {}},
      {{"policy", "activate", "ABSENT", "--db", "LEDGER"}, {}},
      {{"policy", "list", "--db", "ABSENT"}, {}},
      {{"policy", "rollback", "--db", "ABSENT"}, {}},
      {{"ledger", "verify", "--db", "ABSENT"}, {}},
      {{"ledger", "query", "SELECT 1", "--db", "ABSENT"}, {}},
      {{"ledger", "backup", "copy", "--db", "ABSENT"}, {}},
      {{"ledger", "backup", "ABSENT/copy", "--db", "LEDGER"}, {}},
  };
}

TEST_F(ExitCode, WhatIsNamedAndNotThereIsWrongUseToEveryVerb) {
  const std::string ledger = (directory_.path() / "a.ledger").string();
  ASSERT_EQ(RunMuster({"apply", "-f", Cluster(), "--db", ledger}).exit_code, 0);
  const auto expect_wrong_use = [&](std::vector<std::string> args) {
    for (std::string& word : args) {
      const std::size_t at = word.find("ABSENT");
      if (at != std::string::npos) word.replace(at, 6, (directory_.path() / "absent").string());
      if (word == "LEDGER") word = ledger;
      if (word == "FILE") word = Cluster();
    }
    const CommandResult result = RunMuster(args);
    EXPECT_EQ(result.exit_code, 1) << args[0] << " " << args[1] << ": " << result.err;
    EXPECT_THAT(result.err, HasSubstr("absent")) << args[0];
  };
  for (const VerbUse& use : VerbUses()) {
    if (use.named.empty()) expect_wrong_use(use.words);
    for (const std::string& option : use.named) {
      std::vector<std::string> args = use.words;
      args.insert(args.end(), {option, "ABSENT"});
      expect_wrong_use(args);
    }
  }
}

TEST_F(ExitCode, ALedgerThatIsNoneIsRefusedByEveryVerb) {
  const std::string damaged = directory_.Write("b.ledger", std::string(9000, 'x')).string();
  for (const VerbUse& use : VerbUses()) {
    std::vector<std::string> args = use.words;
    const auto db = std::find(args.begin(), args.end(), "--db");
    if (db == args.end() || std::find(args.begin(), db, "ABSENT") != db) continue;
    if (args[1] == "backup" && args[2] != "copy") continue;
    *(db + 1) = damaged;
    for (std::string& word : args) {
      if (word == "FILE") word = Cluster();
    }
    const CommandResult result = RunMuster(args);
    EXPECT_EQ(result.exit_code, 3) << args[0] << " " << args[1] << ": " << result.err;
  }
}

TEST_F(ExitCode, ALedgerInAFolderThatIsNotThereIsNotToBeBegunThere) {
  const std::string folder = (directory_.path() / "absent").string();
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"apply", "-f", Cluster()}, {"get", "wl"}, {"usage"}}) {
    std::vector<std::string> with_ledger = args;
    with_ledger.insert(with_ledger.end(), {"--db", folder + "/a.ledger"});
    const CommandResult result = RunMuster(with_ledger);
    EXPECT_EQ(result.exit_code, 1) << args[0];
    EXPECT_EQ(result.err, "muster: there is no folder " + folder + "\n") << args[0];
  }
}

TEST_F(ExitCode, ARefusedFirstApplyLeavesNothing) {
  const auto folder = directory_.path() / "empty";
  std::filesystem::create_directory(folder);
  const std::string invalid = directory_.Write("invalid.yaml", "kind: ClusterQueue\n").string();
  const std::string ledger = (folder / "a.ledger").string();
  EXPECT_EQ(RunMuster({"apply", "-f", invalid, "--db", ledger}).exit_code, 2);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
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
