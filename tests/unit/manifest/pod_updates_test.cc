// What a pod of a group may not change once it is known: its group, and that it is not retried.
#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/manifest/group_pods.h"
#include "bindings/manifest/groups_by_pod.h"
#include "tests/unit/manifest/settled.h"

namespace muster::manifest {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const Key kGroup{"default", "g"};

std::string Replaced(std::string text, std::string_view what, const std::string& with) {
  return text.replace(text.find(what), what.size(), with);
}
/// With `retriable-in-group`.
std::string MarkedPod(const std::string& name, int total, const std::string& text = "'false'") {
  return Replaced(PodText(name, total), "annotations: {",
                  "annotations: {kueue.x-k8s.io/retriable-in-group: " + text + ", ");
}
std::string PodOfGroup(const std::string& name, const std::string& group) {
  return Replaced(PodText(name, 2), "pod-group-name: g", "pod-group-name: " + group);
}
/// Of no group.
std::string SinglePod(const std::string& name) {
  return Replaced(Replaced(PodText(name), ", kueue.x-k8s.io/pod-group-name: g", ""),
                  "kueue.x-k8s.io/pod-group-total-count: '3'", "");
}

class PodUpdates : public Settled {
 protected:
  std::string NotRetriable() const {
    const auto group = engine_.GetWorkload(kGroup);
    const auto mark = group->spec.annotations.find(kPodGroupNotRetriableAnnotation);
    return mark == group->spec.annotations.end() ? "none" : std::string(mark->second);
  }
};

TEST_F(PodUpdates, WhatIsNotRetriedStaysSo) {
  EXPECT_THAT(Apply(MarkedPod("a", 2) + PodText("b", 2)), IsEmpty());
  EXPECT_EQ(NotRetriable(), "a");
  const auto refused = ElementsAre(AllOf(
      HasSubstr("metadata.annotations[kueue.x-k8s.io/retriable-in-group] of Pod \"a\" cannot "
                "be taken back, for it was \"false\"; write \"false\", or make another group"),
      HasSubstr("f.yaml:")));
  EXPECT_THAT(Apply(MarkedPod("a", 2, "'true'") + PodText("b", 2)), refused);
  EXPECT_THAT(Apply(PodText("a", 2) + PodText("b", 2)), refused);
  Admit();
  EXPECT_THAT(Apply(PodText("b", 2) + PodText("a", 2)), refused);
  EXPECT_THAT(Apply(MarkedPod("a", 2) + PodText("b", 2)), IsEmpty());
  EXPECT_THAT(applied_, ElementsAre(Applied::kUnchanged));
  EXPECT_THAT(Apply(MarkedPod("a", 2) + MarkedPod("b", 2)), IsEmpty()) << "it may come later";
  EXPECT_EQ(NotRetriable(), "a,b");
}

TEST_F(PodUpdates, APodThatIsGivenAloneIsRefusedWhereItStands) {
  EXPECT_THAT(Apply(MarkedPod("b", 3)), SizeIs(1));
  const std::string second = MarkedPod("b", 3, "'true'");
  const std::vector<std::string> said = Apply(PodText("a", 3) + second);
  EXPECT_THAT(said, Contains(HasSubstr("f.yaml:9:144: ")));
  EXPECT_THAT(said, Contains(HasSubstr("of Pod \"b\" cannot be taken back")));
}

TEST_F(PodUpdates, AGroupRemembersPodsOfOtherCalls) {
  EXPECT_THAT(Apply(MarkedPod("a", 3)), SizeIs(1));
  EXPECT_THAT(Apply(PodText("b", 3)), SizeIs(1));
  EXPECT_EQ(NotRetriable(), "a");
  EXPECT_THAT(Apply(MarkedPod("c", 3)), IsEmpty());
  EXPECT_EQ(NotRetriable(), "a,c");
}

TEST_F(PodUpdates, APodThatHasFailedIsForgotten) {
  EXPECT_THAT(Apply(MarkedPod("a", 3)), SizeIs(1));
  EXPECT_THAT(Apply(PodText("b", 3)), SizeIs(1));
  EXPECT_THAT(Apply(MarkedPod("a", 3) + "status: {phase: Failed}\n"), SizeIs(1));
  EXPECT_EQ(NotRetriable(), "none");
  EXPECT_THAT(Apply(PodText("a", 3)), SizeIs(1)) << "another of its name";
}

TEST_F(PodUpdates, AGroupWithoutSuchPodsHasNoMark) {
  EXPECT_THAT(Apply(PodText("a", 2) + MarkedPod("b", 2, "'true'")), IsEmpty());
  EXPECT_EQ(NotRetriable(), "none");
}

TEST_F(PodUpdates, APodStaysInItsGroup) {
  EXPECT_THAT(Apply(PodText("a", 2) + PodText("b", 2)), IsEmpty());
  EXPECT_THAT(
      Apply(PodOfGroup("a", "other") + PodOfGroup("c", "other")),
      ElementsAre(AllOf(
          HasSubstr("f.yaml:4:"),
          HasSubstr("metadata.labels[kueue.x-k8s.io/pod-group-name] of Pod \"a\" cannot change: it "
                    "is one of the pod group \"default/g\", which has not ended; leave it as it "
                    "was, or make another pod"))));
  EXPECT_THAT(Apply(SinglePod("a")), ElementsAre(HasSubstr("of Pod \"a\" cannot change")))
      << "nor does it leave it";
  EXPECT_THAT(Apply(PodOfGroup("c", "other") + PodOfGroup("d", "other")), IsEmpty());
}

TEST_F(PodUpdates, APodMayGetAGroup) {
  EXPECT_THAT(Apply(SinglePod("a")), IsEmpty());
  EXPECT_THAT(Apply(PodText("a", 2) + PodText("b", 2)), IsEmpty());
}

TEST_F(PodUpdates, OfAGroupThatIsOverPodsAreFree) {
  EXPECT_THAT(Apply(PodText("a", 2) + PodText("b", 2)), IsEmpty());
  Admit();
  ASSERT_TRUE(engine_.Finish({&kGroup, 1}, false, testing::kNoon).ok());
  EXPECT_THAT(Apply(PodOfGroup("a", "other") + PodOfGroup("b", "other")), IsEmpty());
}

TEST_F(PodUpdates, APodThatFailedMayBeMadeInAnotherGroup) {
  EXPECT_THAT(Apply(PodText("a", 2)), SizeIs(1));
  EXPECT_THAT(Apply(PodText("a", 2, "1", "status: {phase: Failed}\n")), SizeIs(1));
  EXPECT_THAT(Apply(PodOfGroup("a", "other")), ElementsAre(HasSubstr("which waits")));
}

// A door keeps the groups as long as its engine.
TEST_F(PodUpdates, GroupsThatCameSinceAreKnownByWhatIsNoted) {
  GroupsByPod groups;
  const Key other{"default", "other"};
  EXPECT_EQ(groups.OtherGroupOf(engine_, "a", other), std::nullopt);
  EXPECT_THAT(Apply(PodText("a", 2) + PodText("b", 2)), IsEmpty());
  const Object group = engine_.GetWorkload(kGroup)->spec;
  groups.Note({&group, 1});
  EXPECT_EQ(groups.OtherGroupOf(engine_, "a", other), kGroup);
  EXPECT_EQ(groups.OtherGroupOf(engine_, "a", kGroup), std::nullopt);
  EXPECT_EQ(groups.OtherGroupOf(engine_, "a", {"elsewhere", "other"}), std::nullopt);
  ASSERT_TRUE(engine_.Cancel({&kGroup, 1}, testing::kNoon).ok());
  EXPECT_EQ(groups.OtherGroupOf(engine_, "a", other), std::nullopt);
}

TEST_F(PodUpdates, NamesAreComparedAsAWhole) {
  EXPECT_THAT(Apply(PodText("aa", 2) + PodText("b", 2)), IsEmpty());
  const Workload group = engine_.GetWorkload(kGroup)->spec;
  EXPECT_TRUE(HasPod(group, "aa") && HasPod(group, "b"));
  EXPECT_FALSE(HasPod(group, "a"));
}

}  // namespace
}  // namespace muster::manifest
