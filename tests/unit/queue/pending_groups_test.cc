// Groups of equal workloads against the plain list they stand for.
#include "engine/queue/pending_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <random>
#include <set>

#include "engine/queue/pending_queue.h"

namespace muster {
namespace {

/// The same queue as a list: every workload says where it is.
class PlainQueue {
 public:
  enum class Place { kNowhere, kHeap, kParked };
  Place& PlaceOf(const PendingKey& key) { return places_[&key]; }

  std::vector<const PendingKey*> Heap() const {
    std::vector<const PendingKey*> heap;
    for (const auto& [key, place] : places_) {
      if (place == Place::kHeap) heap.push_back(key);
    }
    std::sort(heap.begin(), heap.end(),
              [](const PendingKey* a, const PendingKey* b) { return Compare(*a, *b).before; });
    return heap;
  }
  std::set<const PendingKey*> Parked() const {
    std::set<const PendingKey*> parked;
    for (const auto& [key, place] : places_) {
      if (place == Place::kParked) parked.insert(key);
    }
    return parked;
  }
  void ParkClass(const Hash128& form) {
    for (auto& [key, place] : places_) {
      if (place == Place::kHeap && key->form == form) place = Place::kParked;
    }
  }

 private:
  std::map<const PendingKey*, Place> places_;
};

constexpr std::uint32_t kWorkloads = 40;
constexpr std::uint32_t kLocalQueues = 12;
constexpr std::uint32_t kFew = 4;  ///< forms leave and come all the time

class Groups : public ::testing::TestWithParam<unsigned> {
 protected:
  using Place = PlainQueue::Place;

  Groups() : random_(GetParam()), count_(GetParam() % 2 == 0 ? kFew : kWorkloads) {
    for (std::uint32_t i = 0; i < count_; ++i) {
      PendingKey& key = keys_.emplace_back();
      key.workload = WorkloadId(WorkloadSlot{i}, i);
      key.local_queue = {Draw(GetParam() % 3 == 0 ? kLocalQueues : 3)};
      key.form = {0, Draw(5)};
      key.priority = static_cast<std::int32_t>(Draw(3));
      key.timestamp = Draw(10);
      key.uid = std::to_string(i);
    }
  }
  std::uint32_t Draw(std::uint32_t below) {
    return std::uniform_int_distribution<std::uint32_t>(0, below - 1)(random_);
  }

  void Change() {
    PendingKey& key = keys_[Draw(count_)];
    switch (Draw(8)) {
      case 7:
        usages_[Draw(kLocalQueues)] = Draw(3);
        return queue_.UsageChanged();
      case 0:
      case 1:
        queue_.Push(key);
        plain_.PlaceOf(key) = Place::kHeap;
        break;
      case 2:
        queue_.Park(key);
        plain_.PlaceOf(key) = Place::kParked;
        alone_.insert(&key);
        return;
      case 3:
        queue_.ParkWithClass(key);
        plain_.PlaceOf(key) = Place::kParked;
        break;
      case 4:
        queue_.Erase(key);
        plain_.PlaceOf(key) = Place::kNowhere;
        break;
      case 5:
        queue_.ParkClass(key.form);
        plain_.ParkClass(key.form);
        return;
      case 6:
        if (Draw(2) == 0) return Part(key.local_queue);
        return Wake();
    }
    alone_.erase(&key);
  }
  void Part(LocalQueueId local_queue) {
    queue_.PartClasses([&](LocalQueueId id) { return id == local_queue; });
    for (const PendingKey* key : plain_.Parked()) {
      if (key->local_queue == local_queue) alone_.insert(key);
    }
  }
  void Wake() {
    queue_.WakeClasses();
    for (const PendingKey* key : plain_.Parked()) {
      if (!alone_.contains(key)) plain_.PlaceOf(*key) = Place::kHeap;
    }
  }

  /// The usage of one LocalQueue changes, and the queue is told of that one alone.
  void ChangeUsage() {
    const LocalQueueId id{Draw(kLocalQueues)};
    usages_[id.value] = Draw(4);
    queue_.UsageChanged(id);
  }
  LocalQueueUsage Usage() const {
    return [this](LocalQueueId id) { return usages_.at(id.value); };
  }

  void Agree() const {
    const std::vector<const PendingKey*> heap = plain_.Heap();
    const std::vector<PendingKey*> parked = queue_.Parked();
    EXPECT_EQ(queue_.Ordered({}), heap);
    if (by_usage_) {
      const std::vector<const PendingKey*> order = queue_.Ordered(Usage());
      EXPECT_EQ(queue_.Head(Usage()), order.empty() ? nullptr : order.front());
    } else {
      EXPECT_EQ(queue_.Head({}), heap.empty() ? nullptr : heap.front());
    }
    EXPECT_EQ(queue_.heap_size(), heap.size());
    EXPECT_EQ(std::set<const PendingKey*>(parked.begin(), parked.end()), plain_.Parked());
    EXPECT_EQ(parked.size(), queue_.parked_size());
    EXPECT_EQ(std::set<const PendingKey*>(queue_.alone().begin(), queue_.alone().end()), alone_);
    EXPECT_EQ(queue_.Some(kWorkloads).size(), heap.size());
    for (const PendingKey* key : heap) EXPECT_TRUE(queue_.InHeap(*key));
    AgreeOnWhoIsAhead({});
    AgreeOnWhoIsAhead([](LocalQueueId id) { return id.value == 1 ? 0.5 : 2.0; });
    for (const PendingKey* key : parked) EXPECT_TRUE(queue_.IsParked(*key));
    for (std::uint64_t form = 0; form < 5; ++form) {
      EXPECT_EQ(queue_.OfForm({0, form}).size(),
                std::count_if(heap.begin(), heap.end(), [&](const PendingKey* key) {
                  return key->form == Hash128{0, form};
                }));
    }
  }

  void AgreeOnWhoIsAhead(const LocalQueueUsage& usage) const {
    const std::vector<const PendingKey*> order = queue_.Ordered(usage);
    for (std::size_t i = 0; i < order.size(); ++i) {
      constexpr std::size_t kMost = 4;
      const PendingGroups::Ahead ahead = queue_.AheadOf(*order[i], usage, kMost);
      EXPECT_EQ(ahead.count, static_cast<std::int64_t>(i));
      EXPECT_EQ(ahead.first, std::vector(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(
                                                                            std::min(i, kMost))));
    }
  }

  std::mt19937 random_;
  std::uint32_t count_;
  std::deque<PendingKey> keys_;
  PendingQueue queue_;
  PlainQueue plain_;
  std::set<const PendingKey*> alone_;
  std::array<double, kLocalQueues> usages_ = {};
  bool by_usage_ = false;  ///< whether the head is asked for by usage
};

TEST_P(Groups, AreAsIfEveryWorkloadWereMovedByItself) {
  for (int change = 0; change < 400 && !HasFailure(); ++change) {
    Change();
    ChangeUsage();
    if (Draw(20) == 0) by_usage_ = !by_usage_;
    if (Draw(3) != 0) Agree();  // several changes may come between two looks
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Groups, ::testing::Range(0U, 20U));

TEST(PendingQueueClasses, ThePreemptorThatIsMarkedIsParkedAlone) {
  PendingQueue queue;
  PendingKey key;
  key.workload = WorkloadId(WorkloadSlot{7}, 7);
  queue.Mark(key.workload, /*sticky=*/true);
  queue.ParkWithClass(key);
  EXPECT_EQ(queue.alone().size(), 1u) << "it wakes to the front, which a group cannot know";
  queue.Erase(key);
}

TEST(PendingQueueClasses, WhoeverIsParkedLosesHisKeysWithTheMode) {
  PendingQueue queue;
  queue.SetScripted(true);
  PendingKey key;
  key.workload = WorkloadId(WorkloadSlot{7}, 7);
  key.scripted = true;
  key.keys.Set(std::array{1.0, 2.0, 3.0});
  queue.ParkWithClass(key);
  queue.SetScripted(false);
  EXPECT_FALSE(key.scripted);
  EXPECT_TRUE(queue.IsParked(key));
  queue.Push(key);
  EXPECT_EQ(queue.Head({}), &key);
  queue.Erase(key);
}

}  // namespace
}  // namespace muster
