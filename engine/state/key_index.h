// KeyIndex: finds the id of a workload or LocalQueue by its name in a few steps, however many there
// are.
//
// Method: an open table of ids, probed one slot after another from the name's hash; the names stay
// in the records. Nothing iterates it: what needs an order takes World::WorkloadsByName.
#ifndef MUSTER_ENGINE_STATE_KEY_INDEX_H_
#define MUSTER_ENGINE_STATE_KEY_INDEX_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/prefetch.h"
#include "engine/base/quick_hash.h"
#include "muster/types.h"

namespace muster {

/// A name that is kept elsewhere.
struct KeyView {
  KeyView(std::string_view its_ns, std::string_view its_name) : ns(its_ns), name(its_name) {}
  KeyView(const Key& key) : ns(key.ns), name(key.name) {}
  bool Is(const Key& key) const { return name == key.name && ns == key.ns; }
  bool Is(std::string_view uid) const { return ns.empty() && name == uid; }  ///< a uid is a name
  std::string_view ns;
  std::string_view name;
};

template <typename IdType>
class KeyIndex {
 public:
  /// Makes room for `count` keys in all, so that it need not grow step by step. O(count).
  void Reserve(std::size_t count) {
    const std::size_t slots = std::bit_ceil(std::max<std::size_t>(16, 2 * count));
    if (slots > slots_.size()) Resize(slots);
  }
  /// Prefetches the slot in which inserting or finding `key` begins.
  void PrefetchFor(KeyView key) const {
    if (!slots_.empty()) PrefetchLine(&slots_[Home(TagOf(key))]);
  }
  /// Precondition: the key is not in it. Amortised O(1).
  void Insert(KeyView key, IdType id) {
    if (2 * (size_ + 1) > slots_.size()) Reserve(size_ + 1);
    Put({id, TagOf(key)});
    ++size_;
  }
  /// Inserts it if it is not in it; else gives the id that it has, and invalid if it was inserted.
  /// Amortised O(1).
  template <typename KeyOf>
  IdType InsertNew(KeyView key, IdType id, const KeyOf& key_of) {
    if (2 * (size_ + 1) > slots_.size()) Reserve(size_ + 1);
    const std::uint32_t tag = TagOf(key);
    std::size_t at = Home(tag);
    for (; slots_[at].id.valid(); at = Next(at)) {
      if (slots_[at].tag == tag && key.Is(key_of(slots_[at].id))) return slots_[at].id;
    }
    slots_[at] = {id, tag};
    ++size_;
    return {};
  }
  std::size_t size() const { return size_; }
  /// Invalid when there is none. `key_of(id)` gives the key of any id in it. O(1).
  template <typename KeyOf>
  IdType Find(KeyView key, const KeyOf& key_of) const {
    const std::size_t at = SlotOf(key, key_of);
    return at < slots_.size() ? slots_[at].id : IdType{};
  }
  /// The same for many, in their order. While one is looked for, the memory is asked for what the
  /// next ones need: `send(id)` prefetches what key_of(id) looks at. O(their number).
  template <typename KeyOf, typename Send>
  std::vector<IdType> FindAll(std::span<const KeyView> keys, const KeyOf& key_of,
                              const Send& send) const {
    constexpr std::size_t kAhead = 8;
    if (keys.size() == 1) return {Find(keys.front(), key_of)};  // nothing comes next
    std::vector<IdType> found(keys.size());
    if (slots_.empty()) return found;
    std::vector<std::uint32_t> tags;
    tags.reserve(keys.size());
    for (const KeyView& key : keys) {
      tags.push_back(TagOf(key));
      PrefetchLine(&slots_[Home(tags.back())]);
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i + kAhead < keys.size()) {
        const IdType likely = slots_[Home(tags[i + kAhead])].id;
        if (likely.valid()) send(likely);
      }
      const std::size_t at = SlotOf(keys[i], tags[i], key_of);
      if (at < slots_.size()) found[i] = slots_[at].id;
    }
    return found;
  }
  /// Precondition: the key is in it. O(1).
  template <typename KeyOf>
  void Erase(KeyView key, const KeyOf& key_of) {
    std::size_t hole = SlotOf(key, key_of);
    // What was pushed past the hole by it moves up, so that no search ends too early.
    for (std::size_t at = Next(hole); slots_[at].id.valid(); at = Next(at)) {
      const std::size_t home = Home(slots_[at].tag);
      const bool stays = hole <= at ? hole < home && home <= at : hole < home || home <= at;
      if (stays) continue;
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole] = {};
    --size_;
  }

 private:
  /// The tag, a part of the name's hash, keeps most others from being looked up to be compared.
  struct Slot {
    IdType id;
    std::uint32_t tag = 0;
  };

  static std::uint32_t TagOf(KeyView key) {
    return static_cast<std::uint32_t>(QuickHash(key.name, QuickHash(key.ns)));
  }
  std::size_t Home(std::uint32_t tag) const { return tag & (slots_.size() - 1); }
  std::size_t Next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }
  /// slots_.size() when the key is not in it.
  template <typename KeyOf>
  std::size_t SlotOf(KeyView key, const KeyOf& key_of) const {
    return slots_.empty() ? 0 : SlotOf(key, TagOf(key), key_of);
  }
  template <typename KeyOf>
  std::size_t SlotOf(KeyView key, std::uint32_t tag, const KeyOf& key_of) const {
    for (std::size_t at = Home(tag); slots_[at].id.valid(); at = Next(at)) {
      if (slots_[at].tag == tag && key.Is(key_of(slots_[at].id))) return at;
    }
    return slots_.size();
  }
  void Put(Slot slot) {
    std::size_t at = Home(slot.tag);
    while (slots_[at].id.valid()) at = Next(at);
    slots_[at] = slot;
  }
  void Resize(std::size_t size) {
    std::vector<Slot> before(size);
    before.swap(slots_);
    for (const Slot& slot : before) {
      if (slot.id.valid()) Put(slot);
    }
  }

  std::vector<Slot> slots_;  ///< a power of two of them, at most half of them taken
  std::size_t size_ = 0;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_KEY_INDEX_H_
