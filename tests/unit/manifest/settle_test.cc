// Jobs that were read, beside what an engine knows of them.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "bindings/manifest/job_objects.h"
#include "bindings/manifest/observe_objects.h"
#include "bindings/manifest/start_objects.h"
#include "tests/testing/builders.h"
#include "tests/unit/manifest/parse_text.h"

namespace muster::manifest {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr std::string_view kSettledRoom =
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: f}\n---\n"
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: cq}\n"
    "spec: {namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, "
    "resources: [{name: cpu, nominalQuota: 10}]}]}]}\n---\n"
    "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: q}\n"
    "spec: {clusterQueue: cq}\n";
constexpr std::string_view kOnePod =
    "{spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}";

class Settled : public ::testing::Test {
 protected:
  Settled() { EXPECT_THAT(Apply(std::string(kSettledRoom)), IsEmpty()); }

  /// As a door does it; what is said of it.
  std::vector<std::string> Apply(const std::string& text) {
    Manifests read = ParseText(text);
    Settle(engine_, &read);
    std::vector<std::string> said = Messages(read);
    if (read.HasErrors()) return said;
    const Status status = engine_.Apply(read.objects, testing::kNoon);
    if (!status.ok()) said.emplace_back(status.message());
    return said;
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    const auto all = engine_.Workloads();
    for (const WorkloadView& each : *all) names.push_back(each.spec.key.name);
    return names;
  }
  std::vector<std::string> Results(const std::string& text) {
    const Source source{"f.yaml", text};
    const auto observed = ObserveAll(
        &engine_, ReadJobObjects({&source, 1}, std::nullopt, testing::kNoon), testing::kNoon);
    if (!observed.ok()) return {std::string(observed.status().message())};
    std::vector<std::string> results;
    for (const Observed& each : *observed) results.push_back(each.result);
    return results;
  }
  void Admit() { EXPECT_TRUE(engine_.RunCycle(testing::kNoon).ok()); }

  Engine engine_;
};

std::string ObjectText(const std::string& api_version, const std::string& kind,
                       const std::string& metadata, const std::string& rest) {
  return "---\napiVersion: " + api_version + "\nkind: " + kind + "\nmetadata: {name: n" + metadata +
         ", labels: {kueue.x-k8s.io/queue-name: q}}\n" + rest;
}
std::string JobOf(const std::string& metadata = "", const std::string& rest = "") {
  return ObjectText("batch/v1", "Job", metadata,
                    "spec: {template: " + std::string(kOnePod) + "}\n" + rest);
}
std::string SetText(const std::string& metadata = "", const std::string& rest = "") {
  return ObjectText("jobset.x-k8s.io/v1alpha2", "JobSet", metadata,
                    "spec: {replicatedJobs: [{name: w, template: {spec: {template: " +
                        std::string(kOnePod) + "}}}]}\n" + rest);
}

TEST_F(Settled, AnObjectThatHasGotAUidIsTheSameJob) {
  EXPECT_THAT(Apply(JobOf() + SetText()), IsEmpty());
  const std::vector<std::string> names = Names();
  ASSERT_EQ(names.size(), 2U);
  EXPECT_THAT(Apply(JobOf(", uid: u1") + SetText(", uid: u2")), IsEmpty());
  EXPECT_EQ(Names(), names);
  Admit();
  Admit();
  EXPECT_THAT(Results(SetText(", uid: u2",
                              "status: {conditions: [{type: Completed, status: "
                              "'True'}]}\n")),
              ElementsAre("finished"));
  EXPECT_THAT(Apply(SetText(", uid: u2")), IsEmpty());
  EXPECT_EQ(Names(), names) << "the one that has ended";
  EXPECT_THAT(Apply(SetText(", uid: u3")), IsEmpty());
  EXPECT_EQ(Names().size(), 3U) << "made anew under the same name";
}

TEST_F(Settled, AJobWithAUidIsNamedAsInKueue) {
  EXPECT_THAT(Apply(JobOf(", uid: 0a1b2c3d-0000-4000-8000-000000000001")), IsEmpty());
  EXPECT_THAT(Names(), ElementsAre(HasSubstr("job-n-")));
  EXPECT_THAT(Results(JobOf(", uid: other", "status: {active: 1}\n")),
              ElementsAre(HasSubstr("there is no workload")));
}

TEST_F(Settled, AChildOfAKnownOwnerIsNotQueued) {
  const std::string child =
      "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: child, uid: c, "
      "labels: {kueue.x-k8s.io/queue-name: q}, ownerReferences: [{apiVersion: "
      "jobset.x-k8s.io/v1alpha2, kind: JobSet, name: n, uid: u, controller: "
      "true}]}\nspec: {template: " +
      std::string(kOnePod) + "}\nstatus: {active: 1}\n";
  EXPECT_THAT(Apply(child), ElementsAre(HasSubstr("its owner JobSet n is not there")));
  for (const char* uid : {"", ", uid: u"}) {
    engine_ = Engine();
    EXPECT_THAT(Apply(std::string(kSettledRoom) + SetText(uid)), IsEmpty());
    EXPECT_THAT(Apply(child), ElementsAre(HasSubstr("warning: Job \"child\" belongs to the")));
    EXPECT_EQ(Names().size(), 1U);
    EXPECT_THAT(Results(child), IsEmpty());
  }
}

std::string PodText(const std::string& name, int total = 3, const std::string& cpu = "1",
                    const std::string& rest = "") {
  return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
         ", labels: {kueue.x-k8s.io/queue-name: q, kueue.x-k8s.io/pod-group-name: g}, annotations: "
         "{kueue.x-k8s.io/pod-group-total-count: '" +
         std::to_string(total) +
         "'}}\nspec: {containers: [{name: c, resources: {requests: {cpu: " + cpu + "}}}]}\n" + rest;
}

TEST_F(Settled, AnyNumberOfChildrenOfAKnownOwnerIsSkipped) {
  const std::string job =
      "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, labels: "
      "{kueue.x-k8s.io/queue-name: q}}\nspec: {template: " +
      std::string(kOnePod) + "}\n";
  EXPECT_THAT(Apply(job), IsEmpty());
  std::string pods;
  for (int i = 0; i < 600; ++i) {
    pods += "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p" + std::to_string(i) +
            ", labels: {kueue.x-k8s.io/queue-name: q}, ownerReferences: [{apiVersion: batch/v1, "
            "kind: Job, name: j, uid: u, controller: true}]}\n"
            "spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}\n";
  }
  EXPECT_THAT(Apply(pods), AllOf(SizeIs(600), Each(HasSubstr("is skipped"))));
}

TEST_F(Settled, APodGroupWaitsForItsTotalOverSeveralCalls) {
  EXPECT_THAT(Apply(PodText("a")), ElementsAre(HasSubstr("which waits: it has 1 of 3 pods")));
  Admit();
  Result<WorkloadView> group = engine_.GetWorkload({"default", "g"});
  ASSERT_TRUE(group.ok());
  EXPECT_EQ(group->phase, WorkloadPhase::kPending);
  EXPECT_THAT(std::string(group->message), HasSubstr("1 of 3 pods are there"));
  EXPECT_THAT(Apply(PodText("b")), ElementsAre(HasSubstr("waits: it has 2 of 3 pods")));
  EXPECT_THAT(Apply(PodText("b")), ElementsAre(HasSubstr("waits: it has 2 of 3 pods")));
  Admit();
  EXPECT_THAT(std::string(engine_.GetWorkload({"default", "g"})->message),
              HasSubstr("2 of 3 pods are there"));
  EXPECT_THAT(Apply(PodText("c", 3, "2")), IsEmpty());
  Admit();
  group = engine_.GetWorkload({"default", "g"});
  EXPECT_EQ(group->phase, WorkloadPhase::kAdmitted);
  ASSERT_EQ(group->spec.pod_sets.size(), 2U) << "two roles";
  EXPECT_EQ(group->spec.pod_sets[0].count + group->spec.pod_sets[1].count, 3);
  EXPECT_THAT(Apply(PodText("a")), ElementsAre(HasSubstr("has all its pods")));
}

TEST_F(Settled, AGroupHasWhatItsFirstPodSaysAndEachPodOnce) {
  std::string first = PodText("a", 2);
  first.replace(first.find("labels: {"), 9,
                "labels: {kueue.x-k8s.io/max-exec-time-seconds: '60', ");
  EXPECT_EQ(Apply(first).size(), 1U);
  EXPECT_THAT(Apply(PodText("b", 2)), IsEmpty());
  EXPECT_EQ(engine_.GetWorkload({"default", "g"})->spec.max_execution_seconds, 60);
  EXPECT_THAT(Apply(PodText("c", 2) + PodText("c", 2)),
              ElementsAre(HasSubstr("stands twice in a pod group; write each pod once")));
}

TEST_F(Settled, AGroupTakesNoMoreThanItsTotal) {
  EXPECT_EQ(Apply(PodText("a") + PodText("b")).size(), 1U);
  EXPECT_THAT(Apply(PodText("c") + PodText("d")), ElementsAre(HasSubstr("would have 4 of 3 pods")));
  EXPECT_THAT(Apply(PodText("c", 4)), ElementsAre(HasSubstr("a total of 3")));
}

constexpr std::string_view kRuns = "status: {phase: Running}\n";

TEST_F(Settled, QuotaIsFreeOnlyWhenNoPodRuns) {
  const std::string both = PodText("a", 2) + PodText("b", 2);
  EXPECT_THAT(Apply(both), IsEmpty());
  Admit();
  EXPECT_TRUE(engine_.Do(command::Evict{{"default", "g"}, "Test"}, testing::kNoon).ok());
  const std::string ended = "status: {phase: Pending}\n";
  EXPECT_THAT(Results(PodText("a", 2, "1", ended)), ElementsAre("unchanged")) << "b may run";
  EXPECT_THAT(Results(PodText("a", 2, "1", ended) + PodText("b", 2, "1", std::string(kRuns))),
              ElementsAre("unchanged"));
  EXPECT_THAT(Results(PodText("a", 2, "1", ended) + PodText("b", 2, "1", ended)),
              ElementsAre("evicted"));
}

TEST_F(Settled, APodThatIsObservedTwiceIsOnePod) {
  EXPECT_THAT(Apply(PodText("a", 2) + PodText("b", 2)), IsEmpty());
  Admit();
  const std::string done = "status: {phase: Succeeded}\n";
  EXPECT_THAT(Results(PodText("a", 2, "1", done) + PodText("a", 2, "1", done)),
              Each(Not("finished")));
  EXPECT_THAT(Results(PodText("a", 2, "1", done) + PodText("b", 2, "1", done)),
              ElementsAre("finished"));
}

TEST_F(Settled, AStatefulSetIsGoneWhenItsPodsAre) {
  const auto set = [](const std::string& rest) {
    return ObjectText("apps/v1", "StatefulSet", "",
                      "spec: {replicas: 2, template: " + std::string(kOnePod) + "}\n" + rest);
  };
  EXPECT_THAT(Apply(set("")), IsEmpty());
  Admit();
  EXPECT_TRUE(
      engine_.Do(command::Evict{{"default", Names().front()}, "Test"}, testing::kNoon).ok());
  EXPECT_THAT(Results(set("status: {replicas: 2}\n")), ElementsAre("unchanged"));
  const auto pod = [](const std::string& name, const std::string& phase) {
    return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
           ", ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: n, uid: u, "
           "controller: true}]}\nstatus: {phase: " +
           phase + "}\n";
  };
  const std::string two = set("status: {replicas: 2}\n");
  EXPECT_THAT(Results(two + pod("n-0", "Running")), ElementsAre("unchanged"));
  EXPECT_THAT(Results(two + pod("n-0", "Pending")), ElementsAre("unchanged")) << "n-1 may run";
  EXPECT_THAT(Results(two + pod("n-0", "Pending") + pod("n-1", "Pending")), ElementsAre("evicted"));
}

}  // namespace
}  // namespace muster::manifest
