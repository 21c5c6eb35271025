// ClusterQueueState and LocalQueueState: the running side of the two kinds of queue.
#ifndef MUSTER_ENGINE_STATE_CLUSTER_QUEUE_STATE_H_
#define MUSTER_ENGINE_STATE_CLUSTER_QUEUE_STATE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/hash.h"
#include "engine/base/ids.h"
#include "engine/base/prefetch.h"
#include "engine/capacity/capacity.h"
#include "engine/model/condition_list.h"
#include "engine/queue/pending_queue.h"
#include "engine/state/admitted_usage.h"
#include "engine/state/class_rule.h"
#include "engine/state/fair_usage.h"
#include "engine/state/holder_index.h"
#include "engine/state/roster.h"
#include "muster/spec.h"

namespace muster {

/// What answers of hook hold depended on beside the workloads and what queues are.
struct HoldInputs {
  TimeNs at = kNoTime;         ///< the time, where it matters
  std::uint64_t accounts = 0;  ///< Accounts::version, where it does
  bool operator==(const HoldInputs&) const = default;
};

/// A flavor as one resource group offers it.
struct FlavorOption {
  FlavorId id;
  const ResourceFlavor* flavor = nullptr;  ///< null: no such object
  std::vector<FlavorResourceId> pairs;     ///< by position in ResourceGroupState::resources
};

struct ResourceGroupState {
  std::vector<ResourceId> resources;
  std::vector<FlavorOption> flavors;  ///< in order of preference
};

/// What every head looks at stands in front, what it seldom does behind.
struct alignas(kCacheLine) ClusterQueueState {
  QueueId id;

  // ---- place in the quota forest; set by Forest
  // ----------------------------------------------------
  std::uint32_t tree = 0;
  NodeIndex node = kNoNode;
  std::uint32_t position = 0;  ///< in the order of names of all ClusterQueues
  bool active = false;         ///< derived from the catalog
  /// Whether LocalQueue usage ranks here under admission fair sharing: by the admission mode that
  /// the queue was created with. A later one changes charges and victims, never this.
  bool ordered_by_usage = false;

  // ---- running
  // -----------------------------------------------------------------------------------
  bool expected = false;        ///< listed in World::with_heads
  bool has_parked = false;      ///< listed in World::with_parked
  bool has_on_hold = false;     ///< listed in World::with_on_hold
  bool wakes_next = false;      ///< listed in World::wake_next
  std::int64_t generation = 0;  ///< advances when quota may have come free; see FlavorProgress
  /// World::cycle when quota of its tree changed last, as far as this queue was the one to note it;
  /// -1: it never was. One queue keeps it for all of its tree, so that one row is written.
  std::int64_t requoted = -1;
  /// Counts the wakes of its parked workloads and the parkings of whole classes. A stored workload
  /// says the turn it was stored at; what turned over since needs no word about it in the journal.
  std::int64_t turns = 0;
  std::int64_t last_wake = 0;  ///< turn of the last wake
  /// For which time the policy gave all keys in the heap that it has; kNoTime: not for one time.
  TimeNs ordered_at = kNoTime;
  HoldInputs hold_inputs;  ///< of the answers of hook hold that count here
  /// For which time a policy gave the boosts of all that wait and run here; kNoTime: all of them
  /// are to be asked for.
  TimeNs boosted_at = kNoTime;
  std::string boosted_by;  ///< the package that gave them; empty: none did
  /// What World::SelectsNamespace answered last; neighbours mostly ask for the same.
  struct Selected {
    std::uint64_t catalog_epoch = 0;
    std::string ns;
    bool selected = false;
  };
  mutable Selected selected;
  Text name_text;         ///< its name, for the admissions by it
  Text reserved_message;  ///< of the condition QuotaReserved that it gives
  /// The conditions of a workload that had none when it reserved quota here at time 0.
  ConditionList reserved;
  PendingQueue pending;
  HolderIndex holders;     ///< workloads charged here
  std::int64_t admitted_holders = 0;  ///< of those, how many are admitted; see SyncAdmitted
  ConditionList admitted;  ///< the same once it is admitted at time 0 too

  // ---- derived from the catalog ----------------------------------------------------------------
  /// What came in with the last holder that was submitted or restored as one; the next mostly is
  /// equal to it, and shares it then.
  SharedList<PodSetAssignment> last_granted;
  SharedList<Usage> last_charge;
  ConditionList last_conditions;

  std::vector<ResourceGroupState> groups;
  Hash128 offer;                ///< of all that the flavor walk looks at here beside quota
  ClassRule classes;            ///< as the policies bound here want it
  std::string search_policies;  ///< which policies have a say in flavors and victims
  bool covers_pods = false;     ///< quota counts pods
  bool stale = true;            ///< its spec, or an object that it names, is another since Resolve
  bool in_circle = false;       ///< its cohort has no root
  std::string inactive_reason;  ///< "Stopped", "FlavorNotFound", ...; empty when active
  std::string inactive_message;

  ClusterQueue spec;

  /// Prefetches its place and for where its heads are.
  void PrefetchFront() const { Prefetch(this, 3 * kCacheLine); }
  /// Prefetches what admitting a head looks at.
  void PrefetchHot() const { PrefetchRange(this, &last_granted); }

  /// Sets the spec of one that has just been made; its name stays.
  void Begin(QueueId its_id, const ClusterQueue& its_spec) {
    id = its_id;
    spec = its_spec;
    name_text = spec.name;
    SettleOrder();
    reserved_message = "Quota reserved in ClusterQueue " + spec.name;
    reserved.Set(condition::kQuotaReserved, true, condition::kQuotaReserved, reserved_message, 0);
    admitted = reserved;
    admitted.Set(condition::kAdmitted, true, condition::kAdmitted, word::kIsAdmitted, 0);
    last_conditions = admitted;
  }
  /// As if it were created now.
  void SettleOrder() { ordered_by_usage = spec.admission_mode == AdmissionMode::kUsageBased; }
  /// Whether its order is another than that of a queue created now.
  bool HasOldOrder() const {
    return ordered_by_usage != (spec.admission_mode == AdmissionMode::kUsageBased);
  }
  const std::string& name() const { return spec.name; }
  QuotaPlace place() const { return {tree, node}; }
  /// Position of the group that covers `resource`; -1 when none does. O(groups x resources).
  int GroupOf(ResourceId resource) const;
};

/// What every submission looks at stands in front.
struct LocalQueueState {
  LocalQueueId id;
  QueueId queue;   ///< invalid while the ClusterQueue does not exist
  Text name_text;  ///< its name, for the workloads in it
  Roster roster;   ///< everything submitted here and not forgotten; see World::WorkloadsOf
  LocalQueue spec;
  FairUsage fair_usage;
  AdmittedUsage admitted;  ///< what goes into it; see SyncAdmitted

  void PrefetchFront() const { PrefetchRange(this, &spec.key + 1); }
};

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_CLUSTER_QUEUE_STATE_H_
