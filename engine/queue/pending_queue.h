// PendingQueue: the pending workloads of one ClusterQueue - the heap, and the parked ones.
//
// A workload is in exactly one of: heap, parked, in flight (taken for the current cycle), or not
// here. The heap is always in order; with admission fair sharing it is one heap per LocalQueue, so
// that a change of a LocalQueue's usage moves no workload. A queue whose order a policy decides
// keeps newcomers aside until the policy gave them keys: scripted and native keys never meet in one
// heap. Workloads of one form are linked, so that a class is parked without looking at the others.
#ifndef MUSTER_ENGINE_QUEUE_PENDING_QUEUE_H_
#define MUSTER_ENGINE_QUEUE_PENDING_QUEUE_H_

#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/model/hash.h"
#include "engine/queue/pending_heap.h"
#include "engine/queue/pending_key.h"
#include "muster/decision.h"

namespace muster {

/// Current usage value of a LocalQueue, lower first; null when admission fair sharing is off.
using LocalQueueUsage = std::function<double(LocalQueueId)>;

class PendingQueue {
 public:
  /// Keys are owned by the workload records and must outlive their stay in the queue; to change
  /// one, take it out first. All O(log n) unless said otherwise.
  void Push(PendingKey& key);
  void Park(PendingKey& key);
  void Erase(PendingKey& key);  ///< from wherever it is; absent is fine

  static bool InHeap(const PendingKey& key) {
    return key.where == PendingKey::Where::kHeap || key.where == PendingKey::Where::kFresh;
  }
  static bool IsParked(const PendingKey& key) { return key.where == PendingKey::Where::kParked; }
  std::size_t heap_size() const { return heap_size_ + fresh_.size(); }
  std::size_t parked_size() const { return parked_.size(); }

  /// The workload to be looked at next, null when the heap is empty. O(LocalQueues).
  const PendingKey* Head(const LocalQueueUsage& usage) const;
  /// The heap in order. O(n log n).
  std::vector<const PendingKey*> Ordered(const LocalQueueUsage& usage) const;
  /// Those in the heap that have this form, in no order that means anything. O(size of the class).
  std::vector<const PendingKey*> OfForm(const Hash128& form) const;
  /// At most `most` of those in the heap, in no order that means anything. O(slots).
  std::vector<const PendingKey*> Some(std::size_t most) const;
  /// The parked ones, in no order that means anything.
  const std::vector<PendingKey*>& parked() const { return parked_; }

  // ---- order by policy
  // ---------------------------------------------------------------------------
  /// In scripted mode the heap takes only keys whose `scripted` is set; others wait in fresh().
  bool scripted() const { return scripted_; }
  /// Changes the mode. Precondition: heap and fresh() are empty.
  void SetScripted(bool scripted);
  /// Those in the heap that have no scripted keys yet, by workload id. Empty in native mode.
  /// O(n log n) in their number.
  std::vector<const PendingKey*> Fresh() const;

  // ---- the preemptor's marker
  // --------------------------------------------------------------------
  /// Remembers the workload that issued preemptions; `sticky` moves it to the front of the heap.
  void Mark(WorkloadId workload, bool sticky) { marked_ = Marker{workload, sticky}; }
  void ClearMark(WorkloadId workload) {
    if (marked_ && marked_->workload == workload) marked_.reset();
  }
  bool IsSticky(WorkloadId workload) const {
    return marked_ && marked_->sticky && marked_->workload == workload;
  }
  std::optional<WorkloadId> marked() const {
    return marked_ ? std::optional(marked_->workload) : std::nullopt;
  }

  // ---- equivalence classes that were found unable to start
  // ---------------------------------------
  void ParkClass(const Hash128& form, PendingReason reason) { parked_classes_[form] = reason; }
  std::optional<PendingReason> ParkedClass(const Hash128& form) const;
  void ForgetClasses() { parked_classes_.clear(); }
  const std::map<Hash128, PendingReason>& parked_classes() const { return parked_classes_; }

 private:
  struct Marker {
    WorkloadId workload;
    bool sticky = false;
  };
  struct HashOf {
    std::size_t operator()(const Hash128& form) const { return form.low; }
  };
  static void Append(std::vector<PendingKey*>& list, PendingKey& key, PendingKey::Where where);
  static void Remove(std::vector<PendingKey*>& list, const PendingKey& key);
  void PushToHeap(PendingKey& key);
  void EraseFromHeap(const PendingKey& key);
  void Link(std::uint32_t node);
  void Unlink(std::uint32_t node);

  std::map<LocalQueueId, PendingHeap> heaps_;
  PendingNodes nodes_;  ///< of the keys in the heaps
  std::vector<std::uint32_t> free_nodes_;
  std::unordered_map<Hash128, std::uint32_t, HashOf> forms_;  ///< first node of each form
  std::vector<PendingKey*> fresh_;
  std::vector<PendingKey*> parked_;
  bool scripted_ = false;
  std::size_t heap_size_ = 0;
  std::optional<Marker> marked_;
  std::map<Hash128, PendingReason> parked_classes_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_QUEUE_PENDING_QUEUE_H_
