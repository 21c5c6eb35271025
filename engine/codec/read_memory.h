// ReadMemory: what a ByteReader read lately, so that what comes again is not read again.
//
// A million rows have a few templates, queues and words in common. An encoding says where it ends:
// bytes that begin with those of an earlier value are that value, and as long. So one comparison of
// bytes takes the place of reading, comparing and letting go, and the value found shares its memory
// with the earlier one. Only what was read without a mistake is remembered; what is not found is
// read as ever, so that a memory changes the time and nothing else.
#ifndef MUSTER_ENGINE_CODEC_READ_MEMORY_H_
#define MUSTER_ENGINE_CODEC_READ_MEMORY_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/base/quick_hash.h"
#include "muster/shared_list.h"
#include "muster/shared_map.h"
#include "muster/text.h"
#include "muster/types.h"
#include "muster/workload.h"

namespace muster {

/// The latest few different values of one type. O(bytes) memory of those it holds.
template <typename Value>
class RecentValues {
 public:
  struct Entry {
    std::string encoding;  ///< empty: none yet
    Value value;
  };
  RecentValues() { std::iota(order_.begin(), order_.end(), std::uint8_t{0}); }

  /// The one whose encoding `bytes` begins with; null when there is none.
  const Entry* Find(std::string_view bytes) {
    for (std::size_t i = 0; i < kMost; ++i) {
      const Entry& entry = entries_[order_[i]];
      if (entry.encoding.empty()) return nullptr;
      if (!bytes.starts_with(entry.encoding)) continue;
      MoveToFront(i);
      return &entry;
    }
    return nullptr;
  }
  /// Takes the place of the one that was not asked for longest. `encoding` is not empty.
  void Remember(std::string_view encoding, const Value& value) {
    MoveToFront(kMost - 1);
    entries_[order_[0]] = {std::string(encoding), value};
  }

 private:
  static constexpr std::size_t kMost = 8;

  void MoveToFront(std::size_t at) {
    const auto place = order_.begin() + static_cast<std::ptrdiff_t>(at);
    std::rotate(order_.begin(), place, place + 1);
  }

  std::array<Entry, kMost> entries_;
  std::array<std::uint8_t, kMost> order_;  ///< latest first
};

/// Texts by their characters. One that came twice is not given up for the first that comes once,
/// so that unique names do not drive out common ones.
class RecentTexts {
 public:
  RecentTexts() : slots_(kSlots) {}

  /// A Text of these words, mostly one that exists. O(size).
  Text Get(std::string_view words) {
    if (words.empty()) return {};
    const std::uint64_t hash = QuickHash(words);
    Slot& slot = slots_[hash % kSlots];
    if (slot.hash == hash && slot.text == words) {
      slot.came_again = true;
      return slot.text;
    }
    Text text = words;
    if (!std::exchange(slot.came_again, false)) slot = {hash, text, false};
    return text;
  }

 private:
  static constexpr std::size_t kSlots = 4096;
  struct Slot {
    std::uint64_t hash = 0;
    Text text;
    bool came_again = false;
  };
  std::vector<Slot> slots_;
};

class ReadMemory {
 public:
  template <typename Value>
  static constexpr bool kKeeps = std::is_same_v<Value, SharedList<PodSet>> ||
                                 std::is_same_v<Value, SharedList<PodSetAssignment>> ||
                                 std::is_same_v<Value, SharedMap<LabelMap>>;

  /// Precondition: kKeeps<Value>.
  template <typename Value>
  RecentValues<Value>& Of() {
    return std::get<RecentValues<Value>>(values_);
  }
  RecentTexts& texts() { return texts_; }

 private:
  std::tuple<RecentValues<SharedList<PodSet>>, RecentValues<SharedList<PodSetAssignment>>,
             RecentValues<SharedMap<LabelMap>>>
      values_;
  RecentTexts texts_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_READ_MEMORY_H_
