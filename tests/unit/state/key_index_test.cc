// The table of names against a map, under random insertions and removals.
#include "engine/state/key_index.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace muster {
namespace {

TEST(KeyIndex, FindsWhatAMapFinds) {
  std::mt19937 random(7);
  std::map<Key, LocalQueueId> expected;
  std::vector<Key> keys;  // by id
  const auto key_of = [&](LocalQueueId id) -> const Key& { return keys[id.value]; };
  KeyIndex<LocalQueueId> index;
  EXPECT_FALSE(index.Find(KeyView("a", "b"), key_of).valid());
  for (int step = 0; step < 5000; ++step) {
    const Key key{std::string(1, static_cast<char>('a' + random() % 3)),
                  "job-" + std::to_string(random() % 300)};
    if (expected.contains(key)) {
      index.Erase(key, key_of);
      expected.erase(key);
    } else {
      const LocalQueueId id{static_cast<std::uint32_t>(keys.size())};
      keys.push_back(key);
      index.Insert(key, id);
      expected[key] = id;
    }
    const Key asked{"a", "job-" + std::to_string(random() % 300)};
    const auto found = expected.find(asked);
    ASSERT_EQ(index.Find(asked, key_of), found == expected.end() ? LocalQueueId{} : found->second);
  }
  for (const auto& [key, id] : expected) ASSERT_EQ(index.Find(key, key_of), id);
}

TEST(KeyIndex, InsertsWhoIsNewAndNamesWhoIsNot) {
  std::vector<Key> keys;
  const auto key_of = [&](LocalQueueId id) -> const Key& { return keys[id.value]; };
  KeyIndex<LocalQueueId> index;
  for (std::uint32_t i = 0; i < 100; ++i) {
    const Key key{"ns", "job-" + std::to_string(i)};
    EXPECT_FALSE(index.InsertNew(key, LocalQueueId{i}, key_of).valid());
    keys.push_back(key);
    EXPECT_EQ(index.InsertNew(key, LocalQueueId{1000}, key_of), LocalQueueId{i});
    EXPECT_EQ(index.size(), keys.size());
  }
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(index.Find(keys[i], key_of), LocalQueueId{i});
}

TEST(KeyIndex, ReservingLosesNobody) {
  std::vector<Key> keys;
  const auto key_of = [&](LocalQueueId id) -> const Key& { return keys[id.value]; };
  KeyIndex<LocalQueueId> index;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    keys.push_back({"a", "job-" + std::to_string(i)});
    if (i % 100 == 50) index.Reserve(i == 550 ? 5000 : 3);
    index.Insert(keys.back(), {i});
  }
  EXPECT_EQ(index.size(), 1000u);
  for (std::uint32_t i = 0; i < 1000; ++i) ASSERT_EQ(index.Find(keys[i], key_of), LocalQueueId{i});
}

}  // namespace
}  // namespace muster
