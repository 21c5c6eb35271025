// KueueSet: the input of one of Kueue's own scheduler performance runs, read from its generator's
// YAML: cohorts of equal queues, and workloads that arrive in each queue at a steady pace.
#ifndef MUSTER_TESTS_BENCH_KUEUE_SET_H_
#define MUSTER_TESTS_BENCH_KUEUE_SET_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "muster/engine.h"

namespace muster::bench {

/// One workload of the set and when it comes; it ends `runtime` after it was admitted.
struct Arrival {
  TimeNs at = 0;  ///< since the beginning of the run
  DurationNs runtime = 0;
  std::int64_t cpu = 0;
  std::string class_name;
  Workload workload;
};

struct KueueSet {
  std::vector<Object> objects;
  std::int64_t nominal_cpu = 0;   ///< sum over all queues
  std::vector<Arrival> arrivals;  ///< in order of time
};

/// Reads `file`, taking one workload of every `thin` of each workload set. Throws YAML::Exception.
KueueSet ReadKueueSet(const std::filesystem::path& file, int thin);

}  // namespace muster::bench

#endif  // MUSTER_TESTS_BENCH_KUEUE_SET_H_
