// The heap against a sorted set, under random insertions and removals.
#include "engine/queue/pending_heap.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <set>

namespace muster {
namespace {

struct Before {
  bool operator()(const PendingKey* a, const PendingKey* b) const { return Compare(*a, *b).before; }
};

PendingKey& MakeKey(std::deque<PendingKey>& keys, std::mt19937& random, bool scripted) {
  PendingKey& key = keys.emplace_back();
  key.workload = WorkloadId(WorkloadSlot{static_cast<std::uint32_t>(keys.size())},
                            static_cast<std::uint32_t>(keys.size()));
  key.uid = std::to_string(random() % 5);
  key.priority = static_cast<std::int32_t>(random() % 3) - 1;
  key.timestamp = static_cast<TimeNs>(random() % 3);
  key.scripted = scripted;
  constexpr double kKeys[] = {-1e300, -1, -0.0, 0, 1e-300, 2};
  double values[PolicyKeys::size()];
  for (double& value : values) value = kKeys[random() % 6];
  key.keys.Set(values);
  return key;
}

void CompareWithASet(bool scripted) {
  std::mt19937 random(20261121);
  std::deque<PendingKey> keys;
  std::set<PendingKey*, Before> expected;
  PendingNodes nodes;
  PendingHeap heap;
  for (int step = 0; step < 2000; ++step) {
    if (expected.empty() || random() % 5 < 3) {
      PendingKey& key = MakeKey(keys, random, scripted);
      key.sticky = step == 100;
      key.slot = static_cast<std::uint32_t>(nodes.size());
      nodes.push_back({.key = &key});
      heap.Push(nodes, key.slot);
      expected.insert(&key);
    } else {
      auto chosen = expected.begin();
      std::advance(chosen, static_cast<std::ptrdiff_t>(random() % expected.size()));
      heap.Erase(nodes, (*chosen)->slot);
      expected.erase(chosen);
    }
    ASSERT_EQ(heap.size(), expected.size());
    if (expected.empty()) continue;
    ASSERT_EQ(heap.Top(nodes), *expected.begin());
  }
  EXPECT_EQ(heap.Keys(nodes).size(), expected.size());
}

TEST(PendingHeap, TopIsTheFirstOfTheNativeOrder) { CompareWithASet(/*scripted=*/false); }
TEST(PendingHeap, TopIsTheFirstOfTheScriptedOrder) { CompareWithASet(/*scripted=*/true); }

TEST(PendingHeap, VisitsThoseBeforeAKeyAndNobodyElse) {
  std::mt19937 random(20261122);
  std::deque<PendingKey> keys;
  std::set<PendingKey*, Before> expected;
  PendingNodes nodes;
  PendingHeap heap;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    PendingKey& key = MakeKey(keys, random, /*scripted=*/false);
    nodes.push_back({.key = &key});
    heap.Push(nodes, i);
    expected.insert(&key);
  }
  std::ptrdiff_t before = 0;
  for (const PendingKey* key : expected) {
    std::ptrdiff_t visited = 0;
    heap.ForEachBefore(nodes, key, [&](std::uint32_t node) {
      EXPECT_TRUE(Compare(*nodes[node].key, *key).before);
      ++visited;
    });
    EXPECT_EQ(visited, before++);
  }
}

}  // namespace
}  // namespace muster
