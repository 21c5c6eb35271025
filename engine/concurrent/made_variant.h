// What the engine makes of a job for one flavor: the variant's name and all that it says.
#ifndef MUSTER_ENGINE_CONCURRENT_MADE_VARIANT_H_
#define MUSTER_ENGINE_CONCURRENT_MADE_VARIANT_H_

#include <string>
#include <string_view>

#include "engine/state/world.h"
#include "muster/workload.h"

namespace muster {

/// "job-train-variant-spot-3f9c1" for "job-train" or "job-train-5e0ab": without the hash of the
/// job's name, with one of both names. It is a name that no workload has.
std::string NameOfVariant(const World& world, const Key& job, std::string_view flavor);

/// What a variant of the job is to say: what the job does, with the flavor that it may have and the
/// closed gate. Neither name nor UID. The job alone is subject to limits of time.
Workload VariantFor(const WorkloadRecord& job, std::string_view flavor);

}  // namespace muster

#endif  // MUSTER_ENGINE_CONCURRENT_MADE_VARIANT_H_
