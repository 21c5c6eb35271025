// What the hooks of a policy cost, by the size of their batch.
#ifndef MUSTER_BINDINGS_LAB_HOOK_BENCH_H_
#define MUSTER_BINDINGS_LAB_HOOK_BENCH_H_

#include <cstddef>
#include <string>
#include <vector>

#include "muster/policy.h"

namespace muster::lab {

struct HookCost {
  std::size_t items = 0;
  double nanoseconds = 0;  ///< for each item, the fastest of several calls
  double fuel = 0;         ///< for each item
};

struct HookBench {
  std::string hook;
  std::string error;            ///< why it could not be asked; the rest is empty then
  std::vector<HookCost> costs;  ///< by ascending items
  /// How the time of a call grows with its items: 1 in proportion, 2 with their square; 0: one
  /// size.
  double exponent = 0;
};

/// Asks each hook about made-up items; submit and preempt_limits, which are asked about one job at
/// a time, about one.
std::vector<HookBench> MeasureHooks(Policy& policy, const std::vector<std::size_t>& sizes);

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_HOOK_BENCH_H_
