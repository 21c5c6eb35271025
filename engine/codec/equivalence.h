// The part of a workload that decides whether it can be scheduled, as one canonical text: workloads
// with equal texts in one ClusterQueue get the same answer from flavor assignment.
#ifndef MUSTER_ENGINE_CODEC_EQUIVALENCE_H_
#define MUSTER_ENGINE_CODEC_EQUIVALENCE_H_

#include <cstdint>
#include <span>
#include <string>

#include "muster/workload.h"

namespace muster {

/// One podset as the scheduler sees it.
struct EffectivePodSet {
  const PodSet& spec;
  const PodTemplate& filled;  ///< FillDefaults(spec.pods)
  std::int64_t count = 0;     ///< after reclaimablePods
};

/// Canonical text over, per podset: name, effective count, minCount,
/// topology request, node selector, required affinity, tolerations, and the requests in canonical
/// form. Names and limits of containers are not part.
std::string PodSetsForm(std::span<const EffectivePodSet> pod_sets);

/// The same over a whole workload. Equal texts mean equivalent workloads.
std::string EquivalenceForm(std::int64_t effective_priority, std::string_view pod_sets_form);

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_EQUIVALENCE_H_
