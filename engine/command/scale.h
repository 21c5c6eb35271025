// Scaling in place: podsets of a workload that became larger or smaller.
#ifndef MUSTER_ENGINE_COMMAND_SCALE_H_
#define MUSTER_ENGINE_COMMAND_SCALE_H_

#include <vector>

#include "muster/engine.h"

namespace muster {

/// Gives the podsets their new counts. While quota is reserved a podset may only shrink, and its
/// admission shrinks with it. kInvalidArgument, with `workload` unchanged, for a podset that is
/// none or would grow then.
Status Resize(Workload& workload, const std::vector<PodSetCount>& counts);

}  // namespace muster

#endif  // MUSTER_ENGINE_COMMAND_SCALE_H_
