// Elastic Ray clusters that scale themselves: what they have more is a slice that waits for quota,
// and their workers wait at a gate.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "bindings/manifest/slices.h"
#include "bindings/manifest/start_objects.h"
#include "tests/unit/manifest/settled.h"

namespace muster::manifest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kRayPod = "template: " + std::string(kOnePod);

std::string ScalingSpec(int workers) {
  return "{enableInTreeAutoscaling: true, autoscalerOptions: {resources: {requests: {cpu: 1}}}, "
         "headGroupSpec: {rayStartParams: {}, " +
         kRayPod + "}, workerGroupSpecs: [{groupName: w, rayStartParams: {}, replicas: " +
         std::to_string(workers) + ", " + kRayPod + "}]}";
}
const std::string kElasticMark = ", annotations: {kueue.x-k8s.io/elastic-job: 'true'}";

std::string ScalingCluster(int workers, const std::string& mark = kElasticMark) {
  return ObjectText("ray.io/v1", "RayCluster", mark, "spec: " + ScalingSpec(workers) + "\n");
}

/// One of its pods, as a start has marked it.
std::string RayPodText(const std::string& name, const std::string& set, const std::string& slice,
                       bool gated) {
  return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
         ", labels: {kueue.x-k8s.io/podset: " + set +
         "}, annotations: {kueue.x-k8s.io/workload-slice-name: " + slice + "}}\nspec: {" +
         (gated ? "schedulingGates: [{name: kueue.x-k8s.io/elastic-job}], " : "") +
         "containers: [{name: c}]}\nstatus: {phase: " + (gated ? "Pending" : "Running") + "}\n";
}

class ScalingRay : public Settled {
 protected:
  /// The names of what a start of the running slice writes: the cluster, then pods.
  std::vector<std::string> Started(const std::string& text) {
    const Source source{"f.yaml", text};
    const auto started =
        StartObjects(engine_, RunningSlice(engine_, {"default", first_}), {&source, 1});
    if (!started.ok()) return {std::string(started.status().message())};
    std::vector<std::string> names;
    for (const StartedObject& each : *started) {
      names.emplace_back(each.object.At({"metadata", "name"}).text);
      patches_.push_back(objects::ToJson(each.patch));
    }
    return names;
  }
  std::string first_;
  std::vector<std::string> patches_;
};

TEST_F(ScalingRay, ItsWorkersWaitUntilTheSliceHasRoomForThem) {
  EXPECT_THAT(Apply(ScalingCluster(1)), IsEmpty());
  first_ = Names().front();
  Admit();
  const auto pods = [this](bool b_is_gated) {
    return RayPodText("n-head", "head", first_, false) + RayPodText("n-a", "w", first_, true) +
           RayPodText("n-b", "w", first_, b_is_gated);
  };
  EXPECT_THAT(Started(ScalingCluster(1) + pods(true)), ElementsAre("n", "n-a"));
  EXPECT_THAT(patches_[0],
              HasSubstr("\"schedulingGates\":[{\"name\":\"kueue.x-k8s.io/elastic-job"));
  EXPECT_EQ(patches_[0].find("schedulingGates"), patches_[0].rfind("schedulingGates"))
      << "the head waits, too";
  EXPECT_EQ(patches_[1], "{\"spec\":{\"schedulingGates\":null}}");
  EXPECT_THAT(Started(ScalingCluster(1) + pods(false)), ElementsAre("n")) << "there is one worker";

  EXPECT_THAT(Apply(ScalingCluster(9)), IsEmpty());
  Admit();
  EXPECT_THAT(Started(ScalingCluster(9) + pods(false)), ElementsAre("n")) << "no quota for nine";
  EXPECT_THAT(Apply(ScalingCluster(3)), IsEmpty());
  Admit();
  EXPECT_EQ(RunningSlice(engine_, {"default", first_}).name, first_ + "-slice-2");
  EXPECT_THAT(Started(ScalingCluster(3) + pods(false) + RayPodText("n-c", "w", first_, true) +
                      RayPodText("n-d", "w", first_, true)),
              ElementsAre("n", "n-a", "n-c"));
}

TEST_F(ScalingRay, AJobHasTheSizesOfTheClusterThatItHas) {
  const std::string job = ObjectText(
      "ray.io/v1", "RayJob", kElasticMark,
      "spec: {submissionMode: HTTPMode, shutdownAfterJobFinishes: true, rayClusterSpec: " +
          ScalingSpec(1) + "}\n");
  EXPECT_THAT(Apply(job), IsEmpty());
  first_ = Names().front();
  Admit();
  const std::string cluster =
      "---\napiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: n-x7, labels: "
      "{kueue.x-k8s.io/queue-name: q}, ownerReferences: [{apiVersion: ray.io/v1, kind: RayJob, "
      "name: n, uid: u, controller: true}]}\nspec: " +
      ScalingSpec(4) + "\n";
  EXPECT_THAT(
      Apply(job + "status: {rayClusterName: n-x7, jobDeploymentStatus: Running}\n" + cluster),
      ElementsAre(HasSubstr("belongs to RayJob")));
  Admit();
  const Key slice = RunningSlice(engine_, {"default", first_});
  EXPECT_EQ(slice.name, first_ + "-slice-2");
  EXPECT_EQ(engine_.GetWorkload(slice)->spec.pod_sets[1].count, 4);
}

TEST_F(ScalingRay, ItIsRefusedWhereItCannotGrowBySlices) {
  EXPECT_THAT(
      Apply(ScalingCluster(1, "")),
      ElementsAre(HasSubstr("would grow the cluster beyond its quota; remove it, or make")));
  const std::string closed =
      "---\napiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nfeatureGates: "
      "{ElasticJobsViaWorkloadSlices: false}\n";
  EXPECT_THAT(Apply(closed + ScalingCluster(1)),
              ElementsAre(HasSubstr("where the gate ElasticJobsViaWorkloadSlices is closed")));
  EXPECT_THAT(Apply(closed), IsEmpty());
  EXPECT_THAT(Apply(ScalingCluster(1)),
              ElementsAre(HasSubstr("f.yaml:5:33: enableInTreeAutoscaling would grow")));
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(ScalingRay, AJobWhoseClusterIsNotGivenKeepsTheSizeThatItHas) {
  const auto job = [](int workers, const std::string& rest = "") {
    return ObjectText("ray.io/v1", "RayJob", kElasticMark,
                      "spec: {shutdownAfterJobFinishes: true, submissionMode: HTTPMode, "
                      "rayClusterSpec: " +
                          ScalingSpec(workers) + "}\n" + rest);
  };
  EXPECT_THAT(Apply(job(1)), IsEmpty());
  Admit();
  const std::string live =
      "---\napiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: c, ownerReferences: "
      "[{apiVersion: ray.io/v1, kind: RayJob, name: n, uid: u, controller: true}]}\nspec: " +
      ScalingSpec(4) + "\n";
  EXPECT_THAT(Apply(job(1, "status: {rayClusterName: c}\n") + live),
              ElementsAre(HasSubstr("belongs to RayJob")));
  Admit();
  const std::string slice = Names().back();
  const auto count = [&] {
    return engine_.GetWorkload({"default", slice})->spec.pod_sets[1].count;
  };
  EXPECT_EQ(count(), 4);
  EXPECT_THAT(Apply(job(1)), IsEmpty());
  EXPECT_EQ(count(), 4) << "its cluster runs on";
}

}  // namespace
}  // namespace muster::manifest
