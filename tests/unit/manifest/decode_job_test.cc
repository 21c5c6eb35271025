// A Job as the Workload it becomes.
#include <gmock/gmock.h>

#include "tests/unit/manifest/parse_text.h"

namespace muster::manifest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Job(std::string_view spec, std::string_view labels = "",
                std::string_view annotations = "") {
  return "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: train\n  namespace: team-a\n"
         "  creationTimestamp: '2026-01-01T12:00:00Z'\n"
         "  labels: {kueue.x-k8s.io/queue-name: research" +
         std::string(labels) + "}\n" + std::string(annotations) + "spec: {" + std::string(spec) +
         ", backoffLimit: 3, template: {metadata: {annotations: {x: y}}, spec: {restartPolicy: "
         "Never, "
         "priorityClassName: high, containers: [{name: main, resources: {limits: {nvidia.com/gpu: "
         "1}}}]}}}\nstatus: {active: 1}\n";
}

TEST(DecodeJob, BecomesAWorkloadOfOnePodSet) {
  const auto workload =
      ParseOne<Workload>(Job("parallelism: 16, completions: 16, suspend: true", "",
                             "  annotations: {kueue.x-k8s.io/job-min-parallelism: '2'}\n"));
  EXPECT_EQ(workload.key, (Key{"team-a", "job-train"}));
  EXPECT_EQ(workload.queue, "research");
  EXPECT_EQ(workload.uid, "") << "the Job's uid is not the Workload's";
  EXPECT_EQ(workload.created, ParseTime("2026-01-01T12:00:00Z"));
  EXPECT_EQ(workload.labels.at("kueue.x-k8s.io/queue-name"), "research");
  EXPECT_TRUE(workload.active);
  ASSERT_EQ(workload.pod_sets.size(), 1U);
  const PodSet& pods = workload.pod_sets[0];
  EXPECT_EQ(pods.name, "main");
  EXPECT_EQ(pods.count, 16);
  EXPECT_EQ(pods.min_count, 2);
  EXPECT_EQ(pods.topology, std::nullopt);
  EXPECT_THAT(pods.pods.containers,
              ElementsAre(Container{"main", {}, {{"nvidia.com/gpu", Q("1")}}, false}))
      << "requests from limits are the engine's business";
}

TEST(DecodeJob, CountsThePodsThatRunAtOnce) {
  const auto count = [](std::string_view spec) {
    return ParseOne<Workload>(Job(spec)).pod_sets[0].count;
  };
  EXPECT_EQ(count("suspend: false"), 1);
  EXPECT_EQ(count("completions: 5"), 1);
  EXPECT_EQ(count("parallelism: 4"), 4);
  EXPECT_EQ(count("parallelism: 4, completions: 3"), 3);
  EXPECT_EQ(count("parallelism: 4, completions: 9"), 4);
  EXPECT_EQ(count("parallelism: 0"), 0);
}

TEST(DecodeJob, LabelsSayPriorityAndTimeLimit) {
  const auto plain = ParseOne<Workload>(Job("parallelism: 1"));
  EXPECT_EQ(plain.priority_source, PriorityClassSource::kNone);
  EXPECT_EQ(plain.max_execution_seconds, std::nullopt);
  EXPECT_EQ(plain.pod_sets[0].pods.priority_class, "high");
  const auto labelled = ParseOne<Workload>(
      Job("parallelism: 1",
          ", kueue.x-k8s.io/priority-class: prod, kueue.x-k8s.io/max-exec-time-seconds: '60'"));
  EXPECT_EQ(labelled.priority_source, PriorityClassSource::kWorkloadPriorityClass);
  EXPECT_EQ(labelled.priority_class, "prod");
  EXPECT_EQ(labelled.max_execution_seconds, 60);
}

TEST(DecodeJob, AnnotationsOfThePodsRequestATopology) {
  const auto workload = ParseOne<Workload>(R"(
apiVersion: batch/v1
kind: Job
metadata: {name: train, labels: {kueue.x-k8s.io/queue-name: research}}
spec:
  parallelism: 8
  template:
    metadata:
      annotations:
        kueue.x-k8s.io/podset-preferred-topology: cloud/block
        kueue.x-k8s.io/podset-slice-required-topology: cloud/rack
        kueue.x-k8s.io/podset-slice-size: "4"
    spec: {containers: [{name: c}]}
)");
  EXPECT_EQ(workload.pod_sets[0].topology,
            (TopologyRequest{"", "cloud/block", false, {{"cloud/rack", 4}}, ""}));
}

std::string WithSegments(const std::string& text) {
  return R"(
apiVersion: batch/v1
kind: Job
metadata: {name: train, labels: {kueue.x-k8s.io/queue-name: research}}
spec:
  parallelism: 96
  template:
    metadata: {annotations: {muster.dev/podset-segments: ')" +
         text + R"('}}
    spec: {containers: [{name: c}]}
)";
}

TEST(DecodeJob, AnAnnotationOfThePodsRequestsSegments) {
  const auto workload = ParseOne<Workload>(WithSegments("cloud/block=48, rack = 16"));
  EXPECT_EQ(workload.pod_sets[0].topology,
            (TopologyRequest{"", "", false, {}, "", {{"cloud/block", 48}, {"rack", 16}}}));
}

TEST(DecodeJob, SegmentsAreLevelsWithTheirPods) {
  for (const char* const text : {"", "rack", "rack=", "=4", "rack=0", "rack=4,", "rack=4 block=2",
                                 "rack=99999999999", "ra ck=4"}) {
    const Manifests manifests = ParseText(WithSegments(text));
    EXPECT_THAT(Messages(manifests),
                ElementsAre(HasSubstr("f.yaml:8:58: spec.template.metadata.annotations["
                                      "muster.dev/podset-segments] names no levels with their "
                                      "pods")))
        << text;
  }
}

TEST(DecodeJob, OneWithAUidIsNamedAsInKueue) {
  std::string text = Job("suspend: true");
  text.replace(text.find("  namespace"), 0, "  uid: 0a1b2c3d-0000-4000-8000-000000000001\n");
  EXPECT_EQ(ParseOne<Workload>(text).key.name, "job-train-f09b8");
}

TEST(DecodeJob, WhatTheWebhooksRefuseIsRefusedAtItsPlace) {
  const auto said = [](std::string_view spec, std::string_view annotations,
                       std::string_view labels = "") {
    return Messages(ParseText(Job(spec, labels, annotations)));
  };
  EXPECT_THAT(said("parallelism: 2", "  annotations: {kueue.x-k8s.io/job-min-parallelism: '2'}\n"),
              ElementsAre(HasSubstr("f.yaml:8:53: metadata.annotations[kueue.x-k8s.io/"
                                    "job-min-parallelism] must be less than the number of pods; "
                                    "write a smaller number")));
  EXPECT_THAT(
      said("parallelism: 2",
           "  annotations: {kueue.x-k8s.io/job-completions-equal-parallelism: 'true'}\n"),
      ElementsAre(HasSubstr("needs completionMode: Indexed"), HasSubstr("must equal parallelism")));
  EXPECT_THAT(said("parallelism: 2", "", ", kueue.x-k8s.io/max-exec-time-seconds: '0'"),
              ElementsAre(HasSubstr("must be a whole number from 1; write seconds")));
  EXPECT_THAT(
      said("parallelism: 2", "  annotations: {kueue.x-k8s.io/admission-gated-by: 'bad gate'}\n"),
      ElementsAre(HasSubstr("has a name that is no domain/path")));
}

constexpr std::string_view kUnlabelled =
    "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: train\nspec: {template: {spec: {}}}\n";

TEST(DecodeJob, WithoutAQueueItWouldGoAroundTheQuota) {
  const Manifests manifests = ParseText(kUnlabelled);
  EXPECT_TRUE(manifests.HasErrors());
  EXPECT_TRUE(manifests.objects.empty());
  EXPECT_THAT(Messages(manifests),
              ElementsAre(HasSubstr("f.yaml:4:9: Job \"train\" has no label")));
}

Manifests Applied(const std::string& text) {
  ParseOptions strict;
  strict.refuse_unread = true;
  return ParseText(text, strict);
}

std::string JobText(const std::string& metadata, const std::string& more = "") {
  return "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: j\n" + metadata +
         "spec:\n  template:\n    spec: {containers: [{name: c}]}\n" + more;
}

constexpr const char* kQueued = "  labels: {kueue.x-k8s.io/queue-name: q}\n";

TEST(DecodeJob, AQueueNameThatIsAnAnnotationIsOneMistake) {
  const std::string text = JobText("  annotations:\n    kueue.x-k8s.io/queue-name: q\n");
  EXPECT_THAT(
      Messages(Applied(text)),
      ElementsAre("f.yaml:6:5: the annotation \"kueue.x-k8s.io/queue-name\" has no effect on "
                  "a Job; write it in metadata.labels of the Job"));
}

TEST(DecodeJob, ATopologyIsRefusedWhereverItIsAskedFor) {
  const std::string mark = "kueue.x-k8s.io/podset-required-topology: rack}\n";
  for (const std::string& text : {JobText(std::string(kQueued) + "  annotations: {" + mark),
                                  JobText("  labels: {kueue.x-k8s.io/queue-name: q, " + mark),
                                  JobText(kQueued, "    metadata: {labels: {a: b, " +
                                                       mark.substr(0, mark.size() - 1) + "}\n")}) {
    const Manifests manifests = Applied(text);
    EXPECT_TRUE(manifests.HasErrors()) << text;
    EXPECT_THAT(Messages(manifests), ElementsAre(HasSubstr("podset-required-topology"))) << text;
  }
}

TEST(DecodeJob, LabelsThatATemplateRepeatsAreWarnedOf) {
  const Manifests manifests =
      Applied(JobText(kQueued, "    metadata: {labels: {kueue.x-k8s.io/priority-class: high}}\n"));
  EXPECT_FALSE(manifests.HasErrors());
  EXPECT_THAT(Messages(manifests),
              ElementsAre(HasSubstr("warning: the label \"kueue.x-k8s.io/priority-class\" has no "
                                    "effect on a pod template; write it in metadata.labels of the "
                                    "Job")));
}

TEST(DecodeJob, OneOfAnotherClusterIsRefused) {
  const std::string text = JobText(kQueued, "  managedBy: kueue.x-k8s.io/multikueue\n");
  EXPECT_THAT(Messages(Applied(text)),
              ElementsAre(HasSubstr("f.yaml:9:14: \"managedBy\" has no effect")));
  EXPECT_THAT(Messages(Applied(JobText(kQueued, "  managedBy: example.com/x\n"))), IsEmpty());
}

TEST(DecodeJob, OneThatHasEndedIsSkipped) {
  for (const char* type : {"Complete", "Failed"}) {
    const Manifests manifests = Applied(JobText(
        kQueued, "status: {conditions: [{type: " + std::string(type) + ", status: \"True\"}]}\n"));
    EXPECT_THAT(manifests.objects, IsEmpty());
    EXPECT_THAT(Messages(manifests),
                ElementsAre(HasSubstr("warning: Job \"j\" has ended and is skipped")));
  }
  const Manifests running = Applied(
      JobText(kQueued, "status: {active: 1, conditions: [{type: Suspended, status: \"True\"}]}\n"));
  EXPECT_EQ(running.objects.size(), 1U);
}

TEST(DecodeJob, WithoutAQueueItMayBeSkipped) {
  ParseOptions options;
  options.allow_unlabeled = true;
  const Manifests manifests = ParseText(kUnlabelled, options);
  EXPECT_FALSE(manifests.HasErrors());
  EXPECT_TRUE(manifests.objects.empty());
  EXPECT_THAT(Messages(manifests), ElementsAre(HasSubstr("warning: Job \"train\"")));
}

TEST(DecodeJob, ASkippedJobIsStillReadStrictly) {
  ParseOptions options;
  options.allow_unlabeled = true;
  EXPECT_TRUE(ParseText("apiVersion: batch/v1\nkind: Job\nmetadata: {name: x}\n"
                        "spec: {template: {spec: {}}, paralelism: 3}\n",
                        options)
                  .HasErrors());
}

}  // namespace
}  // namespace muster::manifest
