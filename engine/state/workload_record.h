// WorkloadRecord: everything the engine knows about one workload.
//
// `spec`, `key.uid`, `key.created` and `active` are the truth that users see; the rest is derived
// from it and from the catalog, kept so that a cycle needs no names. A million of them are kept:
// what few workloads have stands behind a pointer, and nothing stands in two places.
#ifndef MUSTER_ENGINE_STATE_WORKLOAD_RECORD_H_
#define MUSTER_ENGINE_STATE_WORKLOAD_RECORD_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/hash.h"
#include "engine/base/ids.h"
#include "engine/base/prefetch.h"
#include "engine/base/seldom.h"
#include "engine/base/small_vector.h"
#include "engine/base/words.h"
#include "engine/queue/pending_queue.h"
#include "engine/state/kept_status.h"
#include "engine/state/series.h"
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
  std::int64_t priority = 0;
  bool listed = false;  ///< is in one
  bool ranked = false;  ///< and has its place in the order there
  bool evicted = false;
  std::uint32_t deferred = 0;  ///< not ranked: its place among those deferred, from 1
  bool operator==(const HolderRank&) const = default;
};

/// Where a workload waits, if it does; see PlaceOf. Rows say kByVariants of WorkloadRecord::is_job.
enum class QueuePlace : std::uint8_t { kNone, kHeap, kParked, kOnHold, kByVariants };

/// Room that is kept for a preemptor until it is looked at again (preemptorHold); see
/// engine/life/kept_room.h.
struct KeptRoom {
  std::vector<Usage> wanted;     ///< what it needs
  std::set<WorkloadId> victims;  ///< those that still hold their quota
  bool empty() const { return wanted.empty(); }
};

/// Why a policy holds a workload back, while it is on hold.
struct PolicyHold {
  std::string policy;  ///< the name of its package; empty: it is not on hold
  std::string reason;
  TimeNs until = kNoTime;  ///< kNoTime: the policy did not say
  bool operator==(const PolicyHold&) const = default;
};

/// What a workload mostly does without: it was never found unable to start, and nothing of it
/// expires, and it saves nothing while it runs.
struct Aside {
  Text message;                    ///< says more than the reason why it waits
  TimeNs pending_since = kNoTime;  ///< of the reason's first appearance, until it has quota
  TimeNs deadline = kNoTime;       ///< when a backoff or time limit expires; see World::deadlines
  TimeNs checkpointed = kNoTime;   ///< of this run, the last
  TimeNs second_pass = kNoTime;    ///< when it is due; see engine/life/second_pass.h
  std::int32_t passes = 0;         ///< that found nothing before it
  Seldom<FlavorProgress> progress;
  Seldom<KeptRoom> room;
  Seldom<PolicyHold> hold;
};

/// A workload as users know it, without what else is in its record.
struct KeptWorkload {
  Key key;
  Text queue;  ///< Workload::queue
  Shared<Series> series;
  KeptStatus status;
};

struct WorkloadRecord {
  // ---- small things, side by side --------------------------------------------------------------
  LocalQueueId local_queue;  ///< invalid while it does not exist
  LocalQueueId roster;       ///< whose LocalQueueState::roster lists it
  QueueId queue;             ///< the LocalQueue's ClusterQueue; invalid while it does not exist
  QueueId holds_in;          ///< ClusterQueue whose quota it is charged to; invalid: none
  PendingReason reason = PendingReason::kNone;
  bool evicted = false;         ///< an eviction is ordered and not done
  bool admissible : 1 = false;  ///< no limit and no LimitRange speaks against it
  bool unready : 1 = false;     ///< IsUnready, as counted in World::unready
  /// Finished while its eviction was open; its tree is still woken when that completes.
  bool finished_while_evicting : 1 = false;
  bool active : 1 = true;     ///< Workload::active
  bool counted : 1 = false;   ///< in the AdmittedUsage of `roster`
  bool counted_admitted : 1 = false;  ///< in ClusterQueueState::admitted_holders of `holds_in`
  bool boosted : 1 = false;   ///< key.boost is a policy's answer, not that of its annotation
  bool to_boost : 1 = false;  ///< it is in World::to_boost
  /// The engine makes its variants, which stand in the queue for it: it is in World::jobs. Its
  /// status tells of the variant that is admitted; it is never queued and never charged.
  bool is_job : 1 = false;
  bool of_job : 1 = false;  ///< it is such a variant

  PendingKey key;                       ///< key.timestamp is the queue-order one
  SharedList<PodSetRequests> pod_sets;  ///< what it asks for
  SharedList<Usage> usage;              ///< charged now, by pair; amounts may be 0
  TimeNs reserved_at = kNoTime;
  HolderRank rank;  ///< in the index of holders of `holds_in`
  Seldom<Aside> aside;
  KeptWorkload spec;

  /// Prefetches what a decision about it looks at.
  void PrefetchHot() const { Prefetch(*this); }

  const WorkloadId& id() const { return key.workload; }
  const Series& series() const { return spec.series.get() ? *spec.series.get() : kNoSeries; }
  /// The effective one.
  std::int64_t priority() const { return key.effective_priority(); }
  const Text& uid() const { return key.uid; }
  TimeNs created() const { return key.created; }
  /// Of everything flavor assignment looks at: its equivalence class.
  const Hash128& form() const { return key.form; }
  bool queued() const { return PendingQueue::IsHere(key); }
  bool holds() const { return holds_in.valid(); }

  const Text& message() const { return aside->message; }
  TimeNs pending_since() const { return aside->pending_since; }
  TimeNs deadline() const { return aside->deadline; }
  TimeNs checkpointed() const { return aside->checkpointed; }
  const FlavorProgress& progress() const { return *aside->progress; }
  const KeptRoom& room() const { return *aside->room; }
  const PolicyHold& hold() const { return *aside->hold; }
  bool keeps_room() const { return !aside.IsNew() && !aside->room->empty(); }

  void SetMessage(const Text& text);
  /// Takes the remembered flavors out of it, or puts them back.
  Seldom<FlavorProgress> TakeProgress() {
    return aside.IsNew() ? Seldom<FlavorProgress>() : std::exchange(aside.Mutable().progress, {});
  }
  void SetProgress(Seldom<FlavorProgress> progress) {
    if (!progress.IsNew() || !aside.IsNew()) aside.Mutable().progress = std::move(progress);
  }
  void ForgetProgress() {
    if (!aside.IsNew()) aside.Mutable().progress.Reset();
  }
  /// It waits no longer: why it did is forgotten.
  void ForgetWaiting();
  /// What an earlier run saved is no part of the next one.
  void ForgetCheckpoint() {
    if (checkpointed() != kNoTime) aside.Mutable().checkpointed = kNoTime;
  }

 private:
  inline static const Series kNoSeries;
};

/// Records of an engine that is needed no longer; null: none.
using SpareRecords = std::vector<std::unique_ptr<WorkloadRecord>>;

/// The uid of a workload that was given none, by when it arrived.
std::string MadeUid(std::int64_t arrival);

/// Whether it is admitted, charged, and its pods are not all ready.
bool IsUnready(const WorkloadRecord& workload);

/// The newest run of the workload, from 1; 0: it had none. It begins with its quota, and ends when
/// it is told to leave, which its status counts: a number that nothing has to keep.
std::int64_t RunOf(const WorkloadRecord& workload);

/// Where the workload is in its life, as users see it.
WorkloadPhase PhaseOf(const WorkloadRecord& workload);

// ---- conditions
// ----------------------------------------------------------------------------------

/// The workload's condition of this type, if it has one; valid until its conditions change.
inline std::optional<ConditionView> FindCondition(const KeptStatus& status, KnownWord type) {
  return status.conditions.Find(type);
}
[[gnu::always_inline]] inline bool IsTrue(const KeptStatus& status, KnownWord type) {
  return status.conditions.Is(type, true);
}
/// Present and false.
[[gnu::always_inline]] inline bool IsFalse(const KeptStatus& status, KnownWord type) {
  return status.conditions.Is(type, false);
}
/// Creates or replaces; `since` moves only when the status changes. Cut to whole seconds.
void SetCondition(KeptStatus& status, KnownWord type, bool value, Text reason, Text message,
                  TimeNs now);

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_WORKLOAD_RECORD_H_
