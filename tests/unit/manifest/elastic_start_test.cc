// An elastic object that grew: its next slice starts the object with all its pods free to run, and
// they carry the name of the first slice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "bindings/manifest/slices.h"
#include "bindings/manifest/start_objects.h"
#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/unit/manifest/spot_room.h"

namespace muster::manifest {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kContainers =
    "containers: [{name: c, image: ray, resources: {requests: {cpu: 1}}}]";

std::string ElasticHead(const std::string& version, const std::string& kind) {
  return "apiVersion: " + version + "\nkind: " + kind +
         "\nmetadata: {name: grow, uid: u, labels: {kueue.x-k8s.io/queue-name: q}, annotations: "
         "{kueue.x-k8s.io/elastic-job: 'true'}}\n";
}

/// The template's `marks` stand in each.
std::string ClusterSpec(int pods, const std::string& marks) {
  const std::string pod = "template: {" + marks + "spec: {" + kContainers + "}}";
  return "{headGroupSpec: {rayStartParams: {}, " + pod + "}, workerGroupSpecs: [{groupName: w, " +
         "rayStartParams: {}, replicas: " + std::to_string(pods) + ", " + pod + "}]}";
}

struct Elastic {
  const char* name;
  std::string (*object)(int pods, const std::string& marks);
};

std::string JobOf(int pods, const std::string& marks) {
  return ElasticHead("batch/v1", "Job") +
         "spec: {suspend: true, parallelism: " + std::to_string(pods) + ", template: {" + marks +
         "spec: {restartPolicy: Never, " + kContainers + "}}}\n";
}
std::string RayClusterOf(int pods, const std::string& marks) {
  return ElasticHead("ray.io/v1", "RayCluster") + "spec: " + ClusterSpec(pods, marks) + "\n";
}
std::string RayJobOf(int pods, const std::string& marks) {
  return ElasticHead("ray.io/v1", "RayJob") +
         "spec: {entrypoint: python, shutdownAfterJobFinishes: true, "
         "rayClusterSpec: " +
         ClusterSpec(pods, marks) + "}\n";
}

class ElasticStart : public ::testing::TestWithParam<Elastic> {
 protected:
  /// Submits the object with as many pods, and answers the key of the slice that runs then.
  Key Grow(int pods) {
    const std::vector<Source> sources = {
        {"room.yaml", engine_.Workloads("default")->empty() ? std::string(kSpotRoom) : ""},
        {"job.yaml", GetParam().object(pods, "")}};
    const Manifests read = Parse(sources);
    for (const Diagnostic& each : read.diagnostics) ADD_FAILURE() << each.ToString();
    for (const Object& object : read.objects) {
      const Command command =
          KindOf(object) == ObjectKind::kWorkload
              ? Command(command::Submit{.workloads = {std::get<Workload>(object)}})
              : Command(command::Apply{.objects = {object}});
      const auto done = engine_.Do(command, testing::kNoon);
      EXPECT_TRUE(done.ok()) << done.status().message();
    }
    EXPECT_TRUE(engine_.RunCycle(testing::kNoon).ok());
    for (const Object& object : read.objects) {
      if (KindOf(object) == ObjectKind::kWorkload) first_ = KeyOf(object);
    }
    return RunningSlice(engine_, first_);
  }

  StartedObject Started(const Key& slice, int pods, const std::string& marks = "") {
    const Source source{"job.yaml", GetParam().object(pods, marks)};
    const auto started = StartObjects(engine_, slice, {&source, 1});
    EXPECT_TRUE(started.ok()) << started.status().message();
    return started.ok() ? started->at(0) : StartedObject();
  }

  Engine engine_;
  Key first_;
};

void ExpectFree(const StartedObject& started, const std::string& slice, const std::string& first) {
  const std::string whole = objects::ToJson(started.object);
  EXPECT_THAT(whole, Not(HasSubstr("\"name\":\"kueue.x-k8s.io/elastic-job\""))) << "gated";
  EXPECT_THAT(whole, HasSubstr("\"kueue.x-k8s.io/workload-slice-name\":\"" + first + "\""));
  EXPECT_THAT(whole, HasSubstr("\"kueue.x-k8s.io/workload\":\"" + slice + "\""));
  EXPECT_THAT(whole, HasSubstr("\"pool\":\"spot\""));
  EXPECT_THAT(whole, Not(HasSubstr("\"suspend\":true")));
}

TEST_P(ElasticStart, EachSliceFreesThePodsAndNamesTheFirst) {
  const Key first = Grow(2);
  ExpectFree(Started(first, 2), first.name, first.name);
  const Key second = Grow(5);
  ASSERT_EQ(second.name, first.name + "-slice-2");
  ExpectFree(Started(second, 5), second.name, first.name);
}

TEST_P(ElasticStart, AnObjectThatStartedBeforeStartsAsTheNextSlice) {
  const Key first = Grow(2);
  const Key second = Grow(5);
  const std::string marks = "metadata: {annotations: {kueue.x-k8s.io/workload: " + first.name +
                            ", kueue.x-k8s.io/workload-slice-name: " + first.name + "}}, ";
  ExpectFree(Started(second, 5, marks), second.name, first.name);
}

INSTANTIATE_TEST_SUITE_P(Kinds, ElasticStart,
                         ::testing::Values(Elastic{"Job", JobOf},
                                           Elastic{"RayCluster", RayClusterOf},
                                           Elastic{"RayJob", RayJobOf}),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace muster::manifest
