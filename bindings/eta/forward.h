// One possible future: the engine, run forward from the present with an end for every job.
#ifndef MUSTER_BINDINGS_ETA_FORWARD_H_
#define MUSTER_BINDINGS_ETA_FORWARD_H_

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "muster/engine.h"

namespace muster::eta {

/// Moments at which something happens, after which a future is not followed any further.
inline constexpr std::size_t kMostInstants = 8'000;

inline constexpr DurationNs kForEver = 0;  ///< as the run of a job: it does not end

/// A workload that is there at present.
struct PresentJob {
  Key key;
  TimeNs started = kNoTime;   ///< kNoTime: it does not run
  bool reserved = false;      ///< it has quota, and waits for admission checks
  DurationNs run = kForEver;  ///< from a start to its end
};

/// A workload that may come.
struct ComingJob {
  TimeNs at = kNoTime;
  Workload spec;
  DurationNs run = kForEver;
};

struct Future {
  TimeNs now = kNoTime;
  TimeNs horizon = kNoTime;  ///< what happens later is not looked at
  std::vector<PresentJob> jobs;  ///< by name
  /// The next workload that comes, in order of time; nullopt: none does. Unset: none ever does.
  std::function<std::optional<ComingJob>()> next_arrival;
  std::set<Key> asked;  ///< pending ones whose start is looked for
};

struct Course {
  std::map<Key, TimeNs> starts;  ///< of those asked that start before the horizon
  bool rests = false;            ///< nothing would ever happen any more
};

/// Plays `future` on `engine`, which is at its present, until all that are asked have started,
/// nothing happens any more, the horizon, kMostInstants, or a queue that seems to grow for ever:
/// of those that came, more wait than 200 and as many as wait at present. Pods of evicted jobs
/// leave at once, admission checks answer at once that all is ready, and an evicted job begins
/// anew. O(cycles).
Result<Course> RunForward(Engine& engine, const Future& future);

}  // namespace muster::eta

#endif  // MUSTER_BINDINGS_ETA_FORWARD_H_
