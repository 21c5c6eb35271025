// WorkloadRecord: everything the engine knows about one workload.
//
// `spec` is the truth that users see, its status included; the rest is derived from it and from the
// catalog, kept so that a cycle needs no names.
#ifndef MUSTER_ENGINE_STATE_WORKLOAD_RECORD_H_
#define MUSTER_ENGINE_STATE_WORKLOAD_RECORD_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/hash.h"
#include "engine/model/ids.h"
#include "engine/model/prefetch.h"
#include "engine/model/seldom.h"
#include "engine/model/small_vector.h"
#include "engine/model/words.h"
#include "engine/queue/pending_queue.h"
#include "muster/decision.h"
#include "muster/views.h"
#include "muster/workload.h"

namespace muster {

using UsageList = SmallVector<Usage, 4>;

struct ResourceAmount {
  ResourceId resource;
  Amount amount = 0;
};

/// What one podset asks for, per pod, in the order in which resources are visited.
struct PodSetRequests {
  SmallVector<ResourceAmount, 4> per_pod;
  std::int32_t count = 1;            ///< spec.count
  std::int32_t effective_count = 1;  ///< count - min(reclaimable, count)
  std::int32_t min_count = 0;        ///< 0: all or nothing
};

/// Where the flavor walk goes on next time: per podset, the last flavor tried for a resource. A
/// resource that is not listed, or whose last flavor was tried (kStartOver), starts at the first.
struct FlavorProgress {
  static constexpr std::int32_t kStartOver = -1;
  struct Tried {
    std::uint32_t pod_set = 0;
    ResourceId resource;
    std::int32_t flavor_index = kStartOver;
    bool operator==(const Tried&) const = default;
  };
  SmallVector<Tried, 4> tried;
  std::int32_t pod_sets = 0;    ///< of the workload then; 0: nothing remembered
  std::int64_t cycle = 0;       ///< when it was recorded
  std::int64_t generation = 0;  ///< quota generation of the queue then
  std::int64_t order = 0;       ///< FlavorSequence::order that the indices are positions in

  bool HasUntriedFlavors() const;
  std::int32_t LastTried(std::size_t pod_set, ResourceId resource) const;
  bool operator==(const FlavorProgress&) const = default;
};

/// By what a HolderIndex ranked a workload, if it did.
struct HolderRank {
  TimeNs reserved_at = kNoTime;
  std::int32_t priority = 0;
  bool listed = false;  ///< is in one
  bool ranked = false;  ///< and has its place in the order there
  bool evicted = false;
  bool operator==(const HolderRank&) const = default;
};

/// Where a workload waits, if it does; see PlaceOf.
enum class QueuePlace : std::uint8_t { kNone, kHeap, kParked };

/// Room that is kept for a preemptor until it is looked at again (preemptorHold); see
/// engine/cycle/kept_room.h.
struct KeptRoom {
  std::vector<Usage> wanted;     ///< what it needs
  std::set<WorkloadId> victims;  ///< those that still hold their quota
  bool empty() const { return wanted.empty(); }
};

struct WorkloadRecord {
  // ---- small things, side by side --------------------------------------------------------------
  WorkloadId id;
  LocalQueueId local_queue;  ///< invalid while it does not exist
  LocalQueueId roster;       ///< whose LocalQueueState::roster lists it
  QueueId queue;             ///< the LocalQueue's ClusterQueue; invalid while it does not exist
  QueueId holds_in;          ///< ClusterQueue whose quota it is charged to; invalid: none
  PendingReason reason = PendingReason::kNone;
  bool admissible = false;  ///< no limit and no LimitRange speaks against it
  bool evicted = false;     ///< an eviction is ordered and not done
  bool unready = false;     ///< IsUnready, as counted in World::unready
  /// Finished while its eviction was open; its tree is still woken when that completes.
  bool finished_while_evicting = false;

  std::int64_t arrival = 0;  ///< of all that ever came the how-manieth; ids rise with it
  Workload spec;
  SharedList<PodSetRequests> pod_sets;  ///< what it asks for

  // ---- waiting ---------------------------------------------------------------------------------
  PendingKey key;  ///< key.priority is the effective priority, key.timestamp the queue-order one
  Text message;    ///< says more than `reason`
  TimeNs pending_since = kNoTime;  ///< of the reason's first appearance, until it has quota
  Seldom<FlavorProgress> progress;
  Seldom<KeptRoom> room;

  // ---- holding ---------------------------------------------------------------------------------
  SharedList<Usage> usage;  ///< charged now, by pair; amounts may be 0
  TimeNs reserved_at = kNoTime;
  HolderRank rank;  ///< in the index of holders of `holds_in`

  TimeNs deadline = kNoTime;  ///< when a backoff or time limit of it expires; see World::deadlines

  /// Sends for what a decision about it looks at.
  void PrefetchHot() const {
    PrefetchRange(this, &spec.uid);
    PrefetchRange(&spec.status, this + 1);
  }

  std::int64_t priority() const { return key.priority; }
  const Text& uid() const { return key.uid; }
  /// Of everything flavor assignment looks at: its equivalence class.
  const Hash128& form() const { return key.form; }
  bool queued() const { return PendingQueue::IsHere(key); }
  bool holds() const { return holds_in.valid(); }
};

/// Whether it is admitted, charged, and its pods are not all ready.
bool IsUnready(const WorkloadRecord& workload);

/// Where the workload is in its life, as users see it.
WorkloadPhase PhaseOf(const WorkloadRecord& workload);

// ---- conditions
// ----------------------------------------------------------------------------------

/// Null when the workload has no condition of this type.
inline const Condition* FindCondition(const WorkloadStatus& status, KnownWord type) {
  for (const Condition& condition : status.conditions) {
    if (condition.type == type) return &condition;
  }
  return nullptr;
}
inline bool IsTrue(const WorkloadStatus& status, KnownWord type) {
  const Condition* found = FindCondition(status, type);
  return found != nullptr && found->status;
}
/// Present and false.
inline bool IsFalse(const WorkloadStatus& status, KnownWord type) {
  const Condition* found = FindCondition(status, type);
  return found != nullptr && !found->status;
}
/// Creates or replaces; `since` moves only when the status changes. Cut to whole seconds.
void SetCondition(WorkloadStatus& status, KnownWord type, bool value, Text reason, Text message,
                  TimeNs now);

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_WORKLOAD_RECORD_H_
