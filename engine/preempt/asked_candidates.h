// AskedCandidates: the candidates of one search that a policy was asked about, queue by queue.
//
// To ask, every candidate is read anyway. So the search reads them from here, each queue by its
// id, and goes through the indexes of holders once.
#ifndef MUSTER_ENGINE_PREEMPT_ASKED_CANDIDATES_H_
#define MUSTER_ENGINE_PREEMPT_ASKED_CANDIDATES_H_

#include <cstddef>
#include <span>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/ids.h"
#include "engine/state/workload_record.h"

namespace muster {

class AskedCandidates {
 public:
  using List = std::span<const WorkloadRecord* const>;

  /// Forgets all of them, and keeps the memory. O(queues added).
  void Clear() {
    for (const QueueId queue : queues_) ranges_[queue.value] = {};
    queues_.clear();
    all_.clear();
  }
  /// Takes in those of one more queue, which `append(all)` adds: those told to leave come first.
  template <typename Append>
  void Add(QueueId queue, const Append& append) {
    Range range;
    range.known = true;
    range.begin = all_.size();
    append(all_);
    range.end = all_.size();
    range.staying = range.begin;
    while (range.staying < range.end && all_[range.staying]->evicted) ++range.staying;
    if (queue.value >= ranges_.size()) ranges_.resize(queue.value + std::size_t{1});
    ranges_[queue.value] = range;
    queues_.push_back(queue);
  }

  /// All, in the order in which they came. Valid until Clear or Add, as are the lists below.
  List all() const { return all_; }
  /// Those of a queue that are told to leave, those that are not, or both. Precondition: the queue
  /// was added.
  List Of(QueueId queue, bool leaving, bool staying) const {
    MUSTER_CHECK(queue.value < ranges_.size() && ranges_[queue.value].known);
    const Range& range = ranges_[queue.value];
    const std::size_t begin = leaving ? range.begin : range.staying;
    const std::size_t end = staying ? range.end : range.staying;
    return all().subspan(begin, end - begin);
  }

 private:
  struct Range {
    bool known = false;
    std::size_t begin = 0, staying = 0, end = 0;
  };

  std::vector<const WorkloadRecord*> all_;
  std::vector<Range> ranges_;  ///< by QueueId
  std::vector<QueueId> queues_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_ASKED_CANDIDATES_H_
