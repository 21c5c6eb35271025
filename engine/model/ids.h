// Dense, strongly typed ids: names are looked up once, when something is applied; cycles use ids.
#ifndef MUSTER_ENGINE_MODEL_IDS_H_
#define MUSTER_ENGINE_MODEL_IDS_H_

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
using WorkloadId = Id<struct WorkloadTag>;

/// An amount of one (flavor, resource).
struct Usage {
  FlavorResourceId fr;
  Amount amount = 0;
  bool operator==(const Usage&) const = default;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_IDS_H_
