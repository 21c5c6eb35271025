// Lists of decisions become maps by workload; the order inside a cycle is not part of the contract.
#include "bindings/lab/contract.h"

#include <map>
#include <string>
#include <utility>

#include "bindings/manifest/manifest.h"
#include "engine/model/names.h"

namespace muster::lab {
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
  const WorkloadPhase phase =
      admitted.admitted ? WorkloadPhase::kAdmitted : WorkloadPhase::kReserved;
  return {{"clusterQueue", admitted.admission.cluster_queue},
          {"phase", PhaseName(phase)},
          {"podSets", std::move(pod_sets)}};
}

Json PendingJson(const PendingWorkload& pending) {
  Json json = {{"clusterQueue", pending.cluster_queue}, {"parked", pending.parked}};
  if (pending.reason != PendingReason::kNone) json["reason"] = ReasonName(pending.reason);
  if (!pending.message.empty()) json["message"] = pending.message;
  if (!pending.closed.empty()) json["closed"] = pending.closed;
  return json;
}

Json ConditionsJson(const WorkloadStatus& status) {
  Json conditions = Json::object();
  for (const Condition& each : status.conditions) {
    conditions[each.type] = {{"status", each.status ? "True" : "False"}, {"reason", each.reason}};
  }
  return conditions;
}

Json ChecksJson(const WorkloadStatus& status) {
  Json checks = Json::object();
  for (const AdmissionCheckStatus& each : status.admission_checks) {
    Json check = {{"state", EnumName(each.state)}, {"retryCount", each.retry_count}};
    for (const PodSetUpdate& update : each.pod_set_updates) {
      check["podSetUpdates"][update.name] = {{"labels", update.labels},
                                             {"annotations", update.annotations},
                                             {"nodeSelector", update.node_selector}};
    }
    checks[each.name] = std::move(check);
  }
  return checks;
}

Json EvictionsJson(const WorkloadStatus& status) {
  Json evictions = Json::object();
  for (const EvictionCount& each : status.evictions) {
    evictions[each.reason + (each.cause.empty() ? "" : "/" + each.cause)] = each.count;
  }
  return evictions;
}

}  // namespace

Json WorkloadJson(const WorkloadView& workload) {
  const WorkloadStatus& status = workload.spec.status;
  Json json = {{"phase", PhaseName(workload.phase)}, {"active", workload.spec.active},
               {"priority", workload.priority},      {"conditions", ConditionsJson(status)},
               {"checks", ChecksJson(status)},       {"evictions", EvictionsJson(status)}};
  if (workload.boost != 0) json["boost"] = workload.boost;
  if (!workload.boosted_by.empty()) json["boostedBy"] = workload.boosted_by;
  if (workload.checkpointed != kNoTime) {
    json["checkpointed"] = manifest::FormatTime(workload.checkpointed);
  }
  if (workload.reason != PendingReason::kNone) json["reason"] = ReasonName(workload.reason);
  if (status.requeue_state) {
    json["requeueState"] = {{"count", status.requeue_state->count}};
    if (status.requeue_state->requeue_at != kNoTime) {
      json["requeueState"]["requeueAt"] = manifest::FormatTime(status.requeue_state->requeue_at);
    }
  }
  if (status.past_execution_seconds > 0) json["pastSeconds"] = status.past_execution_seconds;
  if (!status.unhealthy_nodes.empty()) json["unhealthyNodes"] = status.unhealthy_nodes;
  if (!status.open_preemption_gates.empty()) json["openGates"] = status.open_preemption_gates;
  if (!status.admission) return json;
  json["podSets"] = Json::array();
  for (const PodSetAssignment& each : status.admission->pod_sets) {
    Json pod_set = PodSetJson(each);
    Json usage = Json::object();
    for (const auto& [resource, quantity] : each.resource_usage) {
      usage[resource] = quantity.ToString();
    }
    pod_set["usage"] = std::move(usage);
    json["podSets"].push_back(std::move(pod_set));
  }
  return json;
}

Json StepJson(const CycleOutcome& cycle) {
  SortedEntries admitted, preempted, evicted, pending;
  for (const AdmittedWorkload& each : cycle.result.admitted) {
    admitted[each.workload.ToString()] = AdmittedJson(each);
  }
  for (const PreemptedWorkload& each : cycle.result.preempted) {
    Json& entry = preempted[each.workload.ToString()];
    entry = {{"reason", ReasonName(each.reason)}};
    if (each.reason != PreemptionReason::kFlavorMigration && !each.by.name.empty()) {
      entry["by"] = each.by.ToString();
    }
  }
  for (const EvictedWorkload& each : cycle.result.evicted) {
    evicted[each.workload.ToString()] = {{"clusterQueue", each.cluster_queue},
                                         {"reason", each.reason},
                                         {"quotaFree", each.quota_free}};
  }
  for (const PendingWorkload& each : cycle.pending) {
    pending[each.workload.ToString()] = PendingJson(each);
  }
  Json step = {{"at", manifest::FormatTime(cycle.result.at)},
               {"admitted", ToObject(admitted)},
               {"preempted", ToObject(preempted)},
               {"evicted", ToObject(evicted)},
               {"pending", ToObject(pending)}};
  if (!cycle.workloads.empty()) {
    SortedEntries workloads;
    for (const WorkloadView& each : cycle.workloads) {
      workloads[each.spec.key.ToString()] = WorkloadJson(each);
    }
    step["workloads"] = ToObject(workloads);
  }
  return step;
}

}  // namespace muster::lab
