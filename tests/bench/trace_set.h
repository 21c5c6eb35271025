// Recorded jobs of real clusters, read from the traces of the folder `shared` (see its README.md
// for origins, columns and quirks). A job is one gang: it runs as long as it ran then, whenever it
// is admitted. What the trace counts, GPUs or processors, is `cpu` here.
#ifndef MUSTER_TESTS_BENCH_TRACE_SET_H_
#define MUSTER_TESTS_BENCH_TRACE_SET_H_

#include <filesystem>

#include "tests/bench/arrival_set.h"

namespace muster::bench {

/// The virtual clusters of Philly as ClusterQueues of one cohort that reclaim from each other, each
/// a quarter of its size: at full size none would ever wait. Takes one job of every `thin`.
ArrivalSet ReadPhilly(const std::filesystem::path& file, int thin);

/// Philly as one queue of 1,200 GPUs; the pods of a job have several GPUs each.
ArrivalSet ReadPhillyGangs(const std::filesystem::path& file, int thin);

/// A log in the Standard Workload Format as one queue of `processors`.
ArrivalSet ReadSwf(const std::filesystem::path& file, std::int64_t processors, int thin);

}  // namespace muster::bench

#endif  // MUSTER_TESTS_BENCH_TRACE_SET_H_
