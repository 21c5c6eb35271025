// Roster: the workloads of one LocalQueue, listed on demand.
//
// Workloads come and go a thousand times between two questions about all of them. So a newcomer is
// noted at the end, one that leaves is only counted, and the next question, which looks at
// all anyhow, leaves out what is not there any more. Without a reader, they are dropped once
// they are more than those that are there. What is noted is where the record is: what came into
// the slot of one that left is here too or is not, and is listed once.
#ifndef MUSTER_ENGINE_STATE_ROSTER_H_
#define MUSTER_ENGINE_STATE_ROSTER_H_

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/sort_once.h"

namespace muster {

class Roster {
 public:
  /// Precondition: it is not in the list; `is_here(slot)` already says it is, as of all others in
  /// it. Amortised O(log n).
  template <typename IsHere>
  void Add(WorkloadSlot slot, const IsHere& is_here) {
    if (noted_.capacity() == 0) noted_.reserve(kFew);
    noted_.push_back(slot);
    ++size_;
    if (noted_.size() > kFew + 2 * size_) Tidy(noted_, is_here);
  }
  /// Precondition: it is in the list, and from now on not `is_here`. O(1).
  void Remove() { --size_; }

  std::size_t size() const { return size_; }
  /// Calls `visit(slot)` for each, by slot. O(n log n), O(n) when slots rise.
  template <typename IsHere, typename Visit>
  void ForEach(const IsHere& is_here, const Visit& visit) const {
    std::vector<WorkloadSlot> slots = noted_;
    Tidy(slots, is_here);
    for (const WorkloadSlot slot : slots) visit(slot);
  }
  /// So many are noted, those that left among them.
  std::size_t noted() const { return noted_.size(); }

 private:
  static constexpr std::size_t kFew = 16;

  template <typename IsHere>
  static void Tidy(std::vector<WorkloadSlot>& slots, const IsHere& is_here) {
    std::erase_if(slots, [&](WorkloadSlot slot) { return !is_here(slot); });
    SortOnce(slots);  // where one left and another came it is noted twice
  }

  std::vector<WorkloadSlot> noted_;
  std::size_t size_ = 0;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_ROSTER_H_
