// What an operator meets on a bad day: a queue deleted under a job, a busy or empty ledger, a
// mistyped name, a time that has passed since.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <thread>

#include "db/sqlite/ledger.h"
#include "tests/testing/paths.h"
#include "tests/unit/cli/run_cli.h"
#include "tests/unit/cli/sample.h"

namespace muster::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kTroubleNoon = "2026-01-01T12:00:00Z";

class Trouble : public ::testing::Test {
 protected:
  std::string Db() const { return (directory_.path() / "cluster.ledger").string(); }
  /// Runs a verb on the ledger with `input` as standard input.
  Said Try(std::vector<std::string> args, const std::string& input = "") const {
    args.insert(args.end(), {"--db", Db()});
    return RunCli(args, input);
  }
  /// The same at kTroubleNoon, expecting success.
  Said Tell(std::vector<std::string> args, const std::string& input = "") const {
    args.insert(args.end(), {"--now", kTroubleNoon});
    Said said = Try(args, input);
    EXPECT_EQ(said.code, kDone) << args.front() << ": " << said.err;
    return said;
  }
  /// Queues are there, `train` runs on borrowed quota and `wait` waits.
  void Begin(const std::string& jobs = kRedJobs) const {
    Tell({"apply", "-f", "-"}, kQueues);
    Tell({"submit", "-f", "-"}, jobs);
    Tell({"schedule", "--until-idle"});
  }

  testing::TemporaryDirectory directory_;
};

/// A job of red with `cpus`.
std::string Job(const std::string& name, int cpus) {
  return "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: " + name +
         ", namespace: lab, labels: {kueue.x-k8s.io/queue-name: red}}\nspec:\n  template: {spec: "
         "{containers: [{name: c, image: i, resources: {requests: {cpu: " +
         std::to_string(cpus) + "}}}]}}\n";
}

TEST_F(Trouble, AJobWhoseLocalQueueIsGoneIsShownWithTheQueueWhoseQuotaItHolds) {
  Begin(Job("four", 4));
  Tell({"delete", "lq", "lab/red", "--force"});
  const std::string listed = Tell({"get", "wl"}).out;
  EXPECT_FALSE(std::regex_search(listed, std::regex("Admitted +4"))) << listed;
  EXPECT_TRUE(std::regex_search(listed, std::regex("job-four +red +red +0 +Admitted"))) << listed;
  EXPECT_THAT(Tell({"describe", "cq", "red"}).out, HasSubstr("job-four"));
  EXPECT_THAT(Tell({"explain", "lab/job-four"}).out, HasSubstr("runs in ClusterQueue red"));
}

TEST_F(Trouble, AKindOfJobsIsToldWhatItIsHere) {
  Begin(Job("four", 4));
  for (const char* kind : {"job", "jobs", "RayJob", "pytorchjobs", "pods"}) {
    EXPECT_THAT(Try({"describe", kind, "four"}).err,
                HasSubstr("jobs of every kind are workloads; write \"workloads\""));
    EXPECT_THAT(Try({"get", kind}).err, HasSubstr("and KIND-NAME for the name"));
  }
  EXPECT_THAT(Try({"get", "jib"}).err, HasSubstr("write one of"));
}

TEST_F(Trouble, ADrainNamesWhatItCouldNotReach) {
  Begin(Job("four", 4));
  Tell({"delete", "lq", "lab/red", "--force"});
  EXPECT_THAT(Tell({"stop", "red"}).err, Not(HasSubstr("not told"))) << "what runs goes on";
  EXPECT_THAT(Tell({"stop", "red", "--drain"}).err,
              AllOf(HasSubstr("1 workload of ClusterQueue red was not told to leave: its "
                              "LocalQueue is gone"),
                    HasSubstr("muster evict lab/job-four --reason")));
  Tell({"evict", "lab/job-four", "--reason", "Drained"});
  EXPECT_THAT(Tell({"get", "wl"}).out, HasSubstr("Evicting"));
}

TEST_F(Trouble, ADrainThatReachesAllSaysNothingMore) {
  Begin();
  const Said said = Tell({"stop", "red", "--drain"});
  EXPECT_THAT(said.out, HasSubstr("1 workload told to leave"));
  EXPECT_THAT(said.err, Not(HasSubstr("not told")));
}

TEST_F(Trouble, WhatIsNoObjectIsNotDeletedAndSaysWhatIsMeant) {
  for (const auto& [kind, cure] :
       std::map<std::string, std::string>{{"consumers", "muster consumer remove"},
                                          {"policy", "muster policy rollback"},
                                          {"accounts", "ends with the package"}}) {
    const Said said = Try({"delete", kind, "x"});
    EXPECT_EQ(said.code, kWrongUse) << kind;
    EXPECT_THAT(said.err, HasSubstr(cure)) << kind;
  }
}

TEST_F(Trouble, AFileOfOneByteIsNoLedgerAndStaysAsItIs) {
  std::ofstream(Db()) << 'x';
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"apply", "-f", "-"}, {"schedule"}}) {
    const Said said = Try(args, kQueues);
    EXPECT_EQ(said.code, kRefused) << args.front();
    EXPECT_THAT(said.err, HasSubstr("it has one byte")) << args.front();
  }
  EXPECT_EQ(testing::ReadFile(Db()), "x");
}

TEST_F(Trouble, ACohortThatOthersNameIsDeletedOnlyByForce) {
  const auto cohort = [](const std::string& name, const std::string& spec) {
    return "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: " + name +
           "}\nspec: " + spec + "\n";
  };
  Tell({"apply", "-f", "-"},
       kQueues + cohort("labs", "{parentName: org}") + cohort("org", "{}") + cohort("free", "{}"));
  const Said labs = Try({"delete", "cohort", "labs", "--now", kTroubleNoon});
  EXPECT_EQ(labs.code, kNo);
  EXPECT_THAT(labs.err, HasSubstr("Cohort labs is used by ClusterQueue blue and 1 more; delete"));
  const Said org = Try({"delete", "cohort", "org", "--now", kTroubleNoon});
  EXPECT_EQ(org.code, kNo);
  EXPECT_THAT(org.err, HasSubstr("Cohort org is used by Cohort labs"));
  Tell({"delete", "cohort", "free"});
  Tell({"delete", "cohort", "labs", "--force"});
  Tell({"delete", "cohort", "org"});
  EXPECT_EQ(Try({"ledger", "verify", "--replay"}).code, kDone);
}

TEST_F(Trouble, ABusyLedgerIsWaitedForAsLongAsIsAsked) {
  Begin();
  Result<std::unique_ptr<Ledger>> held = Ledger::Open(Db(), OpenMode::kExisting);
  ASSERT_TRUE(held.ok());
  const Said refused = Try({"stop", "red", "--wait", "0", "--now", kTroubleNoon});
  EXPECT_EQ(refused.code, kRefused);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("is held by process"), HasSubstr("try again")));
  EXPECT_THAT(Try({"stop", "red", "--wait", "soon"}).err, HasSubstr("--wait takes whole seconds"));
  std::thread holder([&held] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    held->reset();
  });
  Tell({"stop", "red"});
  holder.join();
}

TEST_F(Trouble, AnEmptyFileIsALedgerThatHasNotBegun) {
  directory_.Write("cluster.ledger", "");
  const std::string says = Db() + " is empty: there is no ledger in it yet; muster apply --db ";
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"get", "wl"}, {"schedule"}, {"stop", "red"}, {"ledger", "verify"}, {"usage"}}) {
    const Said said = Try(args);
    EXPECT_EQ(said.code, kWrongUse) << args.front();
    EXPECT_THAT(said.err, HasSubstr(says)) << args.front();
  }
  Tell({"apply", "-f", "-"}, kQueues);
}

TEST_F(Trouble, AQueryWhoseWordsAreTheWrongWayRoundIsToldTheirOrder) {
  Begin();
  const Said turned = RunCli({"ledger", "query", "SELECT 1", Db()});
  EXPECT_EQ(turned.code, kWrongUse);
  EXPECT_THAT(turned.err, HasSubstr("'SELECT 1' is no ledger; write LEDGER SQL, or SQL --db"));
  EXPECT_THAT(RunCli({"ledger", "query", "SELECT 1"}).err, HasSubstr("name the ledger"));
  EXPECT_EQ(RunCli({"ledger", "query", Db(), "SELECT 1"}).code, kDone);
}

TEST_F(Trouble, AMistypedNameIsToldTheCloseOne) {
  Begin();
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"get", "cq", "bleu"},
                                             {"describe", "cq", "bleu"},
                                             {"delete", "cq", "bleu"},
                                             {"stop", "bleu"}}) {
    const Said said = Try(args);
    EXPECT_EQ(said.code, kNo) << args.front();
    EXPECT_THAT(said.err, HasSubstr("; write blue")) << args.front();
  }
}

TEST_F(Trouble, AdviceAboutAStoppedQueueNamesTheVerb) {
  Begin();
  Tell({"stop", "red"});
  EXPECT_THAT(Tell({"explain", "lab/job-wait"}).out,
              HasSubstr("set spec.stopPolicy of ClusterQueue red to None (muster resume red)"));
}

TEST_F(Trouble, ATimeFarAheadIsAYearAhead) {
  Begin();
  const Said said = Try({"stop", "red", "--now", "2028-01-01T12:00:00Z"});
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.err, HasSubstr("is more than a year (366 days) after 2026-01-01"));
}

TEST_F(Trouble, ANamespaceAfterItsLocalQueueIsCreated) {
  const std::string queues = kQueues;
  const std::size_t end = queues.find("---\n") + 4;
  const std::string turned = queues.substr(end) + "---\n" + queues.substr(0, end - 4);
  EXPECT_THAT(Tell({"apply", "-f", "-"}, turned).out, HasSubstr("Namespace lab created\n"));
  EXPECT_THAT(Tell({"apply", "-f", "-"}, turned).out, HasSubstr("Namespace lab unchanged\n"));
}

TEST_F(Trouble, AnEndedJobIsForgottenBeforeAnotherOfItsName) {
  Begin(Job("one", 1));
  Tell({"finish", "lab/job-one"});
  const Said said = Try({"submit", "-f", "-", "--now", kTroubleNoon}, Job("one", 2));
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.err,
              AllOf(HasSubstr("lab/job-one has ended"), HasSubstr("muster cancel lab/job-one"),
                    Not(HasSubstr("while quota is reserved"))));
  Tell({"cancel", "lab/job-one"});
  Tell({"submit", "-f", "-"}, Job("one", 2));
}

TEST_F(Trouble, AJobForAnUnknownLocalQueueIsToldToApplyIt) {
  Begin();
  const std::string job =
      std::regex_replace(Job("one", 1), std::regex("queue-name: red"), "queue-name: night");
  const Said said = Try({"submit", "-f", "-", "--now", kTroubleNoon}, job);
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.err, AllOf(HasSubstr("create it with muster apply -f FILE first"),
                              Not(HasSubstr("in the same call"))));
}

TEST_F(Trouble, ALedgerIsReadAsOfTheWallClock) {
  std::string job = Job("one", 1);
  job = std::regex_replace(job, std::regex("labels: \\{"),
                           "labels: {kueue.x-k8s.io/max-exec-time-seconds: \"60\", ");
  Begin(job);
  const std::string before = testing::ReadFile(Db());
  EXPECT_THAT(Tell({"get", "wl"}).out, HasSubstr("Admitted"));
  const Said now = Try({"get", "wl"});
  EXPECT_THAT(now.out, Not(HasSubstr("Admitted")));
  EXPECT_THAT(now.err, StartsWith("as of 2"));
  EXPECT_THAT(Try({"explain", "lab/job-one"}).out, HasSubstr("deactivated"));
  EXPECT_THAT(Try({"describe", "wl", "lab/job-one"}).out, HasSubstr("Evicting"));
  EXPECT_EQ(testing::ReadFile(Db()), before);
}

}  // namespace
}  // namespace muster::cli
