// Preemption gates: a workload with one that is not open evicts nothing.
#ifndef MUSTER_ENGINE_KIN_PREEMPTION_GATES_H_
#define MUSTER_ENGINE_KIN_PREEMPTION_GATES_H_

#include "engine/state/workload_record.h"

namespace muster {

/// Whether the workload has a preemption gate that is not open.
bool HasClosedGate(const WorkloadRecord& workload);

}  // namespace muster

#endif  // MUSTER_ENGINE_KIN_PREEMPTION_GATES_H_
