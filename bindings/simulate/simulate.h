// Simulate: a trace played on the real engine, on a clock that jumps from event to event. Jobs
// arrive when they did, start when the engine says so, and end after the time that they ran.
//
// The same inputs give the same run, bit for bit, on any machine.
#ifndef MUSTER_BINDINGS_SIMULATE_SIMULATE_H_
#define MUSTER_BINDINGS_SIMULATE_SIMULATE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "bindings/simulate/trace.h"
#include "muster/engine.h"

namespace muster::simulate {

/// How jobs of a log become workloads of this cluster.
struct Mapping {
  std::string resource;  ///< what `size` counts, such as nvidia.com/gpu
  /// LocalQueue by queue of the log; that of the empty name takes those that are not listed.
  std::map<std::string, Key> queues;
  TimeNs origin = 0;  ///< when the log begins
};

struct Habits {
  DurationNs leave = 0;       ///< that the pods of an evicted job take to go
  DurationNs checkpoint = 0;  ///< jobs save their work so often; 0: never, evicted ones begin anew
  /// Figures are of the time from so long after the first arrival to so long before the last: an
  /// empty cluster fills, and nothing follows the last job, which no real day is like.
  DurationNs warm_up = 0, drain = 0;
};

/// What became of one job of the trace.
struct Fate {
  TimeNs submitted = kNoTime;
  TimeNs first_start = kNoTime;  ///< kNoTime: never
  TimeNs end = kNoTime;        ///< kNoTime: it still waited, or ran, when nothing happened any more
  std::int32_t evictions = 0;  ///< how often it had to make room, or hit a limit of time
  DurationNs lost = 0;         ///< work that was done and had to be repeated
  std::int32_t cluster_queue = -1;  ///< index in Run::queues
  bool operator==(const Fate&) const = default;
};

/// Use of the resource in one ClusterQueue in the time that counts, in unit-seconds but for
/// `nominal`.
struct QueueUse {
  std::string name;
  double nominal = 0;    ///< units, over all flavors
  double used = 0;       ///< until the pods of evicted jobs are gone
  double borrowed = 0;   ///< of `used`: beyond nominal quota
  double preempted = 0;  ///< that evicted jobs had run, since they last started
  double lost = 0;       ///< of `preempted`: not saved, so it was done again
  std::map<std::string, std::int64_t> evictions;  ///< by cause: "InClusterQueue", ...
  /// Mean use in units, over parts of equal length of the time that counts.
  std::vector<double> series;
};

/// The largest gang of whole nodes that had a place in one domain of a level.
struct GangSeries {
  std::string topology;
  std::string level;           ///< a label of nodes
  std::vector<double> series;  ///< nodes, in the middle of each part of the time that counts
};

struct Run {
  std::vector<Fate> fates;  ///< as the trace's jobs
  std::vector<QueueUse> queues;
  std::vector<GangSeries> gangs;  ///< none without a Topology
  TimeNs first = kNoTime;         ///< arrival
  TimeNs from = kNoTime;          ///< the time that counts begins
  TimeNs until = kNoTime;         ///< and ends
  TimeNs end = kNoTime;           ///< last end of a job
  double waiting_mean = 0;        ///< jobs that wait for a start, in the time that counts
  std::int64_t waiting_most = 0;
  std::int64_t cycles = 0;
  std::int64_t preemptions = 0;
  std::int64_t policy_failures = 0;
  std::string first_failure;  ///< of a hook, with file and line
  std::size_t unfinished = 0;
  bool interrupted = false;
};

/// Parts of QueueUse::series.
inline constexpr std::size_t kSeriesParts = 200;

/// Says what decides: called once the objects are there and before the first job is.
using Prepare = std::function<Status(Engine& engine, TimeNs now)>;
/// Told how many of the trace's jobs have ended; false ends the run early.
using Watcher = std::function<bool(std::size_t ended)>;

/// Plays `jobs`, which are in order of submit, on an empty cluster of `objects`. Admission checks
/// answer at once that all is ready, and pods are up as soon as a job starts. Jobs that no queue of
/// `mapping` takes make it kInvalidArgument, and so does a time that counts of nothing. O(events x
/// what a cycle costs); memory for the jobs that live, and a Fate for each. `journal`, if given, is
/// told what the engine does.
Result<Run> Simulate(const manifest::Manifests& cluster, std::span<const TraceJob> jobs,
                     const Mapping& mapping, const Habits& habits, const Prepare& prepare,
                     const Watcher& watcher = {}, Journal* journal = nullptr);

}  // namespace muster::simulate

#endif  // MUSTER_BINDINGS_SIMULATE_SIMULATE_H_
