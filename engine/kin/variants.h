// Siblings: the variants of one job, of which the one with the most preferred flavor is to run
// (spec: concurrent admission).
//
// How much a flavor is preferred is its place in the only resource group of the queue. A variant is
// for the first of the flavors that it may have.
#ifndef MUSTER_ENGINE_KIN_VARIANTS_H_
#define MUSTER_ENGINE_KIN_VARIANTS_H_

#include <optional>
#include <string>

#include "engine/state/variant_marks.h"
#include "engine/state/world.h"

namespace muster {

enum class Preferred { kMore, kLess };

/// The sibling of a variant that is admitted in the same queue, with a flavor that is preferred
/// more, or less; of several the most preferred one. Null: there is none, or it is no variant.
/// O(holders of its queue) for a variant.
const WorkloadRecord* AdmittedSibling(const World& world, const WorkloadRecord& workload,
                                      Preferred than_its);

/// Why a job does not leave the flavor it runs on for that of this variant; unset: it does.
std::optional<std::string> WhyNoMigration(const World& world, const WorkloadRecord& variant);

}  // namespace muster

#endif  // MUSTER_ENGINE_KIN_VARIANTS_H_
