// What pods and the objects that make them say of workloads.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "bindings/manifest/start_objects.h"
#include "tests/unit/manifest/settled.h"

namespace muster::manifest {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(Settled, PodsOfASetAreOfItsWorkloadThoughItHadNoUidThen) {
  const auto set = [](const std::string& uid) {
    return ObjectText("apps/v1", "StatefulSet", uid,
                      "spec: {replicas: 1, template: " + std::string(kOnePod) + "}\n");
  };
  EXPECT_THAT(Apply(set("")), IsEmpty());
  Admit();
  const Source source{"f.yaml", set(", uid: u")};
  const auto started = StartObjects(engine_, {"default", Names().front()}, {&source, 1});
  ASSERT_TRUE(started.ok());
  EXPECT_EQ(
      started->front().object.At({"metadata", "annotations", "kueue.x-k8s.io/pod-group-name"}).text,
      Names().front());
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

/// A pod of the Deployment n, by its ReplicaSet.
std::string ReplicaPodText(const std::string& name, const std::string& phase,
                           const std::string& workload = "") {
  return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
         ", labels: {kueue.x-k8s.io/queue-name: q, pod-template-hash: 5d9f}, annotations: {" +
         (workload.empty() ? "" : "kueue.x-k8s.io/workload: " + workload) +
         "}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: n-5d9f, uid: r, "
         "controller: true}]}\nspec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}\n"
         "status: {phase: " +
         phase + ", conditions: [{type: Ready, status: '" +
         (phase == "Running" ? "True" : "False") + "'}]}\n";
}
std::string DeploymentText(const std::string& status = "", const std::string& uid = "") {
  return ObjectText("apps/v1", "Deployment", uid,
                    "spec: {replicas: 2, template: " + std::string(kOnePod) + "}\n" + status);
}

TEST_F(Settled, APodOfADeploymentIsOfTheWorkloadThatStartedIt) {
  EXPECT_THAT(Apply(DeploymentText("", ", uid: d")), IsEmpty());
  const std::vector<std::string> names = Names();
  ASSERT_EQ(names.size(), 2U);
  Admit();
  Admit();
  const std::string pods = ReplicaPodText("n-5d9f-aaaaa", "Running", names[0]) +
                           ReplicaPodText("n-5d9f-bbbbb", "Pending", names[1]);
  EXPECT_THAT(Results(pods), ElementsAre("ready", "unchanged"));
  EXPECT_THAT(Results(pods), ElementsAre("unchanged", "unchanged"));
  EXPECT_THAT(Results(ReplicaPodText("n-5d9f-aaaaa", "Failed", names[0])), ElementsAre("not ready"))
      << "its Deployment makes another pod";
}

TEST_F(Settled, AReplicaIsGoneWhenNoPodCanBeIts) {
  EXPECT_THAT(Apply(DeploymentText()), IsEmpty());
  const std::vector<std::string> names = Names();
  Admit();
  Admit();
  EXPECT_TRUE(engine_.Do(command::Evict{{"default", names[0]}, "Test"}, testing::kNoon).ok());
  const std::string two = DeploymentText("status: {replicas: 2, readyReplicas: 1}\n");
  const std::string other = ReplicaPodText("n-5d9f-bbbbb", "Running", names[1]);
  EXPECT_THAT(Results(two), ElementsAre("unchanged", "unchanged")) << "its pod may run";
  EXPECT_THAT(Results(other), ElementsAre("ready")) << "nothing of the first";
  EXPECT_THAT(Results(two + other), ElementsAre("unchanged", "unchanged"));
  EXPECT_THAT(Results(two + other + ReplicaPodText("n-5d9f-aaaaa", "Running", names[0])),
              ElementsAre("unchanged", "unchanged"));
  EXPECT_THAT(Results(two + other + ReplicaPodText("n-5d9f-ccccc", "Running")),
              ElementsAre("unchanged", "unchanged"))
      << "it may be the first's";
  EXPECT_THAT(Results(two + other + ReplicaPodText("n-5d9f-ccccc", "Pending")),
              ElementsAre("evicted", "unchanged"));
}

TEST_F(Settled, ADeploymentSaysWhenAllItsPodsAreReady) {
  EXPECT_THAT(Apply(DeploymentText()), IsEmpty());
  Admit();
  Admit();
  EXPECT_THAT(Results(DeploymentText("status: {replicas: 2, readyReplicas: 1}\n")),
              ElementsAre("unchanged", "unchanged"));
  EXPECT_THAT(Results(DeploymentText("status: {replicas: 2, readyReplicas: 2}\n")),
              ElementsAre("ready", "ready"));
}

TEST_F(Settled, APodOfADeploymentThatNothingStartedIsNoJob) {
  EXPECT_THAT(Results(ReplicaPodText("n-5d9f-aaaaa", "Pending")),
              ElementsAre(AllOf(HasSubstr("Pod n-5d9f-aaaaa is of Deployment n"),
                                HasSubstr("give the Deployment n, too"))));
  EXPECT_THAT(Apply(DeploymentText()), IsEmpty());
  EXPECT_THAT(Results(ReplicaPodText("n-5d9f-aaaaa", "Pending")), IsEmpty());
}

TEST_F(Settled, APodIsAPartOfWhatStartedItThroughAnyOwners) {
  EXPECT_THAT(Apply(SetText()), IsEmpty());
  const std::string pod =
      "---\napiVersion: v1\nkind: Pod\nmetadata: {name: n-w-0-0-x, labels: "
      "{kueue.x-k8s.io/queue-name: q}, annotations: {kueue.x-k8s.io/workload: " +
      Names().front() +
      "}, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: n-w-0, uid: j, controller: "
      "true}]}\nspec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}\n";
  EXPECT_THAT(Results(pod + "status: {phase: Running}\n"), IsEmpty());
  EXPECT_THAT(Apply(pod), ElementsAre(HasSubstr("is skipped")));
  EXPECT_EQ(Names().size(), 1U);
}

TEST_F(Settled, APodOfAReplicaSetAloneIsAPartOfIt) {
  EXPECT_THAT(Apply(ObjectText("apps/v1", "ReplicaSet", "",
                               "spec: {replicas: 1, template: " + std::string(kOnePod) + "}\n")),
              IsEmpty());
  const std::string pod =
      "---\napiVersion: v1\nkind: Pod\nmetadata: {name: n-x, labels: {kueue.x-k8s.io/queue-name: "
      "q}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: n, uid: r, controller: "
      "true}]}\nspec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}\n";
  EXPECT_THAT(Apply(pod), ElementsAre(HasSubstr("is skipped")));
}

TEST_F(Settled, ASetIsReadyWhenItsReplicasAre) {
  const auto set = [](const std::string& rest) {
    return ObjectText("apps/v1", "StatefulSet", "",
                      "spec: {replicas: 2, template: " + std::string(kOnePod) + "}\n" + rest);
  };
  EXPECT_THAT(Apply(set("")), IsEmpty());
  Admit();
  EXPECT_THAT(Results(set("status: {replicas: 2, readyReplicas: 1}\n")), ElementsAre("unchanged"));
  EXPECT_THAT(Results(set("status: {replicas: 2, readyReplicas: 2}\n")), ElementsAre("ready"));
  EXPECT_THAT(Results(set("status: {replicas: 2, readyReplicas: 1}\n")), ElementsAre("not ready"));
}

TEST_F(Settled, AGroupOfALeaderWorkerSetIsReadyWhenItsPodsAre) {
  const auto set = [](const std::string& rest) {
    return ObjectText("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "",
                      "spec: {replicas: 2, leaderWorkerTemplate: {size: 1, workerTemplate: " +
                          std::string(kOnePod) + "}}\n" + rest);
  };
  EXPECT_THAT(Apply(set("")), IsEmpty());
  Admit();
  Admit();
  const std::string one = set("status: {replicas: 2, readyReplicas: 1}\n");
  EXPECT_THAT(Results(one), ElementsAre("unchanged", "unchanged")) << "which of them is not said";
  EXPECT_THAT(
      Results(one + "---\napiVersion: v1\nkind: Pod\nmetadata: {name: n-1, labels: "
                    "{leaderworkerset.sigs.k8s.io/name: n, "
                    "leaderworkerset.sigs.k8s.io/group-index: '1'}}\nstatus: {phase: Running, "
                    "conditions: [{type: Ready, status: 'True'}]}\n"),
      ElementsAre("unchanged", "ready"));
  EXPECT_THAT(Results(set("status: {replicas: 2, readyReplicas: 2}\n")),
              ElementsAre("ready", "unchanged"));
}

TEST_F(Settled, QuotaIsKeptWhilePodsThatKueueDoesNotCountAreThere) {
  struct Leaving {
    std::string object;
    std::string there;
    std::string gone;
  };
  const auto ray = [](const std::string& status) {
    return ObjectText("ray.io/v1", "RayCluster", "",
                      "spec: {headGroupSpec: {template: " + std::string(kOnePod) + "}}\n" + status);
  };
  const auto spark = [](const std::string& status) {
    return ObjectText(
        "sparkoperator.k8s.io/v1beta2", "SparkApplication", "",
        "spec: {driver: {coreRequest: '1'}, executor: {coreRequest: '1'}}\n" + status);
  };
  const std::vector<Leaving> all = {
      {BatchJobText(), BatchJobText("", "status: {terminating: 1}\n"),
       BatchJobText("", "status: {terminating: 0}\n")},
      {ray(""), ray("status: {availableWorkerReplicas: 1}\n"),
       ray("status: {state: suspended, head: {podName: h}}\n")},
      {ray(""), ray("status: {head: {podName: h}}\n"), ray("status: {state: suspended}\n")},
      {spark(""), spark("status: {applicationState: {state: SUSPENDING}}\n"),
       spark("status: {applicationState: {state: SUSPENDED}}\n")},
      {spark(""), spark("status: {executorState: {e1: RUNNING}}\n"),
       spark("status: {executorState: {e1: FAILED}}\n")}};
  for (const Leaving& each : all) {
    engine_ = Engine();
    std::string room(kSettledRoom);
    room.replace(room.find("coveredResources: [cpu]"), 23, "coveredResources: [cpu, memory]");
    room.replace(room.find("nominalQuota: 10}"), 17,
                 "nominalQuota: 10}, {name: memory, nominalQuota: 9Ti}");
    EXPECT_THAT(Apply(room + each.object), IsEmpty());
    Admit();
    EXPECT_TRUE(
        engine_.Do(command::Evict{{"default", Names().front()}, "Test"}, testing::kNoon).ok());
    EXPECT_THAT(Results(each.there), ElementsAre("unchanged")) << each.there;
    EXPECT_THAT(Results(each.gone), ElementsAre("evicted")) << each.gone;
  }
}

std::string RayJobText(const std::string& status = "", const std::string& image = "x") {
  return ObjectText("ray.io/v1", "RayJob", "",
                    "spec: {shutdownAfterJobFinishes: true, submissionMode: HTTPMode, "
                    "rayClusterSpec: {headGroupSpec: {template: {spec: {containers: [{name: c, "
                    "image: " +
                        image + ", resources: {requests: {cpu: 1}}}]}}}}}\n" + status);
}

TEST_F(Settled, AJobThatFailsItsValidationIsOnHoldUntilItsStatusChanges) {
  const std::string failed = RayJobText("status: {jobDeploymentStatus: ValidationFailed}\n");
  EXPECT_THAT(Apply(RayJobText()), IsEmpty());
  const Key key{"default", Names().front()};
  Admit();
  EXPECT_THAT(Results(failed), ElementsAre("on hold"));
  EXPECT_THAT(Results(failed), ElementsAre("unchanged"));
  Admit();
  EXPECT_EQ(engine_.GetWorkload(key)->phase, WorkloadPhase::kInactive);
  EXPECT_THAT(engine_.Explain(key)->verdict, HasSubstr("says ValidationFailed"));
  EXPECT_THAT(Apply(RayJobText("", "y")), IsEmpty()) << "corrected";
  EXPECT_EQ(engine_.GetWorkload(key)->phase, WorkloadPhase::kInactive)
      << "its status is not read yet";
  EXPECT_THAT(Results(RayJobText("status: {jobDeploymentStatus: Suspended}\n", "y")),
              ElementsAre("queued"));
  Admit();
  EXPECT_EQ(engine_.GetWorkload(key)->phase, WorkloadPhase::kAdmitted);
}

TEST_F(Settled, AJobThatWaitsIsPutOnHoldAndOneThatWasSetInactiveStaysSo) {
  const std::string failed = RayJobText("status: {jobDeploymentStatus: ValidationFailed}\n");
  EXPECT_THAT(Apply(RayJobText()), IsEmpty());
  const Key key{"default", Names().front()};
  WorkloadUpdate update;
  update.workload = key;
  update.active = false;
  EXPECT_TRUE(engine_.Update(update, testing::kNoon).ok());
  EXPECT_THAT(Results(failed), ElementsAre("unchanged"));
  EXPECT_THAT(Results(RayJobText("status: {jobDeploymentStatus: Suspended}\n")),
              ElementsAre("unchanged"));
  update.active = true;
  EXPECT_TRUE(engine_.Update(update, testing::kNoon).ok());
  EXPECT_THAT(Results(failed), ElementsAre("on hold"));
  EXPECT_EQ(engine_.GetWorkload(key)->phase, WorkloadPhase::kInactive);
}

TEST_F(Settled, ASetThatIsScaledToNothingIsAdvisedToBeScaledUp) {
  const auto set = [](const char* replicas) {
    return ObjectText("apps/v1", "StatefulSet", "",
                      "spec: {replicas: " + std::string(replicas) +
                          ", template: " + std::string(kOnePod) + "}\n");
  };
  EXPECT_THAT(Apply(set("2")), IsEmpty());
  EXPECT_THAT(Apply(set("0")), ElementsAre(HasSubstr("held back")));
  EXPECT_THAT(engine_.Explain({"default", Names().front()})->cure, HasSubstr("scale it up"));
}

}  // namespace
}  // namespace muster::manifest
