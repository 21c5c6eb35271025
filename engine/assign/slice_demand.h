// What admitting a slice means for quota, beside what is charged for the workload it replaces.
#ifndef MUSTER_ENGINE_ASSIGN_SLICE_DEMAND_H_
#define MUSTER_ENGINE_ASSIGN_SLICE_DEMAND_H_

#include "engine/assign/assignment.h"
#include "engine/state/workload_record.h"

namespace muster {

/// Adds to the amount of a pair in a list that is ascending by pair, each once.
void AddTo(UsageList& usage, FlavorResourceId pair, Amount amount);

/// What a search for victims has to make room for: per podset, paired by position, what the pods
/// ask for that are more than before; one net sum of each pair.
UsageList SliceDemand(const Assignment& assignment, const WorkloadRecord& replaced);

/// What the slice itself is charged once it is admitted: all of it.
SharedList<Usage> SliceCharge(const Assignment& assignment);

}  // namespace muster

#endif  // MUSTER_ENGINE_ASSIGN_SLICE_DEMAND_H_
