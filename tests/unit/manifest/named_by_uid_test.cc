// Manifests without the uid that the workloads of their objects were imported with.
#include "bindings/manifest/named_by_uid.h"

#include <gmock/gmock.h>

#include <string>

#include "bindings/manifest/start_objects.h"
#include "tests/unit/manifest/settled.h"

namespace muster::manifest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// As kubectl prints it from a cluster with Kueue: more stands in its template than was written.
std::string Imported(const std::string& name, const std::string& podset, bool holds,
                     const std::string& cpu = "1") {
  std::string text =
      "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: " + name +
      ", labels: {kueue.x-k8s.io/job-uid: u1}}\nspec: {queueName: q, priority: 0, podSets: "
      "[{name: " +
      podset +
      ", count: 1, template: {metadata: {labels: {a: b}}, spec: "
      "{restartPolicy: Never, containers: [{name: c, image: i, resources: {requests: {cpu: " +
      cpu + "}}}]}}}]}\n";
  if (!holds) return text;
  return text + "status: {admission: {clusterQueue: cq, podSetAssignments: [{name: " + podset +
         ", count: 1, flavors: {cpu: f}, resourceUsage: {cpu: " + cpu +
         "}}]}, conditions: [{type: "
         "QuotaReserved, status: 'True', reason: QuotaReserved, lastTransitionTime: "
         "'2026-01-01T11:00:00Z'}, {type: Admitted, status: 'True', reason: Admitted, "
         "lastTransitionTime: '2026-01-01T11:00:00Z'}]}\n";
}

TEST_F(Settled, AnImportedJobIsFoundWithoutItsUid) {
  for (const bool holds : {true, false}) {
    engine_ = Engine();
    EXPECT_THAT(Apply(std::string(kSettledRoom) + Imported("job-n-f09b8", "main", holds) +
                      Imported("jobset-n-3cafe", "w", holds)),
                IsEmpty());
    EXPECT_THAT(Apply(BatchJobText() + SetText()), IsEmpty());
    EXPECT_THAT(Names(), ElementsAre("job-n-f09b8", "jobset-n-3cafe")) << holds;
  }
}

TEST_F(Settled, AnImportedJobOfAnotherUidIsAnotherJob) {
  EXPECT_THAT(Apply(Imported("job-n-f09b8", "main", true)), IsEmpty());
  EXPECT_THAT(Apply(BatchJobText(", uid: u2")), IsEmpty());
  EXPECT_EQ(Names().size(), 2U);
}

TEST_F(Settled, AnImportedJobOfAnotherNameOrKindIsAnotherJob) {
  EXPECT_THAT(
      Apply(Imported("job-n-a-f09b8", "main", true) + Imported("jobset-n-3cafe", "w", true)),
      IsEmpty());
  EXPECT_THAT(Apply(BatchJobText()), IsEmpty());
  EXPECT_THAT(Names(), UnorderedElementsAre("job-n", "job-n-a-f09b8", "jobset-n-3cafe"));
}

TEST_F(Settled, AnImportedJobThatWaitsBecomesWhatIsApplied) {
  EXPECT_THAT(Apply(Imported("job-n-f09b8", "main", false, "3")), IsEmpty());
  EXPECT_THAT(Apply(BatchJobText()), IsEmpty());
  ASSERT_THAT(Names(), ElementsAre("job-n-f09b8"));
  const Workload job = engine_.GetWorkload({"default", "job-n-f09b8"})->spec;
  EXPECT_EQ(job.pod_sets.front().pods.containers.front().requests.at("cpu"), Q("1"));
}

TEST_F(Settled, AnImportedJobThatRunsDoesNotChange) {
  EXPECT_THAT(Apply(Imported("job-n-f09b8", "main", true, "3")), IsEmpty());
  EXPECT_THAT(Apply(BatchJobText()), ElementsAre(HasSubstr("quota is reserved")));
  EXPECT_THAT(Names(), ElementsAre("job-n-f09b8"));
}

// Kueue hashes the generation of an elastic job into the name.
TEST_F(Settled, AnImportedElasticJobIsFoundByItsUid) {
  const std::string mark = ", annotations: {kueue.x-k8s.io/elastic-job: 'true'}";
  std::string imported = Imported("job-n-02e35", "main", true);
  imported.insert(imported.find(", labels"), mark);
  EXPECT_THAT(Apply(imported), IsEmpty());
  for (const char* uid : {", uid: u1", ""}) {
    EXPECT_THAT(Apply(BatchJobText(uid + mark)), IsEmpty()) << uid;
    EXPECT_THAT(Names(), ElementsAre("job-n-02e35"));
  }
  const Source source{"f.yaml", BatchJobText(", uid: u1" + mark)};
  EXPECT_TRUE(StartObjects(engine_, {"default", "job-n-02e35"}, {&source, 1}).ok());
  EXPECT_THAT(Results(BatchJobText(", uid: u1" + mark,
                                   "status: {conditions: [{type: Complete, "
                                   "status: 'True'}]}\n")),
              ElementsAre("finished"));
  EXPECT_THAT(Apply(BatchJobText(", uid: u2" + mark)), IsEmpty());
  EXPECT_EQ(Names().size(), 2U) << "another job";
}

TEST_F(Settled, AnImportedSetThatIsScaledToNothingIsHeldBack) {
  const auto set = [](int replicas) {
    return ObjectText("apps/v1", "StatefulSet", "",
                      "spec: {replicas: " + std::to_string(replicas) +
                          ", template: " + std::string(kOnePod) + "}\n");
  };
  EXPECT_THAT(Apply(Imported("statefulset-n-f09b8", "main", false)), IsEmpty());
  EXPECT_THAT(Apply(set(0)), ElementsAre(HasSubstr("a workload of it is held back")));
  EXPECT_FALSE(engine_.GetWorkload({"default", "statefulset-n-f09b8"})->spec.active);
  EXPECT_THAT(Apply(set(1)), IsEmpty());
  EXPECT_TRUE(engine_.GetWorkload({"default", "statefulset-n-f09b8"})->spec.active);
  EXPECT_THAT(Names(), ElementsAre("statefulset-n-f09b8"));
}

TEST_F(Settled, ADoorThatKeepsTheNamesFindsWhatIsImportedLater) {
  NamesByUid names;
  const auto give = [&](const std::string& text) {
    Manifests read = ParseText(text);
    Settle(engine_, &read, &names);
    EXPECT_TRUE(engine_.Apply(read.objects, testing::kNoon).ok());
    names.Note(read.objects);
  };
  give(BatchJobText());
  give(Imported("jobset-n-3cafe", "w", true));
  give(SetText());
  EXPECT_THAT(Names(), UnorderedElementsAre("job-n", "jobset-n-3cafe"));
  EXPECT_TRUE(engine_.Do(command::Cancel{{{"default", "jobset-n-3cafe"}}}, testing::kNoon).ok());
  give(SetText());
  EXPECT_EQ(Names().size(), 2U) << "a name that is gone is of no workload";
}

TEST_F(Settled, AnImportedJobStartsFromAManifestWithoutItsUid) {
  EXPECT_THAT(Apply(Imported("job-n-f09b8", "main", true)), IsEmpty());
  const Source source{"f.yaml", BatchJobText()};
  const auto started = StartObjects(engine_, {"default", "job-n-f09b8"}, {&source, 1});
  EXPECT_TRUE(started.ok()) << started.status().message();
}

}  // namespace
}  // namespace muster::manifest
