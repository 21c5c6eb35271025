// Siblings: the variants of one job, of which the one with the most preferred flavor is to run
// (spec: concurrent admission).
//
// How much a flavor is preferred is its place in the only resource group of the queue. A variant is
// for the first of the flavors that it may have.
#ifndef MUSTER_ENGINE_KIN_VARIANTS_H_
#define MUSTER_ENGINE_KIN_VARIANTS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/state/variant_marks.h"
#include "engine/state/world.h"

namespace muster {

/// The place of a variant's flavor among those of its queue, from the most preferred; unset: the
/// queue has not got it.
std::optional<std::size_t> PreferenceOf(const ClusterQueueState& queue,
                                        const WorkloadRecord& variant);

/// The variants that the engine made for a job, the most preferred first; last those of flavors
/// that its queue has no more.
std::vector<WorkloadId> VariantsOf(const World& world, const WorkloadRecord& job);
/// The variant that a job runs as: admitted, on the flavors that the job was told of. While it was
/// told of none, the most preferred that is admitted. Null: none is.
const WorkloadRecord* RunningVariant(const World& world, const WorkloadRecord& job);
/// What holds the quota that a workload runs on: the running variant of a job, else itself.
const WorkloadRecord& RunnerOf(const World& world, const WorkloadRecord& workload);

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
