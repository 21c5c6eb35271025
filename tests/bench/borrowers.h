// One ClusterQueue that owns all quota of its cohort, and others whose running workloads borrow it.
#ifndef MUSTER_TESTS_BENCH_BORROWERS_H_
#define MUSTER_TESTS_BENCH_BORROWERS_H_

#include <vector>

#include "muster/engine.h"

namespace muster::bench {

inline constexpr const char* kOwner = "owner";

struct Borrowers {
  int running = 0;  ///< workloads of 1 cpu; the owner has as much quota
  bool fair = false;
  /// Some are too important to go, so that none can have all the quota.
  bool protected_ones = false;
  /// The owner runs all of them itself, gives up newer ones of equal priority, and has no newer.
  bool equals = false;

  std::vector<Object> Objects() const;
  /// Of priority 50, dealt to the borrowers in turn, one started every second.
  std::vector<Workload> Running() const;
};

}  // namespace muster::bench

#endif  // MUSTER_TESTS_BENCH_BORROWERS_H_
