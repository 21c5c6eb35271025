// Dense, strongly typed ids: names are looked up once, when something is applied; cycles use ids.
#ifndef MUSTER_ENGINE_BASE_IDS_H_
#define MUSTER_ENGINE_BASE_IDS_H_

#include <compare>
#include <cstdint>
#include <limits>

#include "muster/types.h"

namespace muster {

template <typename Tag>
struct Id {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t value = kNone;
  constexpr bool valid() const { return value != kNone; }
  constexpr auto operator<=>(const Id&) const = default;
};

using FlavorId = Id<struct FlavorTag>;
using ResourceId = Id<struct ResourceTag>;
using FlavorResourceId = Id<struct FlavorResourceTag>;  ///< one (flavor, resource) pair
using QueueId = Id<struct QueueTag>;                    ///< a ClusterQueue
using LocalQueueId = Id<struct LocalQueueTag>;
using WorkloadSlot = Id<struct WorkloadSlotTag>;  ///< where a workload's record is kept

/// A workload that the engine knows or has known. Slots are used again, so that memory follows
/// what is there and not what ever came; the arrival tells those apart that had the same slot, and
/// never comes twice. Ordered by arrival.
class WorkloadId {
 public:
  constexpr WorkloadId() = default;
  constexpr WorkloadId(WorkloadSlot slot, std::int64_t arrival)
      : slot_(slot),
        low_(static_cast<std::uint32_t>(arrival)),
        high_(static_cast<std::uint32_t>(arrival >> 32)) {}

  constexpr WorkloadSlot slot() const { return slot_; }
  /// Its number among all that ever came.
  constexpr std::int64_t arrival() const {
    return static_cast<std::int64_t>(std::uint64_t{high_} << 32 | low_);
  }
  constexpr bool valid() const { return slot_.valid(); }
  friend constexpr bool operator==(const WorkloadId& a, const WorkloadId& b) {
    return a.arrival() == b.arrival() && a.slot_ == b.slot_;
  }
  friend constexpr std::strong_ordering operator<=>(const WorkloadId& a, const WorkloadId& b) {
    const auto order = a.arrival() <=> b.arrival();
    return order != 0 ? order : a.slot_ <=> b.slot_;
  }

 private:
  WorkloadSlot slot_;
  std::uint32_t low_ = 0;  ///< two halves, so that the id needs no more than four bytes' alignment
  std::uint32_t high_ = 0;
};

/// An amount of one (flavor, resource).
struct Usage {
  FlavorResourceId fr;
  Amount amount = 0;
  bool operator==(const Usage&) const = default;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_IDS_H_
