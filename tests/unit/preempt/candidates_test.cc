// What may be evicted by which policy, and what comes first.
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
    const auto number = static_cast<std::uint32_t>(world_.workloads.size());
    workload->key.workload = WorkloadId(WorkloadSlot{number}, number);
    workload->key.priority = priority;
    workload->key.uid = uid;
    workload->reserved_at = reserved_at;
    workload->holds_in = {queue};
    workload->local_queue = {0};
    workload->evicted = evicted;
    world_.workloads.push_back(std::move(workload));
    return world_.workloads.back()->id();
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

/// A queue that runs "a" and, newer, "b" of priority 0, and one that asks for their cpu.
class Equals : public ::testing::Test {
 protected:
  Equals() {
    queue_.active = true;
    Add(a_, "a", 5);
    Add(b_, "b", 9);
  }
  void Add(WorkloadRecord& holder, const char* uid, TimeNs timestamp) {
    const std::uint32_t number = timestamp == 5 ? 0 : 1;
    holder.key.workload = WorkloadId(WorkloadSlot{number}, number);
    holder.key.uid = uid;
    holder.key.timestamp = timestamp;
    holder.reserved_at = 10;
    holder.usage = {{kCpu, 2}};
    queue_.holders.Insert(holder);
  }
  std::string CandidatesOf(TimeNs timestamp, std::int32_t priority = 0) {
    WorkloadRecord preemptor;
    preemptor.key.timestamp = timestamp;
    preemptor.key.priority = priority;
    const PreemptionRequest request{preemptor, queue_, {}, {kCpu}};
    const CandidateOrder order(world_, queue_.id, {});
    const std::set<WorkloadId> gone;
    const CandidateScope scope{request, order, gone};
    std::vector<const WorkloadRecord*> all;
    ListCandidates(scope, queue_, kRule, all);
    const std::vector<Usage> most = MostToGain(request, queue_, kRule);
    most_ = most.empty() ? 0 : most.front().amount;
    EXPECT_GE(most_, static_cast<Amount>(2 * all.size()));
    std::string uids;
    for (const WorkloadRecord* candidate : all) uids += candidate->uid();
    return uids;
  }

  static constexpr FlavorResourceId kCpu{0};
  static constexpr PreemptionPolicy kRule = PreemptionPolicy::kLowerOrNewerEqualPriority;
  World world_;
  ClusterQueueState queue_;
  WorkloadRecord a_, b_;
  Amount most_ = 0;  ///< that the candidates of the last question may use
};

TEST_F(Equals, AreCandidatesWhenTheyAreNewer) {
  EXPECT_EQ(CandidatesOf(4), "ab");
  EXPECT_EQ(CandidatesOf(5), "b");
  EXPECT_EQ(CandidatesOf(8), "b");
  EXPECT_GT(most_, 0);
  EXPECT_EQ(CandidatesOf(9), "");
  EXPECT_EQ(most_, 0) << "none is looked at";
  EXPECT_EQ(CandidatesOf(9, /*priority=*/1), "ab");
  EXPECT_EQ(CandidatesOf(0, /*priority=*/-1), "");
}

TEST_F(Equals, ThatUseNothingContestedDoNotCount) {
  WorkloadRecord c;
  c.key.workload = WorkloadId(WorkloadSlot{2}, 2);
  c.key.uid = "c";
  c.key.timestamp = 50;
  c.reserved_at = 10;
  c.usage = {{FlavorResourceId{1}, 2}};
  queue_.holders.Insert(c);
  EXPECT_EQ(CandidatesOf(9), "");
  EXPECT_EQ(most_, 0);
  queue_.holders.Erase(c);
}

TEST_F(Equals, CountAgainWhenOneBecomesNewer) {
  EXPECT_EQ(CandidatesOf(9), "");
  a_.key.timestamp = 20;
  queue_.holders.Refresh(a_);
  EXPECT_EQ(CandidatesOf(9), "a");
}

TEST_F(Equals, AreRankedWhenAskedForHoweverManyLeftBefore) {
  std::vector<WorkloadRecord> others(20);
  for (std::uint32_t i = 0; i < others.size(); ++i) {
    others[i].key.workload = WorkloadId(WorkloadSlot{2 + i}, 2 + i);
    others[i].key.uid = std::string(1, static_cast<char>('x' - i));
    others[i].key.timestamp = 50;
    others[i].reserved_at = 10;
    others[i].usage = {{kCpu, 2}};
    queue_.holders.Insert(others[i]);
    queue_.holders.DeferNewcomers();
  }
  for (std::uint32_t i = 0; i < others.size(); i += 2) {
    if (i < 16) queue_.holders.Erase(others[i]);
  }
  others[1].evicted = true;
  queue_.holders.Refresh(others[1]);
  EXPECT_EQ(queue_.holders.size(), 14u);
  std::string uids;
  queue_.holders.ForEach([&](const WorkloadRecord& holder) { uids += holder.uid(); });
  EXPECT_EQ(uids, "wabefghikmoqsu") << "the one that leaves first, then by UID";
  for (WorkloadRecord& other : others) {
    if (other.rank.listed) queue_.holders.Erase(other);
  }
  EXPECT_EQ(CandidatesOf(4), "ab");
}

/// A usage-based queue whose i-th holder is of the i-th LocalQueue, which has used i * 7 % 64.
class ByUsage : public ::testing::Test {
 protected:
  static constexpr std::uint32_t kHolders = 64;
  ByUsage() : holders_(kHolders) {
    world_.catalog.config.admission_fair_sharing = AdmissionFairSharingConfig{};
    world_.queues.push_back(std::make_unique<ClusterQueueState>());
    queue_ = world_.queues.back().get();
    queue_->id = {0};
    queue_->active = true;
    queue_->spec.admission_mode = AdmissionMode::kUsageBased;
    for (std::uint32_t i = 0; i < kHolders; ++i) {
      WorkloadRecord& holder = holders_[i];
      holder.key.workload = WorkloadId(WorkloadSlot{i}, i);
      holder.holds_in = queue_->id;
      holder.local_queue = {i};
      holder.reserved_at = 10;
      holder.usage = {{FlavorResourceId{0}, 1}};
      queue_->holders.Insert(holder);
    }
  }
  double UsageOf(LocalQueueId id) {
    ++read_;
    return id.value * 7 % kHolders;
  }

  World world_;
  std::vector<WorkloadRecord> holders_;
  ClusterQueueState* queue_ = nullptr;
  std::uint32_t read_ = 0;  ///< usages: two for each comparison
};

TEST_F(ByUsage, TheFirstIsFoundWithoutSortingTheOthers) {
  WorkloadRecord preemptor;
  const PreemptionRequest request{preemptor, *queue_, {}, {FlavorResourceId{0}}};
  const CandidateOrder order(world_, queue_->id, [&](LocalQueueId id) { return UsageOf(id); });
  const std::set<WorkloadId> gone;
  const CandidateScope scope{request, order, gone};
  QueueCandidates candidates(scope, *queue_, PreemptionPolicy::kAny, QueueCandidates::Part::kAll);
  ASSERT_NE(candidates.Front(), nullptr);
  EXPECT_LE(read_, 2 * (kHolders - 1));
  for (std::uint32_t used = kHolders; used-- > 0; candidates.Pop()) {
    ASSERT_NE(candidates.Front(), nullptr);
    EXPECT_EQ(candidates.Front()->local_queue.value * 7 % kHolders, used);
  }
  EXPECT_EQ(candidates.Front(), nullptr);
}

}  // namespace
}  // namespace muster
