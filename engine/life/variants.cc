// See variants.h.
#include "engine/life/variants.h"

#include <string>

#include "engine/life/lifecycle.h"

namespace muster {

bool OrderMigration(World& world, WorkloadRecord& variant, const WorkloadRecord& preferred) {
  return OrderEviction(
      world, variant, eviction::kFlavorMigration,
      "Evicted to accommodate a workload (UID: " + preferred.uid().str() +
          ") due to migration to more favorable resource flavor: " + preferred.spec.key.ToString());
}

}  // namespace muster
