// Which decisions differ between two runs of the same cluster.
#ifndef MUSTER_BINDINGS_LAB_DECISION_DIFF_H_
#define MUSTER_BINDINGS_LAB_DECISION_DIFF_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bindings/lab/player.h"

namespace muster::lab {

/// One workload that fared differently.
struct Difference {
  std::string workload;
  std::string cluster_queue;
  std::string before;  ///< "2026-01-01T12:00:00Z, cycle 3; preempted once", or "waits"
  std::string after;
};

struct DecisionDiff {
  std::vector<Difference> differences;  ///< by workload
  std::size_t same = 0;                 ///< workloads that fared alike
  std::size_t starts_before = 0, starts_after = 0;
  std::size_t preemptions_before = 0, preemptions_after = 0;
};

/// Compares start, flavors and preemptions of every workload. O(decisions).
DecisionDiff CompareRuns(std::span<const CycleOutcome> before, std::span<const CycleOutcome> after);

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_DECISION_DIFF_H_
