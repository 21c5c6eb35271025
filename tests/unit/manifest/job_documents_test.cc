// Documents of job kinds as the workloads they become.
#include "bindings/manifest/job_documents.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/unit/manifest/parse_text.h"

namespace muster::manifest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Head(std::string_view api_version, std::string_view kind, std::string_view rest = "") {
  return "apiVersion: " + std::string(api_version) + "\nkind: " + std::string(kind) +
         "\nmetadata: {name: n, uid: u, labels: {kueue.x-k8s.io/queue-name: q}" +
         std::string(rest) + "}\n";
}
constexpr std::string_view kPods =
    "{spec: {priorityClassName: high, containers: [{name: c, resources: {requests: {cpu: 2}}}]}}";

std::string JobSet(std::string_view fields = "replicas: 2") {
  return Head("jobset.x-k8s.io/v1alpha2", "JobSet") + "spec: {replicatedJobs: [{name: w, " +
         std::string(fields) +
         ", template: {spec: {parallelism: 3, template: " + std::string(kPods) + "}}}]}\n";
}

std::vector<std::string> NamesOf(const Manifests& manifests) {
  std::vector<std::string> names;
  for (const Object& object : manifests.objects) names.push_back(KeyOf(object).name);
  return names;
}

TEST(JobDocuments, AJobSetBecomesAWorkloadWithItsPodSets) {
  const auto workload = ParseOne<Workload>(JobSet());
  EXPECT_THAT(workload.key.name, HasSubstr("jobset-n-"));
  EXPECT_EQ(workload.queue, "q");
  ASSERT_EQ(workload.pod_sets.size(), 1U);
  EXPECT_EQ(workload.pod_sets[0].name, "w");
  EXPECT_EQ(workload.pod_sets[0].count, 6);
  EXPECT_EQ(workload.pod_sets[0].pods.priority_class, "high");
  EXPECT_EQ(workload.pod_sets[0].pods.containers.at(0).requests.at("cpu"), Q("2"));
}

TEST(JobDocuments, MistakesInATemplateStandWhereTheyWereWritten) {
  const std::string text = JobSet();
  std::string wrong = text;
  wrong.replace(wrong.find("cpu: 2"), 6, "cpu: 2x");
  const auto messages = Messages(ParseText(wrong));
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_THAT(messages[0], HasSubstr("f.yaml:4:"));
}

TEST(JobDocuments, AFieldOfTheSchedulingPartThatWasMistypedIsAnError) {
  const auto messages = Messages(ParseText(JobSet("replicsa: 2")));
  EXPECT_THAT(messages, ElementsAre(HasSubstr("unknown field \"replicsa\"; write \"replicas\"")));
}

TEST(JobDocuments, WithoutAQueueItIsRefused) {
  std::string text = JobSet();
  text.replace(text.find("kueue.x-k8s.io/queue-name: q"), 28, "team: q");
  EXPECT_THAT(Messages(ParseText(text)),
              ElementsAre(HasSubstr("has no label kueue.x-k8s.io/queue-name and would go around")));
  ParseOptions lenient;
  lenient.allow_unlabeled = true;
  EXPECT_FALSE(ParseText(text, lenient).HasErrors());
}

TEST(JobDocuments, ATrainJobFindsItsRuntimeInAnyOrder) {
  const std::string job = Head("trainer.kubeflow.org/v1alpha1", "TrainJob") +
                          "spec: {runtimeRef: {name: rt}, trainer: {numNodes: 4}}\n";
  const std::string runtime =
      "---\napiVersion: trainer.kubeflow.org/v1alpha1\nkind: ClusterTrainingRuntime\n"
      "metadata: {name: rt}\nspec: {mlPolicy: {numNodes: 1}, template: {spec: {replicatedJobs: "
      "[{name: node, template: {metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: "
      "trainer}}, spec: {template: " +
      std::string(kPods) + "}}}]}}}\n";
  EXPECT_EQ(ParseOne<Workload>(job + runtime).pod_sets.at(0).count, 4);
  EXPECT_THAT(Messages(ParseText(job)), ElementsAre(HasSubstr("there is no runtime rt")));
}

TEST(JobDocuments, AChildOfAQueuedOwnerIsSkipped) {
  const std::string child =
      "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: child, labels: "
      "{kueue.x-k8s.io/queue-name: q}, ownerReferences: [{apiVersion: jobset.x-k8s.io/v1alpha2, "
      "kind: JobSet, name: n, uid: u, controller: true}]}\nspec: {template: " +
      std::string(kPods) + "}\n";
  const Manifests both = ParseText(JobSet() + child);
  EXPECT_FALSE(both.HasErrors());
  EXPECT_EQ(both.objects.size(), 1U);
  EXPECT_THAT(Messages(both), ElementsAre(HasSubstr("Job \"child\" belongs to JobSet \"n\"")));
}

TEST(JobDocuments, AJobOfACronJobIsQueuedItself) {
  const std::string job =
      "apiVersion: batch/v1\nkind: Job\nmetadata: {name: night-1, labels: "
      "{kueue.x-k8s.io/queue-name: q}, ownerReferences: [{apiVersion: batch/v1, kind: CronJob, "
      "name: night, uid: u, controller: true}]}\nspec: {template: " +
      std::string(kPods) + "}\n";
  EXPECT_THAT(NamesOf(ParseText(job)), ElementsAre("job-night-1"));
}

TEST(JobDocuments, EachReplicaOfALeaderWorkerSetOrDeploymentIsAWorkload) {
  const std::string lws =
      Head("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet") +
      "spec: {replicas: 3, leaderWorkerTemplate: {size: 2, workerTemplate: " + std::string(kPods) +
      "}}\n";
  EXPECT_EQ(ParseText(lws).objects.size(), 3U);
  const std::string web =
      Head("apps/v1", "Deployment") + "spec: {replicas: 2, template: " + std::string(kPods) + "}\n";
  EXPECT_THAT(NamesOf(ParseText(web)), ElementsAre(HasSubstr("pod-n-0-"), HasSubstr("pod-n-1-")));
  std::string many = web;
  many.replace(many.find("replicas: 2"), 11, "replicas: 10001");
  EXPECT_THAT(Messages(ParseText(many)), ElementsAre(HasSubstr("write at most 10000")));
}

std::string Member(std::string_view name) {
  return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + std::string(name) +
         ", labels: {kueue.x-k8s.io/queue-name: q, kueue.x-k8s.io/pod-group-name: g}, annotations: "
         "{kueue.x-k8s.io/pod-group-total-count: '2'}}\nspec: {containers: [{name: c}]}\n";
}

TEST(JobDocuments, APodGroupWaitsForItsTotal) {
  EXPECT_THAT(NamesOf(ParseText(Member("a") + Member("b"))), ElementsAre("g"));
  const Manifests one = ParseText(Member("a"));
  EXPECT_THAT(NamesOf(one), ElementsAre("g"));
  EXPECT_EQ(std::get<Workload>(one.objects[0]).annotations.at("muster.dev/pod-group-waits"),
            "1 of 2 pods");
  EXPECT_THAT(Messages(one), ElementsAre(HasSubstr("which waits: it has 1 of 2 pods")));
}

TEST(JobDocuments, APodOfAGroupThatHasEndedStillCounts) {
  EXPECT_THAT(NamesOf(ParseText(Member("a") + "status: {phase: Succeeded}\n" + Member("b"))),
              ElementsAre("g"));
}

TEST(JobDocuments, AQueuedPodOfAJobIsItsChild) {
  const std::string job =
      Head("batch/v1", "Job") + "spec: {template: " + std::string(kPods) + "}\n";
  const std::string pod =
      "---\napiVersion: v1\nkind: Pod\nmetadata: {name: n-x, labels: {kueue.x-k8s.io/queue-name: "
      "q}, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: n, uid: u, controller: "
      "true}]}\nspec: {containers: [{name: c}]}\n";
  for (const std::string& text : {job + pod, pod + "---\n" + job}) {
    const Manifests both = ParseText(text);
    EXPECT_EQ(both.objects.size(), 1U);
    EXPECT_THAT(Messages(both), ElementsAre(HasSubstr("Pod \"n-x\" belongs to Job \"n\"")));
  }
}

TEST(JobDocuments, APodWithoutAQueueIsStillAPodOnANode) {
  const Manifests manifests = ParseText(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {nodeName: n, containers: []}\n");
  ASSERT_EQ(manifests.objects.size(), 1U);
  EXPECT_EQ(KindOf(manifests.objects[0]), ObjectKind::kPod);
}

TEST(JobDocuments, ARayClusterMayBeElasticAndAJobSetMayNot) {
  const std::string mark = ", annotations: {kueue.x-k8s.io/elastic-job: 'true'}";
  const auto workload =
      ParseOne<Workload>(Head("ray.io/v1", "RayCluster", mark) +
                         "spec: {headGroupSpec: {template: " + std::string(kPods) + "}}\n");
  EXPECT_EQ(workload.annotations.at("kueue.x-k8s.io/elastic-job"), "true");
  const std::string set =
      Head("jobset.x-k8s.io/v1alpha2", "JobSet", mark) +
      "spec: {replicatedJobs: [{name: w, template: {spec: {template: " + std::string(kPods) +
      "}}}]}\n";
  EXPECT_THAT(Messages(ParseText(set)), ElementsAre(HasSubstr("is not possible for this kind")));
}

TEST(JobDocuments, APodSetHasANameThatAWorkloadMayHave) {
  const auto said = [](const std::string& name) {
    return Messages(ParseText(Head("jobset.x-k8s.io/v1alpha2", "JobSet", "") +
                              "spec: {replicatedJobs: [{name: " + name +
                              ", template: {spec: {template: " + std::string(kPods) + "}}}]}\n"));
  };
  EXPECT_THAT(said("A-b"), IsEmpty()) << "it is lower case there";
  EXPECT_THAT(said("A_b"), ElementsAre(HasSubstr("JobSet \"n\" would have a podset \"a_b\"; use")));
}

TEST(JobDocuments, WhatIsWrongInAllReplicasIsSaidOnce) {
  const std::string text =
      Head("apps/v1", "Deployment", "") +
      "spec: {replicas: 5, template: {spec: {containers: [{name: c, resources: {requests: {cpu: "
      "2x}}}]}}}\n";
  EXPECT_THAT(Messages(ParseText(text)), ElementsAre(HasSubstr("\"2x\"")));
}

TEST(JobDocuments, OneThatHasEndedIsSkipped) {
  const Manifests over =
      ParseText(JobSet() + "status: {conditions: [{type: Completed, status: 'True'}]}\n");
  EXPECT_THAT(over.objects, IsEmpty());
  EXPECT_THAT(Messages(over), ElementsAre(HasSubstr("has ended and is skipped")));
}

/// A pod of a pod group of three.
std::string PodOfGroup(int group, int member) {
  const std::string id = std::to_string(group);
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: p" + id + "-" + std::to_string(member) +
         ", labels: {kueue.x-k8s.io/queue-name: q, kueue.x-k8s.io/pod-group-name: g" + id +
         "}, annotations: {kueue.x-k8s.io/pod-group-total-count: \"3\"}}\n"
         "spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}\n";
}

TEST(JobDocuments, ManyAreMadeByThreadsAsIfOneByOne) {
  constexpr int kGroups = 234;
  constexpr int kTurns = 3 * kGroups;
  std::string text;
  std::vector<std::string> names;
  std::vector<std::string> groups;
  std::vector<std::string> mistakes;
  int line = 1;
  const auto add = [&](const std::string& document) {
    text += document + "---\n";
    line += static_cast<int>(std::count(document.begin(), document.end(), '\n')) + 1;
  };
  for (int i = 0; i < kTurns; ++i) {
    std::string set = JobSet(i % 100 == 99 ? "replicsa: 2" : "replicas: 2");
    set.replace(set.find("name: n,"), 7, "name: s" + std::to_string(i));
    if (i % 100 == 99) {
      mistakes.push_back("f.yaml:" + std::to_string(line + 3) + ":");
    } else {
      names.push_back("jobset-s" + std::to_string(i) + "-");
    }
    add(set);
    // The pods of a group lie 468 documents apart.
    add(PodOfGroup(i % kGroups, i / kGroups));
  }
  for (int i = 0; i < kGroups; ++i) groups.push_back("g" + std::to_string(i));
  const Manifests manifests = ParseText(text);

  const std::vector<std::string> made = NamesOf(manifests);
  std::vector<std::string> wanted_first(made.begin(),
                                        made.begin() + static_cast<std::ptrdiff_t>(names.size()));
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_THAT(wanted_first[i], ::testing::StartsWith(names[i]));
  }
  const std::vector<std::string> rest(made.begin() + static_cast<std::ptrdiff_t>(names.size()),
                                      made.end());
  EXPECT_THAT(rest, ::testing::UnorderedElementsAreArray(groups));
  std::vector<std::string> errors;
  for (const Diagnostic& each : manifests.diagnostics) {
    if (each.severity == Severity::kError) errors.push_back(each.ToString());
  }
  ASSERT_EQ(errors.size(), mistakes.size());
  for (std::size_t i = 0; i < errors.size(); ++i) {
    EXPECT_THAT(errors[i], ::testing::StartsWith(mistakes[i]));
  }
}

}  // namespace
}  // namespace muster::manifest
