// Kinds that a user declares, and the workloads of their objects.
#include "bindings/manifest/declared_kinds.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/unit/manifest/parse_text.h"

namespace muster::manifest {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kTraining = R"(apiVersion: muster.dev/v1
kind: JobKind
metadata: {name: trainings}
spec:
  group: acme.example
  versions: [v2, v1]
  kind: Training
  suspendPath: spec.paused
  priorityClassPath: spec.priority
  podSets:
  - {name: driver, requestsPath: spec.driver.resources, placementPath: spec.driver.placement}
  - forEach: spec.groups
    namePath: name
    countPath: workers
    minCountPath: atLeast
    templatePath: pods
  status:
    succeeded: [{condition: Done}]
    failed: [{path: status.phase, is: [Failed, Lost]}]
---
)";

std::string Training(std::string_view spec, std::string_view api_version = "acme.example/v1") {
  return "apiVersion: " + std::string(api_version) +
         "\nkind: Training\nmetadata: {name: t, uid: u, labels: {kueue.x-k8s.io/queue-name: q}}\n" +
         "spec:\n  priority: high\n  driver: {resources: {cpu: 1}}\n" + std::string(spec);
}

constexpr std::string_view kGroups =
    "  groups:\n"
    "  - {name: A, workers: 4, atLeast: 2, pods: {spec: {containers: [{name: c, resources: "
    "{requests: {cpu: 2}}}]}}}\n";

TEST(DeclaredKinds, AnObjectBecomesAWorkloadByThePaths) {
  const auto workload = ParseOne<Workload>(std::string(kTraining) + Training(kGroups));
  EXPECT_THAT(workload.key.name, HasSubstr("training-t-"));
  EXPECT_EQ(workload.queue, "q");
  EXPECT_EQ(workload.priority_class, "high");
  ASSERT_EQ(workload.pod_sets.size(), 2U);
  EXPECT_EQ(workload.pod_sets[0].name, "driver");
  EXPECT_EQ(workload.pod_sets[0].count, 1);
  EXPECT_EQ(workload.pod_sets[0].pods.containers.at(0).requests.at("cpu"), Q("1"));
  EXPECT_EQ(workload.pod_sets[1].name, "a");
  EXPECT_EQ(workload.pod_sets[1].count, 4);
  EXPECT_EQ(workload.pod_sets[1].min_count, 2);
  EXPECT_EQ(workload.pod_sets[1].pods.containers.at(0).requests.at("cpu"), Q("2"));
}

TEST(DeclaredKinds, TheObjectMayStandBeforeItsKindAndInAList) {
  const std::string list =
      "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: acme.example/v2, kind: Training, "
      "metadata: {name: t, labels: {kueue.x-k8s.io/queue-name: q}}, spec: {driver: {resources: "
      "{cpu: 1}}, groups: {one: {pods: {spec: {containers: [{name: c}]}}}}}}\n---\n";
  std::string kind(kTraining);
  kind.replace(kind.find("    namePath: name\n"), 19, "");
  const auto workload = ParseOne<Workload>(list + kind);
  ASSERT_EQ(workload.pod_sets.size(), 2U);
  EXPECT_EQ(workload.pod_sets[1].name, "one") << "an entry of a mapping has its key as name";
  EXPECT_EQ(workload.pod_sets[1].count, 1);
}

TEST(DeclaredKinds, AMistakeInAnObjectStandsWhereItWasWritten) {
  std::string wrong(kGroups);
  wrong.replace(wrong.find("workers: 4"), 10, "workers: four");
  EXPECT_THAT(Messages(ParseText(std::string(kTraining) + Training(wrong))),
              ElementsAre(AllOf(HasSubstr("f.yaml:28:24: spec.groups[0].workers must be a whole"),
                                HasSubstr("write for example 2"))));
  std::string bad_amount(kGroups);
  bad_amount.replace(bad_amount.find("cpu: 2"), 6, "cpu: 2x");
  EXPECT_THAT(Messages(ParseText(std::string(kTraining) + Training(bad_amount))),
              ElementsAre(HasSubstr("f.yaml:28:104")));
}

TEST(DeclaredKinds, AKeyThatLooksLikeOneThatIsReadIsAWarning) {
  std::string near(kGroups);
  near.replace(near.find("workers: 4"), 10, "wokrers: 4");
  EXPECT_THAT(Messages(ParseText(std::string(kTraining) + Training(near))),
              ElementsAre(AllOf(HasSubstr("28:15: warning: \"wokrers\" looks like \"workers\""),
                                HasSubstr("write \"workers\" if it is meant"))));
}

TEST(DeclaredKinds, AnotherVersionOrGroupIsAnError) {
  EXPECT_THAT(Messages(ParseText(std::string(kTraining) + Training(kGroups, "acme.example/v3"))),
              ElementsAre(HasSubstr("a Training has no apiVersion \"acme.example/v3\"; write "
                                    "acme.example/v2, or add the version")));
  EXPECT_THAT(Messages(ParseText(std::string(kTraining) + Training(kGroups, "other.example/v1"))),
              ElementsAre(HasSubstr("the JobKind of Training is of another group than this one")));
}

TEST(DeclaredKinds, AJobOfAnotherProjectIsNotTheBuiltInOne) {
  const std::string text = R"(apiVersion: muster.dev/v1
kind: JobKind
metadata: {name: jobs}
spec:
  group: batch.other.example
  versions: [v1]
  kind: Job
  podSets: [{forEach: spec.tasks, namePath: name, countPath: replicas, templatePath: template}]
---
apiVersion: batch.other.example/v1
kind: Job
metadata: {name: n, labels: {kueue.x-k8s.io/queue-name: q}}
spec: {tasks: [{name: t, replicas: 3, template: {spec: {containers: [{name: c}]}}}]}
)";
  const auto workload = ParseOne<Workload>(text);
  EXPECT_THAT(workload.key.name, AllOf(HasSubstr("job-n-"), ::testing::Not("job-n")));
  EXPECT_EQ(workload.pod_sets.at(0).count, 3);
}

TEST(DeclaredKinds, WithoutAnObjectItIsNamed) {
  EXPECT_THAT(Messages(ParseText(kTraining)),
              ElementsAre(HasSubstr("f.yaml:7:9: warning: there is no Training in these files")));
}

TEST(DeclaredKinds, AfterAMistakeInAKindItsObjectsSayNothingMore) {
  std::string wrong(kTraining);
  wrong.replace(wrong.find("countPath: workers"), 18, "countPath: .workers");
  EXPECT_THAT(Messages(ParseText(wrong + Training(kGroups))),
              ElementsAre(HasSubstr("write \"workers\"")));
}

TEST(DeclaredKinds, APathMayNameAnItemOfAListByItsNumber) {
  const auto workload = ParseOne<Workload>(
      "apiVersion: muster.dev/v1\nkind: JobKind\nmetadata: {name: k}\nspec: {group: a.example, "
      "versions: [v1], kind: Mini, podSets: [{name: main, countPath: spec.size, requestsPath: "
      "spec.containers.0.resources}]}\n---\napiVersion: a.example/v1\nkind: Mini\nmetadata: "
      "{name: n, labels: {kueue.x-k8s.io/queue-name: q}}\nspec: {size: 3, containers: "
      "[{resources: {cpu: 2}}]}\n");
  EXPECT_EQ(workload.pod_sets.at(0).count, 3);
  EXPECT_EQ(workload.pod_sets.at(0).pods.containers.at(0).requests.at("cpu"), Q("2"));
}

TEST(DeclaredKinds, AKindWithoutAGroupMeetsAnObjectWithoutAVersion) {
  const auto messages = Messages(
      ParseText("apiVersion: muster.dev/v1\nkind: JobKind\nmetadata: {name: k}\nspec: {group: '', "
                "versions: [v1], kind: Mini, podSets: [{name: main, templatePath: spec.pods}]}\n"
                "---\nkind: Mini\nmetadata: {name: n}\n"));
  EXPECT_THAT(messages, ElementsAre(HasSubstr("is no group of an API")));
}

TEST(DeclaredKinds, OneThatHasEndedIsSkipped) {
  const std::string text = std::string(kTraining) + Training(kGroups) + "status: {phase: Lost}\n";
  const Manifests read = ParseText(text);
  EXPECT_THAT(Messages(read), ElementsAre(HasSubstr("has ended and is skipped")));
  EXPECT_THAT(read.objects, IsEmpty());
}

}  // namespace
}  // namespace muster::manifest
