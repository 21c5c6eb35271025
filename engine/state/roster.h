// Roster: the workloads of one LocalQueue, listed when somebody asks.
//
// Workloads come and go a thousand times between two questions about all of them. So a newcomer is
// noted at the end, one that leaves is only counted, and the next question, which looks at
// everybody anyhow, leaves out who is not there any more. Where nobody asks, they are dropped once
// they are more than those that are there.
#ifndef MUSTER_ENGINE_STATE_ROSTER_H_
#define MUSTER_ENGINE_STATE_ROSTER_H_

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/model/ids.h"

namespace muster {

class Roster {
 public:
  /// Precondition: it is not in the list; `is_here(id)` already says it is, as of all others in
  /// it. Amortised O(1), O(log n) when ids do not rise.
  template <typename IsHere>
  void Add(WorkloadId id, const IsHere& is_here) {
    if (noted_.capacity() == 0) noted_.reserve(kFew);
    noted_.push_back(id);
    ++size_;
    if (noted_.size() > kFew + 2 * size_) Tidy(noted_, is_here);
  }
  /// Precondition: it is in the list, and from now on not `is_here`. O(1).
  void Remove() { --size_; }

  std::size_t size() const { return size_; }
  /// Ascending. O(n) when ids rise.
  template <typename IsHere>
  std::vector<WorkloadId> Ids(const IsHere& is_here) const {
    std::vector<WorkloadId> ids = noted_;
    Tidy(ids, is_here);
    return ids;
  }

 private:
  static constexpr std::size_t kFew = 16;

  template <typename IsHere>
  static void Tidy(std::vector<WorkloadId>& ids, const IsHere& is_here) {
    std::erase_if(ids, [&](WorkloadId id) { return !is_here(id); });
    if (!std::is_sorted(ids.begin(), ids.end())) std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());  // left and came back
  }

  std::vector<WorkloadId> noted_;
  std::size_t size_ = 0;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_ROSTER_H_
