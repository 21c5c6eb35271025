// The Standard Workload Format of the Parallel Workloads Archive, version 2.2.
#ifndef MUSTER_BINDINGS_SIMULATE_TRACE_SWF_H_
#define MUSTER_BINDINGS_SIMULATE_TRACE_SWF_H_

#include <string_view>

#include "bindings/simulate/trace.h"

namespace muster::simulate {

/// Every row, in the order of the log: also those that never ran. Size is the larger of processors
/// asked for and given; a missing request for time is the run time. See ReadTrace for errors.
Result<Trace> ReadSwf(std::string_view file, std::string_view text);

}  // namespace muster::simulate

#endif  // MUSTER_BINDINGS_SIMULATE_TRACE_SWF_H_
