// Stored state: what the rows of the journal say beyond the applied objects, field by field.
//
// Names instead of ids, so that a row means the same in every process. The field lists work like
// those of engine/codec/fields.h; changing one raises kCodecVersion.
#ifndef MUSTER_ENGINE_RECORD_STORED_STATE_H_
#define MUSTER_ENGINE_RECORD_STORED_STATE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/codec/fields.h"
#include "engine/codec/fields_hand_over.h"
#include "engine/state/whole_workload.h"
#include "engine/state/world.h"
#include "muster/status.h"

namespace muster {

struct StoredTried {
  std::string resource;
  std::int32_t flavor_index = 0;
};

struct StoredPodSetProgress {
  std::vector<StoredTried> tried;
};

struct StoredUsage {
  std::string flavor;
  std::string resource;
  Amount amount = 0;
};

struct StoredHold {
  std::string policy;
  std::string reason;
  TimeNs until = kNoTime;
};

/// A workload: its spec with status, and the engine's own memory of it.
template <typename Spec, typename Words>
struct StoredWorkloadOf {
  std::int64_t arrival = 0;
  Spec spec;
  std::int32_t place = 0;      ///< QueuePlace
  std::int64_t stored_at = 0;  ///< ClusterQueueState::turns, while it is queued
  std::int32_t reason = 0;     ///< PendingReason
  Words message = {};
  TimeNs pending_since = kNoTime;
  std::vector<StoredPodSetProgress> progress = {};
  std::int64_t progress_cycle = 0;
  std::int64_t progress_generation = 0;
  std::int64_t progress_order = 0;
  TimeNs reserved_at = kNoTime;
  bool evicted = false;
  bool finished_while_evicting = false;
  std::vector<StoredUsage> room = {};                ///< KeptRoom::wanted
  std::vector<Key> room_from = {};                   ///< KeptRoom::victims
  std::vector<StoredHold> hold = {};                 ///< at most one
  std::optional<std::int32_t> boost = std::nullopt;  ///< that a policy gave
  bool to_boost = false;
  TimeNs checkpointed = kNoTime;
  TimeNs second_pass = kNoTime;
  std::int32_t passes = 0;
};
/// As it is written: no copy of what the record has.
using WrittenWorkload = StoredWorkloadOf<const WorkloadRecord&, std::string_view>;

struct StoredClass {
  std::int64_t high = 0;
  std::int64_t low = 0;
  std::int32_t reason = 0;
  std::int64_t turn = 0;
};

struct StoredClusterQueue {
  std::int64_t generation = 0;
  std::int64_t turns = 0;
  std::int64_t last_wake = 0;
  std::optional<Key> marked;
  bool sticky = false;
  std::vector<StoredClass> parked_classes;
  bool old_order = false;      ///< ClusterQueueState::HasOldOrder
  std::int64_t requoted = -1;  ///< ClusterQueueState::requoted
  TimeNs boosted_at = kNoTime;
  std::string boosted_by;
  bool wakes_next = false;
};

struct StoredPenalty {
  Key workload;
  ResourceList amounts;
};

struct StoredLocalQueue {
  ResourceList consumed;
  std::vector<StoredPenalty> pending;
  TimeNs last_update = kNoTime;
};

struct StoredAccount {
  AccountRule rule;
  TimeNs declared_at = kNoTime;
};

struct StoredCount {
  std::int64_t slot = 0;
  Amount amount = 0;
};

struct StoredBalance {
  AccountRule rule;
  std::string key;
  TimeNs at = kNoTime;
  double total = 0;
  std::vector<double> parts;
  std::vector<StoredCount> counts;
};

struct StoredGeneration {
  std::string package;
  std::string previous;
  std::int64_t failures = 0;
  std::vector<std::string> failed;
};

struct StoredConsumer {
  std::string name;
  std::int64_t acknowledged = 0;
  TimeNs registered_at = kNoTime;
  TimeNs acknowledged_at = kNoTime;
};

/// What outlives the last consumer, so that no number is given twice.
struct StoredNumbers {
  std::int64_t last = 0;
};

struct StoredEngine {
  TimeNs now = kNoTime;
  std::int64_t cycle = 0;
  std::int64_t next_sequence = 1;
  std::vector<std::string> policies;  ///< hashes of the active generations, the newest last
  std::vector<StoredGeneration> generations;
  std::string default_policy;  ///< package that was activated last
};

template <typename V>
void VisitFields(V& v, Of<StoredTried> auto& o) {
  v("resource", o.resource);
  v("flavorIndex", o.flavor_index);
}
template <typename V>
void VisitFields(V& v, Of<StoredPodSetProgress> auto& o) {
  v("tried", o.tried);
}
template <typename V>
void VisitFields(V& v, Of<StoredUsage> auto& o) {
  v("flavor", o.flavor);
  v("resource", o.resource);
  v("amount", o.amount);
}
template <typename V>
void VisitFields(V& v, Of<StoredHold> auto& o) {
  v("policy", o.policy);
  v("reason", o.reason);
  v("until", o.until);
}
template <typename O>
inline constexpr bool kIsStoredWorkload = false;
template <typename Spec, typename Words>
inline constexpr bool kIsStoredWorkload<StoredWorkloadOf<Spec, Words>> = true;
template <typename O>
concept OfStoredWorkload = kIsStoredWorkload<std::remove_const_t<O>>;

template <typename V>
void VisitFields(V& v, OfStoredWorkload auto& o) {
  v("arrival", o.arrival);
  v("spec", o.spec);
  v("place", o.place);
  v("storedAt", o.stored_at);
  v("reason", o.reason);
  v("message", o.message);
  v("pendingSince", o.pending_since);
  v("progress", o.progress);
  v("progressCycle", o.progress_cycle);
  v("progressGeneration", o.progress_generation);
  v("progressOrder", o.progress_order);
  v("reservedAt", o.reserved_at);
  v("evicted", o.evicted);
  v("finishedWhileEvicting", o.finished_while_evicting);
  v("room", o.room);
  v("roomFrom", o.room_from);
  VisitLater(v, 7, "hold", o.hold);
  VisitLater(v, 7, "boost", o.boost);
  VisitLater(v, 7, "toBoost", o.to_boost);
  VisitLater(v, 7, "checkpointed", o.checkpointed);
  VisitLater(v, 8, "secondPass", o.second_pass);
  VisitLater(v, 8, "passes", o.passes);
}
template <typename V>
void VisitFields(V& v, Of<StoredClass> auto& o) {
  v("high", o.high);
  v("low", o.low);
  v("reason", o.reason);
  v("turn", o.turn);
}
template <typename V>
void VisitFields(V& v, Of<StoredClusterQueue> auto& o) {
  v("generation", o.generation);
  v("turns", o.turns);
  v("lastWake", o.last_wake);
  v("marked", o.marked);
  v("sticky", o.sticky);
  v("parkedClasses", o.parked_classes);
  VisitLater(v, 4, "oldOrder", o.old_order);
  VisitLater(v, 5, "requoted", o.requoted);
  VisitLater(v, 7, "boostedAt", o.boosted_at);
  VisitLater(v, 7, "boostedBy", o.boosted_by);
  VisitLater(v, 8, "wakesNext", o.wakes_next);
}
template <typename V>
void VisitFields(V& v, Of<StoredPenalty> auto& o) {
  v("workload", o.workload);
  v("amounts", o.amounts);
}
template <typename V>
void VisitFields(V& v, Of<StoredLocalQueue> auto& o) {
  v("consumed", o.consumed);
  v("pending", o.pending);
  v("lastUpdate", o.last_update);
}
template <typename V>
void VisitFields(V& v, Of<AccountKeyPart> auto& o) {
  v("by", o.by);
  v("label", o.label);
}
template <typename V>
void VisitFields(V& v, Of<AccountRule> auto& o) {
  v("by", o.by);
  v("label", o.label);
  v("of", o.of);
  v("resource", o.resource);
  v("over", o.over);
  v("span", o.span);
  VisitLater(v, 7, "also", o.also);
  VisitLater(v, 7, "where", o.where);
}
template <typename V>
void VisitFields(V& v, Of<StoredCount> auto& o) {
  v("slot", o.slot);
  v("amount", o.amount);
}
template <typename V>
void VisitFields(V& v, Of<StoredAccount> auto& o) {
  v("rule", o.rule);
  v("declaredAt", o.declared_at);
}
template <typename V>
void VisitFields(V& v, Of<StoredBalance> auto& o) {
  v("rule", o.rule);
  v("key", o.key);
  v("at", o.at);
  v("total", o.total);
  v("parts", o.parts);
  VisitLater(v, 7, "counts", o.counts);
}
template <typename V>
void VisitFields(V& v, Of<StoredGeneration> auto& o) {
  v("package", o.package);
  v("previous", o.previous);
  v("failures", o.failures);
  v("failed", o.failed);
}
template <typename V>
void VisitFields(V& v, Of<StoredConsumer> auto& o) {
  v("name", o.name);
  v("acknowledged", o.acknowledged);
  v("registeredAt", o.registered_at);
  v("acknowledgedAt", o.acknowledged_at);
}
template <typename V>
void VisitFields(V& v, Of<StoredNumbers> auto& o) {
  v("last", o.last);
}
template <typename V>
void VisitFields(V& v, Of<StoredEngine> auto& o) {
  v("now", o.now);
  v("cycle", o.cycle);
  v("nextSequence", o.next_sequence);
  v("policies", o.policies);
  v("generations", o.generations);
  v("defaultPolicy", o.default_policy);
}

/// Valid while the record does not change.
WrittenWorkload ToStored(const World& world, const WorkloadRecord& workload);
StoredClusterQueue ToStored(const World& world, const ClusterQueueState& queue);
StoredLocalQueue ToStored(const World& world, const LocalQueueState& queue);
StoredBalance ToStored(const AccountRule& rule, const std::string& key,
                       const AccountBalance& balance);

}  // namespace muster

#endif  // MUSTER_ENGINE_RECORD_STORED_STATE_H_
