// PendingKey: what decides a workload's place in its ClusterQueue's heap, and where it is.
//
// Order, first difference wins: lower LocalQueue usage (admission fair sharing only; see
// PendingQueue), the sticky workload, then the policy's keys - natively higher priority, earlier
// queue-order timestamp - and last the UID.
#ifndef MUSTER_ENGINE_QUEUE_PENDING_KEY_H_
#define MUSTER_ENGINE_QUEUE_PENDING_KEY_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/model/hash.h"
#include "engine/model/ids.h"
#include "muster/text.h"
#include "muster/types.h"

namespace muster {

struct PendingKey {
  WorkloadId workload;
  LocalQueueId local_queue;
  bool sticky = false;
  bool scripted = false;            ///< `keys` are a policy's answer and replace the native ones
  std::array<double, 3> keys = {};  ///< larger first; unused ones are 0
  std::int64_t priority = 0;
  TimeNs timestamp = 0;  ///< queue-order timestamp
  TimeNs created = 0;
  Text uid;
  Hash128 form;  ///< equal for workloads that flavor assignment cannot tell apart

  // ---- kept by PendingQueue; nobody else writes it
  // ----------------------------------------------
  enum class Where : std::uint8_t { kNowhere, kGroup, kFresh, kAlone };
  Where where = Where::kNowhere;
  std::uint32_t slot = 0;  ///< its node among the groups, else its position in the list it is in
};

/// First key in which two workloads of one queue differ.
enum class OrderKey { kSticky, kPolicyKeys, kPriority, kTimestamp, kCreated, kUid };
std::string_view OrderKeyName(OrderKey key);

struct OrderDifference {
  bool before = false;  ///< a comes before b
  OrderKey key = OrderKey::kUid;
};
/// Compares two keys of the same mode; a queue never mixes scripted and native ones. Total: keys of
/// different workloads never tie (workload ids break equal UIDs).
OrderDifference Compare(const PendingKey& a, const PendingKey& b);

}  // namespace muster

#endif  // MUSTER_ENGINE_QUEUE_PENDING_KEY_H_
