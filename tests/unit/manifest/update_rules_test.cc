// What an object may not change once its workload is known, of each kind, and replicas that go.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/unit/manifest/settled.h"

namespace muster::manifest {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::string kUpdateClasses =
    "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: hi}\n"
    "value: 7\n---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: "
    "{name: higher}\nvalue: 9\n---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\n"
    "metadata: {name: lo}\nvalue: 1\n";

const std::string kUpdatedPods = "template: " + std::string(kOnePod);

struct UpdatedKind {
  const char* version;
  const char* kind;
  std::string spec;
};

std::vector<UpdatedKind> KindsOfJobs() {
  const std::string role = "{Worker: {" + kUpdatedPods + "}}";
  const std::string cluster = "{headGroupSpec: {rayStartParams: {}, " + kUpdatedPods + "}}";
  const std::string pod(kOnePod);
  return {
      {"batch/v1", "Job", "{" + kUpdatedPods + "}"},
      {"jobset.x-k8s.io/v1alpha2", "JobSet",
       "{replicatedJobs: [{name: w, template: {spec: {" + kUpdatedPods + "}}}]}"},
      {"kubeflow.org/v1", "PyTorchJob", "{pytorchReplicaSpecs: " + role + "}"},
      {"kubeflow.org/v1", "TFJob", "{tfReplicaSpecs: " + role + "}"},
      {"kubeflow.org/v1", "PaddleJob", "{paddleReplicaSpecs: " + role + "}"},
      {"kubeflow.org/v1", "XGBoostJob", "{xgbReplicaSpecs: " + role + "}"},
      {"kubeflow.org/v1", "JAXJob", "{jaxReplicaSpecs: " + role + "}"},
      {"kubeflow.org/v2beta1", "MPIJob", "{mpiReplicaSpecs: " + role + "}"},
      {"ray.io/v1", "RayCluster", cluster},
      {"ray.io/v1", "RayJob",
       "{submissionMode: HTTPMode, shutdownAfterJobFinishes: true, rayClusterSpec: " + cluster +
           "}"},
      {"ray.io/v1", "RayService", "{rayClusterConfig: " + cluster + "}"},
      {"workload.codeflare.dev/v1beta2", "AppWrapper",
       "{components: [{template: {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: " +
           pod.substr(7, pod.size() - 8) + "}}]}"},
      {"sparkoperator.k8s.io/v1beta2", "SparkApplication",
       "{mode: cluster, driver: {coreRequest: '1'}, executor: {instances: 1, coreRequest: '1'}}"},
      {"v1", "Pod", pod.substr(7, pod.size() - 8)},
      {"apps/v1", "Deployment", "{replicas: 1, " + kUpdatedPods + "}"},
      {"apps/v1", "StatefulSet", "{replicas: 1, " + kUpdatedPods + "}"},
      {"leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet",
       "{leaderWorkerTemplate: {size: 1, workerTemplate: " + pod + "}}"},
  };
}

std::string UpdatedText(const UpdatedKind& kind, const std::string& label,
                        const std::string& mark = "") {
  return "---\napiVersion: " + std::string(kind.version) + "\nkind: " + kind.kind +
         "\nmetadata:\n  name: n\n  labels: {kueue.x-k8s.io/queue-name: q" + label + "}\n" +
         (mark.empty() ? "" : "  annotations: {" + mark + "}\n") + "spec: " + kind.spec + "\n";
}

const std::string kHiClass = ", kueue.x-k8s.io/priority-class: hi";
const std::string kHigherClass = ", kueue.x-k8s.io/priority-class: higher";

class UpdateRules : public Settled, public ::testing::WithParamInterface<UpdatedKind> {
 protected:
  UpdateRules() { EXPECT_THAT(Apply(kUpdateClasses), IsEmpty()); }
  std::vector<WorkloadView> All() const { return *engine_.Workloads(); }
};

TEST_P(UpdateRules, AClassIsNeverRemovedNorAddedUnderQuota) {
  EXPECT_THAT(Apply(UpdatedText(GetParam(), kHiClass)), IsEmpty());
  EXPECT_THAT(Apply(UpdatedText(GetParam(), "")),
              ElementsAre(AllOf(HasSubstr("f.yaml:"),
                                HasSubstr("metadata.labels[kueue.x-k8s.io/priority-class] cannot "
                                          "be removed; leave it as it was"))));
  Admit();
  EXPECT_THAT(Apply(UpdatedText(GetParam(), "")), ElementsAre(HasSubstr("cannot be removed")));
  EXPECT_THAT(Apply(UpdatedText(GetParam(), kHiClass)), IsEmpty()) << "it is as it was";
}

TEST_P(UpdateRules, AClassIsNotAddedWhileQuotaIsReserved) {
  if (std::string(GetParam().kind) == "SparkApplication") return;  // no room has its memory
  EXPECT_THAT(Apply(UpdatedText(GetParam(), "")), IsEmpty());
  Admit();
  const std::string said = std::string(GetParam().kind) == "StatefulSet"
                               ? "has no effect: the workload keeps its priority"
                               : "cannot be added while quota is reserved; leave it as it was";
  EXPECT_THAT(Apply(UpdatedText(GetParam(), kHiClass)), ElementsAre(HasSubstr(said)));
  EXPECT_EQ(All().front().spec.priority.value_or(0), 0);
}

TEST_P(UpdateRules, AnotherClassIsFollowedButByAStatefulSet) {
  EXPECT_THAT(Apply(UpdatedText(GetParam(), kHiClass)), IsEmpty());
  const bool keeps = std::string(GetParam().kind) == "StatefulSet";
  EXPECT_THAT(Apply(UpdatedText(GetParam(), kHigherClass)), SizeIs(keeps ? 1 : 0));
  EXPECT_EQ(All().front().spec.priority.value_or(0), keeps ? 7 : 9);
}

TEST_P(UpdateRules, NoGateComesLater) {
  const std::string mark = "kueue.x-k8s.io/admission-gated-by: ";
  const std::string field = "metadata.annotations[kueue.x-k8s.io/admission-gated-by]";
  const bool is_replica = std::string(GetParam().kind) == "Deployment";
  if (is_replica) return;  // its own annotations are not those of its pods
  EXPECT_THAT(Apply(UpdatedText(GetParam(), "", mark + "'a.io/x,a.io/y'")), IsEmpty());
  EXPECT_THAT(Apply(UpdatedText(GetParam(), "", mark + "a.io/x")), IsEmpty()) << "one is open";
  EXPECT_THAT(Apply(UpdatedText(GetParam(), "", mark + "'a.io/x,a.io/z'")),
              ElementsAre(HasSubstr(field + " cannot get a gate later; name it when the job is "
                                            "created")));
}

TEST_P(UpdateRules, ElasticOrNotIsDecidedOnce) {
  const std::string kind = GetParam().kind;
  if (kind != "Job" && !kind.starts_with("Ray")) return;
  EXPECT_THAT(Apply(UpdatedText(GetParam(), "")), IsEmpty());
  const std::string mark = "kueue.x-k8s.io/elastic-job: 'true'";
  EXPECT_THAT(Apply(UpdatedText(GetParam(), "", mark)),
              ElementsAre(HasSubstr("metadata.annotations[kueue.x-k8s.io/elastic-job] cannot "
                                    "change; leave it as it was")));
}

INSTANTIATE_TEST_SUITE_P(Kinds, UpdateRules, ::testing::ValuesIn(KindsOfJobs()),
                         [](const auto& param) { return std::string(param.param.kind); });

std::string ServingSet(const std::string& replicas, const std::string& cpu = "1",
                       const std::string& label = "") {
  return UpdatedText(
      {"apps/v1", "StatefulSet",
       "{replicas: " + replicas +
           ", template: {spec: {containers: [{name: c, resources: {requests: {cpu: " + cpu +
           "}}}]}}}"},
      label);
}

class Serving : public Settled {
 protected:
  /// Those that are to run, by name.
  std::vector<std::string> Active() const {
    std::vector<std::string> names;
    const auto all = engine_.Workloads();
    for (const WorkloadView& each : *all) {
      if (each.spec.active) names.push_back(each.spec.key.name);
    }
    return names;
  }
};

TEST_F(Serving, AStatefulSetThatWaitsKeepsItsSizeAndItsPods) {
  EXPECT_THAT(Apply(ServingSet("2")), IsEmpty());
  EXPECT_THAT(Apply(ServingSet("3")),
              ElementsAre(AllOf(HasSubstr("f.yaml:7:18: spec.replicas cannot change from 2 to 3; "
                                          "scale it to 0 first"))));
  EXPECT_THAT(Apply(ServingSet("2", "3")),
              ElementsAre(HasSubstr("spec.template.spec.containers cannot change")));
  EXPECT_THAT(Apply(ServingSet("2")), IsEmpty());
}

TEST_F(Serving, AStatefulSetOfNoPodsGivesItsQuotaBackAndComesAgain) {
  EXPECT_THAT(Apply(ServingSet("2")), IsEmpty());
  Admit();
  EXPECT_THAT(Apply(ServingSet("0")),
              ElementsAre(AllOf(HasSubstr("has 0 replicas now: a workload of it is held back"),
                                HasSubstr("scale it up to queue it again"))));
  Admit();
  const WorkloadView left = engine_.Workloads()->front();
  EXPECT_FALSE(left.spec.active);
  EXPECT_EQ(left.phase, WorkloadPhase::kEvicting);
  EXPECT_THAT(Apply(ServingSet("0")), ElementsAre(HasSubstr("asks for no pods"))) << "once";
  EXPECT_TRUE(engine_.Do(command::Evicted{{left.spec.key}}, testing::kNoon).ok());
  EXPECT_THAT(Apply(ServingSet("3")), IsEmpty());
  Admit();
  EXPECT_EQ(engine_.Workloads()->front().phase, WorkloadPhase::kAdmitted);
  EXPECT_EQ(engine_.Workloads()->front().spec.pod_sets.front().count, 3);
}

TEST_F(Serving, AStatefulSetComesBackOnceItsPodsAreGone) {
  EXPECT_THAT(Apply(ServingSet("2")), IsEmpty());
  Admit();
  EXPECT_THAT(Apply(ServingSet("0")), SizeIs(1));
  const Key key = engine_.Workloads()->front().spec.key;
  EXPECT_THAT(Apply(ServingSet("2")),
              ElementsAre(AllOf(HasSubstr("f.yaml:7:18: spec.replicas cannot be 2 again while "
                                          "workload default/statefulset-n-"),
                                HasSubstr("holds quota for pods of before; leave it at 0 until"))));
  EXPECT_FALSE(engine_.GetWorkload(key)->spec.active);
  EXPECT_TRUE(engine_.Do(command::Evicted{{key}}, testing::kNoon).ok());
  EXPECT_THAT(Apply(ServingSet("3") + "status: {replicas: 1}\n"),
              ElementsAre(HasSubstr("f.yaml:7:18: spec.replicas cannot be 3 again while pods of "
                                    "before are left: status.replicas is 1; leave it at 0")));
  EXPECT_FALSE(engine_.GetWorkload(key)->spec.active);
  EXPECT_THAT(Apply(ServingSet("3") + "status: {replicas: 0}\n"), IsEmpty());
  EXPECT_TRUE(engine_.GetWorkload(key)->spec.active);
  EXPECT_THAT(Apply(ServingSet("3") + "status: {replicas: 3}\n"), IsEmpty()) << "as it runs";
}

std::string LwsText(int replicas, int size, const std::string& leader = "") {
  return UpdatedText({"leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet",
                      "{replicas: " + std::to_string(replicas) +
                          ", leaderWorkerTemplate: {size: " + std::to_string(size) + leader +
                          ", workerTemplate: " + std::string(kOnePod) + "}}"},
                     "");
}

TEST_F(Serving, AGroupThatWaitsKeepsItsShape) {
  EXPECT_THAT(Apply(LwsText(2, 2)), IsEmpty());
  EXPECT_THAT(Apply(LwsText(2, 3)),
              ElementsAre(HasSubstr("spec.leaderWorkerTemplate.size cannot change from 2 to 3;")))
      << "said once of both replicas";
  EXPECT_THAT(Apply(LwsText(2, 2, ", leaderTemplate: " + std::string(kOnePod))),
              ElementsAre(HasSubstr("spec.leaderWorkerTemplate.leaderTemplate cannot be added")));
}

TEST_F(Serving, ReplicasThatAreGoneDoNotStart) {
  EXPECT_THAT(Apply(LwsText(3, 1)), IsEmpty());
  ASSERT_EQ(Active().size(), 3U);
  EXPECT_THAT(Apply(LwsText(1, 1)),
              ElementsAre(HasSubstr("has 1 replica now: 2 workloads of it are held back")));
  EXPECT_THAT(Active(), ElementsAre(HasSubstr("leaderworkerset-n-0")));
  EXPECT_THAT(Apply(LwsText(1, 1)), IsEmpty());
  EXPECT_THAT(Apply(LwsText(2, 1)), IsEmpty());
  EXPECT_EQ(Active().size(), 2U);
}

TEST_F(Serving, ReplicasOfADeploymentGoToo) {
  const auto deployment = [](const std::string& replicas) {
    return UpdatedText(
        {"apps/v1", "Deployment", "{replicas: " + replicas + ", " + kUpdatedPods + "}"}, "");
  };
  EXPECT_THAT(Apply(deployment("2")), IsEmpty());
  EXPECT_EQ(Apply(deployment("1")).size(), 1U);
  EXPECT_THAT(Active(), ElementsAre(HasSubstr("pod-n-0")));
  EXPECT_EQ(Apply(deployment("0")).size(), 1U);
  EXPECT_THAT(Active(), IsEmpty());
}

// The object asks for what it did, and its workload goes from inactive to pending.
TEST_F(Serving, ReplicasThatComeBackHaveChanged) {
  const auto deployment = [](const std::string& replicas) {
    return UpdatedText(
        {"apps/v1", "Deployment", "{replicas: " + replicas + ", " + kUpdatedPods + "}"}, "");
  };
  Apply(ServingSet("2"));
  Apply(ServingSet("0"));
  EXPECT_THAT(Apply(ServingSet("2")), IsEmpty());
  EXPECT_THAT(applied_, ElementsAre(Applied::kChanged));
  Apply(ServingSet("2"));
  EXPECT_THAT(applied_, ElementsAre(Applied::kUnchanged));
  Apply(deployment("2"));
  Apply(deployment("1"));
  EXPECT_THAT(Apply(deployment("2")), IsEmpty());
  EXPECT_THAT(applied_, ElementsAre(Applied::kUnchanged, Applied::kChanged));
  Apply(LwsText(2, 1));
  Apply(LwsText(1, 1));
  EXPECT_THAT(Apply(LwsText(2, 1)), IsEmpty());
  EXPECT_THAT(applied_, ElementsAre(Applied::kUnchanged, Applied::kChanged));
}

TEST_F(Serving, AClassOfPodsIsNotReplacedByALabel) {
  EXPECT_THAT(Apply(kUpdateClasses), IsEmpty());
  const std::string spec =
      "{template: {spec: {priorityClassName: lo, containers: [{name: c, resources: {requests: "
      "{cpu: 1}}}]}}}";
  EXPECT_THAT(Apply(UpdatedText({"batch/v1", "Job", spec}, "")), IsEmpty());
  EXPECT_THAT(Apply(UpdatedText({"batch/v1", "Job", spec}, kHiClass)),
              ElementsAre(HasSubstr("has no effect: the workload keeps the class \"lo\"")));
  EXPECT_EQ(engine_.Workloads()->front().spec.priority.value_or(0), 1);
}

std::string IndexedJob(const std::string& mark, const std::string& image = "image: a, ") {
  return UpdatedText(
      {"batch/v1", "Job",
       "{completionMode: Indexed, completions: 1, template: {spec: {containers: [{name: c, " +
           image + "resources: {requests: {cpu: 1}}}]}}}"},
      "", mark);
}

const std::string kSyncs = "kueue.x-k8s.io/job-completions-equal-parallelism: ";

TEST_F(Serving, CompletionsFollowParallelismOrNotWhileAJobRuns) {
  const auto refused =
      ElementsAre(AllOf(HasSubstr("f.yaml:"), HasSubstr(kSyncs.substr(0, kSyncs.size() - 2) +
                                                        "] cannot change while quota is reserved; "
                                                        "leave it as it was")));
  EXPECT_THAT(Apply(IndexedJob("")), IsEmpty());
  EXPECT_THAT(Apply(IndexedJob(kSyncs + "'true'")), IsEmpty()) << "it waits";
  EXPECT_THAT(applied_, ElementsAre(Applied::kChanged));
  Admit();
  EXPECT_THAT(Apply(IndexedJob(kSyncs + "'true'")), IsEmpty());
  EXPECT_THAT(applied_, ElementsAre(Applied::kUnchanged));
  EXPECT_THAT(Apply(IndexedJob(kSyncs + "'1'")), IsEmpty()) << "true in other words";
  EXPECT_THAT(Apply(IndexedJob(kSyncs + "'false'")), refused);
  EXPECT_THAT(Apply(IndexedJob("")), refused);
}

TEST_F(Serving, CompletionsThatAreTheirOwnStaySo) {
  EXPECT_THAT(Apply(IndexedJob("")), IsEmpty());
  EXPECT_THAT(engine_.Workloads()->front().spec.annotations.map(),
              ::testing::Not(::testing::Contains(::testing::Key(kSyncs.substr(0, 48)))));
  Admit();
  EXPECT_THAT(Apply(IndexedJob(kSyncs + "'false'")), IsEmpty());
  EXPECT_THAT(Apply(IndexedJob(kSyncs + "'true'")),
              ElementsAre(HasSubstr("cannot change while quota is reserved")));
}

// Without a digest of its containers it may be one of an earlier version.
TEST_F(Serving, AJobOfWhichThatIsNotKnownMayFollowIt) {
  EXPECT_THAT(Apply(IndexedJob("", "")), IsEmpty());
  Admit();
  EXPECT_THAT(Apply(IndexedJob(kSyncs + "'true'", "")), IsEmpty());
  EXPECT_THAT(Apply(IndexedJob("", "")), SizeIs(1)) << "now it is";
}

}  // namespace
}  // namespace muster::manifest
