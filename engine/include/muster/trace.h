// The decision trace: why a cycle did what it did, workload by workload. Filled only on request.
#ifndef MUSTER_TRACE_H_
#define MUSTER_TRACE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "muster/decision.h"
#include "muster/types.h"

namespace muster {

/// Mode of one flavor for one resource, worst first (Kueue's granular modes).
enum class FlavorMode { kNoFit, kNoCandidates, kPreempt, kReclaim, kFit };
std::string_view ModeName(FlavorMode mode);

/// One resource of one flavor that the flavor walk looked at.
struct ResourceAttempt {
  std::string resource;
  FlavorMode mode = FlavorMode::kNoFit;
  std::int32_t borrowing_level = 0;  ///< 0: within nominal quota
  Amount requested = 0;              ///< by this podset group and those before it in the flavor
  Amount available = 0;              ///< what the queue may use now, borrowing included
  Amount shortage = 0;               ///< max(0, requested - available)
  Amount maximum = 0;                ///< potential capacity: what could be had with none running
  /// What evictions could add to `available`, at most, for this resource alone. Of an explanation.
  Amount freeable = 0;
  Amount beside = 0;  ///< of `requested`, what podsets before it take of the flavor
};

struct FlavorAttempt {
  std::string pod_set;
  std::string flavor;
  std::int32_t group = 0;                ///< resource group of its ClusterQueue, from 0
  FlavorMode mode = FlavorMode::kNoFit;  ///< the representative of its resources
  std::int32_t borrowing_level = 0;
  bool chosen = false;
  std::string refused;  ///< taints, selectors, missing flavor: why the flavor was not considered
  std::vector<ResourceAttempt> resources;
};

/// A candidate that the preemption search looked at.
struct CandidateTrace {
  Key workload;
  std::string cluster_queue;
  PreemptionReason reason = PreemptionReason::kInClusterQueue;
  enum class Fate { kNotNeeded, kNotEnough, kProtected, kVictim, kFilledBack, kForbidden };
  Fate fate = Fate::kNotNeeded;
  /// The package that protects it, or that forbids to evict so much; empty: a strategy of fair
  /// sharing protects it.
  std::string policy;
  bool leaving = false;         ///< told to leave already
  bool beyond_budget = false;  ///< the budget of its key, which `policy` says, is used up
  std::string budget;          ///< that key
};

struct WorkloadTrace {
  Key workload;
  std::string cluster_queue;
  std::int32_t position = 0;  ///< in the order of entries, from 1
  std::string outcome;        ///< "admitted", "preempting", "no fit", "skipped", ...
  PendingReason reason = PendingReason::kNone;
  std::string message;
  std::vector<FlavorAttempt> flavors;
  /// The first in the order of the search, and what else it takes.
  std::vector<CandidateTrace> candidates;
  bool more_candidates = false;  ///< there are others
  Key behind;                    ///< the entry processed just before it; empty for the first
  std::string behind_by;  ///< first key in which that entry came before: "borrowing level", ...
};

struct CycleTrace {
  std::int64_t cycle = 0;
  TimeNs at = kNoTime;
  std::vector<WorkloadTrace> workloads;  ///< in the order processed
};

}  // namespace muster

#endif  // MUSTER_TRACE_H_
