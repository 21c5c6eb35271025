// Jobs that were read, beside what an engine knows of them.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/unit/manifest/settled.h"

namespace muster::manifest {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(Settled, AnObjectThatHasGotAUidIsTheSameJob) {
  EXPECT_THAT(Apply(BatchJobText() + SetText()), IsEmpty());
  const std::vector<std::string> names = Names();
  ASSERT_EQ(names.size(), 2U);
  EXPECT_THAT(Apply(BatchJobText(", uid: u1") + SetText(", uid: u2")), IsEmpty());
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
  EXPECT_THAT(Apply(BatchJobText(", uid: 0a1b2c3d-0000-4000-8000-000000000001")), IsEmpty());
  EXPECT_THAT(Names(), ElementsAre(HasSubstr("job-n-")));
  EXPECT_THAT(Results(BatchJobText(", uid: other", "status: {active: 1}\n")),
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

TEST_F(Settled, AnObjectStandsOnceWithAUidOrWithout) {
  for (const auto& text :
       {BatchJobText() + BatchJobText(", uid: u1"),
        BatchJobText(", uid: u1") + BatchJobText(", uid: u2"), SetText() + SetText(", uid: u1")}) {
    EXPECT_THAT(Apply(text), ElementsAre(HasSubstr("is defined twice, first in f.yaml:")));
    EXPECT_THAT(Names(), IsEmpty());
  }
  EXPECT_THAT(Apply(BatchJobText(", uid: u1") + SetText(", uid: u1")), IsEmpty()) << "two kinds";
}

TEST_F(Settled, AUidThatIsNoneIsRefusedWhereItStands) {
  for (const auto& object : {BatchJobText(", uid: 'a b'"), SetText(", uid: 'a b'")}) {
    EXPECT_THAT(Apply(object), ElementsAre(AllOf(HasSubstr("f.yaml:4:26: metadata.uid \"a b\""),
                                                 HasSubstr("or leave it out"))));
  }
  std::string pod = PodText("a", 1);
  pod.replace(pod.find("name: a"), 7, "name: a, uid: _");
  EXPECT_THAT(Apply(pod), ElementsAre(HasSubstr("f.yaml:4:26: metadata.uid")));
}

TEST_F(Settled, AMistakeInATemplateIsSaidOnceOfAllReplicas) {
  for (const char* kind : {"Deployment", "ReplicaSet"}) {
    std::string object = ObjectText(
        "apps/v1", kind, "", "spec: {replicas: 3, template: " + std::string(kOnePod) + "}\n");
    object.replace(object.find("cpu: 1"), 6, "cpu: -1");
    const Manifests read = ParseText(object);
    ASSERT_THAT(read.objects, SizeIs(3));
    const auto problems = engine_.Validate(read.objects);
    ASSERT_THAT(*problems, SizeIs(3));
    EXPECT_THAT(Locate(read, *problems), SizeIs(1)) << kind;
  }
}

TEST_F(Settled, AnImpossibleNameOfAPodSetIsToldWhereItStands) {
  std::string set = SetText();
  set.replace(set.find("name: w"), 7, "name: W_b");
  EXPECT_THAT(Apply(set), ElementsAre(AllOf(HasSubstr("f.yaml:5:32: "), HasSubstr("w_b"))));
}

}  // namespace
}  // namespace muster::manifest
