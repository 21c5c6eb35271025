// KeyIndex: finds a workload's id by its name in a few steps, however many there are.
//
// Method: an open table of ids, probed one slot after another from the name's hash; the names stay
// in the records. Nothing iterates it: whoever needs an order takes World::workload_ids.
#ifndef MUSTER_ENGINE_STATE_KEY_INDEX_H_
#define MUSTER_ENGINE_STATE_KEY_INDEX_H_

#include <cstdint>
#include <vector>

#include "engine/model/hash.h"
#include "engine/model/ids.h"
#include "muster/types.h"

namespace muster {

class KeyIndex {
 public:
  /// Precondition: the key is not in it. `key_of(id)` gives the key of any id in it. Amortised
  /// O(1).
  template <typename KeyOf>
  void Insert(const Key& key, WorkloadId id, const KeyOf& key_of) {
    if (2 * (size_ + 1) > slots_.size()) Grow(key_of);
    Put(key, id);
    ++size_;
  }
  /// Invalid when there is none. O(1).
  template <typename KeyOf>
  WorkloadId Find(const Key& key, const KeyOf& key_of) const {
    const std::size_t at = SlotOf(key, key_of);
    return at < slots_.size() ? slots_[at] : WorkloadId{};
  }
  /// Precondition: the key is in it. O(1).
  template <typename KeyOf>
  void Erase(const Key& key, const KeyOf& key_of) {
    std::size_t hole = SlotOf(key, key_of);
    // What was pushed past the hole by it moves up, so that no search ends too early.
    for (std::size_t at = Next(hole); slots_[at].valid(); at = Next(at)) {
      const std::size_t home = Home(key_of(slots_[at]));
      const bool stays = hole <= at ? hole < home && home <= at : hole < home || home <= at;
      if (stays) continue;
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole] = {};
    --size_;
  }

 private:
  std::size_t Home(const Key& key) const {
    const Hash128 hash =
        Hasher128().Add(std::string_view(key.ns)).Add(std::string_view(key.name)).Value();
    return hash.low & (slots_.size() - 1);
  }
  std::size_t Next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }
  /// slots_.size() when the key is not in it.
  template <typename KeyOf>
  std::size_t SlotOf(const Key& key, const KeyOf& key_of) const {
    if (slots_.empty()) return 0;
    std::size_t at = Home(key);
    while (slots_[at].valid() && key_of(slots_[at]) != key) at = Next(at);
    return slots_[at].valid() ? at : slots_.size();
  }
  void Put(const Key& key, WorkloadId id) {
    std::size_t at = Home(key);
    while (slots_[at].valid()) at = Next(at);
    slots_[at] = id;
  }
  template <typename KeyOf>
  void Grow(const KeyOf& key_of) {
    std::vector<WorkloadId> before(slots_.empty() ? 16 : 2 * slots_.size());
    before.swap(slots_);
    for (const WorkloadId id : before) {
      if (id.valid()) Put(key_of(id), id);
    }
  }

  std::vector<WorkloadId> slots_;  ///< a power of two of them, at most half of them taken
  std::size_t size_ = 0;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_KEY_INDEX_H_
