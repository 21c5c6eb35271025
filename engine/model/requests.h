// What one pod of a podset asks of the quota: defaults filled in, containers added up, configured
// exclusions and transformations applied. Sums are exact; rounding to amounts comes last.
#ifndef MUSTER_ENGINE_MODEL_REQUESTS_H_
#define MUSTER_ENGINE_MODEL_REQUESTS_H_

#include <map>
#include <span>
#include <string>

#include "muster/quantity.h"
#include "muster/spec.h"
#include "muster/types.h"
#include "muster/workload.h"

namespace muster {

/// Everything outside the workload that its requests depend on. Owns nothing.
struct RequestContext {
  const Configuration& config;
  const std::map<std::string, RuntimeClass>& runtime_classes;
  std::span<const LimitRange* const> limit_ranges;  ///< those of the workload's namespace
};

/// Amount per resource, in name order.
using Requests = std::map<std::string, Amount, std::less<>>;

/// `pods` with the overhead of its RuntimeClass (when it has none), the LimitRange defaults, and
/// limits as requests where a request is missing. O(containers x resources).
PodTemplate FillDefaults(PodTemplate pods, const RequestContext& context);

/// Request of one pod before exclusions and transformations: the larger of what the app containers
/// and what the init phase need, pod-level resources in their place where set, plus overhead.
ResourceList PodResources(const PodTemplate& filled);

/// Request of one pod in base units, exclusions and transformations of `config` applied; never
/// negative. `filled` comes from FillDefaults. Multiply by the effective count with Mul.
Requests PodRequests(const PodTemplate& filled, const Configuration& config);

}  // namespace muster

#endif  // MUSTER_ENGINE_MODEL_REQUESTS_H_
