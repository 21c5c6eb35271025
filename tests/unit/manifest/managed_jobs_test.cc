// Kueue's Configuration says which objects of job kinds are queued.
#include <gmock/gmock.h>

#include <string>

#include "tests/unit/manifest/settled.h"

namespace muster::manifest {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string Config(const std::string& fields) {
  return "---\napiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n" + fields + "\n";
}
std::string In(const std::string& ns, std::string object) {
  return object.insert(object.find("metadata: {") + 11, "namespace: " + ns + ", ");
}
std::string Unlabelled(std::string object) {
  const std::string label = ", labels: {kueue.x-k8s.io/queue-name: q}";
  const std::size_t at = object.find(label);
  return at == std::string::npos ? object : object.erase(at, label.size());
}
std::string Serving(const std::string& kind) {
  return ObjectText("apps/v1", kind, "", "spec: {template: " + std::string(kOnePod) + "}\n");
}
std::string Space(const std::string& name, const std::string& team) {
  return "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: " + name +
         ", labels: {team: " + team + "}}\n";
}

/// Each law holds for a Configuration that the engine has, and for one in the same files.
class ManagedJobs : public Settled, public ::testing::WithParamInterface<bool> {
 protected:
  std::vector<std::string> ApplyUnder(const std::string& around, const std::string& objects) {
    engine_ = Engine();
    const std::string world = std::string(kSettledRoom) + around;
    if (GetParam()) return Apply(world + objects);
    EXPECT_THAT(Apply(world), IsEmpty());
    return Apply(objects);
  }
};
INSTANTIATE_TEST_SUITE_P(Both, ManagedJobs, ::testing::Bool(), [](const auto& one) {
  return one.param ? std::string("InTheFiles") : std::string("InTheEngine");
});

TEST_P(ManagedJobs, OfAFrameworkThatIsNotNamedNothingIsQueued) {
  const std::string config = Config("integrations: {frameworks: [batch/job, statefulset]}");
  EXPECT_THAT(ApplyUnder(config, SetText()),
              ElementsAre(AllOf(HasSubstr("warning: JobSet \"n\" is not queued: its framework "
                                          "jobset.x-k8s.io/jobset is none of"),
                                HasSubstr("name jobset.x-k8s.io/jobset there"))));
  EXPECT_THAT(Names(), IsEmpty());
  EXPECT_THAT(ApplyUnder(config, PodText("p", 1)), ElementsAre(HasSubstr("its framework pod")));
  EXPECT_THAT(Names(), IsEmpty());
  EXPECT_THAT(ApplyUnder(config, BatchJobText() + Serving("StatefulSet")), IsEmpty());
  EXPECT_THAT(Names(), SizeIs(2));
}

TEST_P(ManagedJobs, WithoutAnyFrameworkJobsAreQueued) {
  EXPECT_THAT(ApplyUnder(Config("integrations: {frameworks: []}"), BatchJobText()), IsEmpty());
  EXPECT_THAT(ApplyUnder(Config("integrations: {frameworks: []}"), SetText()), SizeIs(1));
  EXPECT_THAT(ApplyUnder(Config("integrations: {}"), SetText()), IsEmpty());
}

TEST_P(ManagedJobs, OutsideOfSelectedNamespacesOnlyServingKindsAreQueued) {
  const std::string around = Config("managedJobsNamespaceSelector: {matchLabels: {team: a}}") +
                             Space("in", "a") + Space("out", "b");
  for (const std::string& object : {BatchJobText(), SetText()}) {
    EXPECT_THAT(ApplyUnder(around, In("in", object)),
                ElementsAre(HasSubstr("there is no LocalQueue in/q")));
    EXPECT_THAT(ApplyUnder(around, In("out", object)),
                ElementsAre(AllOf(HasSubstr("is none of those that managedJobsNamespaceSelector "
                                            "selects"),
                                  HasSubstr("holds it back there for ever"))));
    EXPECT_THAT(Names(), IsEmpty());
    EXPECT_THAT(ApplyUnder(around, In("out", Unlabelled(object))),
                ElementsAre(HasSubstr("warning: ")));
  }
  EXPECT_THAT(ApplyUnder(around, In("out", Serving("Deployment"))),
              ElementsAre(HasSubstr("holds it back")));
}

TEST_P(ManagedJobs, WithoutAQueueTheyWaitWhereThatIsSaid) {
  const std::string config = Config("manageJobsWithoutQueueName: true");
  for (const std::string& object : {BatchJobText(), SetText()}) {
    EXPECT_THAT(ApplyUnder(config, Unlabelled(object)), IsEmpty());
    ASSERT_THAT(Names(), SizeIs(1));
    const auto job = engine_.GetWorkload({"default", Names().front()});
    EXPECT_EQ(job->spec.queue, "");
    EXPECT_EQ(job->phase, WorkloadPhase::kPending);
    Admit();
    EXPECT_THAT(Apply(object), IsEmpty()) << "its queue is named later";
    Admit();
    EXPECT_EQ(engine_.GetWorkload({"default", Names().front()})->phase, WorkloadPhase::kAdmitted);
  }
}

TEST_F(Settled, NothingIsQueuedInNamespacesOfTheSystem) {
  EXPECT_THAT(Apply(In("kube-system", BatchJobText())),
              ElementsAre(HasSubstr("is none of those that Kueue manages")));
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(Settled, AConfigurationThatIsAppliedTakesThePlaceOfTheOther) {
  EXPECT_THAT(Apply(Config("integrations: {frameworks: [batch/job]}")), IsEmpty());
  EXPECT_THAT(Apply(SetText()), SizeIs(1));
  EXPECT_THAT(Apply(Config("integrations: {}") + SetText()), IsEmpty());
  EXPECT_THAT(Names(), SizeIs(1));
}

}  // namespace
}  // namespace muster::manifest
