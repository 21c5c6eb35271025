// PendingKey: what decides a workload's place in its ClusterQueue's heap, and where it is.
//
// Order, first difference wins: lower LocalQueue usage (admission fair sharing only; see
// PendingQueue), the sticky workload, then the policy's keys - natively higher effective priority,
// earlier queue-order timestamp - and last the UID.
#ifndef MUSTER_ENGINE_QUEUE_PENDING_KEY_H_
#define MUSTER_ENGINE_QUEUE_PENDING_KEY_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>

#include "engine/base/hash.h"
#include "engine/base/ids.h"
#include "muster/text.h"
#include "muster/types.h"

namespace muster {

/// What a policy answered about a place in the queue: larger first. Kept in place: the allocator
/// gives a record that much anyhow.
class PolicyKeys {
 public:
  static constexpr std::size_t size() { return std::tuple_size_v<Values>; }
  /// 0 where there is no answer.
  double operator[](std::size_t i) const { return values_[i]; }
  /// Precondition: at most size() of them; the others are 0.
  void Set(std::span<const double> values) {
    values_ = {};
    std::copy(values.begin(), values.end(), values_.begin());
  }

 private:
  using Values = std::array<double, 3>;
  Values values_ = {};
};

struct PendingKey {
  WorkloadId workload;
  LocalQueueId local_queue;
  std::int32_t priority = 0;  ///< without its boost
  std::uint32_t slot = 0;  ///< its node among the groups, else its position in the list it is in;
                           ///< kept by PendingQueue, like `where`
  TimeNs timestamp = 0;    ///< queue-order timestamp
  TimeNs created = kNoTime;
  Text uid;
  Hash128 form;     ///< equal for workloads that flavor assignment cannot tell apart
  PolicyKeys keys;  ///< see `scripted`
  enum class Where : std::uint8_t { kNowhere, kGroup, kFresh, kAlone, kOnHold };
  Where where = Where::kNowhere;
  bool sticky = false;
  bool scripted = false;  ///< `keys` are a policy's answer and replace the native ones
  /// When hook hold was asked about it, as PendingQueue counts; 0: it has to be.
  std::uint32_t asked = 0;
  std::int32_t boost = 0;

  /// What counts wherever priorities are compared. No two of 32 bits come to more than 64 hold.
  std::int64_t effective_priority() const { return std::int64_t{priority} + boost; }
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
