// Objects that name no queue, where their namespace has a LocalQueue `default`.
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

constexpr const char* kDefault =
    "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: default}\n"
    "spec: {clusterQueue: cq}\n";

std::string Without(std::string text) {
  const std::string label = ", labels: {kueue.x-k8s.io/queue-name: q}";
  const std::size_t at = text.find(label);
  return at == std::string::npos ? text : text.erase(at, label.size());
}
std::string DeploymentText() {
  return ObjectText("apps/v1", "Deployment", "",
                    "spec: {replicas: 2, template: " + std::string(kOnePod) + "}\n");
}
std::string BarePod(const std::string& more = "") {
  return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p" + more +
         "}\nspec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}\n";
}

class DefaultQueue : public Settled {
 protected:
  std::string QueueOf(const std::string& name) const {
    return engine_.GetWorkload({"default", name})->spec.queue;
  }
};

TEST_F(DefaultQueue, TakesWhatNamesNoQueue) {
  EXPECT_THAT(Apply(kDefault), IsEmpty());
  for (const std::string& text : {BatchJobText(), SetText(), DeploymentText()}) {
    EXPECT_THAT(Apply(Without(text)), IsEmpty());
  }
  EXPECT_THAT(Names(), SizeIs(4));
  for (const std::string& name : Names()) EXPECT_EQ(QueueOf(name), "default") << name;
  EXPECT_THAT(Apply(Without(BatchJobText())), IsEmpty()) << "again";
  EXPECT_THAT(Names(), SizeIs(4));
}

TEST_F(DefaultQueue, MayStandInTheSameFiles) {
  EXPECT_THAT(Apply(Without(BatchJobText()) + kDefault), IsEmpty());
  EXPECT_EQ(QueueOf("job-n"), "default");
}

TEST_F(DefaultQueue, OfAnotherNamespaceTakesNothing) {
  std::string elsewhere = kDefault;
  elsewhere.replace(elsewhere.find("name: default"), 13, "name: default, namespace: other");
  EXPECT_THAT(Apply(elsewhere), IsEmpty());
  EXPECT_THAT(Apply(Without(BatchJobText())), ElementsAre(HasSubstr("would go around the quota")));
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(DefaultQueue, LeavesAQueueThatIsNamed) {
  EXPECT_THAT(Apply(kDefault + BatchJobText()), IsEmpty());
  EXPECT_EQ(QueueOf("job-n"), "q");
}

TEST_F(DefaultQueue, TakesPodsThatNoClusterHasMade) {
  EXPECT_THAT(Apply(kDefault), IsEmpty());
  for (const std::string& made :
       {BarePod() + "status: {phase: Pending}\n",
        BarePod(", ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: u, "
                "controller: true}]")}) {
    EXPECT_THAT(Apply(made), IsEmpty());
    EXPECT_THAT(Names(), IsEmpty()) << made;
  }
  EXPECT_THAT(Apply(BarePod()), IsEmpty());
  EXPECT_THAT(Names(), ElementsAre(HasSubstr("pod-p-")));
}

TEST_F(DefaultQueue, SaysWhatIsWrongWithAnObjectThatItTakes) {
  EXPECT_THAT(Apply(kDefault), IsEmpty());
  std::string job = Without(BatchJobText());
  job.insert(job.find("template: "), "paralelism: 2, ");
  EXPECT_THAT(Apply(job), ElementsAre(HasSubstr("paralelism")));
}

TEST_F(DefaultQueue, IsFoundByWhatItsObjectsReport) {
  EXPECT_THAT(Apply(kDefault + Without(SetText())), IsEmpty());
  Admit();
  const std::string ended = "status: {conditions: [{type: Completed, status: 'True'}]}\n";
  EXPECT_THAT(Results(Without(SetText("", ended))), ElementsAre("finished"));
}

TEST_F(DefaultQueue, IsNoReasonToMissAnObjectThatIsInNone) {
  EXPECT_THAT(Apply(BatchJobText()), IsEmpty());
  EXPECT_THAT(Results(BatchJobText() + Without(SetText())), SizeIs(1));
  EXPECT_THAT(Results(Without(SetText())), ElementsAre(HasSubstr("there is no object")));
}

}  // namespace
}  // namespace muster::manifest
