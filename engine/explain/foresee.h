// Foresee: which head of another queue goes before a workload in the next cycle and takes what it
// needs.
#ifndef MUSTER_ENGINE_EXPLAIN_FORESEE_H_
#define MUSTER_ENGINE_EXPLAIN_FORESEE_H_

#include <cstdint>

#include "engine/cycle/entry.h"
#include "engine/policy/policy_table.h"
#include "engine/state/world.h"

namespace muster {

struct Foreseen {
  const WorkloadRecord* first = nullptr;  ///< null: none stands in its way
  Outcome outcome = Outcome::kAdmitted;   ///< of `first`
  std::int64_t victims = 0;               ///< that `first` waits for, or would evict
};

/// Decides about the heads of the tree of `workload` as the next cycle would, and takes it back.
/// Precondition: `workload` is the head of an active queue. O(a cycle of the tree), some times over
/// where something stands in its way.
Foreseen Foresee(World& world, PolicyTable& policies, const WorkloadRecord& workload);

}  // namespace muster

#endif  // MUSTER_ENGINE_EXPLAIN_FORESEE_H_
