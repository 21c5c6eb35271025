// What of a dump of kubectl is taken.
#include "bindings/convert/kueue_dump.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace muster::convert {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::SizeIs;

TEST(KueueDump, ReservationsConfigurationAndWhatIsLeftOutAreFound) {
  const manifest::Source source = {"dump.yaml", R"(apiVersion: v1
kind: List
items:
- apiVersion: kueue.x-k8s.io/v1beta2
  kind: ClusterQueue
  metadata: {name: cq}
  status:
    flavorsReservation:
    - {name: f, resources: [{name: cpu, total: 1500m, borrowed: "0"}]}
- {apiVersion: batch/v1, kind: Job, metadata: {name: a}}
- {apiVersion: batch/v1, kind: Job, metadata: {name: b}}
- {apiVersion: v1, kind: Secret, metadata: {name: s}}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: kueue-manager-config}
  data:
    controller_manager_config.yaml: |
      apiVersion: config.kueue.x-k8s.io/v1beta2
      kind: Configuration
)"};
  const KueueDump dump = ReadDump({&source, 1});
  EXPECT_THAT(dump.left_out, ElementsAre(Pair("Job", 2), Pair("Secret", 1)));
  EXPECT_THAT(dump.kinds, ElementsAre("ConfigMap", "Job", "Secret"));
  ASSERT_THAT(dump.reserved, SizeIs(1));
  EXPECT_EQ(dump.reserved.begin()->second.ToAmount("cpu"), 1500);
  ASSERT_THAT(dump.configurations, SizeIs(1));
  EXPECT_EQ(dump.configurations[0].name, "dump.yaml (ConfigMap)");
}

}  // namespace
}  // namespace muster::convert
