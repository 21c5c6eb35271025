// What an operator asks of a ledger: what a change would do, what is in which state, what happens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "bindings/cli/json.h"
#include "tests/testing/command.h"
#include "tests/testing/paths.h"
#include "tests/unit/cli/run_cli.h"
#include "tests/unit/cli/sample.h"

namespace muster::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kNoon = "2026-01-01T12:00:00Z";

/// A job of blue, which takes back what blue lent.
std::string Serve() {
  const std::string reclaim = kReclaim;
  return reclaim.substr(0, reclaim.find("---\napiVersion: muster.dev"));
}

/// `text` with `to` wherever it has `from`.
std::string With(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

class Operator : public ::testing::Test {
 protected:
  std::string Db() const { return (directory_.path() / "cluster.ledger").string(); }
  /// Runs a verb on the ledger with `input` as standard input, at kNoon unless `args` say when.
  Said Try(std::vector<std::string> args, const std::string& input = "") const {
    args.insert(args.end(), {"--db", Db()});
    return RunCli(args, input);
  }
  std::string Do(const std::vector<std::string>& args, const std::string& input = "") const {
    const Said said = Try(args, input);
    EXPECT_EQ(said.code, kDone) << args.front() << ": " << said.err;
    return said.out;
  }
  std::string Tell(std::vector<std::string> args, const std::string& input = "") const {
    args.insert(args.end(), {"--now", kNoon});
    return Do(args, input);
  }
  /// Queues are there, `train` runs on borrowed quota and `wait` waits.
  void Begin() const {
    Tell({"apply", "-f", "-"}, kQueues);
    Tell({"submit", "-f", "-"}, kRedJobs);
    Tell({"schedule", "--until-idle"});
  }
  std::vector<std::string> Names(const std::vector<std::string>& options) const {
    std::vector<std::string> args = {"get", "wl", "-o", "json"};
    args.insert(args.end(), options.begin(), options.end());
    std::vector<std::string> names;
    const Json list = Json::parse(Do(args));
    for (const Json& item : list["items"]) names.push_back(item["metadata"]["name"]);
    return names;
  }

  testing::TemporaryDirectory directory_;
};

using ApplyToLedger = Operator;
using GetWorkloads = Operator;
using LedgerFile = Operator;

TEST_F(ApplyToLedger, AFlavorThatIsTakenFromRunningJobsIsAWarningWithTheirNumber) {
  Begin();
  const std::string other = With(kQueues, "name: default", "name: other");
  const std::string warning =
      "warning: this takes default from ClusterQueue red: what 1 job holds of it is not charged "
      "any more, and what runs goes on; keep it with nominalQuota: 0 until nothing holds it";
  const auto err = [&](const std::vector<std::string>& more) {
    std::vector<std::string> args = {"apply", "-f", "-", "--now", kNoon};
    args.insert(args.end(), more.begin(), more.end());
    return Try(args, other).err;
  };
  EXPECT_THAT(err({"--dry-run"}), AllOf(HasSubstr(warning), Not(HasSubstr("ClusterQueue blue"))));
  EXPECT_THAT(err({}), HasSubstr(warning));
  EXPECT_THAT(err({}), Not(HasSubstr("warning")));
}

TEST_F(ApplyToLedger, OfManyEndsWithTotalsByKind) {
  const std::string said = Tell({"apply", "-f", "-"}, std::string(kQueues) + kRedJobs);
  EXPECT_THAT(said, StartsWith("Namespace lab created\n"));
  EXPECT_THAT(said, ::testing::EndsWith(R"(
KIND             CREATED   CHANGED   UNCHANGED
ClusterQueue           2         0           0
LocalQueue             2         0           0
Namespace              1         0           0
ResourceFlavor         1         0           0
Workload               2         0           0
total                  8         0           0
)"));
  EXPECT_EQ(Tell({"submit", "-f", "-"}, Serve()), "Workload lab/job-serve created\n");
}

TEST_F(ApplyToLedger, QuietlyPrintsTotalsAndHowManyWarningsThereAre) {
  const std::string huge =
      std::string(kRedJobs).replace(std::string(kRedJobs).find("cpu: 6"), 6, "cpu: 600");
  const Said said = Try({"apply", "-f", "-", "--quiet", "--now", kNoon}, kQueues + huge);
  EXPECT_EQ(said.code, kDone);
  EXPECT_EQ(said.err, "");
  EXPECT_THAT(said.out, StartsWith("KIND"));
  EXPECT_THAT(said.out, HasSubstr("\n1 warning; without --quiet they are shown\n"));
  const Json totals = Json::parse(Tell({"submit", "-f", "-", "--quiet", "-o", "json"}, huge));
  EXPECT_EQ(totals["totals"]["Workload"]["unchanged"], 2);
  const Said wrong = Try({"apply", "-f", "-", "--quiet"}, "kind: Nothing\n");
  EXPECT_EQ(wrong.code, kNo);
  EXPECT_THAT(wrong.err, HasSubstr("nothing was applied"));
}

TEST_F(ApplyToLedger, ADryRunSaysWhoFaresDifferentlyAndWritesNothing) {
  Begin();
  const std::string before = testing::ReadFile(Db());
  const std::string said = Tell({"apply", "--dry-run", "-f", "-"}, Serve());
  EXPECT_THAT(said, HasSubstr("Workload lab/job-serve created\n"));
  EXPECT_THAT(said, HasSubstr("starts    lab/job-serve   blue"));
  EXPECT_THAT(said,
              HasSubstr("leaves    lab/job-train   red            for lab/job-serve: the owner "
                        "takes back"));
  EXPECT_THAT(said, HasSubstr("starts    lab/job-wait    red"));
  EXPECT_THAT(said, HasSubstr("3 workloads fare differently with the change: 1 leaves, 2 starts; 0 "
                              "alike. Nothing was written.\n"));
  EXPECT_EQ(testing::ReadFile(Db()), before);
  EXPECT_THAT(Do({"get", "wl"}), Not(HasSubstr("job-serve")));
}

TEST_F(ApplyToLedger, ADryRunOfWhatTheLedgerHoldsChangesNoFate) {
  Begin();
  const Json json = Json::parse(Tell({"apply", "--dry-run", "-f", "-", "-o", "json"}, kQueues));
  EXPECT_EQ(json["different"], 0);
  EXPECT_EQ(json["same"], 2);
  EXPECT_THAT(json["changes"], IsEmpty());
  EXPECT_EQ(json["totals"]["ClusterQueue"]["unchanged"], 2);
}

TEST_F(ApplyToLedger, ADryRunTellsWhatADrainDoes) {
  Begin();
  std::string queues = kQueues;
  queues.replace(queues.find("  cohortName: labs"), 18,
                 "  stopPolicy: HoldAndDrain\n  cohortName: labs");
  const Json json = Json::parse(Tell({"apply", "--dry-run", "-f", "-", "-o", "json"}, queues));
  ASSERT_EQ(json["changes"].size(), 1U) << json;
  EXPECT_EQ(json["changes"][0]["workload"], "lab/job-train");
  EXPECT_EQ(json["changes"][0]["change"], "leaves");
  EXPECT_EQ(json["changes"][0]["detail"], "The ClusterQueue is stopped");
  EXPECT_THAT(Do({"get", "wl"}), HasSubstr("Admitted"));
}

TEST_F(ApplyToLedger, ADryRunGivesTheQuotaOfADrainedQueueAwayAtOnce) {
  Begin();
  const std::string reclaim = "reclaimWithinCohort: Any";
  Tell({"apply", "-f", "-"}, With(kQueues, reclaim, "withinClusterQueue: Never"));
  // Beside train, blue has room for one of its two jobs.
  const std::string serve = With(Serve(), "cpu: 4", "cpu: 2");
  Tell({"submit", "-f", "-"}, serve);
  Tell({"schedule", "--until-idle"});
  Tell({"submit", "-f", "-"}, With(serve, "serve", "urgent"));
  Tell({"update", "lab/urgent", "--priority", "9"});
  Tell({"schedule", "--until-idle"});
  std::string queues = With(kQueues, reclaim, "withinClusterQueue: LowerPriority");
  queues.replace(queues.find("  cohortName: labs"), 18,
                 "  stopPolicy: HoldAndDrain\n  cohortName: labs");
  const Json json = Json::parse(Tell({"apply", "--dry-run", "-f", "-", "-o", "json"}, queues));
  ASSERT_EQ(json["changes"].size(), 2U) << json;
  EXPECT_EQ(json["changes"][0]["workload"], "lab/job-train");
  EXPECT_EQ(json["changes"][0]["change"], "leaves");
  EXPECT_EQ(json["changes"][1]["workload"], "lab/job-urgent");
  EXPECT_EQ(json["changes"][1]["change"], "starts");
}

TEST_F(ApplyToLedger, ADryRunTellsWhatWaitsForAnotherReason) {
  Begin();
  std::string queues = kQueues;
  for (std::size_t at = 0; (at = queues.find("nominalQuota: 4", at)) != std::string::npos;) {
    queues.replace(at, 15, "nominalQuota: 1");
  }
  const Json json = Json::parse(Tell({"apply", "--dry-run", "-f", "-", "-o", "json"}, queues));
  ASSERT_EQ(json["changes"].size(), 1U) << json;
  EXPECT_EQ(json["changes"][0]["workload"], "lab/job-wait");
  EXPECT_EQ(json["changes"][0]["change"], "waits");
  EXPECT_EQ(json["changes"][0]["detail"],
            "asks for more cpu than flavor default can ever have; without the change: waits for "
            "quota");
}

TEST_F(ApplyToLedger, ADryRunAgreesWithWhatHappensThen) {
  Begin();
  Tell({"apply", "--dry-run", "-f", "-"}, Serve());
  Tell({"apply", "-f", "-"}, Serve());
  Tell({"schedule", "--until-idle", "--complete-evictions"});
  const std::vector<std::string> holders = {"job-serve", "job-wait"};
  EXPECT_EQ(Names({"--state", "admitted"}), holders);
}

TEST_F(ApplyToLedger, ADryRunNeedsALedgerAndRefusesWhatApplyRefuses) {
  EXPECT_EQ(RunCli({"apply", "--dry-run", "-f", "-"}, kQueues).code, kWrongUse);
  EXPECT_EQ(Try({"apply", "--dry-run", "-f", "-"}, kQueues).code, kWrongUse) << "there is none";
  EXPECT_FALSE(std::filesystem::exists(Db()));
  Begin();
  EXPECT_EQ(Try({"apply", "--dry-run", "-f", "-"}, "kind: Nothing\n").code, kNo);
  EXPECT_EQ(Try({"apply", "--dry-run", "-f", "-", "--now", "2200-01-01T00:00:00Z"}, Serve()).code,
            kNo);
}

TEST_F(GetWorkloads, ByStateAndInOrder) {
  Begin();
  Tell({"submit", "-f", "-"}, Serve());
  Tell({"update", "lab/serve", "--priority", "9"});
  EXPECT_THAT(Names({"--state", "admitted"}), ElementsAre("job-train"));
  EXPECT_THAT(Names({"--state", "pending"}), ElementsAre("job-serve", "job-wait"));
  EXPECT_THAT(Names({"--state", "parked"}), ElementsAre("job-wait"));
  EXPECT_THAT(Names({"--state", "parked,admitted"}), ElementsAre("job-train", "job-wait"));
  EXPECT_THAT(Names({"--state", "Parked"}), ElementsAre("job-wait"));
  EXPECT_THAT(Try({"get", "wl", "lab/wait", "--state", "admitted"}).err,
              HasSubstr("there is no workload 'job-wait' in namespace lab in that state"));
  EXPECT_THAT(Names({"--sort", "priority"}), ElementsAre("job-serve", "job-train", "job-wait"));
  EXPECT_THAT(Names({"--sort", "state"}), ElementsAre("job-serve", "job-wait", "job-train"));
  Tell({"finish", "lab/train"});
  EXPECT_THAT(Names({"--state", "finished"}), ElementsAre("job-train"));
  const Said unknown = Try({"get", "wl", "--state", "runing"});
  EXPECT_EQ(unknown.code, kWrongUse);
  EXPECT_THAT(unknown.err, HasSubstr("--state does not take 'runing'"));
  EXPECT_EQ(Try({"get", "cq", "--state", "pending"}).code, kWrongUse);
  EXPECT_EQ(Try({"get", "cq", "--sort", "gpu"}).code, kWrongUse);
}

TEST_F(GetWorkloads, SaysWhatIsBorrowedByThoseThatCameLast) {
  std::string jobs = kRedJobs;
  jobs.replace(jobs.find("cpu: 6"), 6, "cpu: 3");  // of red's 4; wait asks for 3, too
  Tell({"apply", "-f", "-"}, kQueues + jobs);
  Tell({"schedule"});
  Do({"schedule", "--now", "2026-01-01T12:01:00Z"});
  const std::string said = Do({"get", "wl"});
  EXPECT_THAT(said, HasSubstr("job-train   red     red               0   Admitted     -   -  "));
  EXPECT_THAT(said, HasSubstr("job-wait    red     red               0   Admitted     -   cpu 2"));
}

TEST_F(GetWorkloads, OfThoseOfOneSecondTheOneThatComesFirstInItsQueueBorrowsNothing) {
  std::string jobs = kRedJobs;
  jobs.replace(jobs.find("cpu: 6"), 6, "cpu: 3");
  jobs.replace(jobs.find("name: wait"), 10, "name: also");  // before `train` by name
  Tell({"apply", "-f", "-"}, kQueues + jobs);
  Tell({"update", "lab/train", "--priority", "3"});
  Tell({"schedule", "--until-idle"});
  const std::string said = Do({"get", "wl"});
  EXPECT_THAT(said, HasSubstr("job-train   red     red               3   Admitted     -   -  "));
  EXPECT_THAT(said, HasSubstr("job-also    red     red               0   Admitted     -   cpu 2"));
}

TEST_F(GetWorkloads, OneThatWasDeactivatedAndIsNotChargedTakesNoQuotaFromOthers) {
  std::string jobs = kRedJobs;
  jobs.replace(jobs.find("cpu: 6"), 6, "cpu: 3");  // of red's 4; wait asks for 3, too
  Tell({"apply", "-f", "-"}, kQueues + jobs);
  Tell({"schedule", "--cycles", "1"});
  Tell({"update", "lab/train", "--active", "false"});
  Tell({"schedule"});
  const std::string said = Do({"get", "wl"});
  EXPECT_THAT(said, HasSubstr("job-wait    red     red               0   Admitted     -   -  "));
}

TEST_F(GetWorkloads, JsonSaysAsTheTextDoesWhyAQueueStartsNothing) {
  Begin();
  Tell({"submit", "-f", "-"}, Serve());
  Tell({"stop", "blue"});
  Tell({"schedule"});
  const Json serve = Json::parse(Do({"get", "wl", "lab/serve", "-o", "json"}));
  EXPECT_EQ(serve["status"]["conditions"][0]["message"], "ClusterQueue blue is stopped");
  EXPECT_THAT(Do({"get", "wl", "lab/serve"}), HasSubstr("ClusterQueue blue is stopped"));
  const Json steps = Json::parse(Tell({"schedule", "-o", "json"}))["steps"];
  EXPECT_EQ(steps[0]["pending"]["lab/job-serve"]["closed"], "ClusterQueue blue is stopped");
  EXPECT_FALSE(steps[0]["pending"]["lab/job-wait"].contains("closed"));
}

TEST_F(GetWorkloads, OneThatWaitsHasItsStatusInJson) {
  Tell({"apply", "-f", "-"}, std::string(kQueues) + kRedJobs);
  const auto condition = [this] {
    return Json::parse(Do({"get", "wl", "lab/wait", "-o", "json"}))["status"]["conditions"][0];
  };
  EXPECT_EQ(condition()["message"], "not looked at yet");
  Tell({"schedule", "--until-idle"});
  EXPECT_EQ(condition()["type"], "QuotaReserved");
  EXPECT_EQ(condition()["status"], "False");
  EXPECT_EQ(condition()["reason"], "WaitingForQuota");
  EXPECT_THAT(condition()["message"].get<std::string>(), HasSubstr("1 more needed"));
}

TEST_F(GetWorkloads, AWatchPrintsWhatChangesUntilItIsInterrupted) {
  const std::string said = (directory_.path() / "said").string();
  // Watches with the options $5, finishes `train` once that is seen, waits for $4 and interrupts.
  const std::string script =
      "\"$1\" get wl -w --db \"$2\" $5 > \"$3\" & watch=$!\n"
      "until grep -q job-train \"$3\"; do sleep 0.05; done\n"
      "\"$1\" finish lab/train --db \"$2\"\n"
      "until grep -q \"$4\" \"$3\"; do sleep 0.05; done\n"
      "kill -INT $watch; wait $watch";
  const auto watch = [&](const std::string& until, const std::string& options) {
    std::filesystem::remove(Db());
    std::filesystem::remove(said);
    Begin();
    const testing::CommandResult result =
        testing::RunCommand({"timeout", "60", "bash", "-c", script, "-",
                             testing::MusterBinary().string(), Db(), said, until, options});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return testing::ReadFile(said);
  };
  const std::string table = watch("Finished", "");
  EXPECT_THAT(table, StartsWith("EVENT   NAMESPACE"));
  EXPECT_THAT(table, HasSubstr("ADDED   lab         job-wait"));
  EXPECT_THAT(table, HasSubstr("MODIFIED   lab         job-train   red     red               0   "
                               "Finished"));
  EXPECT_THAT(watch("DELETED", "-o json --state admitted"),
              AllOf(StartsWith("{\"type\":\"ADDED\",\"object\":{"),
                    HasSubstr("\n{\"type\":\"DELETED\",\"object\":{")));
  EXPECT_EQ(RunCli({"get", "wl", "-w", "-f", "-"}, kQueues).code, kWrongUse) << "no ledger";
}

TEST_F(Operator, ANamespaceThatWouldBeIgnoredIsAMistake) {
  Begin();
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"get", "cq", "-n", "lab"},
                                             {"get", "cq", "lab/red"},
                                             {"get", "wl", "lab/wait", "-n", "other"},
                                             {"describe", "cohort", "labs", "-n", "lab"},
                                             {"delete", "cq", "red", "-n", "lab"},
                                             {"delete", "lq", "lab/red", "-n", "other"},
                                             {"stop", "cq", "red", "-n", "lab"},
                                             {"stop", "lab/red", "-n", "other"},
                                             {"finish", "lab/wait", "-n", "other"},
                                             {"explain", "lab/wait", "-n", "other"}}) {
    const Said said = Try(args);
    EXPECT_EQ(said.code, kWrongUse) << args[0] << ' ' << args[1];
    EXPECT_THAT(said.err, HasSubstr("namespace")) << args[0] << ' ' << args[1];
  }
  EXPECT_EQ(Try({"get", "wl", "--db", "other"}).code, kWrongUse) << "two ledgers";
  EXPECT_EQ(Try({"get", "wl", "lab/wait", "-n", "lab"}).code, kDone);
}

TEST_F(Operator, EmptyStandardInputIsSaidWhateverElseIsNamed) {
  Begin();
  for (const char* verb : {"finish", "cancel", "ready"}) {
    EXPECT_EQ(Try({verb, "lab/train", "-"}).code, kWrongUse) << verb;
  }
  EXPECT_THAT(Try({"stop", "-"}).err, HasSubstr("standard input names no queue"));
  EXPECT_THAT(Try({"finish", "-"}).err, HasSubstr("standard input names no workload"));
  EXPECT_THAT(Names({"--state", "admitted"}), ElementsAre("job-train"));
  EXPECT_EQ(Tell({"cancel", "lab/wait", "-"}, "lab/train\n"),
            "Workload lab/job-wait cancelled\nWorkload lab/job-train cancelled\n");
}

TEST_F(Operator, QueuesToStopAndToResumeMayComeFromStandardInput) {
  Begin();
  EXPECT_EQ(Tell({"stop", "-"}, "red\nlab/blue\n"),
            "ClusterQueue red stopped\nLocalQueue lab/blue stopped\n");
  EXPECT_EQ(Tell({"resume", "cq", "-"}, "red blue\n"),
            "ClusterQueue red resumed\nClusterQueue blue unchanged\n");
}

TEST_F(Operator, InputWithNothingInItAndAScenarioAreSaid) {
  Begin();
  for (const char* verb : {"apply", "submit"}) {
    const Said nothing = Try({verb, "-f", "-"}, "# later\n");
    EXPECT_EQ(nothing.code, kNo) << verb;
    EXPECT_THAT(nothing.err, HasSubstr("in what was read; nothing was ")) << verb;
    const Said scenario =
        Try({verb, "-f", "-"}, "apiVersion: muster.dev/v1\nkind: Scenario\nsteps: [{cycle: 1}]\n");
    EXPECT_EQ(scenario.code, kNo) << verb;
    EXPECT_THAT(scenario.err, HasSubstr("stdin:1:1: a Scenario cannot be ")) << verb;
  }
}

TEST_F(Operator, SubmittingAJobThatHasEndedSaysThatItDoesNotRunAgain) {
  Begin();
  Tell({"finish", "lab/train"});
  const Said again = Try({"submit", "-f", "-"}, kRedJobs);
  EXPECT_EQ(again.code, kDone);
  EXPECT_THAT(again.err, AllOf(HasSubstr("lab/job-train has ended and does not run again"),
                               Not(HasSubstr("job-wait"))));
}

TEST_F(Operator, AnotherSpecForAJobThatHasEndedIsWarnedOfOnce) {
  Begin();
  Tell({"finish", "lab/train"});
  std::string other = kRedJobs;
  const std::string labels = "labels: {";
  other.insert(other.find(labels) + labels.size(), "a: b, ");
  for (const char* verb : {"submit", "apply"}) {
    const Said said = Try({verb, "-f", "-"}, other);
    EXPECT_EQ(said.code, kDone) << said.err;
    EXPECT_THAT(said.err, HasSubstr("lab/job-train is the job of uid "));
    EXPECT_THAT(said.err, HasSubstr("which has ended at "));
    EXPECT_THAT(said.err, Not(HasSubstr("does not run again")));
    other.insert(other.find(labels) + labels.size(), "c: d, ");
  }
}

TEST_F(Operator, StartPatchNeedsTheNamespaceOfAWorkload) {
  Begin();
  const Said said = Try({"start-patch", "train", "-f", "-"}, kRedJobs);
  EXPECT_EQ(said.code, kWrongUse);
  EXPECT_THAT(said.err, HasSubstr("'train' has no namespace; write NAMESPACE/train or add -n "));
}

TEST_F(Operator, ANamespaceIsNotDeletedWithWhatIsInIt) {
  Begin();
  const Said said = Try({"delete", "ns", "lab"});
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.err, HasSubstr("Namespace lab holds LocalQueue lab/blue and 3 more; delete that "
                                  "first, or add --force"));
  Tell({"cancel", "lab/train", "lab/wait"});
  Tell({"delete", "lq", "lab/red"});
  Tell({"delete", "lq", "lab/blue"});
  EXPECT_EQ(Tell({"delete", "ns", "lab"}), "Namespace lab deleted\n");
}

TEST_F(Operator, APriorityClassMayGoAndLeavesItsValueBehind) {
  Begin();
  const std::string classes =
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: high}\n"
      "value: 1000\n";
  std::string urgent = With(Serve(), "serve", "urgent");
  urgent = With(urgent, "{kueue.x-k8s.io/queue-name: blue}",
                "{kueue.x-k8s.io/queue-name: blue, "
                "kueue.x-k8s.io/priority-class: high}");
  Tell({"apply", "-f", "-"}, classes + urgent);
  EXPECT_EQ(Tell({"delete", "pc", "high"}), "WorkloadPriorityClass high deleted\n");
  const Json job = Json::parse(Do({"describe", "wl", "lab/job-urgent", "-o", "json"}));
  EXPECT_EQ(job["spec"]["priority"], 1000);
  EXPECT_THAT(RunCli({"delete", "--help"}).out, HasSubstr("keep the priority"));
}

TEST_F(Operator, ANumberOutOfRangeIsToldItsRange) {
  Begin();
  EXPECT_THAT(Try({"update", "lab/wait", "--priority", "3000000000"}).err,
              HasSubstr("from -2147483648 to 2147483647, not '3000000000'"));
  EXPECT_THAT(Try({"schedule", "--now", "2300-01-01T00:00:00Z"}).err,
              HasSubstr("from 1677-09-22 to 2262-04-11"));
}

TEST_F(Operator, ColumnsOfEqualNamesAreAllInJson) {
  Begin();
  const Json rows = Json::parse(
      Do({"ledger", "query", "SELECT 1 AS a, 2 AS a, 3 AS \"a:2\", 4 AS a", "-o", "json"}));
  EXPECT_EQ(rows[0].dump(), R"({"a":1,"a:3":2,"a:2":3,"a:4":4})");
}

TEST_F(LedgerFile, ThatBeginsLongAgoIsWarnedOf) {
  const Said said = Try({"apply", "-f", "-", "--now", "1960-01-01T00:00:00Z"}, kQueues);
  EXPECT_EQ(said.code, kDone);
  EXPECT_THAT(said.err, HasSubstr("the ledger begins at 1960-01-01T00:00:00Z, over a year before"));
  const Said again = Try({"apply", "-f", "-", "--now", "1960-01-01T00:00:00Z"}, kQueues);
  EXPECT_EQ(again.err, "");
}

TEST_F(LedgerFile, ABackupThatWasReadLeavesNothingBesideIt) {
  Begin();
  const std::filesystem::path folder = directory_.path() / "backups";
  std::filesystem::create_directory(folder);
  const std::string backup = (folder / "night.ledger").string();
  Do({"ledger", "backup", backup});
  EXPECT_THAT(RunCli({"get", "wl", "--db", backup}).out, HasSubstr("job-train"));
  EXPECT_EQ(RunCli({"ledger", "verify", backup}).code, kDone);
  EXPECT_EQ(RunCli({"apply", "--dry-run", "-f", "-", "--db", backup}, Serve()).code, kDone);
  EXPECT_THAT(testing::FilesUnder(folder, ""), ElementsAre(backup));
}

TEST_F(LedgerFile, AFileThatIsNoneIsCalledSoAndLeftAlone) {
  testing::WriteFile(Db(), "a letter\n");
  for (const char* verb : {"get", "apply"}) {
    const Said said =
        verb == std::string("get") ? Try({"get", "cq"}) : Try({"apply", "-f", "-"}, kQueues);
    EXPECT_EQ(said.code, kRefused);
    EXPECT_THAT(said.err, AllOf(HasSubstr("is not a Muster ledger: it is another kind of file"),
                                Not(HasSubstr("PRAGMA"))));
  }
  EXPECT_THAT(testing::FilesUnder(directory_.path(), ""), ElementsAre(Db()));
}

}  // namespace
}  // namespace muster::cli
