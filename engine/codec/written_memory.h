// WrittenMemory: how the lists were written that a ByteWriter or a JsonWriter wrote lately.
//
// Jobs come in series from one template: the podsets of all of them are the same memory. Where a
// list is tells which it is, so each is held as long as its encoding. Where a slot is depends on
// addresses; what is written does not.
#ifndef MUSTER_ENGINE_CODEC_WRITTEN_MEMORY_H_
#define MUSTER_ENGINE_CODEC_WRITTEN_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/base/hash.h"
#include "muster/shared_list.h"
#include "muster/workload.h"

namespace muster {

/// One for all writers of one form, bytes or JSON, for no longer than a call of the engine.
class WrittenMemory {
 public:
  template <typename List>
  static constexpr bool kKeeps = std::is_same_v<List, SharedList<PodSet>>;

  /// The encoding of `list`, empty when it is not known; its maker puts it there. Valid until
  /// the next call. Precondition: the list is not empty. O(1).
  std::string& EncodingOf(const SharedList<PodSet>& list) {
    if (slots_.empty()) slots_.resize(kSlots);  // most calls write nothing
    Slot& slot = slots_[MixBits(reinterpret_cast<std::uintptr_t>(list.data())) % kSlots];
    if (slot.list.data() != list.data()) slot = {list, {}};
    return slot.encoding;
  }

 private:
  struct Slot {
    SharedList<PodSet> list;
    std::string encoding;
  };

  static constexpr std::size_t kSlots = 32;
  std::vector<Slot> slots_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_WRITTEN_MEMORY_H_
