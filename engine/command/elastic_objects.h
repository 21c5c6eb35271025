// Elastic jobs among objects that are applied: a workload that is submitted again with other counts
// speaks of the slice that counts now, or makes the next one. See engine/kin/elastic_job.h.
#ifndef MUSTER_ENGINE_COMMAND_ELASTIC_OBJECTS_H_
#define MUSTER_ENGINE_COMMAND_ELASTIC_OBJECTS_H_

#include <optional>
#include <span>
#include <vector>

#include "engine/state/world.h"
#include "muster/object.h"

namespace muster {

/// `objects` with such workloads as what they are taken for; unset: none is one. Twice is once.
/// O(objects), and O(workloads) where a job has slices.
std::optional<std::vector<Object>> AsSlices(const World& world, std::span<const Object> objects);

/// `stored`, with which `object` is compared: with the counts of `object`, where that is an elastic
/// job that gives up pods and keeps the quota of the others.
Object ToCompareWith(const World& world, Object stored, const Object& object);

/// What runs of the job of which `object` is a slice that waits, with the counts of that: the rest
/// may not change. Unset: it is no such slice.
std::optional<Object> HolderToCompareWith(const World& world, const Object& object);

}  // namespace muster

#endif  // MUSTER_ENGINE_COMMAND_ELASTIC_OBJECTS_H_
