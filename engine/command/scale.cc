// See scale.h.
#include "engine/command/scale.h"

#include <string>
#include <utility>

#include "engine/base/amount.h"
#include "engine/base/find_named.h"
#include "engine/model/elastic.h"
#include "engine/state/records.h"

namespace muster {
namespace {

/// What `count` of the assigned pods use: amounts of equal pods, so they divide.
void Shrink(PodSetAssignment& assigned, std::int32_t count) {
  if (count >= assigned.count) return;
  for (auto& [resource, quantity] : assigned.resource_usage) {
    const Amount each = quantity.ToAmount(resource) / assigned.count;
    quantity = QuantityOf(resource, each * count);
  }
  assigned.count = count;
}

Problem CountProblem(std::string what, std::string cure) {
  Problem problem;
  problem.field = "spec.podSets";
  problem.what = std::move(what);
  problem.cure = std::move(cure);
  return problem;
}

}  // namespace

Status Resize(Workload& workload, const std::vector<PodSetCount>& counts) {
  Workload resized = workload;
  const bool reserved = IsTrue(Keep(workload.status), condition::kQuotaReserved);
  for (const PodSetCount& wanted : counts) {
    PodSet* pod_set = FindNamed(resized.pod_sets, wanted.pod_set);
    if (pod_set == nullptr) {
      return Status::Invalid(
          {CountProblem("'" + wanted.pod_set + "' is not a podset of this workload",
                        "name one of spec.podSets")});
    }
    if (reserved && wanted.count > pod_set->count) {
      return Status::Invalid({CountProblem(
          "podset '" + wanted.pod_set + "' cannot grow from " + std::to_string(pod_set->count) +
              " to " + std::to_string(wanted.count) + " while quota is reserved",
          "submit a larger workload that replaces it (annotation " +
              std::string(kReplacementForAnnotation) + ")")});
    }
    pod_set->count = wanted.count;
    if (!reserved || !resized.status.admission) continue;
    PodSetAssignment* assigned = FindNamed(resized.status.admission->pod_sets, wanted.pod_set);
    if (assigned != nullptr && wanted.count >= 0) Shrink(*assigned, wanted.count);
  }
  CapReclaimablePods(resized);
  workload = std::move(resized);
  return Status::Ok();
}

}  // namespace muster
