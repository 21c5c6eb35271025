// Slices of an elastic job that Kueue has named, where the job comes again by its own manifest.
#include <gmock/gmock.h>

#include <string>

#include "bindings/manifest/start_objects.h"
#include "tests/unit/manifest/settled.h"

namespace muster::manifest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kFirstSlice = "job-n-f1111";
constexpr const char* kNextSlice = "job-n-00000";

std::string ImportedSlice(const std::string& name, const std::string& created, int pods,
                          const std::string& mark) {
  return "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: " + name +
         ", creationTimestamp: '" + created +
         "', labels: {kueue.x-k8s.io/job-uid: u1}, annotations: {kueue.x-k8s.io/elastic-job: "
         "'true', kueue.x-k8s.io/workload-slice-name: " +
         kFirstSlice + mark +
         "}}\nspec: {queueName: q, priority: 0, podSets: [{name: main, count: " +
         std::to_string(pods) + ", template: " + std::string(kOnePod) + "}]}\n";
}

std::string ElasticText(int pods, const std::string& rest = "") {
  return ObjectText("batch/v1", "Job",
                    ", uid: u1, annotations: {kueue.x-k8s.io/elastic-job: 'true'}",
                    "spec: {parallelism: " + std::to_string(pods) +
                        ", completions: 99, template: " + std::string(kOnePod) + "}\n" + rest);
}

class ImportedSlices : public Settled {
 protected:
  /// The first runs and the next waits; its name comes before.
  ImportedSlices() {
    EXPECT_THAT(Apply(ImportedSlice(kFirstSlice, "2026-01-01T10:00:00Z", 2, "")), IsEmpty());
    Admit();
    EXPECT_THAT(Apply(ImportedSlice(kNextSlice, "2026-01-01T11:00:00Z", 12,
                                    ", kueue.x-k8s.io/workload-slice-replacement-for: default/" +
                                        std::string(kFirstSlice))),
                IsEmpty());
    Admit();
  }
  WorkloadView Of(const std::string& name) const { return *engine_.GetWorkload({"default", name}); }
};

TEST_F(ImportedSlices, TheJobThatIsAppliedIsTheOneThatWaits) {
  EXPECT_THAT(Apply(ElasticText(12)), IsEmpty());
  EXPECT_THAT(Names(), ElementsAre(kNextSlice, kFirstSlice));
  EXPECT_THAT(Apply(ElasticText(4)), IsEmpty());
  EXPECT_THAT(Names(), ElementsAre(kNextSlice, kFirstSlice));
  EXPECT_EQ(Of(kNextSlice).spec.pod_sets[0].count, 4);
  Admit();
  EXPECT_EQ(Of(kFirstSlice).phase, WorkloadPhase::kFinished);
  EXPECT_EQ(Of(kNextSlice).phase, WorkloadPhase::kAdmitted);
  // The first has ended, and the job is still known by it.
  EXPECT_THAT(Apply(ElasticText(3)), IsEmpty());
  EXPECT_EQ(Of(kNextSlice).spec.pod_sets[0].count, 3);
  EXPECT_THAT(Apply(ElasticText(5)), IsEmpty());
  Admit();
  EXPECT_THAT(Names(), ElementsAre(kNextSlice, kFirstSlice, "job-n-f1111-slice-2"));
}

TEST_F(ImportedSlices, TheOneThatRunsIsStartedAndObserved) {
  EXPECT_THAT(Apply(ElasticText(4)), IsEmpty());
  Admit();
  const Source source{"f.yaml", ElasticText(4)};
  const auto started = StartObjects(engine_, {"default", kNextSlice}, {&source, 1});
  ASSERT_TRUE(started.ok()) << started.status().message();
  EXPECT_THAT(objects::ToJson(started->front().object),
              HasSubstr("\"kueue.x-k8s.io/workload-slice-name\":\"job-n-f1111\""));
  EXPECT_THAT(Results(ElasticText(4, "status: {conditions: [{type: Complete, status: 'True'}]}\n")),
              ElementsAre("finished"));
  EXPECT_EQ(Of(kNextSlice).phase, WorkloadPhase::kFinished);
}

}  // namespace
}  // namespace muster::manifest
