// Whose charge is known, and whose not.
#include "engine/state/recent_charges.h"

#include <gtest/gtest.h>

#include "engine/state/whole_workload.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

WorkloadRecord RecordOf(const Workload& workload) {
  WorkloadRecord record;
  KeepWorkload(workload, record);
  return record;
}

class Charges : public ::testing::Test {
 protected:
  Charges() { charges_.Remember(RecordOf(first_), {Usage{FlavorResourceId{0}, 2000}}); }

  Workload first_ =
      testing::Holding(testing::MakeWorkload("first", "lq", testing::Cpu(2)), "queue");
  RecentCharges charges_;
};

TEST_F(Charges, AreThoseOfWhoeverHasTheSameLists) {
  Workload other = first_;
  other.key.name = "other";
  other.status.admission->cluster_queue = "another";
  const SharedList<Usage>* const known = charges_.Find(RecordOf(other));
  ASSERT_NE(known, nullptr);
  EXPECT_EQ(known->front().amount, 2000);
}

TEST_F(Charges, AreUnknownWhereAListIsAnother) {
  Workload other = first_;
  other.status.admission->pod_sets[0].count = 2;
  EXPECT_EQ(charges_.Find(RecordOf(other)), nullptr);
  other = first_;
  other.pod_sets[0].count = 2;
  EXPECT_EQ(charges_.Find(RecordOf(other)), nullptr);
}

TEST_F(Charges, AreUnknownForWhoGaveUpPods) {
  Workload other = first_;
  other.status.reclaimable_pods = {{"main", 1}};
  EXPECT_EQ(charges_.Find(RecordOf(other)), nullptr);
  RecentCharges charges;
  charges.Remember(RecordOf(other), {Usage{FlavorResourceId{0}, 0}});
  other.status.reclaimable_pods.clear();
  EXPECT_EQ(charges.Find(RecordOf(other)), nullptr);
}

TEST_F(Charges, OutliveTheWorkloadTheyWereOf) {
  Workload other = testing::Holding(testing::MakeWorkload("other", "lq", testing::Cpu(3)), "queue");
  first_ = {};
  for (int i = 0; i < 100; ++i) {  // lists that might get the memory of the first one's
    Workload next = testing::Holding(testing::MakeWorkload("n", "lq", testing::Cpu(4)), "queue");
    EXPECT_EQ(charges_.Find(RecordOf(next)), nullptr);
  }
  EXPECT_EQ(charges_.Find(RecordOf(other)), nullptr);
}

}  // namespace
}  // namespace muster
