// What an object of a job kind may not have when it comes, condition by condition: the fields that
// are refused, with the words of the Kubernetes API for why.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/objects/kind.h"
#include "bindings/objects/webhook.h"
#include "tests/unit/objects/json.h"

namespace muster::objects {
namespace {

constexpr const char* kNewJob = R"({"apiVersion": "batch/v1", "kind": "Job",
  "metadata": {"name": "j", "labels": {"kueue.x-k8s.io/queue-name": "q"}},
  "spec": {"suspend": true, "parallelism": 3, "completions": 3, "completionMode": "Indexed",
           "template": {"spec": {"containers": [{"name": "c"}]}}}})";
constexpr const char* kNewJax = R"({"apiVersion": "kubeflow.org/v1", "kind": "JAXJob",
  "metadata": {"name": "j", "labels": {"kueue.x-k8s.io/queue-name": "q"}},
  "spec": {"jaxReplicaSpecs": {"Worker": {"template": {"spec": {"containers": [{"name": "c"}]}}}}}})";
constexpr const char* kNewPod = R"({"apiVersion": "v1", "kind": "Pod",
  "metadata": {"name": "p", "labels": {"kueue.x-k8s.io/queue-name": "q"}},
  "spec": {"containers": [{"name": "c"}]}})";
constexpr const char* kNewRay = R"({"apiVersion": "ray.io/v1", "kind": "RayCluster",
  "metadata": {"name": "r", "labels": {"kueue.x-k8s.io/queue-name": "q"}},
  "spec": {"suspend": true, "headGroupSpec": {"template": {"spec": {"containers": []}}},
           "workerGroupSpecs": []}})";
constexpr const char* kNewRayJob = R"({"apiVersion": "ray.io/v1", "kind": "RayJob",
  "metadata": {"name": "r", "labels": {"kueue.x-k8s.io/queue-name": "q"}},
  "spec": {"shutdownAfterJobFinishes": true,
           "rayClusterSpec": {"headGroupSpec": {"template": {"spec": {"containers": [{"name": "c"}]}}},
                              "workerGroupSpecs": []}}})";
constexpr const char* kNewGroups = R"({"apiVersion": "leaderworkerset.x-k8s.io/v1",
  "kind": "LeaderWorkerSet",
  "metadata": {"name": "l", "labels": {"kueue.x-k8s.io/queue-name": "q"}},
  "spec": {"replicas": 2, "leaderWorkerTemplate": {"size": 3,
    "workerTemplate": {"spec": {"containers": [{"name": "c"}]}}}}})";

/// Errors as "Type mark", the mark without Kueue's prefix and where it stands; or a field.
struct Creation {
  const char* rule;
  const char* object;
  const char* change;  ///< merged into it; @ stands for Kueue's prefix
  std::vector<std::string> errors;
};

std::string WithPrefix(std::string text) {
  for (std::size_t at = text.find('@'); at != text.npos; at = text.find('@')) {
    text.replace(at, 1, "kueue.x-k8s.io/");
  }
  return text;
}

std::string ShortField(std::string field) {
  for (const std::string& part : {std::string("metadata.labels[kueue.x-k8s.io/"),
                                  std::string("metadata.annotations[kueue.x-k8s.io/")}) {
    if (!field.starts_with(part)) continue;
    field = (part[9] == 'l' ? "label " : "annotation ") + field.substr(part.size());
    field.pop_back();
  }
  return field;
}

class CreateRules : public ::testing::TestWithParam<Creation> {};

TEST_P(CreateRules, RefuseTheseFields) {
  const Creation& row = GetParam();
  Value object = Json(row.object);
  MergePatch(object, Json(WithPrefix(row.change)));
  Setting setting;
  std::vector<std::string> found;
  for (const FieldError& error : CheckCreate(*FindKindRow(object), object, setting)) {
    EXPECT_FALSE(error.what.empty());
    EXPECT_FALSE(error.cure.empty());
    constexpr std::string_view kAll = "FieldValue";
    EXPECT_TRUE(error.type.starts_with(kAll)) << error.type;
    found.push_back(error.type.substr(kAll.size()) + " " + ShortField(error.field));
  }
  std::vector<std::string> expected = row.errors;
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, expected) << row.change;
}

#define MUSTER_LABEL(text) R"({"metadata": {"labels": {)" text "}}}"
#define MUSTER_NOTE(text) R"({"metadata": {"annotations": {)" text "}}}"

const std::vector<Creation>& Creations() {
  static const std::vector<Creation> kCreations = {
      {"Nothing", kNewJob, "{}", {}},
      {"QueueName",
       kNewJob,
       MUSTER_LABEL(R"("@queue-name": "Team_A")"),
       {"Invalid label queue-name"}},
      {"QueueEmpty", kNewJob, MUSTER_LABEL(R"("@queue-name": "")"), {"Invalid label queue-name"}},
      {"QueueOfGroups",
       kNewGroups,
       MUSTER_LABEL(R"("@queue-name": "-q")"),
       {"Invalid label queue-name"}},
      {"PrebuiltLabel",
       kNewJob,
       MUSTER_LABEL(R"("@prebuilt-workload-name": "A")"),
       {"Invalid label prebuilt-workload-name"}},
      {"PrebuiltNote",
       kNewJob,
       MUSTER_NOTE(R"("@prebuilt-workload-name": "A")"),
       {"Invalid annotation prebuilt-workload-name"}},
      {"PrebuiltOfAKindWithout",
       kNewJax,
       MUSTER_NOTE(R"("@prebuilt-workload-name": "a")"),
       {"Forbidden annotation prebuilt-workload-name"}},
      {"MaxTimeText",
       kNewJob,
       MUSTER_LABEL(R"("@max-exec-time-seconds": "1h")"),
       {"Invalid label max-exec-time-seconds"}},
      {"MaxTimeZero",
       kNewJob,
       MUSTER_LABEL(R"("@max-exec-time-seconds": "0")"),
       {"Invalid label max-exec-time-seconds"}},
      {"MaxTime", kNewJob, MUSTER_LABEL(R"("@max-exec-time-seconds": "3600")"), {}},
      {"Elastic",
       kNewJax,
       MUSTER_NOTE(R"("@elastic-job": "true")"),
       {"Forbidden annotation elastic-job"}},
      {"ElasticOther", kNewJax, MUSTER_NOTE(R"("@elastic-job": "True")"), {}},
      {"GateEmpty",
       kNewJob,
       MUSTER_NOTE(R"("@admission-gated-by": "a.io/b,")"),
       {"Invalid annotation admission-gated-by"}},
      {"GateTwice",
       kNewJob,
       MUSTER_NOTE(R"("@admission-gated-by": "a.io/b, a.io/b")"),
       {"Invalid annotation admission-gated-by"}},
      {"GateNoPath",
       kNewJob,
       MUSTER_NOTE(R"("@admission-gated-by": "a.io")"),
       {"Invalid annotation admission-gated-by"}},
      {"GateLong",
       kNewJob,
       MUSTER_NOTE(R"("@admission-gated-by":
         "a.io/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb")"),
       {"TooLong annotation admission-gated-by"}},
      {"Gate", kNewJob, MUSTER_NOTE(R"("@admission-gated-by": "a.io/b,c.io/d")"), {}},
      {"LeastText",
       kNewJob,
       MUSTER_NOTE(R"("@job-min-parallelism": "two")"),
       {"Invalid annotation job-min-parallelism"}},
      {"LeastZero",
       kNewJob,
       MUSTER_NOTE(R"("@job-min-parallelism": "0")"),
       {"Invalid annotation job-min-parallelism"}},
      {"LeastAll",
       kNewJob,
       MUSTER_NOTE(R"("@job-min-parallelism": "3")"),
       {"Invalid annotation job-min-parallelism"}},
      {"Least", kNewJob, MUSTER_NOTE(R"("@job-min-parallelism": "2")"), {}},
      {"LeastElastic",
       kNewJob,
       MUSTER_NOTE(R"("@job-min-parallelism": "2", "@elastic-job": "true")"),
       {"Invalid annotation job-min-parallelism"}},
      {"SyncText",
       kNewJob,
       MUSTER_NOTE(R"("@job-completions-equal-parallelism": "yes")"),
       {"Invalid annotation job-completions-equal-parallelism"}},
      {"SyncT", kNewJob, MUSTER_NOTE(R"("@job-completions-equal-parallelism": "T")"), {}},
      {"SyncNonIndexed",
       kNewJob,
       R"({"metadata": {"annotations": {"@job-completions-equal-parallelism": "true"}},
           "spec": {"completionMode": "NonIndexed"}})",
       {"Invalid annotation job-completions-equal-parallelism"}},
      {"SyncUnequal",
       kNewJob,
       R"({"metadata": {"annotations": {"@job-completions-equal-parallelism": "true"}},
           "spec": {"completions": 5}})",
       {"Invalid spec.completions"}},
      {"ElasticTopology",
       kNewJob,
       R"({"metadata": {"annotations": {"@elastic-job": "true"}}, "spec": {"template": {
           "metadata": {"annotations": {"@podset-required-topology": "rack"}}}}})",
       {"Forbidden spec.template.metadata.annotations.kueue.x-k8s.io/podset-required-topology"}},
      {"Autoscaling",
       kNewRay,
       R"({"spec": {"enableInTreeAutoscaling": true}})",
       {"Invalid spec.enableInTreeAutoscaling"}},
      {"AutoscalingJob",
       kNewRayJob,
       R"({"spec": {"rayClusterSpec": {"enableInTreeAutoscaling": true}}})",
       {"Invalid spec.rayClusterSpec.enableInTreeAutoscaling"}},
      {"AutoscalingUnqueued",
       kNewRay,
       R"({"metadata": {"labels": null}, "spec": {"enableInTreeAutoscaling": true}})",
       {}},
      {"HeadGroup",
       kNewRay,
       R"({"spec": {"workerGroupSpecs": [{"groupName": "head"}]}})",
       {"Forbidden spec.workerGroupSpecs[0].groupName"}},
      {"SelectorAndSpec",
       kNewRayJob,
       R"({"spec": {"clusterSelector": {"a": "b"}}})",
       {"Invalid spec.clusterSelector"}},
      {"SelectorAlone",
       kNewRayJob,
       R"({"spec": {"clusterSelector": {"a": "b"}, "rayClusterSpec": null,
                    "shutdownAfterJobFinishes": false}})",
       {}},
      {"NeitherSelectorNorSpec",
       kNewRayJob,
       R"({"spec": {"rayClusterSpec": null}})",
       {"Required spec.rayClusterSpec"}},
      {"NoShutdown",
       kNewRayJob,
       R"({"spec": {"shutdownAfterJobFinishes": false}})",
       {"Invalid spec.shutdownAfterJobFinishes"}},
      {"Managed", kNewPod, MUSTER_LABEL(R"("@managed": "yes")"), {"Forbidden label managed"}},
      {"TotalWithoutGroup",
       kNewPod,
       MUSTER_NOTE(R"("@pod-group-total-count": "2")"),
       {"Required label pod-group-name"}},
      {"GroupWithoutTotal",
       kNewPod,
       MUSTER_LABEL(R"("@pod-group-name": "g")"),
       {"Required annotation pod-group-total-count"}},
      {"GroupName",
       kNewPod,
       R"({"metadata": {"labels": {"@pod-group-name": "G"},
                        "annotations": {"@pod-group-total-count": "2"}}})",
       {"Invalid label pod-group-name"}},
      {"TotalZero",
       kNewPod,
       R"({"metadata": {"labels": {"@pod-group-name": "g"},
                        "annotations": {"@pod-group-total-count": "0"}}})",
       {"Invalid annotation pod-group-total-count"}},
      {"PrebuiltOther",
       kNewPod,
       R"({"metadata": {"labels": {"@pod-group-name": "g", "@prebuilt-workload-name": "h"},
                        "annotations": {"@pod-group-total-count": "2"}}})",
       {"Invalid label prebuilt-workload-name"}},
      {"Replicas", kNewGroups, R"({"spec": {"replicas": 1000001}})", {"Invalid spec.replicas"}},
      {"ReplicasNegative", kNewGroups, R"({"spec": {"replicas": -1}})", {"Invalid spec.replicas"}},
  };
  return kCreations;
}
INSTANTIATE_TEST_SUITE_P(Rules, CreateRules, ::testing::ValuesIn(Creations()),
                         [](const auto& param) { return param.param.rule; });

}  // namespace
}  // namespace muster::objects
