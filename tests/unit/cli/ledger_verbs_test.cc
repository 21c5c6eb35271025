// A day of a ledger through the real binary: what each verb says, and its exit code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "muster/durable_engine.h"
#include "tests/testing/command.h"
#include "tests/testing/paths.h"
#include "tests/unit/cli/sample.h"

namespace muster::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class LedgerVerbs : public ::testing::Test {
 protected:
  std::string Db() const { return (directory_.path() / "cluster.ledger").string(); }
  std::string File(const std::string& name, const std::string& text) const {
    return directory_.Write(name, text).string();
  }
  std::string Queues() const { return File("queues.yaml", cli::kQueues); }
  std::string Jobs() const { return File("jobs.yaml", cli::kRedJobs); }

  /// Runs a verb on the ledger, expecting success.
  std::string Do(std::vector<std::string> args) const {
    args.insert(args.end(), {"--db", Db()});
    const CommandResult result = RunMuster(args);
    EXPECT_EQ(result.exit_code, 0) << args.front() << ": " << result.err;
    return result.out;
  }
  CommandResult Try(std::vector<std::string> args) const {
    args.insert(args.end(), {"--db", Db()});
    return RunMuster(args);
  }
  /// Queues are there, `train` runs and `wait` waits.
  void Begin() const {
    Do({"apply", "-f", Queues()});
    Do({"submit", "-f", Jobs()});
    Do({"schedule", "--until-idle"});
  }
  std::string Query(const std::string& sql) const {
    const CommandResult result = RunMuster({"ledger", "query", Db(), sql, "-o", "json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }

  TemporaryDirectory directory_;
};

TEST_F(LedgerVerbs, ACheckAnswersFromAnotherProcess) {
  Begin();
  std::string queues(cli::kQueues);
  const std::string rules =
      "  admissionChecksStrategy: {admissionChecks: [{name: prov}]}\n  namespaceSelector: {}\n";
  queues = std::regex_replace(queues, std::regex("  namespaceSelector: \\{\\}\n"), rules);
  queues +=
      "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: AdmissionCheck\nmetadata: {name: prov}\n"
      "spec: {controllerName: example.com/prov}\n";
  Do({"apply", "-f", File("checks.yaml", queues)});
  Do({"finish", "lab/job-train"});
  Do({"schedule", "--until-idle"});
  EXPECT_THAT(Do({"get", "workloads"}), HasSubstr("QuotaReserved"));
  const CommandResult unknown = Try({"check", "lab/job-wait", "prof", "ready"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("its checks are prov"));
  EXPECT_EQ(Try({"check", "lab/job-wait", "prov", "done"}).exit_code, 1);
  const std::string pods = File("pods.yaml", "- {name: main, nodeSelector: {pool: p1}}\n");
  EXPECT_EQ(Do({"check", "lab/job-wait", "prov", "ready", "--pod-set-updates", pods}),
            "Workload lab/job-wait admitted\n");
  const std::string described = Do({"describe", "workload", "lab/job-wait"});
  EXPECT_THAT(described, AllOf(HasSubstr("prov"), HasSubstr("Ready"), HasSubstr("pool")));
  EXPECT_EQ(Do({"ready", "lab/job-wait"}), "Workload lab/job-wait ready\n");
  EXPECT_EQ(Do({"ready", "lab/job-wait", "--lost"}), "Workload lab/job-wait not ready\n");
  EXPECT_EQ(Do({"check", "lab/job-wait", "prov", "retry", "--requeue-after", "60"}),
            "Workload lab/job-wait evicting\n");
  const std::string events = Do({"describe", "workload", "lab/job-wait"});
  EXPECT_THAT(events,
              AllOf(HasSubstr("AdmissionCheckUpdated"), HasSubstr("prov is Ready"),
                    HasSubstr("Warning   EvictedDueToAdmissionCheck"), HasSubstr("PodsNotReady")));
  EXPECT_EQ(RunMuster({"ledger", "verify", Db(), "--replay"}).exit_code, 0);
}

TEST_F(LedgerVerbs, UpdateChangesWhatMayChangeAndRefusesTheRest) {
  Begin();
  EXPECT_EQ(Do({"update", "lab/job-wait", "--priority", "9"}), "Workload lab/job-wait updated\n");
  EXPECT_THAT(Do({"describe", "workload", "lab/job-wait"}), HasSubstr("9"));
  EXPECT_EQ(Do({"update", "lab/job-train", "--active", "false"}),
            "Workload lab/job-train updated\nWorkload lab/job-train evicting\n"
            "1 workload told to leave; muster evicted says when the pods are gone\n");
  EXPECT_THAT(Do({"describe", "workload", "lab/job-train"}), HasSubstr("Deactivated"));
  EXPECT_EQ(Try({"update", "lab/job-wait"}).exit_code, 1);
  EXPECT_EQ(Try({"update", "lab/job-wait", "--priority", "high"}).exit_code, 1);
  EXPECT_EQ(Try({"update", "lab/job-wait", "--count", "main"}).exit_code, 1);
  const CommandResult grown = Try({"update", "lab/job-wait", "--count", "worker=2"});
  EXPECT_EQ(grown.exit_code, 2);
  EXPECT_THAT(grown.err, HasSubstr("'worker' is not a podset of this workload"));
  EXPECT_EQ(RunMuster({"ledger", "verify", Db(), "--replay"}).exit_code, 0);
}

TEST_F(LedgerVerbs, AnotherProcessGoesOnWhereTheLastOneEnded) {
  EXPECT_THAT(Do({"apply", "-f", Queues()}), HasSubstr("ClusterQueue red created"));
  EXPECT_THAT(Do({"submit", "-f", Jobs()}), HasSubstr("Workload lab/job-train created"));
  EXPECT_THAT(Do({"schedule", "--until-idle"}), HasSubstr("job-train"));
  EXPECT_THAT(Do({"get", "workloads"}), AllOf(HasSubstr("job-train"), HasSubstr("Admitted")));
  EXPECT_EQ(Do({"finish", "lab/job-train"}), "Workload lab/job-train finished\n");
  const auto steps = nlohmann::json::parse(Do({"schedule", "-o", "json"}))["steps"];
  EXPECT_TRUE(steps[0]["admitted"].contains("lab/job-wait")) << steps;
  const CommandResult verify = RunMuster({"ledger", "verify", Db(), "--replay"});
  EXPECT_EQ(verify.exit_code, 0) << verify.err;
  EXPECT_THAT(verify.out, AllOf(StartsWith("clean"), HasSubstr("repeated")));
}

TEST_F(LedgerVerbs, TheSameAgainChangesNothingAndSaysSo) {
  Begin();
  const std::string before = Query("SELECT count(*) AS n FROM commit_log");
  for (const auto& args : {std::vector<std::string>{"apply", "-f", Queues()},
                           {"submit", "-f", Jobs()},
                           {"apply", "-f", Jobs()}}) {
    EXPECT_THAT(Do(args), AllOf(HasSubstr("unchanged"), Not(HasSubstr("created")),
                                Not(HasSubstr("changed\nWorkload lab/job-wait changed"))));
  }
  EXPECT_EQ(Query("SELECT count(*) AS n FROM commit_log"), before);
  Do({"finish", "lab/job-train"});
  EXPECT_EQ(Do({"finish", "lab/job-train"}), "Workload lab/job-train unchanged\n");
}

TEST_F(LedgerVerbs, AnImmutableFieldIsRefusedWithItsPlaceAndNothingOfTheCallIsKept) {
  Begin();
  std::string other = cli::kRedJobs;
  other.replace(other.find("cpu: 6"), 6, "cpu: 5");
  const std::string file = File("other.yaml", other);
  const std::string fresh = File("fresh.yaml", R"(apiVersion: batch/v1
kind: Job
metadata: {name: fresh, namespace: lab, labels: {kueue.x-k8s.io/queue-name: red}}
spec:
  template: {spec: {containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}}
)");
  const CommandResult result = Try({"submit", "-f", fresh, "-f", file});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(StartsWith(file + ":"), HasSubstr("nothing was submitted")));
  EXPECT_THAT(Do({"get", "workloads"}), Not(HasSubstr("job-fresh")));
}

TEST_F(LedgerVerbs, AReferenceIntoTheLedgerIsNoMistake) {
  Do({"apply", "-f", Queues()});
  EXPECT_EQ(RunMuster({"apply", "-f", Jobs()}).exit_code, 2) << "in memory there is no queue";
  EXPECT_THAT(Do({"apply", "-f", Jobs()}), HasSubstr("job-train created"));
}

TEST_F(LedgerVerbs, AnEvictionHasTwoSteps) {
  Begin();
  EXPECT_EQ(Do({"evict", "lab/job-train", "--reason", "Maintenance"}),
            "Workload lab/job-train evicting\n");
  EXPECT_EQ(Do({"evict", "lab/job-train", "--reason", "Maintenance"}),
            "Workload lab/job-train unchanged\n");
  const auto charged = nlohmann::json::parse(Do({"schedule", "-o", "json"}));
  EXPECT_THAT(charged["steps"][0]["admitted"], IsEmpty());
  EXPECT_EQ(Do({"evicted", "--all"}), "Workload lab/job-train evicted\n");
  EXPECT_EQ(Do({"evicted", "--all"}), "");
  const auto freed = nlohmann::json::parse(Do({"schedule", "-o", "json"}));
  EXPECT_TRUE(freed["steps"][0]["admitted"].contains("lab/job-train")) << freed;
}

TEST_F(LedgerVerbs, ReadyCancelAndDelete) {
  Begin();
  EXPECT_EQ(Do({"ready", "job-train", "-n", "lab"}), "Workload lab/job-train ready\n");
  EXPECT_EQ(Do({"ready", "job-train", "-n", "lab"}), "Workload lab/job-train unchanged\n");
  EXPECT_EQ(Try({"ready", "lab/job-wait"}).exit_code, 2) << "it is not admitted";
  EXPECT_EQ(Try({"delete", "clusterqueue", "red"}).exit_code, 2) << "it is in use";
  EXPECT_EQ(Do({"cancel", "lab/job-train", "lab/job-wait"}),
            "Workload lab/job-train cancelled\nWorkload lab/job-wait cancelled\n");
  EXPECT_EQ(Do({"delete", "lq", "lab/red"}), "LocalQueue lab/red deleted\n");
  EXPECT_EQ(Do({"delete", "cq", "red"}), "ClusterQueue red deleted\n");
  EXPECT_EQ(Try({"delete", "cq", "red"}).exit_code, 2) << "it is gone";
  EXPECT_EQ(RunMuster({"ledger", "verify", Db(), "--replay"}).exit_code, 0);
}

TEST_F(LedgerVerbs, OneUnknownWorkloadAndNoneOfThemIsFinished) {
  Begin();
  const CommandResult result = Try({"finish", "lab/job-train", "lab/wayt"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("there is no workload 'lab/wayt'; write \"lab/job-wait\""));
  EXPECT_THAT(Do({"get", "workloads"}), Not(HasSubstr("Finished")));
}

TEST_F(LedgerVerbs, AJobIsNamedWithAndWithoutItsPrefix) {
  Begin();
  EXPECT_EQ(Do({"update", "lab/wait", "--priority", "9"}), "Workload lab/job-wait updated\n");
  EXPECT_EQ(Do({"evict", "train", "-n", "lab", "--reason", "R"}),
            "Workload lab/job-train evicting\n");
  EXPECT_EQ(Do({"evicted", "lab/train", "lab/job-train"}), "Workload lab/job-train evicted\n");
  EXPECT_EQ(Do({"delete", "workload", "lab/wait"}), "Workload lab/job-wait deleted\n");
  EXPECT_THAT(Do({"get", "workloads"}), Not(HasSubstr("wait")));
  for (const char* word : {"/train", "lab/", "lab/a/b"}) {
    EXPECT_EQ(Try({"finish", word}).exit_code, 1) << word;
  }
}

TEST_F(LedgerVerbs, AnEvictionOfSeveralIsAllOrNothing) {
  Begin();
  const CommandResult result = Try({"evict", "lab/train", "lab/wait", "--reason", "R"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("lab/job-wait holds no quota"));
  EXPECT_THAT(Do({"get", "workloads"}), Not(HasSubstr("Evicting")));
}

TEST_F(LedgerVerbs, AStoppedQueueAdmitsNothingUntilItIsResumed) {
  Begin();
  EXPECT_EQ(Do({"stop", "red"}), "ClusterQueue red stopped\n");
  EXPECT_EQ(Do({"stop", "red"}), "ClusterQueue red unchanged\n");
  Do({"finish", "lab/train"});
  EXPECT_THAT(Do({"schedule", "--until-idle"}), Not(HasSubstr("admitted   lab/job-wait")));
  EXPECT_EQ(Do({"resume", "clusterqueue", "red"}), "ClusterQueue red resumed\n");
  EXPECT_THAT(Do({"schedule", "--until-idle"}), HasSubstr("admitted   lab/job-wait"));
  EXPECT_EQ(Do({"stop", "lab/red", "--drain"}),
            "LocalQueue lab/red stopped and drained\nWorkload lab/job-wait evicting\n"
            "1 workload told to leave; muster evicted says when the pods are gone\n");
  EXPECT_EQ(Do({"resume", "red", "-n", "lab"}), "LocalQueue lab/red resumed\n");
  const CommandResult unknown = Try({"stop", "bleu"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("there is no ClusterQueue bleu; write blue"));
  EXPECT_EQ(Try({"stop"}).exit_code, 1);
  EXPECT_EQ(Try({"stop", "workload", "lab/job-wait"}).exit_code, 1);
  EXPECT_EQ(RunMuster({"ledger", "verify", Db(), "--replay"}).exit_code, 0);
}

TEST_F(LedgerVerbs, ApplyingADrainSaysWhoIsToldToLeave) {
  Begin();
  std::string queues = cli::kQueues;
  queues.replace(queues.find("  cohortName: labs"), 18,
                 "  stopPolicy: HoldAndDrain\n  cohortName: labs");
  const std::string said = Do({"apply", "-f", File("drain.yaml", queues)});
  EXPECT_THAT(said, HasSubstr("Workload lab/job-train evicting\n1 workload told to leave"));
}

TEST_F(LedgerVerbs, ACycleOfCohortsIsRefusedAlsoWithWhatTheLedgerHolds) {
  Begin();
  const std::string head = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: ";
  Do({"apply", "-f", File("labs.yaml", head + "labs}\nspec: {parentName: org}\n")});
  const std::string cycle = File("org.yaml", head + "org}\nspec: {parentName: labs}\n");
  for (const bool allow_missing : {false, true}) {
    std::vector<std::string> args = {"apply", "-f", cycle};
    if (allow_missing) args.push_back("--allow-missing");
    const CommandResult result = Try(args);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(":4:20: these cohorts are a cycle: org -> labs -> org"));
  }
  EXPECT_EQ(Do({"get", "cohorts"}).find("labs -> "), std::string::npos);
}

TEST_F(LedgerVerbs, TimeNeverGoesBack) {
  Do({"apply", "-f", Queues(), "--now", "2026-01-01T12:00:00Z"});
  Do({"submit", "-f", Jobs(), "--now", "2025-01-01T12:00:00Z"});
  EXPECT_THAT(Query("SELECT created FROM workloads WHERE name = 'job-train'"),
              HasSubstr("2026-01-01T12:00:00Z"));
}

TEST_F(LedgerVerbs, TheLastCycleIsDecidedOnceMoreFromTheHistory) {
  Begin();
  Do({"cancel", "lab/job-wait"});  // after the cycle, but part of its trace
  const auto answer =
      nlohmann::json::parse(Do({"explain", "lab/job-train", "--last-cycle", "-o", "json"}));
  EXPECT_THAT(answer["lastCycle"].dump(), HasSubstr("lab/job-wait"));
}

TEST_F(LedgerVerbs, APolicyDecidesFromItsActivationToItsRollback) {
  const std::string binding = File("binding.yaml", R"(apiVersion: muster.dev/v1
kind: PolicyBinding
metadata: {name: all}
spec: {policy: small-first, params: {resource: cpu}}
)");
  Do({"apply", "-f", Queues(), "-f", binding});
  const std::string package = (SourceDir() / "policies/small-first").string();
  EXPECT_THAT(Do({"policy", "activate", package}), HasSubstr(" activated"));
  EXPECT_THAT(Do({"policy", "activate", package}), HasSubstr(" unchanged"));
  Do({"submit", "-f", Jobs()});
  const auto steps = nlohmann::json::parse(Do({"schedule", "-o", "json"}))["steps"];
  EXPECT_TRUE(steps[0]["admitted"].contains("lab/job-wait")) << "it is smaller: " << steps;
  EXPECT_THAT(Do({"policy", "list"}), AllOf(HasSubstr("small-first"), HasSubstr("active"),
                                            HasSubstr("Limits of each: memory 8 MB")));
  EXPECT_THAT(Do({"policy", "rollback"}), HasSubstr("the built-in rules decide"));
  EXPECT_EQ(Try({"policy", "rollback"}).exit_code, 2);
  EXPECT_THAT(Query("SELECT kind FROM event WHERE subject = 'policy/small-first'"),
              AllOf(HasSubstr("PolicyActivated"), HasSubstr("PolicyRolledBack")));
  EXPECT_EQ(RunMuster({"ledger", "verify", Db(), "--replay"}).exit_code, 0);
}

TEST_F(LedgerVerbs, TheOwnerOfAQueueBindsThereWhatIsAboutItsOwnJobs) {
  Do({"apply", "-f", Queues()});
  const auto binding = [&](const std::string& hook) {
    return File(hook + ".yaml",
                "apiVersion: muster.dev/v1\nkind: PolicyBinding\n"
                "metadata: {name: ours}\nspec:\n  policy: small-first\n"
                "  clusterQueues: [red]\n  hooks: [" +
                    hook + "]\n");
  };
  const CommandResult refused = Try({"apply", "-f", binding("victim"), "--owner-of", "red"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("victim.yaml:7:"), HasSubstr("the jobs of others")));
  EXPECT_THAT(Do({"apply", "-f", binding("queue_order"), "--owner-of", "red"}),
              HasSubstr("PolicyBinding ours created"));
  EXPECT_EQ(Try({"apply", "-f", Queues(), "--owner-of", "red"}).exit_code, 2);
}

TEST_F(LedgerVerbs, APackageWhoseOwnTestsFailIsNotActivated) {
  Begin();
  const std::string package = (directory_.path() / "policies/wrong").string();
  File("policies/wrong/policy.lua",
       "return { api = 1, name = 'wrong', description = 'x', queue_order = function(w, c)\n"
       "  return w.priority end }\n");
  File("policies/wrong/policy_spec.lua",
       "describe('wrong', function()\n  it('is right', function()\n"
       "    assert.equal(1, 2)\n  end)\nend)\n");
  const auto refused = Try({"policy", "activate", package});
  EXPECT_EQ(refused.exit_code, 2) << refused.out;
  EXPECT_THAT(refused.err, HasSubstr("wrong/policy_spec.lua:3: wrong is right: "));
  EXPECT_THAT(Do({"policy", "list"}), Not(HasSubstr("wrong")));
  const auto watched = Try({"schedule", "--watch-policies", package, "--cycles", "1"});
  EXPECT_THAT(watched.err, HasSubstr("wrong/policy_spec.lua:3: wrong is right: "));
  EXPECT_THAT(Query("SELECT kind, payload FROM event WHERE subject = 'policy/wrong'"),
              AllOf(HasSubstr("PolicyStaged"), HasSubstr("policy_spec.lua:3")));
  EXPECT_THAT(Do({"policy", "activate", package, "--untested"}), HasSubstr(" activated"));
}

TEST_F(LedgerVerbs, APackageThatIsNotTestedIsActivatedWithAWarning) {
  Begin();
  const std::string package = (directory_.path() / "policies/bare").string();
  File("policies/bare/policy.lua",
       "return { api = 1, name = 'bare', description = 'x', queue_order = function(w, c)\n"
       "  return w.priority end }\n");
  EXPECT_THAT(Try({"policy", "activate", package}).err,
              HasSubstr("policy bare is not tested: no test ran; a test is an it(...)"));
  File("policies/bare/policy_spec.lua", "pending('later')\n");
  const CommandResult pending = Try({"policy", "activate", package});
  EXPECT_EQ(pending.exit_code, 0);
  EXPECT_THAT(pending.err, HasSubstr("policy bare is not tested: no test ran; all are pending"));
  File("policies/bare/policy_spec.lua", "it('is', function() assert.equal(1, 1) end)\n");
  EXPECT_EQ(Try({"policy", "activate", package}).err, "");
}

TEST_F(LedgerVerbs, ARefusalWhileWatchingIsSaidOnce) {
  Begin();
  const std::string package = (directory_.path() / "policies/wrong").string();
  File("policies/wrong/policy.lua", "return { api = 1, name = 'wrong', queue_order = 1 }\n");
  const std::string said = Try({"schedule", "--watch-policies", package, "--cycles", "1"}).err;
  const std::size_t first = said.find(" refused: ");
  ASSERT_NE(first, std::string::npos) << said;
  EXPECT_EQ(said.find(" refused: ", first + 1), std::string::npos) << said;
  EXPECT_THAT(said, Not(HasSubstr("@ ")));
}

TEST_F(LedgerVerbs, APackageThatTakesAHookOverSaysSo) {
  Begin();
  const std::string policies = (SourceDir() / "policies").string() + "/";
  Do({"policy", "activate", policies + "aging", "--why", "a test"});
  EXPECT_EQ(Try({"policy", "activate", policies + "minimum-run-time"}).err, "");
  const CommandResult taken = Try({"policy", "activate", policies + "small-first"});
  EXPECT_THAT(taken.err,
              HasSubstr("queue_order of policy aging decides nothing any more; small-first does"));
  EXPECT_THAT(Do({"policy", "list"}), HasSubstr("victim"));
}

TEST_F(LedgerVerbs, WhatABindingComesToIsSaidAtOnceAndLater) {
  Begin();
  const auto bind = [this](const std::string& policy, const std::string& hooks) {
    return File("bind.yaml",
                "apiVersion: muster.dev/v1\nkind: PolicyBinding\n"
                "metadata: {name: ours}\nspec: {policy: " +
                    policy + hooks + "}\n");
  };
  Do({"policy", "activate", (SourceDir() / "policies/small-first").string()});
  EXPECT_THAT(Try({"apply", "-f", bind("smal-first", "")}).err,
              AllOf(HasSubstr("did you mean 'small-first'?"),
                    HasSubstr("queue_order of policy small-first decides nothing any more")));
  EXPECT_THAT(Do({"get", "policybindings"}), HasSubstr("package smal-first is not active"));
  const CommandResult lacking = Try({"apply", "-f", bind("small-first", ", hooks: [victim]")});
  EXPECT_EQ(lacking.exit_code, 2);
  EXPECT_THAT(lacking.err, HasSubstr("package small-first has no hook victim"));
  EXPECT_EQ(Try({"apply", "-f", bind("small-first", "")}).err, "");
  EXPECT_THAT(Do({"get", "policybindings"}), HasSubstr("decides queue_order"));
}

TEST_F(LedgerVerbs, APackageThatFailsOnWhatWaitsIsNotActivated) {
  Begin();
  const std::string package = (directory_.path() / "policies/wrong").string();
  File("policies/wrong/policy.lua",
       "return { api = 1, name = 'wrong', description = 'x', queue_order = function(w, c)\n"
       "  return w.name == 'job-wait' and 0/0 or 1 end }\n");
  const auto refused = Try({"policy", "activate", package});
  EXPECT_EQ(refused.exit_code, 2) << refused.out;
  EXPECT_THAT(refused.err, HasSubstr("nan"));
}

TEST_F(LedgerVerbs, ReadersWorkBesideTheWriterAndASecondWriterIsRefused) {
  Begin();
  const auto writer = DurableEngine::Open(Db());
  ASSERT_TRUE(writer.ok());
  for (const auto& args : {std::vector<std::string>{"get", "workloads"},
                           {"describe", "workload", "lab/job-train"},
                           {"explain", "lab/job-wait"},
                           {"policy", "list"}}) {
    EXPECT_EQ(Try(args).exit_code, 0) << args.front();
  }
  EXPECT_THAT(Query("SELECT count(*) AS n FROM workloads"), HasSubstr("2"));
  EXPECT_EQ(RunMuster({"ledger", "verify", Db()}).exit_code, 0);
  for (const auto& args : {std::vector<std::string>{"schedule"},
                           {"apply", "-f", Queues()},
                           {"finish", "lab/job-train"},
                           {"policy", "rollback"}}) {
    const CommandResult result = Try(args);
    EXPECT_EQ(result.exit_code, 3) << args.front();
    EXPECT_THAT(result.err, HasSubstr(std::to_string(getpid()))) << args.front();
  }
}

TEST_F(LedgerVerbs, ADamagedLedgerIsThreeAndNamesTheFirstBadCommit) {
  Begin();
  directory_.HoldsNoHistory("cluster.ledger");
  std::string bytes = ReadFile(Db());
  const std::size_t at = bytes.find("lab/job-wait{\"key\"");  // the event that it was submitted
  ASSERT_NE(at, std::string::npos);
  bytes[at + 4] = 'J';
  WriteFile(Db(), bytes);
  const CommandResult result = RunMuster({"ledger", "verify", Db()});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("the first bad commit is 2")) << result.err;
}

TEST_F(LedgerVerbs, AForeignFileIsThreeAndAMissingLedgerIsWrongUse) {
  EXPECT_EQ(Try({"schedule"}).exit_code, 1);
  EXPECT_EQ(Try({"get", "workloads"}).exit_code, 1);
  EXPECT_EQ(RunMuster({"ledger", "verify", Db()}).exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(Db()));
  WriteFile(Db(), "this is not a ledger, it is a letter about something else\n");
  EXPECT_EQ(Try({"schedule"}).exit_code, 3);
  EXPECT_EQ(RunMuster({"ledger", "verify", Db()}).exit_code, 3);
}

TEST_F(LedgerVerbs, WrongUseIsOne) {
  Begin();
  const std::string scenario = File("scenario.yaml", std::string(cli::kRedJobs) + cli::kReclaim);
  const std::vector<std::vector<std::string>> wrong = {
      {"schedule", "-f", scenario},
      {"schedule", "--cycles", "2", "--until-idle"},
      {"schedule", "--policy", "policies/small-first"},
      {"schedule", "--now", "yesterday"},
      {"get", "workloads", "-f", Queues()},
      {"get", "workloads", "--complete-evictions"},
      {"finish"},
      {"finish", "job-train"},
      {"evict", "lab/job-train"},
      {"evict", "lab/job-train", "--reason", "two words"},
      {"evicted", "lab/job-train", "--all"},
      {"delete", "gizmo", "x"},
  };
  for (const auto& args : wrong) {
    EXPECT_EQ(Try(args).exit_code, 1) << args.front() << ' ' << args.back();
  }
  EXPECT_EQ(RunMuster({"finish", "lab/job-train"}).exit_code, 1) << "no ledger named";
}

TEST_F(LedgerVerbs, OnlyJobsCanBeSubmitted) {
  Do({"apply", "-f", Queues()});
  const CommandResult result = Try({"submit", "-f", Queues()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("cannot be submitted; use muster apply"));
}

TEST_F(LedgerVerbs, AQueryMayOnlyRead) {
  Begin();
  for (const char* sql :
       {"DELETE FROM event", "SELECT 1; SELECT 2", "nonsense", "PRAGMA user_version = 7"}) {
    EXPECT_EQ(RunMuster({"ledger", "query", Db(), sql}).exit_code, 2) << sql;
  }
  EXPECT_THAT(RunMuster({"ledger", "query", Db(), "SELECT name FROM workloads ORDER BY name"}).out,
              HasSubstr("job-train\n"));
}

}  // namespace
}  // namespace muster::testing
