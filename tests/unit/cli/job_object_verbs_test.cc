// start-patch and observe: objects of job kinds, out to the gateway and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/testing/paths.h"
#include "tests/unit/cli/run_cli.h"

namespace muster::cli {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kRoom = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: spot}
spec:
  nodeLabels: {pool: spot}
  tolerations: [{key: spot, operator: Exists, effect: NoSchedule}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: spot, resources: [{name: cpu, nominalQuota: 8}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: q, namespace: default}
spec: {clusterQueue: cq}
)";

std::string JobSet(const std::string& pool, const std::string& status = "") {
  return "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\n"
         "metadata: {name: js, uid: u, labels: {kueue.x-k8s.io/queue-name: q}}\n"
         "spec: {replicatedJobs: [{name: w, replicas: 2, template: {spec: {template: {spec: "
         "{nodeSelector: {pool: " +
         pool + "}, containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}}}]}\n" + status;
}

class JobObjectVerbs : public ::testing::Test {
 protected:
  std::string File(const std::string& name, const std::string& text) const {
    return directory_.Write(name, text).string();
  }
  std::string Db() const { return (directory_.path() / "c.ledger").string(); }
  /// The name that the JobSet's workload has.
  static std::string Name() { return "default/jobset-js-3cafe"; }
  void Admit() const {
    const std::string room = File("room.yaml", kRoom);
    const std::string job = File("js.yaml", JobSet("spot"));
    ASSERT_EQ(RunCli({"apply", "-f", room, "--db", Db()}).code, kDone);
    ASSERT_EQ(RunCli({"submit", "-f", job, "--db", Db()}).code, kDone);
    ASSERT_EQ(RunCli({"schedule", "--db", Db()}).code, kDone);
  }
  std::string Observe(const std::string& status) const {
    const std::string file = File("status.yaml", JobSet("spot", status));
    const Said said = RunCli({"observe", "-f", file, "--db", Db()});
    EXPECT_EQ(said.code, kDone) << said.err;
    return said.out;
  }

  testing::TemporaryDirectory directory_;
};

TEST_F(JobObjectVerbs, APatchStartsTheObjectOnItsFlavors) {
  Admit();
  const Said said = RunCli(
      {"start-patch", Name(), "-f", File("js.yaml", JobSet("spot")), "--db", Db(), "-o", "json"});
  ASSERT_EQ(said.code, kDone) << said.err;
  const auto answer = nlohmann::json::parse(said.out);
  EXPECT_EQ(answer["workload"], Name());
  EXPECT_EQ(answer["objects"][0]["patch"]["spec"]["suspend"], false);
  const auto pods =
      answer["objects"][0]["object"]["spec"]["replicatedJobs"][0]["template"]["spec"]["template"];
  EXPECT_EQ(pods["spec"]["nodeSelector"]["pool"], "spot");
  EXPECT_EQ(pods["spec"]["tolerations"][0]["key"], "spot");
  EXPECT_EQ(pods["metadata"]["labels"]["kueue.x-k8s.io/podset"], "w");
}

TEST_F(JobObjectVerbs, NumbersOfTheFreePartArePrintedAsTheyWereWritten) {
  Admit();
  std::string job = JobSet("spot");
  job.insert(job.find("spec: {replicatedJobs") + 7,
             "coordinator: {free: [0.50, 1e3, 12345678901234567890123, .5, 0x1F, '010']}, ");
  const std::string file = File("js.yaml", job);
  for (const char* output : {"json", "yaml"}) {
    const Said said = RunCli({"start-patch", Name(), "-f", file, "--db", Db(), "-o", output});
    ASSERT_EQ(said.code, kDone) << said.err;
    for (const char* number : {"0.50", "1e3", "12345678901234567890123", " 31", "\"010\""}) {
      EXPECT_THAT(said.out, HasSubstr(number)) << output;
    }
  }
}

TEST_F(JobObjectVerbs, ThePodsOfAStatefulSetArePatchedOneByOne) {
  Admit();
  const std::string set =
      File("set.yaml",
           "apiVersion: apps/v1\nkind: StatefulSet\n"
           "metadata: {name: web, uid: u, labels: {kueue.x-k8s.io/queue-name: q}}\n"
           "spec: {replicas: 3, selector: {matchLabels: {app: web}}, template: {metadata: {labels: "
           "{app: "
           "web}}, spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}\n");
  const Said submitted = RunCli({"submit", "-f", set, "--db", Db()});
  ASSERT_EQ(submitted.code, kDone) << submitted.err;
  ASSERT_EQ(RunCli({"schedule", "--db", Db()}).code, kDone);
  const std::size_t at = submitted.out.find("statefulset-web-");
  ASSERT_NE(at, std::string::npos) << submitted.out;
  const std::string name = "default/" + submitted.out.substr(at, 21);
  const Said said = RunCli({"start-patch", name, "-f", set, "--db", Db()});
  ASSERT_EQ(said.code, kDone) << said.err;
  EXPECT_THAT(said.err, HasSubstr("the StatefulSet web is not patched itself"));
  const auto answer = nlohmann::json::parse(said.out);
  ASSERT_EQ(answer["objects"].size(), 3U);
  const auto& last = answer["objects"][2];
  EXPECT_EQ(last["podOf"], "StatefulSet web");
  EXPECT_EQ(last["object"]["metadata"]["name"], "web-2");
  EXPECT_EQ(last["object"]["metadata"]["labels"]["app"], "web");
  EXPECT_EQ(last["patch"]["spec"]["nodeSelector"]["pool"], "spot");
  EXPECT_TRUE(last["patch"]["spec"]["schedulingGates"].is_null());
}

// What follows from an object beside what is applied is done by every verb that takes manifests.
TEST_F(JobObjectVerbs, SubmitAndWhatIfFollowASetThatIsScaled) {
  const auto set = [this](const std::string& replicas) {
    return File("web.yaml",
                "apiVersion: apps/v1\nkind: StatefulSet\n"
                "metadata: {name: web, labels: {kueue.x-k8s.io/queue-name: q}}\nspec: {replicas: " +
                    replicas +
                    ", template: {spec: {containers: [{name: c, resources: {requests: {cpu: "
                    "1}}}]}}}\n");
  };
  const auto run = [this](std::vector<std::string> words) {
    words.insert(words.end(), {"--db", Db()});
    const Said said = RunCli(words);
    EXPECT_EQ(said.code, kDone) << said.err;
    return said.out;
  };
  const std::string name = "default/statefulset-web-ac922";
  run({"apply", "-f", File("room.yaml", kRoom)});
  run({"submit", "-f", set("7")});
  run({"schedule"});
  run({"submit", "-f", File("js.yaml", JobSet("spot"))});
  EXPECT_THAT(run({"what-if", "--with", set("0")}), AllOf(HasSubstr("leaves"), HasSubstr(name)));
  EXPECT_THAT(run({"get", "workloads"}), Not(HasSubstr("Evicting"))) << "it was a question";
  run({"submit", "-f", set("0")});
  EXPECT_THAT(run({"get", "workloads"}), HasSubstr("Evicting"));
  run({"evicted", name});
  EXPECT_THAT(run({"get", "workloads"}), HasSubstr("Inactive"));
  run({"schedule"});
  EXPECT_THAT(run({"what-if", "--with", set("3")}), AllOf(HasSubstr("starts"), HasSubstr(name)));
  EXPECT_THAT(run({"submit", "-f", set("7")}), HasSubstr("Workload " + name + " changed"));
  EXPECT_THAT(run({"get", "workloads"}), Not(HasSubstr("Inactive")));
}

TEST_F(JobObjectVerbs, AFolderWithMoreThanJobsIsApplied) {
  File("folder/js.yaml", JobSet("spot"));
  File("folder/room.yaml", kRoom);
  File("folder/rest.yaml",
       "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: y}}\n---\n"
       "{apiVersion: v1, kind: Service, metadata: {name: js}, spec: {clusterIP: None}}\n---\n"
       "{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n");
  const std::string folder = (directory_.path() / "folder").string();
  const Said said = RunCli({"apply", "-f", folder, "--db", Db()});
  EXPECT_EQ(said.code, kDone) << said.err;
  EXPECT_THAT(said.err, AllOf(HasSubstr("2 of kind ConfigMap ask for no quota and are skipped"),
                              HasSubstr("the Service asks for no quota and is skipped")));
  EXPECT_THAT(said.out, HasSubstr("jobset-js"));
  const Said silent =
      RunCli({"apply", "-f", folder, "--db", Db(), "--ignore-kinds", "ConfigMap,Service"});
  EXPECT_EQ(silent.code, kDone) << silent.err;
  EXPECT_THAT(silent.err, Not(HasSubstr("ConfigMap")));
  const Said nothing = RunCli({"apply", "-f", folder + "/rest.yaml", "--db", Db()});
  EXPECT_EQ(nothing.code, kDone) << "all of it was skipped: " << nothing.err;
}

TEST_F(JobObjectVerbs, WithoutQuotaThereIsNoPatch) {
  const std::string job = File("js.yaml", JobSet("spot"));
  const Said said = RunCli({"start-patch", Name(), "-f", job});
  EXPECT_EQ(said.code, kNo);
  const Said other = RunCli({"start-patch", "default/none", "-f", job});
  EXPECT_EQ(other.code, kNo);
  EXPECT_THAT(other.err, HasSubstr("default/none"));
}

TEST_F(JobObjectVerbs, WithoutAFileItSaysWhatToGive) {
  const Said said = RunCli({"start-patch", Name(), "--db", Db()});
  EXPECT_EQ(said.code, kWrongUse);
  EXPECT_THAT(said.err, HasSubstr("give its manifest as it was submitted, with -f FILE"));
}

TEST_F(JobObjectVerbs, TheStatusOfTheObjectIsTold) {
  Admit();
  const std::string jobs = "status: {replicatedJobsStatus: [{name: w, ready: ";
  EXPECT_THAT(Observe(jobs + "1, active: 2}]}\n"), HasSubstr("unchanged"));
  EXPECT_THAT(Observe(jobs + "2, active: 2}]}\n"), HasSubstr(" ready"));
  EXPECT_THAT(Observe(jobs + "2, active: 2}]}\n"), HasSubstr("unchanged"));
  EXPECT_THAT(Observe(jobs + "1, succeeded: 1, active: 1}]}\n"), HasSubstr("reclaimed"));
  EXPECT_THAT(Observe("status: {conditions: [{type: Completed, status: 'True'}]}\n"),
              HasSubstr("finished"));
  EXPECT_THAT(Observe("status: {conditions: [{type: Completed, status: 'True'}]}\n"),
              HasSubstr("unchanged"));
}

TEST_F(JobObjectVerbs, AnObjectWithoutStatusSaysNothing) {
  Admit();
  const std::string ready = "status: {replicatedJobsStatus: [{name: w, ready: 2, active: 2}]}\n";
  EXPECT_THAT(Observe(ready), HasSubstr(" ready"));
  const std::string file = File("status.yaml", JobSet("spot"));
  const auto observe = [&] { return RunCli({"observe", "-f", file, "--db", Db()}); };
  EXPECT_THAT(observe().out, HasSubstr("unchanged")) << "it was ready, and nothing denies it";
  ASSERT_EQ(RunCli({"evict", Name(), "--reason", "Test", "--db", Db()}).code, kDone);
  const Said said = observe();
  EXPECT_EQ(said.code, kDone);
  EXPECT_THAT(said.out, HasSubstr("unchanged"));
  EXPECT_THAT(said.err, HasSubstr("the object of " + Name() + " has no field status"));
  EXPECT_THAT(Observe("status: null\n"), HasSubstr("unchanged"));
  EXPECT_THAT(Observe("status: {}\n"), HasSubstr("evicted"));
}

TEST_F(JobObjectVerbs, AnUnknownObjectIsNamedWithItsPlace) {
  Admit();
  std::string text = JobSet("spot");
  text.replace(text.find("name: js"), 8, "name: xy");
  const Said said = RunCli({"observe", "-f", File("status.yaml", text), "--db", Db()});
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.err, AllOf(HasSubstr("status.yaml:3:"), HasSubstr("submit it first")));
}

constexpr const char* kTraining = R"(
apiVersion: muster.dev/v1
kind: JobKind
metadata: {name: trainings}
spec:
  group: acme.example
  versions: [v1]
  kind: Training
  suspendPath: spec.paused
  podSets: [{name: main, countPath: spec.workers, templatePath: spec.pods}]
  status:
    succeeded: [{path: status.phase, is: [Done]}]
    ready: [{path: status.phase, is: [Running]}]
)";

std::string Training(const std::string& status = "") {
  return "apiVersion: acme.example/v1\nkind: Training\n"
         "metadata: {name: t, uid: u, labels: {kueue.x-k8s.io/queue-name: q}}\n"
         "spec: {workers: 2, pods: {spec: {containers: [{name: c, resources: {requests: {cpu: "
         "1}}}]}}}\n" +
         status;
}

TEST_F(JobObjectVerbs, WhetherADeclaredKindIsActiveMayStandInItsSpec) {
  const std::string kind = File("kind.yaml", kTraining);
  const std::string job = File("t.yaml", Training());
  ASSERT_EQ(RunCli({"apply", "-f", File("room.yaml", kRoom), "--db", Db()}).code, kDone);
  ASSERT_EQ(RunCli({"submit", "-f", kind, "-f", job, "--db", Db()}).code, kDone);
  ASSERT_EQ(RunCli({"schedule", "--db", Db()}).code, kDone);
  const Said listed = RunCli({"get", "wl", "--db", Db(), "-o", "json"});
  const auto found = nlohmann::json::parse(listed.out)["items"][0]["metadata"];
  const std::string name = "default/" + found["name"].get<std::string>();
  ASSERT_EQ(RunCli({"evict", name, "--reason", "Test", "--db", Db()}).code, kDone);
  const auto observe = [&](const std::string& text) {
    return RunCli({"observe", "-f", kind, "-f", File("s.yaml", text), "--db", Db()}).out;
  };
  EXPECT_THAT(observe(Training()), HasSubstr("unchanged")) << "it is not paused";
  std::string paused = Training();
  paused.replace(paused.find("spec: {"), 7, "spec: {paused: true, ");
  EXPECT_THAT(observe(paused), HasSubstr("evicted"));
}

TEST_F(JobObjectVerbs, ADeclaredKindGoesEveryWayOfABuiltInOne) {
  const std::string kind = File("kind.yaml", kTraining);
  const std::string job = File("t.yaml", Training());
  ASSERT_EQ(RunCli({"apply", "-f", File("room.yaml", kRoom), "--db", Db()}).code, kDone);
  ASSERT_EQ(RunCli({"validate", "-f", File("room.yaml", kRoom), "-f", kind, "-f", job}).code,
            kDone);
  const Said without = RunCli({"submit", "-f", job, "--db", Db()});
  EXPECT_EQ(without.code, kNo);
  EXPECT_THAT(without.err, HasSubstr("unknown kind \"Training\""));
  const Said submitted = RunCli({"submit", "-f", kind, "-f", job, "--db", Db()});
  ASSERT_EQ(submitted.code, kDone) << submitted.err;
  const std::string name = "default/training-t-3544c";
  EXPECT_THAT(submitted.out, HasSubstr(name));
  ASSERT_EQ(RunCli({"schedule", "--db", Db()}).code, kDone);
  const Said patch =
      RunCli({"start-patch", name, "-f", kind, "-f", job, "--db", Db(), "-o", "patch"});
  ASSERT_EQ(patch.code, kDone) << patch.err;
  const auto spec = nlohmann::json::parse(patch.out)["spec"];
  EXPECT_EQ(spec["paused"], false);
  EXPECT_EQ(spec["pods"]["spec"]["nodeSelector"]["pool"], "spot");
  for (const auto& [phase, word] :
       {std::pair("Running", " ready"), std::pair("Done", "finished"), {"Done", "unchanged"}}) {
    const std::string file =
        File("status.yaml", Training("status: {phase: " + std::string(phase) + "}\n"));
    const Said said = RunCli({"observe", "-f", kind, "-f", file, "--db", Db()});
    EXPECT_EQ(said.code, kDone) << said.err;
    EXPECT_THAT(said.out, HasSubstr(word));
  }
}

/// A Job of so many pods that grows and shrinks while it runs.
std::string ElasticJob(int pods, const std::string& status = "") {
  return "apiVersion: batch/v1\nkind: Job\n"
         "metadata: {name: grow, labels: {kueue.x-k8s.io/queue-name: q}, annotations: "
         "{kueue.x-k8s.io/elastic-job: 'true'}}\n"
         "spec: {parallelism: " +
         std::to_string(pods) +
         ", template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}\n" +
         status;
}

class ElasticJobVerbs : public JobObjectVerbs {
 protected:
  void SetUp() override {
    ASSERT_EQ(RunCli({"apply", "-f", File("room.yaml", kRoom), "--db", Db()}).code, kDone);
  }
  /// Submits it with so many pods, and lets a cycle decide.
  std::string Grow(const std::string& verb, int pods) const {
    const Said said = RunCli({verb, "-f", File("grow.yaml", ElasticJob(pods)), "--db", Db()});
    EXPECT_EQ(said.code, kDone) << said.err;
    EXPECT_EQ(RunCli({"schedule", "--db", Db()}).code, kDone);
    return said.out;
  }
};

TEST_F(ElasticJobVerbs, GrowsBySlicesShrinksInPlaceAndStaysTrueToItsHistory) {
  EXPECT_THAT(Grow("submit", 2), HasSubstr("created"));
  EXPECT_THAT(Grow("submit", 4), HasSubstr("changed"));
  EXPECT_THAT(Grow("apply", 6), HasSubstr("changed"));
  EXPECT_THAT(Grow("apply", 6), HasSubstr("unchanged"));
  EXPECT_THAT(Grow("apply", 3), HasSubstr("changed"));
  const Said queue = RunCli({"describe", "clusterqueue", "cq", "--db", Db()});
  EXPECT_THAT(queue.out, ContainsRegex("spot +cpu +8 +3 "));
  const Said verified = RunCli({"ledger", "verify", Db(), "--replay"});
  EXPECT_EQ(verified.code, kDone) << verified.out << verified.err;
  const Said whole = RunCli({"describe", "workload", "default/grow", "--db", Db()});
  EXPECT_THAT(whole.out, AllOf(HasSubstr("job-grow-slice-3"), HasSubstr("Slices of this job"),
                               ContainsRegex("default/job-grow +main 2 +Replaced"),
                               ContainsRegex("default/job-grow-slice-3 +main 3 +Admitted"),
                               HasSubstr("job-grow: Queued in LocalQueue q"),
                               HasSubstr("job-grow-slice-3: Submitted again with changes in "
                                         "LocalQueue q"),
                               HasSubstr("job-grow-slice-2: Quota reserved")));
  const Said why = RunCli({"explain", "default/grow", "--db", Db()});
  EXPECT_THAT(why.out, AllOf(HasSubstr("came in slices: default/job-grow of 2 pods Finished"),
                             HasSubstr("default/job-grow-slice-3 of 3 pods Admitted")));
}

TEST_F(ElasticJobVerbs, WhatItsObjectSaysIsToldOfTheSliceThatRuns) {
  Grow("submit", 2);
  Grow("submit", 9);  // waits beside the two that run
  const std::string ready = ElasticJob(9, "status: {active: 2, ready: 9}\n");
  const Said told = RunCli({"observe", "-f", File("s.yaml", ready), "--db", Db()});
  EXPECT_THAT(told.out, ContainsRegex("default/job-grow +ready")) << told.err;
  const Said why = RunCli({"explain", "default/grow", "--db", Db()});
  EXPECT_THAT(why.out, HasSubstr("It takes the place of default/job-grow, which goes on"));
  Grow("submit", 4);
  const Said patch =
      RunCli({"start-patch", "default/grow", "-f", File("grow.yaml", ElasticJob(4)), "--db", Db()});
  EXPECT_THAT(patch.out, HasSubstr("default/job-grow-slice-2")) << patch.err;
  Grow("submit", 9);
  const std::string done =
      ElasticJob(9, "status: {conditions: [{type: Complete, status: 'True'}]}\n");
  const Said ended = RunCli({"observe", "-f", File("s.yaml", done), "--db", Db()});
  EXPECT_THAT(ended.out, AllOf(ContainsRegex("default/job-grow-slice-2 +finished"),
                               ContainsRegex("default/job-grow-slice-3 +finished")));
}

TEST_F(ElasticJobVerbs, FinishingTheJobEndsTheSliceThatWaitsToo) {
  Grow("submit", 2);
  Grow("submit", 9);
  const Said ended = RunCli({"finish", "default/grow", "--db", Db()});
  EXPECT_THAT(ended.out, AllOf(ContainsRegex("default/job-grow +finished"),
                               ContainsRegex("default/job-grow-slice-2 +finished")));
  const Said again = RunCli({"submit", "-f", File("grow.yaml", ElasticJob(1)), "--db", Db()});
  EXPECT_EQ(again.code, kNo);
  EXPECT_THAT(again.err, HasSubstr("has ended"));
}

TEST_F(ElasticJobVerbs, RefusesWhatASliceCannotHave) {
  std::string text = ElasticJob(2);
  text.replace(text.find("'true'"), 6, "'true', kueue.x-k8s.io/job-min-parallelism: '1'");
  const Said said =
      RunCli({"validate", "-f", File("room.yaml", kRoom), "-f", File("x.yaml", text)});
  EXPECT_EQ(said.code, kNo);
  EXPECT_THAT(said.err + said.out, AllOf(HasSubstr("x.yaml:3:"), HasSubstr("keep one of them")));
}

}  // namespace
}  // namespace muster::cli
