// ArrivalSet: what a VirtualRun plays: a cluster, and workloads that arrive at their times and end
// a known time after they were admitted.
#ifndef MUSTER_TESTS_BENCH_ARRIVAL_SET_H_
#define MUSTER_TESTS_BENCH_ARRIVAL_SET_H_

#include <cstdint>
#include <string>
#include <vector>

#include "muster/engine.h"

namespace muster::bench {

/// One workload of the set and when it comes; it ends `runtime` after it was admitted.
struct Arrival {
  TimeNs at = 0;  ///< since the beginning of the run
  DurationNs runtime = 0;
  std::int64_t units = 0;  ///< of the one resource that the set is about
  std::string class_name;  ///< waits are reported by class
  Workload workload;
};

struct ArrivalSet {
  std::vector<Object> objects;
  std::int64_t nominal = 0;       ///< units of all queues together
  std::vector<Arrival> arrivals;  ///< in order of time
};

}  // namespace muster::bench

#endif  // MUSTER_TESTS_BENCH_ARRIVAL_SET_H_
