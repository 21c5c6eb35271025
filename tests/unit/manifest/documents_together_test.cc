// Documents that say something of each other: what comes of them does not depend on their order,
// nor on a slip in what ties them together.
#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <vector>

#include "bindings/manifest/job_objects.h"
#include "tests/unit/manifest/parse_text.h"

namespace muster::manifest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string PodWith(std::string_view name, std::string_view metadata) {
  return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) + ", " +
         std::string(metadata) +
         "}\nspec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}\n";
}
constexpr std::string_view kInQueue = "labels: {kueue.x-k8s.io/queue-name: q}";

std::string PodOf(std::string_view owner) {
  return PodWith("p", std::string(kInQueue) + ", ownerReferences: " + std::string(owner));
}

std::string OwnerSet(std::string_view name = "s") {
  return "---\napiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: " +
         std::string(name) + ", uid: u1, " + std::string(kInQueue) +
         "}\nspec: {replicatedJobs: [{name: w, replicas: 1, template: {spec: {template: {spec: "
         "{containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}}}]}\n";
}
constexpr std::string_view kOwnerSet = "jobset.x-k8s.io/v1alpha2, kind: JobSet, name: s";

std::string RuntimeOf(std::string_view pods) {
  return "---\napiVersion: trainer.kubeflow.org/v1alpha1\nkind: ClusterTrainingRuntime\n"
         "metadata: {name: rt}\nspec: {mlPolicy: {numNodes: " +
         std::string(pods) +
         "}, template: {spec: {replicatedJobs: [{name: node, template: {metadata: {labels: "
         "{trainer.kubeflow.org/trainjob-ancestor-step: trainer}}, spec: {template: {spec: "
         "{containers: [{name: node, resources: {requests: {cpu: 1}}}]}}}}}]}}}\n";
}

TEST(DocumentsTogether, ThePodsOfAReplicaSetOfItsOwnAreNotQueuedBesideIt) {
  const std::string set =
      "---\napiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: r, uid: u1, " +
      std::string(kInQueue) +
      "}\nspec: {replicas: 1, template: {spec: {containers: [{name: c, resources: "
      "{requests: {cpu: 1}}}]}}}\n";
  const std::string pod =
      PodOf("[{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: u1, controller: true}]");
  for (const std::string& text : {set + pod, pod + set}) {
    const Manifests manifests = ParseText(text);
    EXPECT_EQ(manifests.objects.size(), 1U) << text;
    EXPECT_THAT(Messages(manifests), ElementsAre(HasSubstr("belongs to ReplicaSet \"r\"")));
  }
}

TEST(DocumentsTogether, AReplicaSetOfAnotherIsSaidToBelongToIt) {
  EXPECT_THAT(
      Messages(ParseText(
          "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: r, " + std::string(kInQueue) +
          ", ownerReferences: [{apiVersion: argoproj.io/v1alpha1, kind: "
          "Rollout, name: web, uid: u, controller: true}]}\nspec: {template: {spec: {containers: "
          "[{name: c}]}}}\n")),
      ElementsAre(HasSubstr("belongs to Rollout \"web\"")));
}

TEST(DocumentsTogether, AGroupWaitsForTheOthersWhereOnePodBelongsToAnOwner) {
  const auto member = [](std::string_view name, std::string_view more) {
    return PodWith(name,
                   "labels: {kueue.x-k8s.io/queue-name: q, kueue.x-k8s.io/pod-group-name: g}, "
                   "annotations: {kueue.x-k8s.io/pod-group-total-count: '3'}" +
                       std::string(more));
  };
  const std::string owned =
      member("a", ", ownerReferences: [{apiVersion: " + std::string(kOwnerSet) +
                      ", uid: u1, controller: true}]");
  const Manifests manifests = ParseText(OwnerSet() + owned + member("b", "") + member("c", ""));
  EXPECT_EQ(manifests.objects.size(), 2U) << "the JobSet and the group";
  EXPECT_THAT(Messages(manifests),
              ::testing::UnorderedElementsAre(HasSubstr("belongs to JobSet"),
                                              HasSubstr("waits: it has 2 of 3 pods")));
}

TEST(DocumentsTogether, TwoOfOneNameThatOthersMeanAreAMistake) {
  const std::string job =
      "---\napiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: t, " +
      std::string(kInQueue) + "}\nspec: {runtimeRef: {name: rt}}\n";
  EXPECT_THAT(Messages(ParseText(RuntimeOf("2") + job)), IsEmpty());
  EXPECT_THAT(Messages(ParseText(RuntimeOf("2") + job + RuntimeOf("7"))),
              ElementsAre(HasSubstr("ClusterTrainingRuntime \"rt\" is defined twice, first in "
                                    "f.yaml:4:18")));
}

TEST(DocumentsTogether, ASlipInAnOwnerReferenceIsAMistake) {
  const auto messages = [](std::string_view owners) {
    return Messages(ParseText(OwnerSet() + PodOf(owners)));
  };
  const std::string owner(kOwnerSet);
  EXPECT_THAT(messages("[{apiVersion: " + owner + ", uid: u1, controler: true}]"),
              ElementsAre(HasSubstr("unknown field \"controler\" in \"ownerReferences\"; write "
                                    "\"controller\"")));
  EXPECT_THAT(messages("[{apiVersion: " + owner + ", uid: u1, controller: 'true'}]"),
              ElementsAre(HasSubstr("\"controller\" must be true or false")));
  EXPECT_THAT(messages("{apiVersion: " + owner + ", uid: u1, controller: true}"),
              ElementsAre(HasSubstr("\"ownerReferences\" must be a list")));
  EXPECT_THAT(messages("[1]"), ElementsAre(HasSubstr("an owner needs a kind and a name")));
  EXPECT_THAT(Messages(ParseText("apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, " +
                                 std::string(kInQueue) +
                                 ", ownerReferences: {kind: JobSet, name: s}}\nspec: {template: "
                                 "{spec: {restartPolicy: Never, containers: [{name: c}]}}}\n")),
              ElementsAre(HasSubstr("\"ownerReferences\" must be a list")));
  EXPECT_THAT(messages("[{apiVersion: " + owner + ", controller: true}]"),
              ElementsAre(HasSubstr("belongs to JobSet \"s\"")))
      << "written by hand, it has no uid";
}

TEST(DocumentsTogether, AReportPassesOverARayJobOnAClusterThatIsThere) {
  const std::vector<Source> sources = {
      {"f.yaml", "apiVersion: ray.io/v1\nkind: RayJob\nmetadata: {name: s, " +
                     std::string(kInQueue) +
                     "}\nspec: {entrypoint: x, clusterSelector: {ray.io/cluster: c}}\n"
                     "status: {jobDeploymentStatus: Running}\n"}};
  EXPECT_TRUE(ReadJobObjects(sources).jobs.empty()) << "it has no workload to tell of";
}

}  // namespace
}  // namespace muster::manifest
