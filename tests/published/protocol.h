// The protocol of a published comparison of schedulers (Zhang et al., RLScheduler, SC 2020), played
// on the real engine: windows of a log on an empty machine, one head that is stayed with until it
// starts, and if wanted backfilling around a reservation that is not updated.
//
// What decides is the engine: the order is a policy package's, what fits is its quota's, and what
// may pass is the package's hook `hold`. The host does what a gateway does: it hands jobs in, says
// when they end, and binds the package with the reservation that it has worked out.
#ifndef MUSTER_TESTS_PUBLISHED_PROTOCOL_H_
#define MUSTER_TESTS_PUBLISHED_PROTOCOL_H_

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "muster/engine.h"

namespace muster::published {

/// Times in seconds, as the log has them.
struct Job {
  std::int64_t id = 0;
  std::int64_t submit = 0;
  std::int64_t run = 0;
  std::int64_t requested = 0;
  std::int64_t processors = 0;
};

/// The jobs of a log as the comparison takes them, by id. Throws std::runtime_error.
std::vector<Job> JobsOf(const std::filesystem::path& log);

enum class Backfill { kNone, kAroundTheHead };

struct Outcome {
  double slowdown = 0;     ///< bounded, tau 10 s, mean over the jobs
  double utilisation = 0;  ///< until the last start
};

/// Plays `jobs` on a machine of so many processors under the package in `policy`. Throws
/// std::runtime_error when the engine refuses something or a hook fails.
Outcome Play(std::span<const Job> jobs, std::int64_t processors,
             const std::filesystem::path& policy, Backfill backfill);

}  // namespace muster::published

#endif  // MUSTER_TESTS_PUBLISHED_PROTOCOL_H_
