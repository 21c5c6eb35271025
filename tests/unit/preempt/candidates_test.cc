// Who may be evicted by which policy, and who comes first.
#include "engine/preempt/candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace muster {
namespace {

class Order : public ::testing::Test {
 protected:
  WorkloadId Add(std::int32_t priority, TimeNs reserved_at, const char* uid,
                 std::uint32_t queue = 0, bool evicted = false) {
    auto workload = std::make_unique<WorkloadRecord>();
    workload->id = {static_cast<std::uint32_t>(world_.workloads.size())};
    workload->key.priority = priority;
    workload->key.uid = uid;
    workload->reserved_at = reserved_at;
    workload->holds_in = {queue};
    workload->local_queue = {0};
    workload->evicted = evicted;
    world_.workloads.push_back(std::move(workload));
    return world_.workloads.back()->id;
  }
  std::string Sorted(FrozenUsage usage = {}) {
    std::vector<const WorkloadRecord*> sorted;
    for (const auto& workload : world_.workloads) sorted.push_back(workload.get());
    const CandidateOrder order(world_, QueueId{0}, std::move(usage));
    std::sort(sorted.begin(), sorted.end(), [&](const WorkloadRecord* a, const WorkloadRecord* b) {
      return order.Before(*a, *b);
    });
    std::string uids;
    for (const WorkloadRecord* workload : sorted) uids += workload->uid();
    return uids;
  }
  World world_;
};

TEST_F(Order, EvictedThenOtherQueuesThenLowPriorityThenNewestThenUid) {
  Add(0, 10, "f");
  Add(5, 10, "b", 1);
  Add(9, 10, "a", 0, true);
  Add(0, 20, "e");
  Add(0, 20, "d");
  Add(0, 10, "c", 1);
  EXPECT_EQ(Sorted(), "acbdef");
}

TEST_F(Order, NoReservationTimeCountsAsNow) {
  world_.now = 15;
  Add(0, 10, "b");
  Add(0, kNoTime, "a");
  Add(0, 20, "c");
  EXPECT_EQ(Sorted(), "cab");
}

TEST_F(Order, LocalQueueUsageComparesOnlyInsideAUsageBasedQueue) {
  world_.catalog.config.admission_fair_sharing = AdmissionFairSharingConfig{};
  for (std::uint32_t q = 0; q < 2; ++q) {
    world_.queues.push_back(std::make_unique<ClusterQueueState>());
    world_.queues.back()->id = {q};
    world_.queues.back()->spec.admission_mode = AdmissionMode::kUsageBased;
  }
  world_.workload(Add(0, 10, "b")).local_queue = {1};
  world_.workload(Add(9, 10, "a")).local_queue = {2};
  const FrozenUsage usage = [](LocalQueueId id) { return id.value == 2 ? 100.0 : 1.0; };
  EXPECT_EQ(Sorted(usage), "ab") << "the heavier user gives first, whatever its priority";
  EXPECT_EQ(Sorted(), "ba");
}

TEST(PolicyAllows, EachPolicyAsNamed) {
  WorkloadRecord preemptor, candidate;
  preemptor.key.timestamp = 5;
  candidate.key.timestamp = 5;
  const auto allows = [&](PreemptionPolicy policy, std::int32_t priority, TimeNs timestamp) {
    candidate.key.priority = priority;
    candidate.key.timestamp = timestamp;
    return PolicyAllows(policy, preemptor, candidate);
  };
  EXPECT_FALSE(allows(PreemptionPolicy::kNever, -1, 9));
  EXPECT_TRUE(allows(PreemptionPolicy::kAny, 9, 0));
  EXPECT_TRUE(allows(PreemptionPolicy::kLowerPriority, -1, 0));
  EXPECT_FALSE(allows(PreemptionPolicy::kLowerPriority, 0, 9));
  EXPECT_TRUE(allows(PreemptionPolicy::kLowerOrNewerEqualPriority, 0, 9));
  EXPECT_FALSE(allows(PreemptionPolicy::kLowerOrNewerEqualPriority, 0, 5));
  EXPECT_FALSE(allows(PreemptionPolicy::kLowerOrNewerEqualPriority, 1, 9));
}

}  // namespace
}  // namespace muster
