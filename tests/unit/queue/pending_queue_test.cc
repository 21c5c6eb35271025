// The heap of a ClusterQueue: order, parking, markers, keys from a policy.
#include "engine/queue/pending_queue.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>

#include "engine/base/check.h"

namespace muster {
namespace {

class Pending : public ::testing::Test {
 protected:
  PendingKey& Key(std::int32_t priority, TimeNs timestamp, const char* uid,
                  std::uint32_t local_queue = 0) {
    PendingKey& key = keys_.emplace_back();
    key.workload = WorkloadId(WorkloadSlot{static_cast<std::uint32_t>(keys_.size())},
                              static_cast<std::uint32_t>(keys_.size()));
    key.local_queue = {local_queue};
    key.priority = priority;
    key.timestamp = timestamp;
    key.uid = uid;
    return key;
  }
  std::string Order(const LocalQueueUsage& usage = {}) const {
    std::string order;
    for (const PendingKey* key : queue_.Ordered(usage)) order += key->uid;
    return order;
  }

  std::deque<PendingKey> keys_;
  PendingQueue queue_;
};

TEST_F(Pending, HigherPriorityThenEarlierTimestampThenUid) {
  queue_.Push(Key(1, 5, "d"));
  queue_.Push(Key(2, 9, "a"));
  queue_.Push(Key(1, 4, "c"));
  queue_.Push(Key(1, 5, "b"));
  EXPECT_EQ(Order(), "acbd");
  EXPECT_EQ(queue_.Head({})->uid, "a");
}

TEST_F(Pending, TheStickyWorkloadOutranksPriority) {
  PendingKey& low = Key(0, 1, "low");
  queue_.Push(Key(9, 1, "high"));
  low.sticky = true;
  queue_.Push(low);
  EXPECT_EQ(queue_.Head({})->uid, "low");
}

TEST_F(Pending, LowerLocalQueueUsageComesBeforeEverything) {
  PendingKey& sticky = Key(9, 1, "busy", 1);
  sticky.sticky = true;
  queue_.Push(sticky);
  queue_.Push(Key(0, 2, "idle", 2));
  const LocalQueueUsage usage = [](LocalQueueId id) { return id.value == 1 ? 10.0 : 1.0; };
  EXPECT_EQ(queue_.Head(usage)->uid, "idle");
  EXPECT_EQ(Order(usage), "idlebusy");
  EXPECT_EQ(queue_.Head({})->uid, "busy");
}

TEST_F(Pending, NobodyAsksForTheUsageOfALocalQueueThatHasNothingInTheHeap) {
  PendingKey& key = Key(0, 0, "w", 3);
  queue_.Push(key);
  queue_.Erase(key);
  const LocalQueueUsage of_none = [](LocalQueueId) -> double {
    ADD_FAILURE() << "it may have been deleted";
    return 0;
  };
  EXPECT_EQ(Order(of_none), "");
  EXPECT_EQ(queue_.Head(of_none), nullptr);
}

TEST_F(Pending, AWorkloadIsInTheHeapOrParkedNeverBoth) {
  PendingKey& key = Key(0, 0, "w");
  queue_.Push(key);
  EXPECT_TRUE(queue_.InHeap(key));
  queue_.Park(key);
  EXPECT_FALSE(queue_.InHeap(key));
  EXPECT_TRUE(queue_.IsParked(key));
  EXPECT_EQ(queue_.heap_size(), 0u);
  queue_.Push(key);
  EXPECT_FALSE(queue_.IsParked(key));
  queue_.Erase(key);
  EXPECT_EQ(queue_.heap_size() + queue_.parked_size(), 0u);
}

TEST_F(Pending, ALaterPreemptorReplacesTheMarker) {
  const WorkloadId first(WorkloadSlot{1}, 1);
  const WorkloadId second(WorkloadSlot{2}, 2);
  queue_.Mark(first, true);
  queue_.Mark(second, false);
  EXPECT_FALSE(queue_.IsSticky(first));
  EXPECT_FALSE(queue_.IsSticky(second)) << "stickiness was decided when it was marked";
  queue_.ClearMark(first);
  EXPECT_EQ(queue_.marked(), second) << "only its own marker clears";
}

TEST_F(Pending, NewcomersToAScriptedHeapWaitForTheirKeys) {
  queue_.SetScripted(true);
  PendingKey& key = Key(0, 0, "w");
  queue_.Push(key);
  EXPECT_TRUE(queue_.InHeap(key));
  EXPECT_EQ(queue_.Head({}), nullptr) << "it has no rank yet";
  ASSERT_EQ(queue_.Fresh().size(), 1u);
  queue_.Erase(key);
  key.scripted = true;
  queue_.Push(key);
  EXPECT_EQ(queue_.Head({})->uid, "w");
}

TEST_F(Pending, ScriptedKeysCompareLargerFirstThenCreationThenUid) {
  queue_.SetScripted(true);
  const auto scripted = [&](double k1, double k2, TimeNs created, const char* uid) {
    PendingKey& key = Key(100, 0, uid);
    key.scripted = true;
    key.keys.Set(std::array{k1, k2});
    key.created = created;
    queue_.Push(key);
  };
  scripted(1, 2, 5, "c");
  scripted(1, 3, 9, "b");
  scripted(2, 0, 9, "a");
  scripted(1, 2, 4, "d");
  EXPECT_EQ(Order(), "abdc");
}

TEST_F(Pending, ChangingTheModeOfAFilledHeapIsABrokenInvariant) {
  queue_.Push(Key(0, 0, "w"));
  EXPECT_THROW(queue_.SetScripted(true), InvariantBroken);
}

TEST_F(Pending, ParkedClassesAreRememberedUntilForgotten) {
  const Hash128 form{1, 2};
  EXPECT_FALSE(queue_.ReasonOfClass(form));
  queue_.NoteClass(form, {PendingReason::kWaitingForQuota, 1});
  EXPECT_EQ(queue_.ReasonOfClass(form), PendingReason::kWaitingForQuota);
  queue_.WakeClasses();
  EXPECT_FALSE(queue_.ReasonOfClass(form));
}

TEST(Newcomers, ThatAreTakenOutTogetherCanComeBack) {
  PendingQueue queue;
  queue.SetScripted(true);
  PendingKey first, second;
  first.workload = WorkloadId(WorkloadSlot{0}, 0);
  second.workload = WorkloadId(WorkloadSlot{1}, 1);
  queue.Push(first);
  queue.Push(second);
  ASSERT_EQ(queue.fresh().size(), 2u);
  queue.TakeOutFresh();
  EXPECT_EQ(queue.heap_size(), 0u);
  EXPECT_FALSE(PendingQueue::IsHere(first));
  EXPECT_FALSE(PendingQueue::IsHere(second));
  second.scripted = true;
  queue.Push(second);
  queue.Push(first);
  EXPECT_EQ(queue.heap_size(), 2u);
  EXPECT_EQ(queue.Head({}), &second);
  EXPECT_EQ(queue.fresh().size(), 1u);
}

}  // namespace
}  // namespace muster
