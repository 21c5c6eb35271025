// Fields that may not change: what a second apply says, and where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/testing/command.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

using ::testing::HasSubstr;

constexpr char kObjects[] = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: racks}
spec: {levels: [{nodeLabel: rack}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: a100}
spec: {topologyName: racks, nodeLabels: {pool: a}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: cheap}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: AdmissionCheck
metadata: {name: budget}
spec: {controllerName: example.com/budget}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team-a}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - {name: cheap, resources: [{name: cpu, nominalQuota: 4}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: lab, namespace: default}
spec: {clusterQueue: team-a}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: train, namespace: default}
spec:
  queueName: lab
  podSets:
  - name: main
    count: 2
    template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}
)";

struct Change {
  const char* what;
  const char* from;
  const char* to;
  const char* said;  ///< LINE:COLUMN: cause; cure
};

TEST(FixedFields, AreRefusedWithPlaceCauseAndCure) {
  const TemporaryDirectory directory;
  const std::string db = (directory.path() / "l.ledger").string();
  const std::string first = directory.Write("first.yaml", kObjects).string();
  ASSERT_EQ(RunMuster({"apply", "-f", first, "--db", db}).exit_code, 0);
  ASSERT_EQ(RunMuster({"schedule", "--db", db}).exit_code, 0);
  const Change changes[] = {
      {"levels", "[{nodeLabel: rack}]", "[{nodeLabel: block}]",
       "4:8: the levels of a topology may not change"},
      {"topologyName", "topologyName: racks, ", "", "9:1: may not change from \"racks\" to \"\""},
      {"nodeLabels", "{pool: a}", "{pool: b}", "9:29: may not change once topologyName is set"},
      {"controllerName", "example.com/budget", "example.com/other",
       "18:24: may not change from \"example.com/budget\" to \"example.com/other\""},
      {"clusterQueue", "{clusterQueue: team-a}", "{clusterQueue: team-b}",
       "33:22: may not change from \"team-a\" to \"team-b\""},
      {"podSets", "count: 2", "count: 1",
       "42:12: may not change while quota is reserved: workload default/train holds it with 2 pods "
       "in podset \"main\", not 1"}};
  for (const Change& change : changes) {
    std::string text = kObjects;
    text.replace(text.find(change.from), std::string(change.from).size(), change.to);
    const std::string file = directory.Write("second.yaml", text).string();
    const CommandResult result = RunMuster({"apply", "-f", file, "--db", db});
    EXPECT_EQ(result.exit_code, 2) << change.what;
    EXPECT_THAT(result.err, HasSubstr(file + ":" + change.said)) << change.what;
    EXPECT_THAT(result.err, HasSubstr("; write the old value, or ")) << change.what;
  }
}

}  // namespace
}  // namespace muster::testing
