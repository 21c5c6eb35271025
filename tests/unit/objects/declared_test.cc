// Declared kinds: podsets, status and start by paths.
#include "bindings/objects/declared.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bindings/objects/workload.h"
#include "tests/unit/objects/json.h"

namespace muster::objects {
namespace {

DeclaredKind Training() {
  DeclaredKind kind;
  kind.group = "acme.example";
  kind.versions = {"v1"};
  kind.kind = "Training";
  kind.suspend_path = {"spec", "paused"};
  DeclaredPodSet driver;
  driver.name = "driver";
  driver.requests_path = {"spec", "driver", "resources"};
  driver.placement_path = {"spec", "driver", "placement"};
  DeclaredPodSet groups;
  groups.for_each = {"spec", "groups"};
  groups.name_path = {"name"};
  groups.count_path = {"workers"};
  groups.template_path = {"pods"};
  groups.reclaimable_path = {"done"};
  kind.pod_sets = {driver, groups};
  kind.succeeded = {{"Done", {}, {"True"}}};
  kind.failed = {{"", {"status", "phase"}, {"Failed"}}};
  kind.ready = {{"", {"status", "ready"}, {"true"}}};
  return kind;
}

Value Object() {
  return Json(R"({"apiVersion": "acme.example/v1", "kind": "Training",
    "metadata": {"name": "t", "uid": "u", "labels": {"kueue.x-k8s.io/queue-name": "q"}},
    "spec": {"driver": {"resources": {"cpu": 1}, "placement": {"zone": "a"}},
             "groups": [{"name": "w", "workers": 4, "done": 1, "pods": {"spec": {}}}]}})");
}

Setting World() {
  Setting setting;
  setting.Add(Json(R"({"kind": "ResourceFlavor", "metadata": {"name": "f"}, "spec": {
    "nodeLabels": {"pool": "a"}, "tolerations": [{"key": "spot", "operator": "Exists"}]}})"));
  return setting;
}

TEST(Declared, AStartWritesCountsPlacesAndNoLongerSuspends) {
  const DeclaredKind kind = Training();
  const KindRow row = RowOf(kind);
  Value object = Object();
  object.Make({"spec", "paused"}) = Value::Bool(true);
  const Setting setting = World();
  const JobWorkload workload = WorkloadsOf(row, object, setting).made.at(0);
  const JobAdmission admission{"cq", {{"driver", 1, {"f"}, false}, {"w", 3, {"f"}, false}}, {}};
  const StartInfos start = StartInfosFor(workload, admission, "", setting);
  ASSERT_EQ(Start(row, object, workload, start.infos), "");
  EXPECT_FALSE(IsSuspended(row, object));
  EXPECT_EQ(object.At({"spec", "groups", "0", "workers"}).Int(), 3) << "admitted in part";
  EXPECT_EQ(object.At({"spec", "groups", "0", "pods", "spec", "nodeSelector", "pool"}).text, "a");
  const Value& placement = object.At({"spec", "driver", "placement"});
  EXPECT_EQ(placement.At({"nodeSelector", "pool"}).text, "a");
  EXPECT_EQ(placement.At({"tolerations", "0", "key"}).text, "spot");
  EXPECT_EQ(placement.TextAt("zone"), "a") << "what stood there stays";
}

TEST(Declared, AContradictionLeavesTheObjectAsItWas) {
  const DeclaredKind kind = Training();
  const KindRow row = RowOf(kind);
  Value object = Object();
  object.Make({"spec", "driver", "placement", "nodeSelector"}).Set("pool", Value::Text("b"));
  const Value before = object;
  const Setting setting = World();
  const JobWorkload workload = WorkloadsOf(row, object, setting).made.at(0);
  const JobAdmission admission{"cq", {{"driver", 1, {"f"}, false}, {"w", 4, {}, false}}, {}};
  const StartInfos start = StartInfosFor(workload, admission, "", setting);
  EXPECT_EQ(Start(row, object, workload, start.infos), "pool is b");
  EXPECT_EQ(object, before);
}

TEST(Declared, TheStatusIsWhatItsTestsSay) {
  const DeclaredKind kind = Training();
  const KindRow row = RowOf(kind);
  Value object = Object();
  const auto status = [&] { return row.status(object, Setting()); };
  EXPECT_TRUE(status().active) << "not suspended";
  EXPECT_EQ(status().reclaimable->at(0).count, 1);
  object.Make({"spec", "paused"}) = Value::Bool(true);
  EXPECT_FALSE(status().active);
  object.Make({"status", "ready"}) = Value::Bool(true);
  EXPECT_TRUE(status().pods_ready);
  object.Make({"status", "phase"}) = Value::Text("Failed");
  EXPECT_TRUE(status().finished);
  EXPECT_FALSE(status().success);
  object.Make({"status", "conditions"}) = Json(R"([{"type": "Done", "status": "True"}])");
  EXPECT_TRUE(status().success) << "success wins";
}

TEST(Declared, FieldsAreNamedAsTheyStand) {
  EXPECT_EQ(FieldAt(Object(), {"spec", "groups", "0", "workers"}), "spec.groups[0].workers");
}

}  // namespace
}  // namespace muster::objects
