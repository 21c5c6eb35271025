// Notes of an explanation: where something else decides than the order that one reads first.
#ifndef MUSTER_ENGINE_EXPLAIN_EXPLAIN_NOTES_H_
#define MUSTER_ENGINE_EXPLAIN_EXPLAIN_NOTES_H_

#include "engine/explain/verdict.h"
#include "engine/policy/policy_table.h"
#include "engine/state/world.h"
#include "muster/views.h"

namespace muster {

/// Fills `notes` from the rest of the explanation. O(what it lists).
void AddNotes(const World& world, const PolicyTable& policies, const WorkloadRecord& workload,
              const Hypothesis& hypothesis, Explanation& explanation);

}  // namespace muster

#endif  // MUSTER_ENGINE_EXPLAIN_EXPLAIN_NOTES_H_
