// The hour in which most jobs waited, and the jobs that tell why: those that held most of what
// there is, and those that waited longest for it.
#ifndef MUSTER_BINDINGS_REPORT_WORST_HOUR_H_
#define MUSTER_BINDINGS_REPORT_WORST_HOUR_H_

#include <cstddef>
#include <span>
#include <vector>

#include "bindings/simulate/simulate.h"
#include "bindings/simulate/trace.h"

namespace muster::simulate {

struct WorstHour {
  TimeNs begin = kNoTime;         ///< kNoTime: none waited longer than the instant it came
  double waiting = 0;             ///< jobs, mean of the hour
  std::vector<std::size_t> jobs;  ///< indices, by start; those that never started last
};

inline constexpr std::size_t kMostInHour = 15;  ///< that ran, and that waited

/// Of the time that counts, in hours from its beginning. O(jobs log jobs + hours of the waits).
WorstHour FindWorstHour(std::span<const TraceJob> jobs, const Run& run);

/// Until when it waited, or was there: what never came lasts until the end of the run.
TimeNs OrEnd(TimeNs time, const Run& run);

/// How many jobs of the same queue came later and started before it. O(jobs).
std::size_t OvertakenBy(std::span<const TraceJob> jobs, const Run& run, std::size_t job);

}  // namespace muster::simulate

#endif  // MUSTER_BINDINGS_REPORT_WORST_HOUR_H_
