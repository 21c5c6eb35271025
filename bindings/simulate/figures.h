// Figures of a run: what people ask of a policy, per queue and size of job. Medians before means.
#ifndef MUSTER_BINDINGS_SIMULATE_FIGURES_H_
#define MUSTER_BINDINGS_SIMULATE_FIGURES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bindings/simulate/simulate.h"
#include "bindings/simulate/trace.h"

namespace muster::simulate {

/// Jobs of one class. Times in seconds; of jobs that never started, none.
struct Figures {
  std::size_t jobs = 0;
  std::size_t started = 0;
  std::size_t ended = 0;
  double wait_p50 = 0, wait_p90 = 0, wait_p99 = 0, wait_max = 0, wait_mean = 0;
  std::string longest;  ///< the job that waited longest, as the log names it
  /// Bounded slowdown, tau 10 s: max(1, turnaround / max(run, 10 s)); of jobs that ended.
  double slowdown_p50 = 0, slowdown_mean = 0;
  double turnaround_p50 = 0, turnaround_mean = 0;
  std::int64_t evictions = 0;
  double lost_hours = 0;  ///< unit-hours of work that was done again
};

/// Figures of the jobs of one queue of the log, or of one class of size, or of both.
struct ClassFigures {
  std::string queue;  ///< as the log names it; empty: all of them
  std::string size;   ///< "all", "1", "2-8", "9-64", "65+"
  Figures figures;
};

/// The largest gang of whole nodes that had a place in one domain of a level, over the time that
/// counts.
struct LargestGang {
  std::string topology;
  std::string level;
  double mean = 0;   ///< nodes
  double least = 0;  ///< so many nodes were there at every look
};

struct Report {
  std::vector<ClassFigures> classes;  ///< all of all first, then by queue, then by size
  double makespan = 0;                ///< seconds from the first arrival to the last end
  // Of the time that counts. Hours are unit-hours.
  double utilisation = 0;                         ///< used of all nominal quota
  double nominal_hours = 0, borrowed_hours = 0;   ///< used within nominal quota, and beyond
  double preempted_hours = 0, lost_hours = 0;     ///< see QueueUse
  std::map<std::string, std::int64_t> evictions;  ///< by cause
  /// Jain's index of used / nominal over the queues that have quota, mean over time: 1 is even.
  double evenness = 1;
  /// How far the queues' parts of what is used are from their parts of the quota: half of the sum
  /// of the differences, mean over time. 0: each uses its part; 1: those without quota use all.
  double share_error = 0;
  double waiting_mean = 0;  ///< jobs in all queues
  std::int64_t waiting_most = 0;
  std::vector<LargestGang> gangs;  ///< as Run::gangs
};

/// Only jobs that arrive in the time that counts do. O(jobs log jobs).
Report Summarise(std::span<const TraceJob> jobs, const Run& run);

/// Jain's index of used / nominal in one part of QueueUse::series; 1 while nothing is used.
double EvennessIn(std::span<const QueueUse> queues, std::size_t part);

/// How single jobs fared differently under `other`, compared with `base`; by how much their first
/// start moved.
struct Change {
  std::size_t earlier = 0, later = 0, same = 0;
  std::size_t only_base = 0, only_other = 0;  ///< started under one of them alone
  struct Moved {
    std::string id;
    std::string queue;
    double seconds = 0;  ///< below 0: earlier
    bool operator==(const Moved&) const = default;
  };
  std::vector<Moved> most;  ///< the largest moves, each way at most kNamed, by seconds
};
inline constexpr std::size_t kNamed = 5;
Change Compare(std::span<const TraceJob> jobs, const Run& base, const Run& other);

/// Whether a job counts that met with this: it arrived in the time that does.
bool Counts(const Fate& fate, const Run& run);

/// The class of size that a job is in.
std::string SizeClass(std::int64_t size);

/// The value below which `part` of `sorted` lie: the smallest of which at least that part is not
/// larger. 0 of nothing.
double Quantile(std::span<const double> sorted, double part);

}  // namespace muster::simulate

#endif  // MUSTER_BINDINGS_SIMULATE_FIGURES_H_
