// Objects whose workloads hold quota: as they run, as they end, and as they contradict it.
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
using ::testing::SizeIs;

/// The flavor marks what starts on it.
constexpr const char* kMarkingFlavor =
    "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: {name: f}\n"
    "spec: {nodeLabels: {pool: spot}, tolerations: [{key: spot, operator: Exists}]}\n";

std::string Serving(const std::string& kind, int replicas, const std::string& rest = "") {
  return ObjectText("apps/v1", kind, "",
                    "spec: {replicas: " + std::to_string(replicas) +
                        ", template: " + std::string(kOnePod) + "}\n" + rest);
}
std::string Groups(int replicas, const std::string& rest = "") {
  return ObjectText("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "",
                    "spec: {replicas: " + std::to_string(replicas) +
                        ", leaderWorkerTemplate: {size: 1, workerTemplate: " +
                        std::string(kOnePod) + "}}\n" + rest);
}

class HeldObjects : public Settled {
 protected:
  HeldObjects() { EXPECT_THAT(Apply(kMarkingFlavor), IsEmpty()); }
  void AdmitAll() {
    for (int i = 0; i < 4; ++i) Admit();
  }
  Workload Of(const std::string& name) const {
    return engine_.GetWorkload({"default", name})->spec;
  }
  std::string Reason(const std::string& name) const {
    for (const Condition& each : Of(name).status.conditions) {
      if (each.type == "Finished") return each.reason.str() + ": " + each.message.str();
    }
    return "";
  }
};

TEST_F(HeldObjects, AnObjectAsItRunsIsTheSame) {
  for (const std::string& object : {BatchJobText(", uid: u1"), SetText(", uid: u2")}) {
    EXPECT_THAT(Apply(object), IsEmpty());
    AdmitAll();
    const std::string name = Names().back();
    const Source source{"f.yaml", object};
    const auto started = StartObjects(engine_, {"default", name}, {&source, 1});
    ASSERT_TRUE(started.ok()) << started.status().message();
    const std::string runs = objects::ToJson(started->front().object);
    EXPECT_THAT(runs, HasSubstr("\"pool\":\"spot\""));
    const Workload before = Of(name);
    EXPECT_THAT(Apply(runs), IsEmpty());
    EXPECT_EQ(Of(name), before);
  }
}

TEST_F(HeldObjects, LabelsAndSelectorsOfPodsMayChangeAndAmountsMayNot) {
  EXPECT_THAT(Apply(BatchJobText()), IsEmpty());
  AdmitAll();
  std::string job = BatchJobText();
  job.replace(job.find("{spec: {containers"), 8,
              "{metadata: {labels: {a: b}}, spec: {nodeSelector: {pool: spot}, ");
  EXPECT_THAT(Apply(job), IsEmpty());
  job.replace(job.find("cpu: 1"), 6, "cpu: 2");
  EXPECT_THAT(Apply(job), ElementsAre(HasSubstr("quota is reserved")));
}

TEST_F(HeldObjects, OneThatContradictsItsAdmissionEndsWhereItIsSeen) {
  std::string job = BatchJobText("", "status: {}\n");
  job.replace(job.find("spec: {template"), 7, "spec: {suspend: true, ");
  EXPECT_THAT(Apply(job), IsEmpty());
  AdmitAll();
  EXPECT_THAT(Results(job), ElementsAre("unchanged")) << "it can start";
  std::string other = job;
  other.replace(other.find("{containers"), 1, "{nodeSelector: {pool: slow}, ");
  std::string running = other;
  running.replace(running.find("suspend: true"), 13, "suspend: false");
  EXPECT_THAT(Results(running), ElementsAre("unchanged")) << "it runs";
  EXPECT_THAT(Results(other), ElementsAre("cannot start"));
  EXPECT_THAT(Reason("job-n"), AllOf(HasSubstr("FailedToStart: "), HasSubstr("pool is slow")));
  EXPECT_THAT(engine_.Explain({"default", "job-n"})->verdict,
              AllOf(HasSubstr("has finished: FailedToStart"), HasSubstr("pool is slow")));
  EXPECT_THAT(Results(other), ElementsAre("unchanged")) << "again";
}

TEST_F(HeldObjects, ASetOfNoReplicasSaysThatItsPodsAreGone) {
  for (const char* kind : {"StatefulSet", "Deployment"}) {
    EXPECT_THAT(Apply(Serving(kind, 2)), IsEmpty());
    AdmitAll();
    EXPECT_THAT(Apply(Serving(kind, 0)), SizeIs(1));
    const std::string name = Names().front();
    EXPECT_EQ(engine_.GetWorkload({"default", name})->phase, WorkloadPhase::kEvicting);
    Results(Serving(kind, 0, "status: {replicas: 1}\n"));
    EXPECT_EQ(engine_.GetWorkload({"default", name})->phase, WorkloadPhase::kEvicting);
    EXPECT_THAT(Results(Serving(kind, 0, "status: {replicas: 0}\n")),
                ::testing::Contains("evicted"));
    EXPECT_EQ(engine_.GetWorkload({"default", name})->phase, WorkloadPhase::kInactive);
    engine_ = Engine();
    EXPECT_THAT(Apply(std::string(kSettledRoom)), IsEmpty());
  }
}

TEST_F(HeldObjects, AGroupThatIsGoneIsToldByItsSet) {
  EXPECT_THAT(Apply(Groups(2)), IsEmpty());
  AdmitAll();
  EXPECT_THAT(Apply(Groups(1)), SizeIs(1));
  EXPECT_THAT(Results(Groups(1, "status: {replicas: 2, readyReplicas: 1}\n")),
              ::testing::Not(::testing::Contains("evicted")));
  EXPECT_THAT(Results(Groups(1, "status: {replicas: 1, readyReplicas: 1}\n")),
              ::testing::Contains("evicted"));
}

TEST_F(HeldObjects, PodsOfASetAreNoGroup) {
  for (const std::string& set : {Groups(1), Serving("StatefulSet", 1)}) {
    EXPECT_THAT(Apply(set), IsEmpty());
    AdmitAll();
    const std::string name = Names().back();
    const Source source{"f.yaml", set};
    const auto started = StartObjects(engine_, {"default", name}, {&source, 1});
    ASSERT_TRUE(started.ok()) << started.status().message();
    const Workload before = Of(name);
    EXPECT_THAT(Apply(objects::ToJson(started->front().object)),
                ElementsAre(HasSubstr("is one of the pods of the workload")));
    EXPECT_EQ(Of(name), before);
  }
}

TEST_F(HeldObjects, APodGroupTakesNoWorkloadOfAnotherKind) {
  EXPECT_THAT(Apply(BatchJobText()), IsEmpty());
  std::string pod = PodText("p", 1);
  pod.replace(pod.find("pod-group-name: g"), 17, "pod-group-name: job-n");
  EXPECT_THAT(Apply(pod), ElementsAre(HasSubstr("of a workload that is of no pod group")));
  EXPECT_EQ(Of("job-n").pod_sets.front().name, "main");
}

TEST_F(HeldObjects, AJobTakesNoWorkloadOfAPodGroup) {
  std::string pod = PodText("p", 1);
  pod.replace(pod.find("pod-group-name: g"), 17, "pod-group-name: job-n");
  EXPECT_THAT(Apply(pod), IsEmpty());
  EXPECT_THAT(Apply(BatchJobText()), ElementsAre(HasSubstr("is that of a pod group")));
}

TEST_F(HeldObjects, EveryPodOfAGroupIsRead) {
  std::string second = PodText("b", 2);
  second.replace(second.find("spec: {containers"), 7, "spec: {nodeSelectro: {a: b}, ");
  EXPECT_THAT(Apply(PodText("a", 2) + second), ElementsAre(HasSubstr("nodeSelectro")));
  EXPECT_THAT(Names(), IsEmpty());
}

}  // namespace
}  // namespace muster::manifest
