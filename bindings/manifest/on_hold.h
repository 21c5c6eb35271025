// Workloads whose object cannot run as it is, by its status: they hold no quota and ask for none
// until that status changes. Kueue calls it on hold.
#ifndef MUSTER_BINDINGS_MANIFEST_ON_HOLD_H_
#define MUSTER_BINDINGS_MANIFEST_ON_HOLD_H_

#include <string>
#include <vector>

#include "bindings/objects/kind.h"
#include "muster/command.h"
#include "muster/views.h"

namespace muster::manifest {

bool IsOnHold(const Workload& workload);

/// What follows from `status` where it is not known yet: "on hold" or "queued", and the commands.
struct HoldChange {
  std::string result;  ///< empty: nothing
  std::vector<Command> commands;
};
HoldChange ChangeOfHold(const objects::JobStatus& status, const WorkloadView& known);

/// `workload` is made of the object anew: what its status says is known by an observation only.
void KeepHold(const Workload& known, Workload* workload);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_ON_HOLD_H_
