// A job leaves the flavor that it runs on for one that it prefers.
#ifndef MUSTER_ENGINE_LIFE_VARIANTS_H_
#define MUSTER_ENGINE_LIFE_VARIANTS_H_

#include "engine/state/world.h"

namespace muster {

/// Orders the eviction of a variant, in whose place `preferred` is to run. False: it is under way.
bool OrderMigration(World& world, WorkloadRecord& variant, const WorkloadRecord& preferred);

}  // namespace muster

#endif  // MUSTER_ENGINE_LIFE_VARIANTS_H_
