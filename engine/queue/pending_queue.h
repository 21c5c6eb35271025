// PendingQueue: the pending workloads of one ClusterQueue - the heap, and the parked ones.
//
// A workload is in exactly one of: heap, parked, on hold, in flight (taken for the current cycle),
// or not here. The heap is always in order; with admission fair sharing it is one heap per
// LocalQueue, so that a change of a LocalQueue's usage moves no workload. A queue whose order a
// policy decides keeps newcomers aside until the policy gave them keys: scripted and native keys
// never meet in one heap. What is parked waits alone, to be looked at again one by one, or with its
// class: those wake together, whatever their number. What is on hold waits for a policy, and
// nothing wakes it.
#ifndef MUSTER_ENGINE_QUEUE_PENDING_QUEUE_H_
#define MUSTER_ENGINE_QUEUE_PENDING_QUEUE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "engine/base/hash.h"
#include "engine/base/prefetch.h"
#include "engine/base/small_vector.h"
#include "engine/queue/pending_groups.h"
#include "engine/queue/pending_key.h"
#include "muster/decision.h"

namespace muster {

class PendingQueue {
 public:
  using Where = PendingKey::Where;

  /// Keys are owned by the workload records and must outlive their stay in the queue; to change
  /// one, take it out first. All O(log n) unless said otherwise.
  void Push(PendingKey& key);
  /// Parks it alone.
  void Park(PendingKey& key);
  /// Parks it with those of its form; what may wake only after a look at it must not. One with a
  /// rank of its own, or without any, is parked alone.
  void ParkWithClass(PendingKey& key);
  /// Puts it on hold; keys that a policy gave it are forgotten.
  void PutOnHold(PendingKey& key);
  void Erase(PendingKey& key);  ///< from wherever it is; absent is fine

  static bool IsHere(const PendingKey& key) { return key.where != Where::kNowhere; }
  bool IsParked(const PendingKey& key) const {
    return key.where == Where::kAlone || (key.where == Where::kGroup && groups_.IsAsleep(key));
  }
  static bool IsOnHold(const PendingKey& key) { return key.where == Where::kOnHold; }
  bool InHeap(const PendingKey& key) const {
    return IsHere(key) && !IsParked(key) && !IsOnHold(key);
  }
  /// Prefetches what every step begins with.
  void PrefetchFront() const {
    PrefetchLine(this);
    groups_.PrefetchFront();
  }
  /// Prefetches the newcomer at the front, and for what taking a workload in will look at.
  void PrefetchToTakeIn() const {
    if (!fresh_.empty()) PrefetchLine(fresh_.front());
    groups_.PrefetchToAdd();
  }
  /// Prefetches what taking `key` out will look at.
  void PrefetchFor(const PendingKey& key) const {
    if (key.where == Where::kGroup) groups_.PrefetchFor(key);
  }
  /// The same for what that leads to.
  void PrefetchSlots(const PendingKey& key) const {
    if (key.where == Where::kGroup) groups_.PrefetchSlots(key);
  }
  /// And for what may come to the top of its heap.
  void PrefetchSecond(const PendingKey& key) const {
    if (key.where == Where::kGroup) groups_.PrefetchSecond(key);
  }
  std::size_t heap_size() const { return groups_.awake() + fresh_.size(); }
  std::size_t parked_size() const { return groups_.asleep() + alone_.size(); }

  /// The workload to be looked at next, null when the heap is empty. Amortised O(log LocalQueues)
  /// for each of them that changed.
  const PendingKey* Head(const LocalQueueUsage& usage) const { return groups_.Head(usage); }
  bool HeadIsRight(const LocalQueueUsage& usage) const { return groups_.HeadIsRight(usage); }
  /// To be called whenever `usage` would say something else of this LocalQueue, or of all. O(1).
  void UsageChanged(LocalQueueId local_queue) { groups_.UsageChanged(local_queue); }
  void UsageChanged() { groups_.UsageChanged(); }
  /// The heap in order. O(n log n).
  std::vector<const PendingKey*> Ordered(const LocalQueueUsage& usage) const {
    return groups_.Ordered(usage);
  }
  /// What in the heap comes before `key`, and the first `most` of them. O(their number).
  PendingGroups::Ahead AheadOf(const PendingKey& key, const LocalQueueUsage& usage,
                               std::size_t most) const {
    return groups_.AheadOf(key, usage, most);
  }
  /// Those in the heap that have this form, in no order that means anything. O(size of the class).
  std::vector<PendingKey*> OfForm(const Hash128& form) const { return groups_.OfForm(form); }
  /// At most `most` of those in the heap, in no order that means anything. O(n).
  std::vector<const PendingKey*> Some(std::size_t most) const;
  /// The parked ones, in no order that means anything. O(n).
  std::vector<PendingKey*> Parked() const;
  /// Those of them that are parked alone.
  std::span<PendingKey* const> alone() const { return alone_; }

  // ---- order by policy
  // ---------------------------------------------------------------------------
  /// In scripted mode the heap takes only keys whose `scripted` is set; others wait in fresh().
  bool scripted() const { return scripted_; }
  /// Changes the mode; what is parked loses its keys. Precondition: heap and fresh() are empty.
  void SetScripted(bool scripted);
  /// Those in the heap that have no scripted keys yet, by workload id. Empty in native mode.
  /// O(n log n) in their number.
  std::vector<const PendingKey*> Fresh() const;
  /// The same, in no order that means anything.
  std::span<PendingKey* const> fresh() const { return fresh_; }
  /// Takes all of them out. O(their number).
  void TakeOutFresh();
  /// All others in the heap have other keys than when they came in. O(their number).
  void Reorder() { groups_.Reorder(); }

  // ---- what a policy holds back
  // -------------------------------------------------------------------------------
  std::span<PendingKey* const> on_hold() const { return on_hold_; }
  /// Whether a policy is asked which of them to hold back: then those are known that it was not
  /// asked about since the last AskAnew.
  bool asking() const { return asking_; }
  void SetAsking(bool asking);
  /// What was answered so far means nothing any more. O(1).
  void AskAnew();
  /// It has to be asked about again. Precondition: it is in the heap or on hold.
  void AskAgain(PendingKey& key);
  /// Those in the heap and on hold that have to be asked about, by workload id; they count as asked
  /// about from now on. O(n log n) in the number of newcomers; after AskAnew and a wake, of all.
  std::vector<WorkloadId> TakeUnasked();

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
  struct ParkedClass {
    PendingReason reason = PendingReason::kNone;
    std::int64_t turn = 0;  ///< of the queue when it was parked; see ClusterQueueState::turns
  };
  /// Whether anything is parked, alone or with its class, or a class without one in it. O(1).
  bool AnyParked() const { return parked_size() > 0 || !parked_classes_.empty(); }
  /// Newcomers of the class are to be parked at once.
  void NoteClass(const Hash128& form, ParkedClass parked) { parked_classes_[form] = parked; }
  /// Whether those of which nothing is parked any more must be most of them. O(1).
  bool HasManyClasses() const { return parked_classes_.size() > kFewClasses + 2 * parked_size(); }
  /// Forgets all others. O(classes).
  void KeepClasses(const std::set<Hash128>& forms) {
    std::erase_if(parked_classes_, [&](const auto& entry) { return !forms.contains(entry.first); });
  }
  std::optional<PendingReason> ReasonOfClass(const Hash128& form) const;
  const std::map<Hash128, ParkedClass>& parked_classes() const { return parked_classes_; }
  /// Parks all of this form that are in the heap. Precondition: the marked one is not.
  /// O(LocalQueues).
  void ParkClass(const Hash128& form) { groups_.PutToSleep(form); }
  /// What is parked with a class and whose LocalQueue `of` accepts is parked alone from now on.
  void PartClasses(const std::function<bool(LocalQueueId)>& of);
  /// Forgets the classes; what is parked with one goes to the heap. O(classes).
  void WakeClasses();

 private:
  static constexpr std::size_t kFewClasses = 1024;
  struct Marker {
    WorkloadId workload;
    bool sticky = false;
  };
  using Keys = SmallVector<PendingKey*, 1>;
  static void Append(Keys& list, PendingKey& key, Where where);
  void NoteUnasked(PendingKey& key);
  static void Remove(Keys& list, const PendingKey& key);

  bool scripted_ = false;
  std::optional<Marker> marked_;
  Keys fresh_;
  PendingGroups groups_;
  std::map<Hash128, ParkedClass> parked_classes_;
  Keys alone_;
  Keys on_hold_;
  bool asking_ = false;
  bool look_at_all_ = false;  ///< some have to be asked about that are not in unasked_
  std::uint32_t turn_ = 1;    ///< PendingKey::asked of those that were asked about
  std::vector<PendingKey*>
      unasked_;  ///< in the heap or on hold; some of them twice, or asked about
};

}  // namespace muster

#endif  // MUSTER_ENGINE_QUEUE_PENDING_QUEUE_H_
