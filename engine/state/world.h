// World: the whole state of an engine - the catalog of applied objects, the quota forest, the
// running queues, and the workloads. Plain data with lookups; the rules are in the folders above.
#ifndef MUSTER_ENGINE_STATE_WORLD_H_
#define MUSTER_ENGINE_STATE_WORLD_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/name_table.h"
#include "engine/capacity/capacity.h"
#include "engine/model/requests.h"
#include "engine/quota/quota_tree.h"
#include "engine/state/accounts.h"
#include "engine/state/changes.h"
#include "engine/state/cluster_queue_state.h"
#include "engine/state/hand_over.h"
#include "engine/state/held_amounts.h"
#include "engine/state/key_index.h"
#include "engine/state/name_order.h"
#include "engine/state/request_forms.h"
#include "engine/state/workload_record.h"
#include "muster/object.h"
#include "muster/policy.h"

namespace muster {

/// What administrators applied, by name. ClusterQueues, LocalQueues and workloads live in World.
struct Catalog {
  std::map<std::string, ResourceFlavor> flavors;
  std::map<std::string, Cohort> cohorts;
  std::map<std::string, WorkloadPriorityClass> workload_priority_classes;
  std::map<std::string, PriorityClass> priority_classes;
  std::map<std::string, Namespace> namespaces;
  std::map<Key, LimitRange> limit_ranges;
  std::map<std::string, RuntimeClass> runtime_classes;
  std::map<std::string, AdmissionCheck> admission_checks;
  std::map<std::string, Topology> topologies;
  std::map<std::string, Node> nodes;
  std::map<Key, Pod> pods;
  std::map<std::string, PolicyBinding> policy_bindings;
  Configuration config;
  EngineConfiguration engine_config;

  /// A gate of the configuration, or its default.
  bool Gate(std::string_view name, bool fallback) const;
  bool FairSharing() const { return config.fair_sharing.has_value(); }
};

struct World {
  Catalog catalog;
  FlavorResources names;
  RequestForms forms;  ///< of recent workloads
  /// Advances with every change of the catalog that requests, flavors or the namespaces of a queue
  /// follow from; what was kept of them is then forgotten.
  std::uint64_t catalog_epoch = 1;
  Capacity capacity;
  std::map<std::string, QuotaPlace, std::less<>> cohort_places;  ///< of all that have a tree

  std::vector<std::unique_ptr<ClusterQueueState>> queues;  ///< by QueueId; null: free
  std::vector<QueueId> free_queues;  ///< ids to be used again; nothing has one of them
  std::map<std::string, QueueId, std::less<>> queue_ids;
  std::vector<std::unique_ptr<LocalQueueState>> local_queues;  ///< by LocalQueueId; null: free
  std::vector<LocalQueueId> free_local_queues;  ///< ids to be used again; nothing has one of them
  std::map<Key, LocalQueueId> local_queue_ids;  ///< in order; ListLocalQueue keeps it
  KeyIndex<LocalQueueId> local_queue_index;     ///< the same, by name
  /// The same by the ClusterQueue that each names, which may not exist; SetSpec keeps it.
  std::map<std::string, std::set<LocalQueueId>, std::less<>> local_queues_naming;
  std::vector<std::unique_ptr<WorkloadRecord>> workloads;  ///< by WorkloadSlot; null: free
  std::vector<WorkloadSlot> free_workloads;  ///< slots to be used again, the next one last
  KeyIndex<WorkloadSlot> workload_index;     ///< workloads by name
  KeyIndex<WorkloadSlot> uid_index;          ///< those whose uid was given; see NoteUid
  mutable NameOrder workload_order;          ///< the same, for WorkloadsByName

  /// Workloads without a LocalQueue, by namespace and the name that each waits for.
  std::map<Key, std::set<WorkloadId>> without_local_queue;

  Accounts accounts;  ///< what packages asked to remember
  HeldAmounts held;   ///< charged, and of those in `dormant`
  /// What workloads had reserved that is not charged now and may be again: their queue was deleted,
  /// or they are inactive while their pods go.
  std::map<WorkloadId, SharedList<Usage>> dormant;

  std::vector<QueueId> with_heads;  ///< all queues whose heap has something; others may be here too
  std::vector<QueueId> with_parked;   ///< the same of those with something, or a class, parked
  std::vector<QueueId> with_on_hold;  ///< and of those in which something is on hold

  Changes changes;                   ///< of the running call
  std::vector<QueueId> wake_trees;   ///< queues whose tree is woken when the call is done
  std::vector<QueueId> wake_queues;  ///< queues that are woken alone
  /// Queues whose tree is woken before the next call: a slice has ended the one before it in this
  /// cycle. See TakeWakesDue.
  std::vector<QueueId> wake_next;
  /// All queues are: what was held came near kMostHeld, and is less now.
  bool wake_all = false;
  /// The workload that room is kept for, by ClusterQueue.
  std::map<QueueId, WorkloadId> kept_room;
  std::int64_t stopped_local_queues = 0;              ///< with a stopPolicy; kept by SetSpec
  std::int64_t unready = 0;                           ///< workloads with WorkloadRecord::unready
  std::set<std::pair<TimeNs, WorkloadId>> deadlines;  ///< WorkloadRecord::deadline, where set
  std::set<std::pair<TimeNs, WorkloadId>> hold_ends;  ///< Hold::until, where a policy gave one
  std::set<std::pair<TimeNs, WorkloadId>> second_passes;  ///< Aside::second_pass, where set
  std::vector<EvictedWorkload>
      timed_out;  ///< by deadlines since the last cycle, which reports them
  /// What finished, by when and by arrival, while EngineConfiguration::keep_finished is set.
  std::map<std::pair<TimeNs, std::int64_t>, WorkloadId> finished;
  /// What the lifecycle controller may have to act on: evicted workloads until they hold quota
  /// again, inactive ones, holders in stopped queues. More may be here, never fewer.
  std::set<WorkloadId> unsettled;
  /// Whether some policy has a hook that gives boosts, or boosts of one that had are still there.
  bool boosts = false;
  /// While there is: what has changed since it was asked about. Others may be here too.
  std::set<WorkloadId> to_boost;
  /// Whether some workload has named one that it replaces; see engine/kin/slices.h.
  bool any_slices = false;
  /// Whether some workload was a variant or the parent of some, or says which flavors it may have;
  /// see engine/state/variant_marks.h.
  bool any_variants = false;
  /// Workloads with WorkloadRecord::is_job, and the variants of each.
  std::map<WorkloadId, std::set<WorkloadId>> jobs;
  /// Those that are or may become such, to be looked at when the call is done, beside what changes.
  std::set<WorkloadId> jobs_due;
  HandOver hand_over;              ///< decisions that were not acknowledged yet
  TimeNs now = kNoTime;            ///< time of the last call; never goes back
  std::int64_t cycle = 0;          ///< cycles run
  std::int64_t next_sequence = 1;  ///< for UIDs that are not given

  ClusterQueueState& queue(QueueId id) { return *queues[id.value]; }
  const ClusterQueueState& queue(QueueId id) const { return *queues[id.value]; }
  LocalQueueState& local_queue(LocalQueueId id) { return *local_queues[id.value]; }
  const LocalQueueState& local_queue(LocalQueueId id) const { return *local_queues[id.value]; }
  /// Precondition, checked: the workload is still there; another one in its slot is not it. O(1).
  WorkloadRecord& workload(WorkloadId id) {
    return const_cast<WorkloadRecord&>(std::as_const(*this).workload(id));
  }
  const WorkloadRecord& workload(WorkloadId id) const {
    const WorkloadRecord* record = workloads[id.slot().value].get();
    if (record == nullptr || record->id() != id) FailStale();
    return *record;
  }
  /// What is in its slot, unread: to prefetch it. Precondition: as of workload(id).
  const WorkloadRecord* Peek(WorkloadId id) const { return workloads[id.slot().value].get(); }
  /// Whether it is still there. O(1).
  bool Knows(WorkloadId id) const {
    const WorkloadRecord* record = workloads[id.slot().value].get();
    return record != nullptr && record->id() == id;
  }
  QuotaTree& tree_of(const ClusterQueueState& queue) { return capacity.tree(queue.tree); }
  const QuotaTree& tree_of(const ClusterQueueState& queue) const {
    return capacity.tree(queue.tree);
  }

  /// A place and an id for a queue that is new. Amortised O(1).
  ClusterQueueState& MakeQueue(const ClusterQueue& spec);
  LocalQueueState& MakeLocalQueue(const LocalQueue& spec);
  /// The queue is gone, and its id will be another's. Precondition: no workload and no LocalQueue
  /// has its id, and it is known by its name no more. O(queues that have heads).
  void Forget(const ClusterQueueState& queue);
  void Forget(const LocalQueueState& queue);

  /// Null when there is none. O(log n).
  ClusterQueueState* FindQueue(std::string_view name);
  const ClusterQueueState* FindQueue(std::string_view name) const;
  const LocalQueueState* FindLocalQueue(std::string_view ns,
                                        std::string_view name) const;  ///< O(1)
  LocalQueueState* FindLocalQueue(const Key& key);
  void SetSpec(LocalQueueState& queue, const LocalQueue& spec);
  /// Makes a LocalQueue of `local_queues` known by its name, or unknown again.
  void ListLocalQueue(LocalQueueState& queue);
  void UnlistLocalQueue(const LocalQueueState& queue);
  /// Null when there is none. O(1).
  WorkloadRecord* FindWorkload(const Key& key);
  const WorkloadRecord* FindWorkload(const Key& key) const;
  /// The same for many at once, in their order; faster than one by one. O(their number).
  std::vector<WorkloadRecord*> FindWorkloads(std::span<const KeyView> keys) const;
  std::vector<const LocalQueueState*> FindLocalQueues(std::span<const KeyView> keys) const;
  /// All of them, in the order of names; valid until the next one is listed. O(n).
  const std::vector<WorkloadId>& WorkloadsByName() const;
  /// These in the order of names. O(n log n).
  std::vector<WorkloadId> InNameOrder(const std::set<WorkloadId>& ids) const;
  /// Of those whose uid was given the one that has this uid; null when there is none. Of several,
  /// which older ledgers may have, one. O(1).
  const WorkloadRecord* FindByUid(std::string_view uid) const;
  /// Makes a workload of `workloads` known by its uid, unless the engine made that, or a live one
  /// has it. Amortised O(1).
  void NoteUid(const WorkloadRecord& workload);
  /// Makes a workload of `workloads` known by its name, or unknown again. O(1).
  void ListWorkload(const WorkloadRecord& workload);
  /// Makes a record for a newcomer, the next to arrive, and lists it, unless a workload has the
  /// name already. O(1).
  struct Listed {
    WorkloadRecord* record = nullptr;
    bool is_new = false;
  };
  Listed ListNext(const Key& key);
  /// The workload is gone: its record ends, and its slot will be another's. Precondition: nothing
  /// but the orders by name and by LocalQueue, which look, still has its id. O(1).
  void Forget(const WorkloadRecord& workload);

  /// Those of one LocalQueue, by arrival. O(n log n) in their number.
  std::vector<WorkloadId> WorkloadsOf(const LocalQueueState& queue) const;
  /// Lists the workload in its LocalQueue's roster, and in no other; with an invalid `queue` among
  /// those without a LocalQueue. Amortised O(1); O(log n) without one.
  void EnterRoster(WorkloadRecord& workload, LocalQueueId queue);
  /// Neither in a roster nor among those without. Precondition: its LocalQueue's name is still the
  /// one that it entered with.
  void LeaveRoster(WorkloadRecord& workload);

  /// The queue's heap has something: the next cycle looks at it. O(1).
  void ExpectHead(ClusterQueueState& queue) {
    if (!std::exchange(queue.expected, true)) with_heads.push_back(queue.id);
  }
  /// Something is parked in the queue. O(1).
  void NoteParked(ClusterQueueState& queue) {
    if (!std::exchange(queue.has_parked, true)) with_parked.push_back(queue.id);
  }
  /// Takes those out of `with_parked` in which nothing is any more. O(its size).
  void ForgetUnparked();
  /// Something is on hold in the queue. O(1).
  void NoteOnHold(ClusterQueueState& queue) {
    if (!std::exchange(queue.has_on_hold, true)) with_on_hold.push_back(queue.id);
  }
  /// Quota of `queue` may have come free: remembered flavor progress is out of date.
  void AdvanceGeneration(QueueId id) {
    ++queue(id).generation;
    changes.Touch(id);
  }

  /// Whether that has happened since `progress` was recorded, or quota of its tree was changed.
  bool IsOutOfDate(const FlavorProgress& progress, const ClusterQueueState& queue) const {
    return queue.generation > progress.generation || tree_of(queue).requoted() >= progress.cycle;
  }

  /// What holds quota of `queue` has changed, or what ranks it. A forest that is stale is built
  /// anew, with trees of which nothing is remembered.
  void NoteHolders(const ClusterQueueState& queue) {
    if (queue.tree < capacity.trees().size()) capacity.tree(queue.tree).NoteHolders();
  }

  /// To be called after every change of a LocalQueue's fair usage or weight. O(1).
  void UsageChanged(const LocalQueueState& queue) {
    if (queue.queue.valid()) this->queue(queue.queue).pending.UsageChanged(queue.id);
  }
  /// Whether admission fair sharing is on.
  bool SharesByUsage() const;
  /// An id has outlived its workload: an invariant is broken.
  [[noreturn, gnu::cold]] static void FailStale();

  /// Whether LocalQueue usage counts in this queue: entry penalties, and the order of victims.
  bool UsageBased(const ClusterQueueState& queue) const;
  /// The usage value that orders its workloads, as a function; null when none does.
  LocalQueueUsage UsageOrder(const ClusterQueueState& queue) const;
  /// LimitRanges of one namespace, in name order.
  std::vector<const LimitRange*> LimitRangesOf(std::string_view ns) const;
  /// Whether `queue` takes workloads of this namespace.
  bool SelectsNamespace(const ClusterQueueState& queue, const std::string& ns) const;
};

/// Where the workload waits. O(1).
inline QueuePlace PlaceOf(const World& world, const WorkloadRecord& workload) {
  if (!workload.queued()) return QueuePlace::kNone;
  if (PendingQueue::IsOnHold(workload.key)) return QueuePlace::kOnHold;
  return world.queue(workload.queue).pending.IsParked(workload.key) ? QueuePlace::kParked
                                                                    : QueuePlace::kHeap;
}

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_WORLD_H_
