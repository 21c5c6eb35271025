// status of a Workload: what it holds and what has happened to it.
#include <array>

#include "bindings/manifest/decode.h"

namespace muster::manifest {
namespace {

constexpr std::int32_t kCountIsMissing = -1;  ///< resolved by DecodeWorkload

}  // namespace

static bool Read(const Value& value, PodSetAssignment* out) {
  Fields fields(value);
  out->name = "main";
  out->count = kCountIsMissing;
  fields.Get("name", &out->name);
  fields.Get("flavors", &out->flavors);
  fields.Get("resourceUsage", &out->resource_usage);
  const auto count = fields.Find("count");
  if (count && Read(*count, &out->count) && out->count < 0) {
    count->Error("cannot be negative", "write the number of pods that hold quota");
  }
  fields.Get("topologyAssignment", &out->topology);
  fields.Unread("delayedTopologyRequest", "placement by topology is not built", "remove it");
  return true;
}

static bool Read(const Value& value, Admission* out) {
  Fields fields(value);
  fields.Require("clusterQueue", &out->cluster_queue, "team-a");
  fields.Get("podSetAssignments", &out->pod_sets);
  return true;
}

bool Read(const Value& value, ReclaimablePods* out) {
  Fields fields(value);
  fields.Require("name", &out->pod_set, "main");
  fields.Require("count", &out->count, "1");
  return true;
}

bool Read(const Value& value, PodSetUpdate* out) {
  Fields fields(value);
  fields.Require("name", &out->name, "main");
  fields.Get("labels", &out->labels);
  fields.Get("annotations", &out->annotations);
  fields.Get("nodeSelector", &out->node_selector);
  fields.Get("tolerations", &out->tolerations);
  return true;
}

static bool Read(const Value& value, AdmissionCheckStatus* out) {
  Fields fields(value);
  fields.Require("name", &out->name, "provisioning");
  fields.Require("state", &out->state, "Pending");
  fields.Get("message", &out->message);
  if (fields.GetTime("lastTransitionTime", &out->since)) out->since = CutToSecond(out->since);
  fields.Get("retryCount", &out->retry_count);
  fields.Get("requeueAfterSeconds", &out->requeue_after_seconds);
  fields.Get("podSetUpdates", &out->pod_set_updates);
  return true;
}

static bool Read(const Value& value, EvictionCount* out) {
  Fields fields(value);
  fields.Require("reason", &out->reason, "Preempted");
  fields.Get("underlyingCause", &out->cause);
  fields.Require("count", &out->count, "1");
  return true;
}

static bool Read(const Value& value, RequeueState* out) {
  Fields fields(value);
  fields.Get("count", &out->count);
  if (fields.GetTime("requeueAt", &out->requeue_at)) out->requeue_at = CutToSecond(out->requeue_at);
  return true;
}

/// One of status.preemptionGates.
struct GateStatus {
  std::string name;
  bool open = false;
};

static bool Read(const Value& value, GateStatus* out) {
  constexpr std::array<std::string_view, 2> kPositions = {"Open", "Closed"};
  Fields fields(value);
  fields.Require("name", &out->name, "gate");
  if (const auto position = fields.Find("position")) {
    out->open = ReadWord(*position, kPositions) == std::size_t{0};
  }
  fields.Accept({"lastTransitionTime"});
  return true;
}

/// One of status.unhealthyNodes.
struct UnhealthyNode {
  std::string name;
};

static bool Read(const Value& value, UnhealthyNode* out) {
  Fields fields(value);
  fields.Require("name", &out->name, "node-1");
  return true;
}

bool Read(const Value& value, WorkloadStatus* out) {
  Fields fields(value);
  fields.Get("conditions", &out->conditions);
  fields.Get("admission", &out->admission);
  fields.Get("requeueState", &out->requeue_state);
  fields.Get("reclaimablePods", &out->reclaimable_pods);
  fields.Get("admissionChecks", &out->admission_checks);
  // The misspelling is v1beta1's own.
  fields.Get(fields.decoding().v1beta1 ? "accumulatedPastExexcutionTimeSeconds"
                                       : "accumulatedPastExecutionTimeSeconds",
             &out->past_execution_seconds);
  std::vector<GateStatus> gates;
  fields.Get("preemptionGates", &gates);
  for (GateStatus& gate : gates) {
    if (gate.open) out->open_preemption_gates.push_back(std::move(gate.name));
  }
  std::vector<UnhealthyNode> nodes;
  fields.Get("unhealthyNodes", &nodes);
  for (UnhealthyNode& node : nodes) out->unhealthy_nodes.push_back(std::move(node.name));
  if (const auto stats = fields.Find("schedulingStats")) {
    Fields(*stats).Get("evictions", &out->evictions);
  }
  fields.Accept({"resourceRequests", "nominatedClusterNames", "clusterName"});
  return true;
}

}  // namespace muster::manifest
