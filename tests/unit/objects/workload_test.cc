// Names of workloads, and the way of an object to podsets and back.
#include "bindings/objects/workload.h"

#include <gtest/gtest.h>

#include <string>

#include "bindings/objects/job_kinds.h"
#include "bindings/objects/pod.h"
#include "bindings/objects/pod_group.h"
#include "bindings/objects/webhook.h"
#include "tests/unit/objects/json.h"

namespace muster::objects {
namespace {

std::string Name(std::string_view api_version, std::string_view kind, std::string_view name,
                 std::string_view uid, std::string_view extra = "") {
  return WorkloadName(*FindKindRow(api_version, kind), name,
                      "0a1b2c3d-0000-4000-8000-00000000000" + std::string(uid), extra, Setting());
}

TEST(WorkloadName, HasFiveDigitsOfAHashOfKindGroupNameAndUid) {
  EXPECT_EQ(Name("batch/v1", "Job", "train", "1"), "job-train-f09b8");
  EXPECT_EQ(Name("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "serve-2", "4"),
            "leaderworkerset-serve-2-46f45");
  EXPECT_EQ(Name("ray.io/v1", "RayJob", "tune", "2", "3_7"), "rayjob-tune-b3514");
  EXPECT_EQ(Name("v1", "Pod", "p", "3"), "pod-p-efaef");
}

TEST(WorkloadName, IsCutByBytesBeforeTheHash) {
  const std::string name = Name("batch/v1", "Job", std::string(300, 'x'), "1");
  EXPECT_EQ(name.size(), 253U);
  Setting setting;
  setting.gates["ShortWorkloadNames"] = true;
  EXPECT_EQ(
      WorkloadName(*FindKindRow("batch/v1", "Job"), std::string(300, 'x'), "", "", setting).size(),
      63U);
}

Value JobSet() {
  return Json(R"({"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
    "metadata": {"name": "js", "uid": "u", "labels": {"kueue.x-k8s.io/queue-name": "q"}},
    "spec": {"replicatedJobs": [
      {"name": "Leader", "replicas": 1, "template": {"spec": {"template": {"spec": {}}}}},
      {"name": "w", "replicas": 3, "template": {"spec": {"parallelism": 4, "completions": 2,
        "template": {"spec": {"nodeSelector": {"disk": "ssd"}}}}}}]}})");
}

TEST(Workloads, AJobSetHasAPodSetForEachReplicatedJob) {
  const Value object = JobSet();
  const JobWorkloads made = WorkloadsOf(*FindKindRow(object), object, Setting());
  ASSERT_EQ(made.made.size(), 1U) << made.held;
  const auto& sets = made.made[0].sets;
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_EQ(sets[0].name, "leader");
  EXPECT_EQ(sets[1].count, 6);
  EXPECT_EQ(sets[1].topology.At("subGroupCount").Int(), 3);
}

TEST(Workloads, AStopUndoesAStart) {
  Setting setting;
  setting.Add(Json(R"({"kind": "ResourceFlavor", "metadata": {"name": "f"}, "spec": {
    "nodeLabels": {"pool": "a"}, "tolerations": [{"key": "spot", "operator": "Exists"}]}})"));
  Value object = JobSet();
  const KindRow& row = *FindKindRow(object);
  object.Make({"spec", "suspend"}) = Value::Bool(true);
  const Value before = object;
  const JobWorkload workload = WorkloadsOf(row, object, setting).made.at(0);
  JobAdmission admission{"cq", {{"leader", 1, {"f"}, false}, {"w", 6, {"f"}, true}}, {}};
  const StartInfos start = StartInfosFor(workload, admission, "", setting);
  ASSERT_EQ(Start(row, object, workload, start.infos), "");
  EXPECT_FALSE(IsSuspended(row, object));
  const Value& pods = object.At({"spec", "replicatedJobs", "1", "template", "spec", "template"});
  EXPECT_EQ(pods.At({"spec", "nodeSelector", "pool"}).text, "a");
  EXPECT_EQ(pods.At({"spec", "nodeSelector", "disk"}).text, "ssd");
  EXPECT_TRUE(HasGate(pods, "kueue.x-k8s.io/topology"));
  Stop(row, object, workload);
  EXPECT_TRUE(IsSuspended(row, object));
  EXPECT_EQ(object.At({"spec", "replicatedJobs", "1", "template", "spec", "template", "spec"}),
            before.At({"spec", "replicatedJobs", "1", "template", "spec", "template", "spec"}));
}

TEST(Workloads, AConflictLeavesTheObjectAsItWas) {
  Setting setting;
  setting.Add(Json(R"({"kind": "ResourceFlavor", "metadata": {"name": "f"},
                       "spec": {"nodeLabels": {"disk": "hdd"}}})"));
  Value object = JobSet();
  const KindRow& row = *FindKindRow(object);
  const Value before = object;
  const JobWorkload workload = WorkloadsOf(row, object, setting).made.at(0);
  JobAdmission admission{"cq", {{"leader", 1, {}, false}, {"w", 6, {"f"}, false}}, {}};
  const StartInfos start = StartInfosFor(workload, admission, "", setting);
  EXPECT_EQ(Start(row, object, workload, start.infos), "disk is ssd");
  EXPECT_EQ(object, before);
}

TEST(Status, IndexesOfAJobCountOnceHoweverManyThereAre) {
  Value job = Json(R"({"apiVersion": "batch/v1", "kind": "Job", "spec": {"parallelism": 4,
    "completions": 1000000000000, "completionMode": "Indexed"}, "status": {
    "completedIndexes": "0-999999999990,5,x,9-3", "failedIndexes": "999999999980-999999999997"}})");
  const KindRow& row = *FindKindRow(job);
  const auto reclaimable = row.status(job, Setting()).reclaimable;
  ASSERT_TRUE(reclaimable.has_value());
  ASSERT_EQ(reclaimable->size(), 1U);
  EXPECT_EQ(reclaimable->at(0).count, 2) << "two indexes are left of four pods that run at once";
}

TEST(Workloads, CountsTooLargeForAnyClusterDoNotOverflow) {
  Value object = JobSet();
  Value& jobs = object.Make({"spec", "replicatedJobs"});
  jobs.items[1].Set("replicas", Json("9000000000000000000"));
  jobs.items[1].Make({"template", "spec"}).Set("completions", Json("99999999999999999999999"));
  jobs.items[1].Make({"template", "spec"}).Set("parallelism", Json("99999999999999999999999"));
  const JobWorkloads made = WorkloadsOf(*FindKindRow(object), object, Setting());
  EXPECT_EQ(made.made.at(0).sets.at(1).count, kMostInt);
}

Value GroupPod(std::string_view name, std::string_view total) {
  Value pod = Json(R"({"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{}]}})");
  pod.Make({"metadata", "name"}) = Value::Text(name);
  pod.Make({"metadata", "labels"}) =
      Value::Texts({{"kueue.x-k8s.io/queue-name", "q"}, {"kueue.x-k8s.io/pod-group-name", "g"}});
  pod.Make({"metadata", "annotations"}) =
      Value::Texts({{"kueue.x-k8s.io/pod-group-total-count", total}});
  return pod;
}

TEST(PodGroup, WaitsForItsTotal) {
  const Value a = GroupPod("a", "2");
  const Value b = GroupPod("b", "2");
  const PodGroupView alone = ViewPodGroup({&a}, Setting());
  EXPECT_EQ(alone.workload.held, "it has 1 of 2 pods");
  const PodGroupView both = ViewPodGroup({&a, &b}, Setting());
  ASSERT_EQ(both.workload.made.size(), 1U) << both.workload.held;
  EXPECT_EQ(both.workload.made[0].name, "g");
  EXPECT_EQ(both.workload.made[0].sets.at(0).count, 2);
}

TEST(PodGroup, MembersMustAgree) {
  const Value a = GroupPod("a", "2");
  const Value b = GroupPod("b", "3");
  EXPECT_EQ(ViewPodGroup({&a, &b}, Setting()).workload.held, "its pods name different totals");
}

TEST(Kinds, EachRowSaysHowItIsRead) {
  for (const KindRow& row : KindTable()) {
    EXPECT_EQ(FindKindRow(std::string(row.group) + "/" + std::string(row.version), row.kind), &row)
        << row.kind;
    EXPECT_NE(row.status, nullptr) << row.kind;
    EXPECT_TRUE(row.pod_sets != nullptr || row.kind == "Deployment") << row.kind;
    EXPECT_EQ(row.suspend.empty(), row.through_pods || row.kind == "Pod") << row.kind;
  }
  EXPECT_EQ(FindKindRow("example.com/v1", "Job"), nullptr) << "a Job of another project";
}

}  // namespace
}  // namespace muster::objects
