// PendingGroups: the workloads of one ClusterQueue that have a rank, those of one form together.
//
// Most jobs come in series. Workloads that flavor assignment cannot tell apart wait in one group
// (one for each LocalQueue); a heap of groups, ranked by their best members, gives the queue's
// head. A whole group goes to sleep, out of the heap, when one of it was found unable to start, and
// wakes when quota may have come free: two steps for a group of any size, so an event costs what
// there are forms and not what there are workloads.
//
// A group has two heaps of members, of which one is awake. To turn all members over it is enough to
// change which; members of both are gathered in the larger one before, so each moves seldom.
#ifndef MUSTER_ENGINE_QUEUE_PENDING_GROUPS_H_
#define MUSTER_ENGINE_QUEUE_PENDING_GROUPS_H_

#include <array>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "engine/base/hash.h"
#include "engine/base/prefetch.h"
#include "engine/queue/local_queue_heaps.h"
#include "engine/queue/pending_heap.h"
#include "engine/queue/pending_key.h"

namespace muster {

class PendingGroups {
 public:
  /// Keys must not change until they are removed. O(log n).
  void Add(PendingKey& key, bool asleep);
  /// Precondition: the key is here. O(log n).
  void Remove(PendingKey& key);

  /// The keys of all awake have changed. O(awake).
  void Reorder();

  bool IsAsleep(const PendingKey& key) const;
  /// Prefetches what every step begins with.
  void PrefetchFront() const { PrefetchRange(this, &asleep_); }
  /// Prefetches what adding a key will look at.
  void PrefetchToAdd() const;
  /// Prefetches what removing `key` will look at. Precondition: it is here.
  void PrefetchFor(const PendingKey& key) const;
  /// The same for what that leads to.
  void PrefetchSlots(const PendingKey& key) const {
    const PendingNode& node = members_[key.slot];
    groups_[node.group].heaps[node.heap].Prefetch(node.slot);
    if (!heaps_.all().empty()) heaps_.all().front().groups.Prefetch(0);
  }
  /// And for what may come to the top of its heap.
  void PrefetchSecond(const PendingKey& key) const {
    const PendingNode& node = members_[key.slot];
    const std::uint32_t second = groups_[node.group].heaps[node.heap].Second();
    if (second != kNone) PrefetchLine(&members_[second]);
  }
  std::size_t awake() const { return awake_; }
  std::size_t asleep() const { return asleep_; }

  /// The best of those awake, null when there is none. Precondition: see UsageChanged. Amortised
  /// O(log LocalQueues) for each of them that changed.
  const PendingKey* Head(const LocalQueueUsage& usage) const { return heaps_.Head(usage); }
  /// Whether Head would say what a look at every LocalQueue says. O(LocalQueues).
  bool HeadIsRight(const LocalQueueUsage& usage) const {
    return heaps_.Head(usage) == heaps_.FindHead(usage);
  }
  /// To be called whenever `usage` would say something else of this LocalQueue, or of all.
  void UsageChanged(LocalQueueId local_queue) { heaps_.UsageChanged(local_queue); }
  void UsageChanged() { heaps_.UsageChanged(); }
  /// Those awake, in order. O(n log n).
  std::vector<const PendingKey*> Ordered(const LocalQueueUsage& usage) const;
  struct Ahead {
    std::int64_t count = 0;
    std::vector<const PendingKey*> first;  ///< of them, in order
  };
  /// What of those awake comes before `key`, and the first `most` of them.
  /// O(their number + LocalQueues).
  Ahead AheadOf(const PendingKey& key, const LocalQueueUsage& usage, std::size_t most) const;
  /// Those awake of this form, in no order that means anything. O(their number).
  std::vector<PendingKey*> OfForm(const Hash128& form) const;
  /// At most `most` of those awake, in no order that means anything. O(n).
  std::vector<const PendingKey*> Some(std::size_t most) const;
  /// All awake, in no order that means anything. O(n).
  std::vector<PendingKey*> Awake() const;
  /// Those asleep whose LocalQueue `of` accepts, in no order that means anything. O(n).
  std::vector<PendingKey*> Asleep(const std::function<bool(LocalQueueId)>& of) const;

  /// All of this form sleep. O(LocalQueues), unless some of it were asleep before.
  void PutToSleep(const Hash128& form);
  /// All are awake. O(groups asleep).
  void WakeAll();

 private:
  static constexpr std::uint32_t kNone = PendingNode::kNone;
  static constexpr std::size_t kFewGroups = 4;  ///< are prefetched, and need no index
  /// What decides whether it is the one that is looked for stands in its first line.
  struct alignas(kCacheLine) Group {
    Hash128 form;
    LocalQueueId local_queue;
    bool used = false;
    std::uint8_t awake = 0;         ///< which of the heaps
    std::uint32_t before = kNone;   ///< groups of the same form
    std::uint32_t after = kNone;    ///< of one that is not used, the next that is not
    std::uint32_t sleeper = kNone;  ///< position in sleepers_; none: none of it sleeps
    std::array<PendingHeap, 2> heaps;
    PendingHeap& Awake() { return heaps[awake]; }
    PendingHeap& Asleep() { return heaps[1U - awake]; }
  };
  /// Workloads of one form in one LocalQueue.
  struct Member {
    Hash128 form;
    LocalQueueId local_queue;
    bool operator==(const Member&) const = default;
  };
  struct HashOf {
    std::size_t operator()(const Hash128& form) const { return form.low; }
    std::size_t operator()(const Member& member) const {
      return member.form.low ^ (member.local_queue.value * std::size_t{0x9E3779B97F4A7C15});
    }
  };
  /// Calls `visit(member)` for those of `heap`'s groups that come before `than`, as
  /// PendingHeap::ForEachBefore does.
  template <typename Visit>
  void ForEachBefore(const PendingHeap& heap, const PendingKey* const& than,
                     const Visit& visit) const;
  /// The first group of this form, kNone when there is none. O(1).
  std::uint32_t FirstOf(const Hash128& form) const;
  /// Notes that this one is; kNone: there is none any more.
  void SetFirst(const Hash128& form, std::uint32_t group);
  std::uint32_t GroupOf(const PendingKey& key);
  std::uint32_t NewGroup();
  std::uint32_t NewMember();
  void Disband(std::uint32_t group);
  void Gather(std::uint32_t group, bool asleep);
  void Rank(std::uint32_t group);
  void NoteSleepers(std::uint32_t group);
  void PrefetchGroups() const;

  // What a head looks at first stands in front, what is seldom looked at behind asleep_.
  mutable LocalQueueHeaps heaps_;  ///< of groups; asking for the head ranks what has changed
  std::size_t awake_ = 0;
  std::uint32_t free_member_ = kNone;  ///< the first
  std::uint32_t free_group_ = kNone;
  PendingNodes tops_;  ///< by group: its best member awake
  PendingNodes members_;
  std::vector<Group> groups_;
  std::size_t asleep_ = 0;
  std::vector<std::uint32_t> sleepers_;  ///< groups with a sleeper
  /// First group of each form. Empty as long as the groups are few: then they are looked through.
  using Forms = std::unordered_map<Hash128, std::uint32_t, HashOf>;
  Forms forms_;
  /// The groups of forms that more than one LocalQueue has; one that was left alone may be here.
  std::unordered_map<Member, std::uint32_t, HashOf> siblings_;
  Forms::node_type spare_;  ///< of the form that left last: the next one mostly comes soon
};

}  // namespace muster

#endif  // MUSTER_ENGINE_QUEUE_PENDING_GROUPS_H_
