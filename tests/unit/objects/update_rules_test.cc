// What may not change in an object of a job kind, rule by rule: each with a change that it refuses,
// at a field, and one beside it that it lets pass.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bindings/objects/kind.h"
#include "bindings/objects/webhook.h"
#include "bindings/objects/workload.h"
#include "tests/unit/objects/json.h"

namespace muster::objects {
namespace {

constexpr const char* kQueueField = "metadata.labels[kueue.x-k8s.io/queue-name]";
constexpr const char* kClassField = "metadata.labels[kueue.x-k8s.io/priority-class]";
constexpr const char* kTimeField = "metadata.labels[kueue.x-k8s.io/max-exec-time-seconds]";
constexpr const char* kElasticField = "metadata.annotations[kueue.x-k8s.io/elastic-job]";
constexpr const char* kGatedField = "metadata.annotations[kueue.x-k8s.io/admission-gated-by]";
constexpr const char* kSyncField =
    "metadata.annotations[kueue.x-k8s.io/job-completions-equal-parallelism]";

constexpr const char* kJob = R"({"apiVersion": "batch/v1", "kind": "Job",
  "metadata": {"name": "j", "labels": {"kueue.x-k8s.io/queue-name": "q"}},
  "spec": {"suspend": true, "parallelism": 3, "completions": 3, "completionMode": "Indexed",
           "template": {"spec": {"containers": [{"name": "c"}]}}}})";
constexpr const char* kPod = R"({"apiVersion": "v1", "kind": "Pod",
  "metadata": {"name": "p",
    "labels": {"kueue.x-k8s.io/queue-name": "q", "kueue.x-k8s.io/managed": "true",
               "kueue.x-k8s.io/pod-group-name": "g"},
    "annotations": {"kueue.x-k8s.io/pod-group-total-count": "2",
                    "kueue.x-k8s.io/retriable-in-group": "false"}},
  "spec": {"containers": [{"name": "c"}],
           "schedulingGates": [{"name": "kueue.x-k8s.io/admission"}]}})";
constexpr const char* kStatefulSet = R"({"apiVersion": "apps/v1", "kind": "StatefulSet",
  "metadata": {"name": "s", "labels": {"kueue.x-k8s.io/queue-name": "q"}},
  "spec": {"replicas": 3, "template": {"spec": {"containers": [{"name": "c",
    "resources": {"requests": {"cpu": "1"}}}]}}}})";
constexpr const char* kGroups = R"({"apiVersion": "leaderworkerset.x-k8s.io/v1",
  "kind": "LeaderWorkerSet",
  "metadata": {"name": "l", "labels": {"kueue.x-k8s.io/queue-name": "q"}},
  "spec": {"replicas": 2, "leaderWorkerTemplate": {"size": 3,
    "leaderTemplate": {"spec": {"containers": [{"name": "c"}]}},
    "workerTemplate": {"spec": {"containers": [{"name": "c"}]}}}}})";
constexpr const char* kRay = R"({"apiVersion": "ray.io/v1", "kind": "RayCluster",
  "metadata": {"name": "r", "labels": {"kueue.x-k8s.io/queue-name": "q"}},
  "spec": {"suspend": true, "headGroupSpec": {"template": {"spec": {"containers": []}}},
           "workerGroupSpecs": []}})";

constexpr const char* kRuns = R"({"spec": {"suspend": false}})";
constexpr const char* kNothing = "{}";

struct Change {
  const char* rule;
  const char* object;
  const char* before;  ///< merged into the object
  const char* after;   ///< merged into that
  const char* field;   ///< of a mistake; empty: it may be
};

const std::vector<Change>& Changes() {
  static const std::vector<Change> kChanges = {
      {"a queue changes while the job is suspended", kJob, kNothing,
       R"({"metadata": {"labels": {"kueue.x-k8s.io/queue-name": "other"}}})", ""},
      {"a queue does not change while the job runs", kJob, kRuns,
       R"({"metadata": {"labels": {"kueue.x-k8s.io/queue-name": "other"}}})", kQueueField},
      {"a class changes at any time", kJob,
       R"({"metadata": {"labels": {"kueue.x-k8s.io/priority-class": "low"}},
           "spec": {"suspend": false}})",
       R"({"metadata": {"labels": {"kueue.x-k8s.io/priority-class": "high"}}})", ""},
      {"a class is not added while the job runs", kJob, kRuns,
       R"({"metadata": {"labels": {"kueue.x-k8s.io/priority-class": "high"}}})", kClassField},
      {"a class is added while the job is suspended", kJob, kNothing,
       R"({"metadata": {"labels": {"kueue.x-k8s.io/priority-class": "high"}}})", ""},
      {"a class is never removed", kJob,
       R"({"metadata": {"labels": {"kueue.x-k8s.io/priority-class": "low"}}})",
       R"({"metadata": {"labels": {"kueue.x-k8s.io/priority-class": null}}})", kClassField},
      {"a time limit changes while the job is suspended", kJob, kNothing,
       R"({"metadata": {"labels": {"kueue.x-k8s.io/max-exec-time-seconds": "60"}}})", ""},
      {"a time limit does not change while the job runs", kJob, kRuns,
       R"({"metadata": {"labels": {"kueue.x-k8s.io/max-exec-time-seconds": "60"}}})", kTimeField},
      {"a job does not become elastic", kJob, kNothing,
       R"({"metadata": {"annotations": {"kueue.x-k8s.io/elastic-job": "true"}}})", kElasticField},
      {"a gate is not added later", kJob, kNothing,
       R"({"metadata": {"annotations": {"kueue.x-k8s.io/admission-gated-by": "a.example/x"}}})",
       kGatedField},
      {"a gate is taken away", kJob,
       R"({"metadata": {"annotations": {"kueue.x-k8s.io/admission-gated-by": "a.example/x"}}})",
       R"({"metadata": {"annotations": {"kueue.x-k8s.io/admission-gated-by": null}}})", ""},
      {"a job that may start smaller does not change its size while it runs", kJob,
       R"({"metadata": {"annotations": {"kueue.x-k8s.io/job-min-parallelism": "1"}},
           "spec": {"suspend": false}})",
       R"({"spec": {"parallelism": 2}})", "spec.parallelism"},
      {"a job that may start smaller changes its size while it is suspended", kJob,
       R"({"metadata": {"annotations": {"kueue.x-k8s.io/job-min-parallelism": "1"}}})",
       R"({"spec": {"parallelism": 2}})", ""},
      {"completions are tied to parallelism before the job runs", kJob, kRuns,
       R"({"metadata": {"annotations":
           {"kueue.x-k8s.io/job-completions-equal-parallelism": "true"}}})",
       kSyncField},
      {"a pod stays in its group", kPod, kNothing,
       R"({"metadata": {"labels": {"kueue.x-k8s.io/pod-group-name": "h"}}})",
       "metadata.labels[kueue.x-k8s.io/pod-group-name]"},
      {"a group that gives up does not go on", kPod, kNothing,
       R"({"metadata": {"annotations": {"kueue.x-k8s.io/retriable-in-group": null}}})",
       "metadata.annotations[kueue.x-k8s.io/retriable-in-group]"},
      {"a set's queue changes while no pod is ready", kStatefulSet, kNothing,
       R"({"metadata": {"labels": {"kueue.x-k8s.io/queue-name": "other"}}})", ""},
      {"a set's queue does not change while pods are ready", kStatefulSet,
       R"({"status": {"readyReplicas": 1}})",
       R"({"metadata": {"labels": {"kueue.x-k8s.io/queue-name": "other"}}})", kQueueField},
      {"a set's queue is never removed", kStatefulSet, kNothing,
       R"({"metadata": {"labels": {"kueue.x-k8s.io/queue-name": null}}})", kQueueField},
      {"a set that runs is not resized", kStatefulSet, kNothing, R"({"spec": {"replicas": 4}})",
       "spec.replicas"},
      {"a set is scaled to nothing", kStatefulSet, kNothing, R"({"spec": {"replicas": 0}})", ""},
      {"a set does not grow from nothing while pods are left", kStatefulSet,
       R"({"spec": {"replicas": 0}, "status": {"replicas": 1}})", R"({"spec": {"replicas": 2}})",
       "spec.replicas"},
      {"pods of a set keep what they ask for", kStatefulSet, kNothing,
       R"({"spec": {"template": {"spec": {"containers": [{"name": "c",
           "resources": {"requests": {"cpu": "2"}}}]}}}})",
       "spec.template.spec.containers"},
      {"groups are of one size", kGroups, kNothing,
       R"({"spec": {"leaderWorkerTemplate": {"size": 4}}})", "spec.leaderWorkerTemplate.size"},
      {"a leader does not come or go", kGroups, kNothing,
       R"({"spec": {"leaderWorkerTemplate": {"leaderTemplate": null}}})",
       "spec.leaderWorkerTemplate.leaderTemplate"},
      {"groups come and go", kGroups, kNothing, R"({"spec": {"replicas": 5}})", ""},
      {"rules of creation hold on: a Ray cluster does not begin to scale itself", kRay, kNothing,
       R"({"spec": {"enableInTreeAutoscaling": true}})", "spec.enableInTreeAutoscaling"},
      {"and for no cluster that is not queued", kRay,
       R"({"metadata": {"labels": {"kueue.x-k8s.io/queue-name": null}}})",
       R"({"spec": {"enableInTreeAutoscaling": true}})", ""},
  };
  return kChanges;
}

std::vector<std::string> FieldsOf(const FieldErrors& errors) {
  std::vector<std::string> fields;
  for (const FieldError& error : errors) {
    EXPECT_FALSE(error.what.empty());
    EXPECT_FALSE(error.cure.empty());
    fields.push_back(error.field);
  }
  return fields;
}

TEST(UpdateRules, RefuseWhatMayNotChangeAndNothingElse) {
  Setting setting;
  setting.gates["AdmissionGatedBy"] = true;
  for (const Change& change : Changes()) {
    SCOPED_TRACE(change.rule);
    Value before = Json(change.object);
    MergePatch(before, Json(change.before));
    Value after = before;
    MergePatch(after, Json(change.after));
    ASSERT_FALSE(before == after);
    const KindRow& row = *FindKindRow(before);
    const std::vector<std::string> fields = FieldsOf(CheckUpdate(row, before, after, setting));
    if (*change.field == '\0') {
      EXPECT_EQ(fields, std::vector<std::string>());
    } else {
      EXPECT_TRUE(
          std::any_of(fields.begin(), fields.end(),
                      [&](const std::string& field) { return field.starts_with(change.field); }))
          << change.field << " is not among " << fields.size();
    }
    EXPECT_EQ(FieldsOf(CheckUpdate(row, before, before, setting)), std::vector<std::string>());
  }
}

}  // namespace
}  // namespace muster::objects
