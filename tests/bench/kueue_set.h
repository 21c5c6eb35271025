// The input of one of Kueue's own scheduler performance runs, read from its generator's YAML:
// cohorts of equal queues, and workloads that arrive in each queue at a steady pace.
#ifndef MUSTER_TESTS_BENCH_KUEUE_SET_H_
#define MUSTER_TESTS_BENCH_KUEUE_SET_H_

#include <filesystem>

#include "tests/bench/arrival_set.h"

namespace muster::bench {

/// Reads `file`, taking one workload of every `thin` of each workload set. Throws YAML::Exception.
ArrivalSet ReadKueueSet(const std::filesystem::path& file, int thin);

}  // namespace muster::bench

#endif  // MUSTER_TESTS_BENCH_KUEUE_SET_H_
