// Variations of a log: days of it in another order, some twice and some not at all. What one policy
// gains over another on the log itself may be luck; what it gains on most variations is not.
#ifndef MUSTER_BINDINGS_SIMULATE_VARIATION_H_
#define MUSTER_BINDINGS_SIMULATE_VARIATION_H_

#include <cstdint>
#include <span>
#include <vector>

#include "bindings/simulate/trace.h"

namespace muster::simulate {

/// Variation `seed` of `jobs`, which are in order of submit: as many days, each of them a day of
/// the log that was drawn, of the same weekday where it has three of that. Jobs keep their time of
/// day. The same seed gives the same jobs on every machine. Empty when every day that was drawn is.
/// Method: block bootstrap, whose blocks are days. O(jobs log jobs + days).
std::vector<TraceJob> Variation(std::span<const TraceJob> jobs, std::uint64_t seed);

/// Numbers that look random: the same from the same seed. Method: SplitMix64 (Steele et al., 2014).
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}
  /// Below `count`, which is above 0; equally likely to within count / 2^64.
  std::uint64_t Below(std::uint64_t count);

 private:
  std::uint64_t state_;
};

}  // namespace muster::simulate

#endif  // MUSTER_BINDINGS_SIMULATE_VARIATION_H_
