// NameOrder: all workloads in the order of their names, put in order on demand.
//
// Workloads come and go a thousand times between two questions about all of them. So a newcomer is
// noted at the end, one that is gone is left where it was, and the next question, which looks at
// all anyhow, sorts the newcomers and merges them in. Without a reader, those that are gone
// are dropped once they are more than those that are there.
#ifndef MUSTER_ENGINE_STATE_NAME_ORDER_H_
#define MUSTER_ENGINE_STATE_NAME_ORDER_H_

#include <algorithm>
#include <vector>

#include "engine/base/ids.h"

namespace muster {

class NameOrder {
 public:
  /// Precondition: it is not in the order. `live` is how many are there, this one included; they
  /// are those for which `is_there(id)`. Amortised O(1).
  template <typename IsThere>
  void Add(WorkloadId id, std::size_t live, const IsThere& is_there) {
    ids_.push_back(id);
    if (ids_.size() > kFew + 2 * live) DropGone(is_there);
  }

  /// Those for which `is_there(id)`, which stays false once it was, ascending by `key_of(id)`.
  /// Valid until the next Add. O(ids + newcomers x log newcomers).
  template <typename IsThere, typename KeyOf>
  const std::vector<WorkloadId>& Ids(const IsThere& is_there, const KeyOf& key_of) {
    const auto before = [&](WorkloadId a, WorkloadId b) { return key_of(a) < key_of(b); };
    const auto newcomers = ids_.begin() + static_cast<std::ptrdiff_t>(ordered_);
    const auto gone = [&](WorkloadId id) { return !is_there(id); };
    const auto end = std::remove_if(newcomers, ids_.end(), gone);
    const auto middle = std::remove_if(ids_.begin(), newcomers, gone);
    if (!std::is_sorted(newcomers, end, before)) std::sort(newcomers, end, before);
    ids_.erase(std::move(newcomers, end, middle), ids_.end());
    std::inplace_merge(ids_.begin(), middle, ids_.end(), before);
    ordered_ = ids_.size();
    return ids_;
  }

  /// So many are noted, those that are gone among them.
  std::size_t noted() const { return ids_.size(); }

 private:
  static constexpr std::size_t kFew = 64;

  template <typename IsThere>
  void DropGone(const IsThere& is_there) {
    const auto gone = [&](WorkloadId id) { return !is_there(id); };
    const auto newcomers = ids_.begin() + static_cast<std::ptrdiff_t>(ordered_);
    ordered_ -= static_cast<std::size_t>(std::count_if(ids_.begin(), newcomers, gone));
    std::erase_if(ids_, gone);
  }

  std::vector<WorkloadId> ids_;
  std::size_t ordered_ = 0;  ///< so many in front are in order, those that are gone among them
};

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_NAME_ORDER_H_
