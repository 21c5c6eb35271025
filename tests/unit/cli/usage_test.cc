// What `muster usage` and the verbs of `muster ledger` say of a small day that can be added up by
// hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "muster/durable_engine.h"
#include "tests/testing/command.h"
#include "tests/testing/paths.h"
#include "tests/unit/cli/run_cli.h"

namespace muster::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using testing::TemporaryDirectory;
using testing::WriteFile;

constexpr const char* kCluster = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: spot}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: red}
spec:
  namespaceSelector: {}
  cohortName: lab
  preemption: {withinClusterQueue: LowerPriority}
  resourceGroups:
    - coveredResources: [cpu]
      flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 4}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: blue}
spec:
  cohortName: lab
  resourceGroups:
    - coveredResources: [cpu]
      flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 2}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: lab}
spec: {clusterQueue: red}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata: {name: high}
value: 100
)";

std::string Job(const std::string& name, int cpus, const std::string& labels) {
  return "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: " + name +
         "\n  namespace: lab\n  labels: {kueue.x-k8s.io/queue-name: main" + labels +
         "}\nspec:\n  template: {spec: {containers: [{name: c, image: i, resources: "
         "{requests: {cpu: " +
         std::to_string(cpus) + "}}}]}}\n";
}

class Day : public ::testing::Test {
 protected:
  Day() {
    At("08:00:00", {"apply", "-f", File("cluster.yaml", kCluster)});
    At("08:00:00", {"submit", "-f", File("a.yaml", Job("a", 3, ", muster.dev/user: ann"))});
    At("08:00:00", {"submit", "-f", File("b.yaml", Job("b", 3, ", muster.dev/user: bob"))});
    At("09:00:00", {"schedule", "--until-idle"});  // a, then b, which borrows 2
    At("10:00:00", {"finish", "lab/job-a"});       // from now on b borrows nothing
    At("10:30:00", {"submit", "-f",
                    File("c.yaml", Job("c", 4,
                                       ", muster.dev/user: cid, kueue.x-k8s.io/priority-class: "
                                       "high"))});
    At("11:00:00", {"schedule"});  // b has to go
    At("11:30:00", {"evicted", "--all"});
    At("12:00:00", {"schedule"});
  }

  std::string File(const std::string& name, const std::string& text) const {
    return directory_.Write(name, text).string();
  }
  void At(const std::string& time, std::vector<std::string> words) const {
    words.insert(words.end(), {"--db", db_, "--now", "2026-03-02T" + time + "Z"});
    const Said said = RunCli(words);
    EXPECT_EQ(said.code, 0) << words[0] << ": " << said.err;
  }
  Said Usage(std::vector<std::string> words) const {
    words.insert(words.begin(), {"usage", "--db", db_});
    return RunCli(words);
  }
  std::string Csv(std::vector<std::string> words) const {
    words.insert(words.end(), {"-o", "csv"});
    const std::string out = Usage(words).out;
    return out.substr(out.find('\n') + 1);
  }

  TemporaryDirectory directory_;
  const std::string db_ = (directory_.path() / "day.ledger").string();
  const std::vector<std::string> to_noon_ = {"--until", "2026-03-02T13:00:00Z"};
};

// a holds 3 for 1 h. b holds 3 from 9:00 to 11:30, of it 1 + 2 borrowed until a ends at 10:00. c
// holds 4 from 12:00 on.
TEST_F(Day, IsAddedUpByQueueInHours) {
  const Said said = Usage(to_noon_);
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out,
            "Hours from 2026-03-02T08:00:00Z until 2026-03-02T13:00:00Z\n"
            "QUEUE   FLAVOR   RESOURCE   UNIT   NOMINAL   BORROWED   PREEMPTED\n"
            "red     spot     cpu        core    12.500      2.000       7.500\n");
}

TEST_F(Day, IsAddedUpByUserInSecondsOfBaseUnits) {
  const std::string span = "2026-03-02T08:00:00Z,2026-03-02T13:00:00Z,";
  const std::string expected = span + "ann,spot,cpu,10800000,0,0\n" + span +
                               "bob,spot,cpu,19800000,7200000,27000000\n" + span +
                               "cid,spot,cpu,14400000,0,0\n";
  std::vector<std::string> words = to_noon_;
  words.insert(words.end(), {"--by", "user"});
  EXPECT_EQ(Csv(words), expected);
  words.back() = "label:muster.dev/user";
  EXPECT_EQ(Csv(words), expected);
  words.back() = "namespace";
  EXPECT_EQ(Csv(words), span + "lab,spot,cpu,45000000,7200000,27000000\n");
  words.back() = "label:team";
  EXPECT_THAT(Usage(words).out, HasSubstr("(none)"));
  words.insert(words.end(), {"-o", "json"});
  const auto json = nlohmann::json::parse(Usage(words).out);
  EXPECT_EQ(json["until"], "2026-03-02T13:00:00Z");
  EXPECT_EQ(json["rows"][0]["group"], "");
  EXPECT_EQ(json["rows"][0]["borrowedSeconds"], 7200000);
}

TEST_F(Day, IsCutAtTheEdgesOfTheSpan) {
  EXPECT_THAT(
      Csv({"--since", "2026-03-02T09:30:00Z", "--until", "2026-03-02T11:00:00Z", "--by", "user"}),
      AllOf(HasSubstr("ann,spot,cpu,5400000,0,0\n"),
            HasSubstr("bob,spot,cpu,12600000,3600000,16200000\n"), Not(HasSubstr("cid"))));
}

TEST_F(Day, AnEmptySpanSaysSo) {
  const std::vector<std::string> words = {"--since", "2026-03-01", "--until", "2026-03-02"};
  EXPECT_EQ(Usage(words).out,
            "No quota was held from 2026-03-01T00:00:00Z until 2026-03-02T00:00:00Z.\n");
  std::vector<std::string> json = words;
  json.insert(json.end(), {"-o", "json"});
  EXPECT_EQ(nlohmann::json::parse(Usage(json).out)["rows"].size(), 0u);
  json.back() = "csv";
  EXPECT_THAT(Usage(json).err, HasSubstr("no quota was held"));
}

TEST_F(Day, WhatCannotBeMeantIsWrongUse) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--since", "yesterday"},
                                                {"--since", "2026-13-01"},
                                                {"--since", "2026-03-03", "--until", "2026-03-02"},
                                                {"--by", "label:"},
                                                {"--by", "team"},
                                                {"-o", "xml"}}) {
    EXPECT_EQ(Usage(words).code, 1) << words[1];
  }
  EXPECT_EQ(RunCli({"usage"}).code, 1);
  EXPECT_EQ(RunCli({"usage", "--db", "/no/such"}).code, 1);
}

TEST_F(Day, EventsHoldWhatWasChargedForSqlToAddUp) {
  const Said said =
      RunCli({"ledger", "query", "--db", db_,
              "SELECT subject, c.value AS milli FROM history, json_each(payload, '$.podSets') p, "
              "json_each(p.value, '$.charged') c WHERE kind = 'QuotaReserved' ORDER BY seq"});
  EXPECT_EQ(said.out, "subject     milli\nlab/job-a   3000\nlab/job-b   3000\nlab/job-c   4000\n");
  EXPECT_EQ(RunCli({"ledger", "query", db_, "SELECT 1", "--db", db_}).code, 1);
  EXPECT_EQ(RunCli({"ledger", "query", db_}).code, 1);
  EXPECT_THAT(RunCli({"ledger", "query"}).err, HasSubstr("name the ledger with --db LEDGER"));
}

TEST_F(Day, ReplaysAndIsBackedUpBesideItsWriter) {
  const auto writer = DurableEngine::Open(db_);
  ASSERT_TRUE(writer.ok()) << writer.status().message();
  const std::string to = (directory_.path() / "copy.ledger").string();
  const Said said = RunCli({"ledger", "backup", db_, to});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(said.out, AllOf(StartsWith("backed up: " + to), HasSubstr("2026-03-02T12:00:00Z"),
                              HasSubstr("verified")));
  EXPECT_EQ(RunCli({"ledger", "backup", to, "--db", db_}).code, 2) << "it is there";
  EXPECT_EQ(RunCli({"ledger", "verify", "--db", to, "--replay"}).code, 0);
  EXPECT_EQ(RunCli({"usage", "--db", to, "--until", "2026-03-02T13:00:00Z"}).out,
            Usage(to_noon_).out);
}

TEST_F(Day, IsExportedEventByEventAndCommitByCommit) {
  const Said lines = RunCli({"ledger", "export", "--db", db_});
  EXPECT_EQ(lines.code, 0) << lines.err;
  std::istringstream in(lines.out);
  std::vector<nlohmann::json> events;
  for (std::string line; std::getline(in, line);) events.push_back(nlohmann::json::parse(line));
  const Said count = RunCli({"ledger", "query", db_, "SELECT count(*) n FROM event", "-o", "json"});
  EXPECT_EQ(events.size(), nlohmann::json::parse(count.out)[0]["n"].get<std::size_t>());
  EXPECT_EQ(events[0]["seq"], 1);
  EXPECT_EQ(events[0]["kind"], "ObjectApplied");
  EXPECT_EQ(events[0]["command"], "apply");
  EXPECT_EQ(events[0]["time"], "2026-03-02T08:00:00Z");
  EXPECT_TRUE(events[0]["payload"].is_object());
  const Said csv = RunCli({"ledger", "export", "--db", db_, "-o", "csv", "--since",
                           "2026-03-02T10:00:00Z", "--until", "2026-03-02T10:30:00Z"});
  EXPECT_THAT(
      csv.out,
      AllOf(StartsWith("seq,commit,time,cycle,command,kind,subject,policy,payload,caller\n"),
            HasSubstr(",2026-03-02T10:00:00Z,0,finish,Finished,lab/job-a,,\"{\"\""),
            Not(HasSubstr("job-c"))));
  EXPECT_THAT(RunCli({"ledger", "export", "--db", db_, "--what", "commits"}).out,
              StartsWith("{\"seq\":1,\"time\":\"2026-03-02T08:00:00Z\",\"cycle\":0,\"command\":"
                         "\"apply\""));
  EXPECT_THAT(RunCli({"ledger", "export", "--db", db_, "--what", "commits", "-o", "csv"}).out,
              HasSubstr("\n1,2026-03-02T08:00:00Z,0,apply,"));
  EXPECT_EQ(RunCli({"ledger", "export", "--db", db_, "--since", "soon"}).code, 1);
  EXPECT_EQ(RunCli({"ledger", "export", "--db", "/no/such"}).code, 1);
}

// The commit of the last line is where the next part goes on.
TEST_F(Day, IsExportedInPartsThatMakeTheWhole) {
  std::string parts;
  for (std::string after = "0";;) {
    const Said part = RunCli({"ledger", "export", "--db", db_, "--after", after, "--limit", "3"});
    ASSERT_EQ(part.code, 0) << part.err;
    if (part.out.empty()) break;
    parts += part.out;
    const std::size_t last = part.out.rfind('\n', part.out.size() - 2);
    after = nlohmann::json::parse(part.out.substr(last + 1))["commit"].dump();
  }
  EXPECT_EQ(parts, RunCli({"ledger", "export", "--db", db_}).out);
  const Said beyond = RunCli({"ledger", "export", "--db", db_, "--after", "9223372036854775807"});
  EXPECT_EQ(beyond.code, 0) << beyond.err;
  EXPECT_EQ(beyond.out, "");
  EXPECT_EQ(RunCli({"ledger", "export", "--db", db_, "--after", "-1"}).code, 1);
  EXPECT_EQ(RunCli({"ledger", "export", "--db", db_, "--after", "x"}).code, 1);
  EXPECT_EQ(RunCli({"ledger", "export", "--db", db_, "--limit", "0"}).code, 1);
}

TEST_F(Day, IsRepeatedUpToAMoment) {
  const Said all = RunCli({"ledger", "replay", db_});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_THAT(all.out, AllOf(StartsWith("repeated: "), HasSubstr("came out the same")));
  const Said ten = RunCli({"ledger", "replay", db_, "--until", "2026-03-02T10:00:00Z"});
  EXPECT_EQ(ten.code, 0) << ten.err;
  EXPECT_THAT(ten.out, AllOf(HasSubstr(" at 2026-03-02T09:00:00Z: 2 Admitted\n")));
  EXPECT_THAT(RunCli({"ledger", "replay", db_, "--until", "1"}).out,
              HasSubstr("after commit 1 at 2026-03-02T08:00:00Z: no workloads\n"));
  EXPECT_EQ(RunCli({"ledger", "replay", db_, "--until", "99"}).code, 2);
  EXPECT_EQ(RunCli({"ledger", "replay", db_, "--until", "noon"}).code, 1);
}

// From 10:00 on b holds 3, then c holds 4: what began before the base is measured all the same.
TEST_F(Day, IsCompactedAndGoesOnAsBefore) {
  const std::vector<std::string> span = {
      "--since", "2026-03-02T10:00:00Z", "--until", "2026-03-02T13:00:00Z", "--by", "user"};
  const std::string used = Csv(span);
  const Said events = RunCli({"describe", "workload", "lab/job-b", "--db", db_});
  EXPECT_EQ(RunCli({"ledger", "compact", "--db", db_}).code, 1) << "it is not said how much";
  EXPECT_EQ(RunCli({"ledger", "compact", "--db", db_, "--keep", "much"}).code, 1);
  EXPECT_THAT(RunCli({"ledger", "compact", "--db", db_, "--keep", "1d"}).out,
              StartsWith("unchanged"));
  const Said compacted = RunCli({"ledger", "compact", "--db", db_, "--keep", "90m"});
  EXPECT_EQ(compacted.code, 0) << compacted.err;
  EXPECT_THAT(compacted.out, StartsWith("compacted: "));
  const Said verify = RunCli({"ledger", "verify", db_, "--replay"});
  EXPECT_EQ(verify.code, 0) << verify.err;
  EXPECT_EQ(Csv(span), used);
  EXPECT_EQ(RunCli({"describe", "workload", "lab/job-b", "--db", db_}).out, events.out);
  const Said early = Usage({"--since", "2026-03-02T09:00:00Z"});
  EXPECT_EQ(early.code, 2);
  EXPECT_THAT(early.err, HasSubstr("write --since 2026-03-02T10:00:00Z or later"));
  EXPECT_THAT(Usage(to_noon_).out, StartsWith("Hours from 2026-03-02T10:00:00Z until"));
  EXPECT_EQ(RunCli({"ledger", "replay", db_, "--until", "2"}).code, 2) << "it is gone";
  EXPECT_THAT(RunCli({"ledger", "export", "--db", db_}).out,
              Not(HasSubstr("job-a\",\"policy\":\"\","
                            "\"payload\":{\"apiV")));
  At("12:10:00", {"finish", "lab/job-c"});
  EXPECT_EQ(RunCli({"ledger", "verify", db_, "--replay"}).code, 0);
}

TEST_F(Day, IsSavedFromDamage) {
  const std::string to = (directory_.path() / "saved.ledger").string();
  const Said usage = Usage({"--since", "2026-03-02T11:00:00Z", "--until", "2026-03-02T13:00:00Z"});
  directory_.HoldsNoHistory("day.ledger");
  const testing::CommandResult done =
      testing::RunCommand({"sqlite3", db_, "UPDATE event SET payload = '{}' WHERE commit_seq = 3"});
  if (done.exit_code == 127) GTEST_SKIP() << "there is no sqlite3";
  EXPECT_EQ(RunCli({"ledger", "verify", db_}).code, 3);
  const Said saved = RunCli({"ledger", "recover", to, "--db", db_});
  EXPECT_EQ(saved.code, 0) << saved.err;
  EXPECT_THAT(saved.out, AllOf(HasSubstr("Its state is that of the damaged ledger, whole."),
                               HasSubstr("Damaged: commit 3."),
                               HasSubstr("Only in " + to + ".jsonl: commits 1 to 2.")));
  EXPECT_EQ(testing::ReadFile(to + ".report"), saved.out);
  EXPECT_THAT(testing::ReadFile(to + ".jsonl"), HasSubstr("\"subject\":\"lab/job-a\""));
  EXPECT_EQ(RunCli({"ledger", "verify", to, "--replay"}).code, 0);
  EXPECT_EQ(RunCli({"get", "workloads", "--db", to}).code, 0);
  EXPECT_EQ(RunCli({"finish", "lab/job-c", "--db", to, "--now", "2026-03-02T12:10:00Z"}).code, 0);
  EXPECT_EQ(RunCli({"ledger", "recover", to, "--db", db_}).code, 2) << "it is there";
}

TEST_F(Day, AForcedDeleteDoesNotLetTheTimeJump) {
  const auto forced = [this](const std::vector<std::string>& more) {
    std::vector<std::string> words = {
        "delete", "clusterqueue", "red", "--force", "--db", db_, "--now", "2262-01-01T00:00:00Z"};
    words.insert(words.end(), more.begin(), more.end());
    return RunCli(words);
  };
  const Said refused = forced({});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("2262-01-01T00:00:00Z"));
  EXPECT_THAT(refused.err, HasSubstr("if it is right, add --time-jump"));
  EXPECT_EQ(forced({"--time-jump"}).code, 0);
}

TEST_F(Day, OneWrongClockIsRefusedBeforeItPinsTheTime) {
  const auto at = [this](const std::string& now, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"schedule", "--db", db_, "--now", now};
    words.insert(words.end(), more.begin(), more.end());
    return RunCli(words);
  };
  const Said refused = at("2262-01-01T00:00:00Z", {});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("2262-01-01T00:00:00Z"), HasSubstr("2026-03-02T12:00"),
                                 HasSubstr("--force")));
  EXPECT_EQ(at("2027-03-01T00:00:00Z", {}).code, 0) << "not more than a year";
  EXPECT_EQ(at("2262-01-01T00:00:00Z", {"--force"}).code, 0);
  const std::string fresh = (directory_.path() / "fresh.ledger").string();
  const Said first = RunCli({"apply", "-f", (directory_.path() / "cluster.yaml").string(), "--db",
                             fresh, "--now", "2262-01-01T00:00:00Z"});
  EXPECT_EQ(first.code, 2) << "the first time of a ledger is compared with the wall clock";
  EXPECT_FALSE(std::filesystem::exists(fresh));
}

TEST_F(Day, ALedgerWithoutAPolicyItNeedsIsDamagedAndNotMissing) {
  directory_.HoldsNoHistory("day.ledger");
  At("12:10:00", {"policy", "activate", (testing::SourceDir() / "policies/small-first").string()});
  const auto sql = [this](const std::string& text) {
    const testing::CommandResult done = testing::RunCommand({"sqlite3", db_, text});
    if (done.exit_code == 127) GTEST_SKIP() << "there is no sqlite3";
    EXPECT_EQ(done.exit_code, 0) << done.err;
  };
  sql("DELETE FROM policy");
  if (IsSkipped()) return;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"get", "workloads", "--db", db_},
        {"schedule", "--db", db_},
        {"ledger", "verify", db_}}) {
    const Said said = RunCli(words);
    EXPECT_EQ(said.code, 3) << words[0];
    EXPECT_THAT(said.err, AllOf(HasSubstr("policy "), HasSubstr("is missing"),
                                Not(HasSubstr("there is no ledger"))));
  }
}

TEST(OldLedger, OfVersionOneIsReplayedAndItsRunsAreCountedAsNotMeasured) {
  const TemporaryDirectory directory;
  const std::string path =
      directory
          .Write("old.ledger",
                 testing::ReadFile(testing::SourceDir() / "tests/golden/ledgers/version-1.ledger"))
          .string();
  const Said verify = RunCli({"ledger", "verify", path, "--replay"});
  EXPECT_EQ(verify.code, 0) << verify.err;
  const Said usage = RunCli({"usage", "--db", path});
  EXPECT_EQ(usage.code, 0);
  EXPECT_THAT(usage.err, HasSubstr("4 runs of an older version"));
}

}  // namespace
}  // namespace muster::cli
