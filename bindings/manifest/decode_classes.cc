// Small cluster-wide kinds: priority classes, RuntimeClass, AdmissionCheck, Topology.
#include "bindings/manifest/decode.h"

namespace muster::manifest {

/// One level of a Topology: {nodeLabel: ...}.
struct TopologyLevel {
  std::string node_label;
};

static bool Read(const Value& value, TopologyLevel* out) {
  Fields fields(value);
  fields.Require("nodeLabel", &out->node_label, "kubernetes.io/hostname");
  return true;
}

std::optional<Object> DecodeWorkloadPriorityClass(const Value& document) {
  Fields fields(document);
  WorkloadPriorityClass priority;
  priority.name = ReadMetadata(fields).name;
  fields.Require("value", &priority.value, "1000");
  fields.Get("description", &priority.description);
  return priority;
}

std::optional<Object> DecodePriorityClass(const Value& document) {
  Fields fields(document);
  PriorityClass priority;
  priority.name = ReadMetadata(fields).name;
  fields.Require("value", &priority.value, "1000");
  fields.Get("globalDefault", &priority.global_default);
  fields.Accept({"description", "preemptionPolicy"});
  return priority;
}

std::optional<Object> DecodeRuntimeClass(const Value& document) {
  Fields fields(document);
  RuntimeClass runtime;
  runtime.name = ReadMetadata(fields).name;
  if (const auto value = fields.Find("overhead")) {
    Fields overhead(*value);
    overhead.Get("podFixed", &runtime.overhead);
  }
  fields.Accept({"handler", "scheduling"});
  return runtime;
}

std::optional<Object> DecodeAdmissionCheck(const Value& document) {
  Fields fields(document);
  AdmissionCheck check;
  check.name = ReadMetadata(fields).name;
  if (const auto value = fields.Find("spec")) {
    Fields spec(*value);
    spec.Get("controllerName", &check.controller);
    spec.Accept({"parameters"});  // for the check's own controller
    spec.Unread("retryDelayMinutes", "a check that says Retry says itself how long to wait",
                "remove it");
  }
  if (const auto value = fields.Find("status")) {
    Fields status(*value);
    std::vector<Condition> conditions;
    status.Get("conditions", &conditions);
    for (const Condition& condition : conditions) {
      if (condition.type == "Active") check.active = condition.status;
    }
  }
  return check;
}

std::optional<Object> DecodeTopology(const Value& document) {
  Fields fields(document);
  Topology topology;
  topology.name = ReadMetadata(fields).name;
  if (const auto value = fields.Find("spec")) {
    Fields spec(*value);
    std::vector<TopologyLevel> levels;
    spec.Get("levels", &levels);
    for (TopologyLevel& level : levels) topology.levels.push_back(std::move(level.node_label));
  }
  return topology;
}

}  // namespace muster::manifest
