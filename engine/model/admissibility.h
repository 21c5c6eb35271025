// Whether a workload may be admitted at all, whatever the quota: its requests against its own
// limits and against the LimitRanges of its namespace.
#ifndef MUSTER_ENGINE_MODEL_ADMISSIBILITY_H_
#define MUSTER_ENGINE_MODEL_ADMISSIBILITY_H_

#include <optional>
#include <string>

#include "engine/model/requests.h"
#include "muster/workload.h"

namespace muster {

/// Why a workload with these podsets cannot be admitted as written, one sentence naming podset and
/// container; nullopt when nothing speaks against it. The namespace selector is not looked at.
/// O(containers).
std::optional<std::string> Inadmissible(const SharedList<PodSet>& pod_sets,
                                        const RequestContext& context);
/// The same for one podset, whose template FillDefaults has made `filled`.
std::optional<std::string> Inadmissible(const PodSet& pod_set, const PodTemplate& filled,
                                        const RequestContext& context);

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_ADMISSIBILITY_H_
