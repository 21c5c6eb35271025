// Equal texts, equal numbers; every byte counts, and names of one kind spread.
#include "engine/base/quick_hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace muster {
namespace {

TEST(QuickHash, IsTheSameForEqualTextsWhereverTheyStand) {
  const std::string all = "a workload's name, and what stands around it";
  for (std::size_t from = 0; from < all.size(); ++from) {
    for (std::size_t size = 0; from + size <= all.size(); ++size) {
      const std::string copy = all.substr(from, size);
      ASSERT_EQ(QuickHash(std::string_view(all).substr(from, size)), QuickHash(copy));
    }
  }
}

TEST(QuickHash, EveryByteAndTheLengthCount) {
  for (std::size_t size = 0; size < 40; ++size) {
    std::set<std::uint64_t> hashes = {QuickHash(std::string(size, '\0')),
                                      QuickHash(std::string(size + 1, '\0'))};
    for (std::size_t at = 0; at < size; ++at) {
      for (const char byte : {'\x01', 'x', '\xff'}) {
        std::string text(size, '\0');
        text[at] = byte;
        hashes.insert(QuickHash(text));
      }
    }
    ASSERT_EQ(hashes.size(), 2 + 3 * size) << size;
  }
}

TEST(QuickHash, NumberedNamesSpreadOverATable) {
  constexpr int kNames = 10'000;
  std::set<std::uint64_t> slots;
  for (int i = 0; i < kNames; ++i) {
    slots.insert(QuickHash("job-" + std::to_string(i / 100) + "-" + std::to_string(i)) % (1 << 16));
  }
  EXPECT_GT(slots.size(), kNames * 9 / 10u);
}

}  // namespace
}  // namespace muster
