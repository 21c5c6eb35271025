// Lists of decisions become maps by workload; the order inside a cycle is not part of the contract.
#include "bindings/cli/world/contract.h"

#include <map>
#include <string>

namespace muster::cli {
namespace {

/// A JSON object with its keys in name order.
using SortedEntries = std::map<std::string, Json>;

Json ToObject(const SortedEntries& entries) {
  Json object = Json::object();
  for (const auto& [key, value] : entries) object[key] = value;
  return object;
}

Json TopologyJson(const TopologyAssignment& topology) {
  Json domains = Json::array();
  for (const TopologyDomain& domain : topology.domains) {
    domains.push_back({{"values", domain.values}, {"count", domain.count}});
  }
  return {{"levels", topology.levels}, {"domains", std::move(domains)}};
}

Json PodSetJson(const PodSetAssignment& pod_set) {
  Json flavors = Json::object();
  for (const auto& [resource, flavor] : pod_set.flavors) flavors[resource] = flavor;
  Json json = {{"name", pod_set.name}, {"count", pod_set.count}, {"flavors", std::move(flavors)}};
  if (pod_set.topology) json["topology"] = TopologyJson(*pod_set.topology);
  return json;
}

Json AdmittedJson(const AdmittedWorkload& admitted) {
  Json pod_sets = Json::array();
  for (const PodSetAssignment& pod_set : admitted.admission.pod_sets) {
    pod_sets.push_back(PodSetJson(pod_set));
  }
  return {{"clusterQueue", admitted.admission.cluster_queue}, {"podSets", std::move(pod_sets)}};
}

Json PendingJson(const PendingWorkload& pending) {
  Json json = {{"clusterQueue", pending.cluster_queue}, {"parked", pending.parked}};
  if (pending.reason != PendingReason::kNone) json["reason"] = ReasonName(pending.reason);
  if (!pending.message.empty()) json["message"] = pending.message;
  return json;
}

}  // namespace

Json StepJson(const CycleOutcome& cycle) {
  SortedEntries admitted, preempted, pending;
  for (const AdmittedWorkload& each : cycle.result.admitted) {
    admitted[each.workload.ToString()] = AdmittedJson(each);
  }
  for (const PreemptedWorkload& each : cycle.result.preempted) {
    preempted[each.workload.ToString()] = {{"reason", ReasonName(each.reason)},
                                           {"by", each.by.ToString()}};
  }
  for (const PendingWorkload& each : cycle.pending) {
    pending[each.workload.ToString()] = PendingJson(each);
  }
  return {{"at", manifest::FormatTime(cycle.result.at)},
          {"admitted", ToObject(admitted)},
          {"preempted", ToObject(preempted)},
          {"pending", ToObject(pending)}};
}

Json OutcomeJson(std::span<const CycleOutcome> cycles) {
  Json steps = Json::array();
  for (const CycleOutcome& cycle : cycles) steps.push_back(StepJson(cycle));
  return {{"steps", std::move(steps)}};
}

}  // namespace muster::cli
