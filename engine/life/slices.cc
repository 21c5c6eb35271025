// See slices.h.
#include "engine/life/slices.h"

#include <string>

#include "engine/life/lifecycle.h"
#include "engine/model/elastic.h"

namespace muster {

void EndReplaced(World& world, const WorkloadRecord& slice, WorkloadRecord& replaced) {
  EndWorkload(world, replaced, kSliceReplaced,
              "Replaced to accommodate a workload (UID: " + slice.uid() +
                  ") due to workload slice aggregation: " + slice.spec.key.ToString());
}

}  // namespace muster
