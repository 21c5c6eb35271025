// Sums of room that end where they are as good as endless.
#ifndef MUSTER_ENGINE_TOPOLOGY_ADD_ROOM_H_
#define MUSTER_ENGINE_TOPOLOGY_ADD_ROOM_H_

#include <cstdint>
#include <limits>

namespace muster {

/// The room of two domains together, cut at the largest int32: no job has more pods than that.
constexpr std::int32_t AddRoom(std::int32_t a, std::int32_t b) {
  std::int32_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int32_t>::max() : sum;
}

}  // namespace muster

#endif  // MUSTER_ENGINE_TOPOLOGY_ADD_ROOM_H_
