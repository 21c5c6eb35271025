// Pod groups whose pods come, fail and are replaced one by one.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "bindings/manifest/start_objects.h"
#include "tests/unit/manifest/settled.h"

namespace muster::manifest {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

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

TEST_F(Settled, APodStandsInOneGroup) {
  std::string other = PodText("a", 1);
  other.replace(other.find("pod-group-name: g"), 17, "pod-group-name: h");
  EXPECT_THAT(Apply(PodText("a", 1) + other),
              ::testing::Contains(HasSubstr("stands in two pod groups, \"g\" and \"h\"")));
  EXPECT_FALSE(engine_.GetWorkload({"default", "g"}).ok());
  EXPECT_FALSE(engine_.GetWorkload({"default", "h"}).ok());
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

const std::string kFailed = "status: {phase: Failed}\n";

TEST_F(Settled, AReplacementIsNoOtherPlaceOfItsGroup) {
  EXPECT_THAT(Apply(PodText("a", 2) + PodText("b", 2)), IsEmpty());
  Admit();
  const std::string gone = "status: {phase: Pending}\n";
  EXPECT_TRUE(engine_.Do(command::Evict{{"default", "g"}, "Test"}, testing::kNoon).ok());
  EXPECT_THAT(Results(PodText("a", 2, "1", kFailed) + PodText("a2", 2, "1", gone)),
              ElementsAre("unchanged"))
      << "b may run";
  EXPECT_THAT(Results(PodText("a", 2, "1", kFailed) + PodText("a2", 2, "1", gone) +
                      PodText("b", 2, "1", gone)),
              ElementsAre("evicted"));
}

TEST_F(Settled, AllPodsThatAGroupHasAreEnoughThoughTheyHaveFailed) {
  EXPECT_THAT(Apply(PodText("a", 2) + PodText("b", 2)), IsEmpty());
  Admit();
  EXPECT_TRUE(engine_.Do(command::Evict{{"default", "g"}, "Test"}, testing::kNoon).ok());
  EXPECT_THAT(Results(PodText("a", 2, "1", kFailed) + PodText("b", 2, "1", kFailed)),
              ElementsAre("evicted"));
}

/// A pod that is not to be tried again.
std::string LastPod(const std::string& name, const std::string& rest) {
  std::string text = PodText(name, 2, "1", rest);
  text.replace(text.find("annotations: {"), 14,
               "annotations: {kueue.x-k8s.io/retriable-in-group: 'false', ");
  return text;
}

TEST_F(Settled, AGroupHasNotEndedWhileAPodMayRun) {
  EXPECT_THAT(Apply(PodText("a", 2) + PodText("b", 2)), IsEmpty());
  Admit();
  EXPECT_THAT(Results(LastPod("a", kFailed) + LastPod("a2", kFailed)), Each(Not("finished")))
      << "b may run";
  EXPECT_THAT(Results(LastPod("a", kFailed) + LastPod("b", kFailed)), ElementsAre("finished"));
}

TEST_F(Settled, AGroupThatWaitsLetsAFailedPodGo) {
  EXPECT_EQ(Apply(PodText("a", 2)).size(), 1U);
  EXPECT_THAT(Apply(PodText("a", 2, "1", kFailed)),
              ElementsAre(HasSubstr("waits: it has 0 of 2 pods")));
  EXPECT_THAT(Apply(PodText("b", 2)), ElementsAre(HasSubstr("waits: it has 1 of 2 pods")))
      << "the failed one does not count";
  EXPECT_THAT(Apply(PodText("b", 2, "1", kFailed) + PodText("b2", 2) + PodText("a2", 2)), IsEmpty())
      << "and its replacement is not one too many";
  Admit();
  EXPECT_EQ(engine_.GetWorkload({"default", "g"})->phase, WorkloadPhase::kAdmitted);
}

TEST_F(Settled, AGroupThatWaitsLetsAFailedPodGoWhenItIsObserved) {
  EXPECT_EQ(Apply(PodText("a", 2)).size(), 1U);
  EXPECT_THAT(Results(PodText("a", 2, "1", kFailed)), ElementsAre("waits"));
  EXPECT_THAT(Results(PodText("a", 2, "1", kFailed)), ElementsAre("unchanged"));
  EXPECT_THAT(Apply(PodText("b", 2)), ElementsAre(HasSubstr("waits: it has 1 of 2 pods")));
  EXPECT_THAT(Apply(PodText("c", 2)), IsEmpty());
}

TEST_F(Settled, AGroupWithoutQuotaWaitsForAReplacement) {
  EXPECT_THAT(Apply(PodText("a", 2) + PodText("b", 2)), IsEmpty());
  EXPECT_THAT(Apply(PodText("a", 2, "1", kFailed)),
              ElementsAre(HasSubstr("waits: it has 1 of 2 pods")));
  Admit();
  EXPECT_EQ(engine_.GetWorkload({"default", "g"})->phase, WorkloadPhase::kPending);
  EXPECT_THAT(Apply(PodText("a2", 2, "2")), IsEmpty()) << "of another role";
  Admit();
  const Result<WorkloadView> group = engine_.GetWorkload({"default", "g"});
  EXPECT_EQ(group->phase, WorkloadPhase::kAdmitted);
  EXPECT_EQ(group->spec.pod_sets.size(), 2U);
}

TEST_F(Settled, AFailedPodKeepsItsQuotaUntilItIsReplaced) {
  EXPECT_THAT(Apply(PodText("a", 2) + PodText("b", 2)), IsEmpty());
  Admit();
  EXPECT_THAT(Apply(PodText("a", 2, "1", kFailed)), ElementsAre(HasSubstr("keeps the quota")));
  EXPECT_THAT(Apply(PodText("a", 2, "1", kFailed) + PodText("a2", 2)), IsEmpty());
  EXPECT_EQ(engine_.GetWorkload({"default", "g"})->phase, WorkloadPhase::kAdmitted);
  EXPECT_TRUE(engine_.Do(command::Evict{{"default", "g"}, "Test"}, testing::kNoon).ok());
  const std::string gone = "status: {phase: Pending}\n";
  EXPECT_THAT(Results(PodText("a", 2, "1", kFailed) + PodText("b", 2, "1", kFailed)),
              ElementsAre("unchanged"))
      << "its replacement may run";
  EXPECT_THAT(Results(PodText("a2", 2, "1", gone) + PodText("b", 2, "1", kFailed)),
              ElementsAre("evicted"));
}

TEST_F(Settled, APodThatFailedOnItsNodeIsReplacedToo) {
  EXPECT_THAT(Apply(PodText("a", 2) + PodText("b", 2)), IsEmpty());
  Admit();
  const auto bound = [](const std::string& name, const std::string& status) {
    std::string text = PodText(name, 2, "1", status);
    return text.replace(text.find("spec: {"), 7, "spec: {nodeName: n1, ");
  };
  EXPECT_THAT(Apply(bound("a", kFailed)), ElementsAre(HasSubstr("has failed and is skipped")));
  EXPECT_THAT(Apply(bound("a", kFailed) + PodText("a2", 2)), IsEmpty());
  EXPECT_THAT(
      std::string(
          engine_.GetWorkload({"default", "g"})->spec.annotations.at("muster.dev/pod-group-pods")),
      AllOf(HasSubstr("a2="), HasSubstr(",b=")));
}

TEST_F(Settled, APodOfAQueueThatIsOnANodeIsLeftOutAndTheCallGoesOn) {
  const std::string pod =
      ObjectText("v1", "Pod", "", "spec: {nodeName: n1, containers: [{name: c}]}\n");
  EXPECT_THAT(Apply(pod + SetText()),
              ElementsAre(HasSubstr("is on a node already and is skipped")));
  EXPECT_EQ(Names().size(), 1U);
}

TEST_F(Settled, AGroupOfFailedPodsAloneIsRefused) {
  EXPECT_THAT(Apply(PodText("a", 2, "1", kFailed)),
              ElementsAre(HasSubstr("has 0 of 2 pods: those that are given have failed")));
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(Settled, APodTooManyIsToldOf) {
  EXPECT_THAT(Apply(PodText("a", 2) + PodText("b", 2) + PodText("c", 2)),
              ElementsAre(HasSubstr("one more than the pod group \"g\" has room for")));
  EXPECT_THAT(Names(), ElementsAre("g"));
}

/// The names of the objects that a start of `key` writes, or what is wrong.
std::vector<std::string> Starts(const Engine& engine, const Key& key, const std::string& text) {
  const Source source{"f.yaml", text};
  const auto started = StartObjects(engine, key, {&source, 1});
  if (!started.ok()) return {std::string(started.status().message())};
  std::vector<std::string> names;
  for (const StartedObject& each : *started) {
    names.push_back(each.object.At({"metadata", "name"}).text);
  }
  return names;
}

TEST_F(Settled, AReplacementStartsAloneAndAFailedPodNotAgain) {
  EXPECT_THAT(Apply(PodText("a", 2) + PodText("b", 2, "2")), IsEmpty());
  Admit();
  const Key group{"default", "g"};
  EXPECT_THAT(Starts(engine_, group, PodText("a", 2, "1", kFailed) + PodText("a2", 2)),
              ElementsAre("a2"));
  EXPECT_THAT(Starts(engine_, group, PodText("b", 2, "2", kFailed) + PodText("b2", 2, "2")),
              ElementsAre("b2"));
  EXPECT_THAT(Starts(engine_, group, PodText("b2", 2, "2")),
              ElementsAre(HasSubstr("has no place in its pod group")))
      << "b may run";
  EXPECT_THAT(Starts(engine_, group, PodText("c", 2, "3")),
              ElementsAre(HasSubstr("Pod c cannot start")))
      << "of a role that was not admitted";
}

TEST_F(Settled, NoMorePodsOfAGroupStartThanItHasPlaces) {
  const std::string three = PodText("a") + PodText("b") + PodText("c");
  EXPECT_EQ(Apply(three + PodText("d")).size(), 1U) << "one too many";
  Admit();
  const Key group{"default", "g"};
  EXPECT_THAT(Starts(engine_, group, three + PodText("d")), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Starts(engine_, group, PodText("d")),
              ElementsAre(HasSubstr("f.yaml:4:18: Pod d cannot start: it has no place")));
  EXPECT_THAT(Starts(engine_, group, PodText("b") + PodText("d")), ElementsAre("b"));
}

TEST_F(Settled, APodStartsWithTheResourcesOfItsRoleAlone) {
  const auto marked = [](const std::string& name, const std::string& cpu) {
    std::string text = PodText(name, 2, cpu);
    return text.replace(text.find("annotations: {"), 14,
                        "annotations: {kueue.x-k8s.io/role-hash: r, ");
  };
  EXPECT_THAT(Apply(marked("a", "1") + marked("b", "1")), IsEmpty());
  Admit();
  const Key group{"default", "g"};
  EXPECT_THAT(Starts(engine_, group, marked("a", "1") + marked("b", "1")), ElementsAre("a", "b"));
  EXPECT_THAT(Starts(engine_, group, marked("a", "1") + marked("b", "5")),
              ElementsAre(HasSubstr("Pod b cannot start: it asks for 5 of cpu")));
}

}  // namespace
}  // namespace muster::manifest
