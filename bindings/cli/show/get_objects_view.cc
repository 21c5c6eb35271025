// A header and a row for each kind.
#include "bindings/cli/show/get_objects_view.h"

#include <map>
#include <string>
#include <string_view>
#include <variant>

#include "bindings/cli/show/get_view.h"
#include "bindings/cli/table.h"
#include "bindings/cli/world/policy_words.h"
#include "bindings/lab/read.h"

namespace muster::cli {
namespace {

constexpr std::size_t kShortHash = 12;

std::string WithCommas(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

std::string_view EffectName(TaintEffect effect) {
  switch (effect) {
    case TaintEffect::kNone:
      return "";
    case TaintEffect::kNoSchedule:
      return "NoSchedule";
    case TaintEffect::kPreferNoSchedule:
      return "PreferNoSchedule";
    case TaintEffect::kNoExecute:
      return "NoExecute";
  }
  return "";
}

std::vector<std::string> Header(Kind kind) {
  switch (kind) {
    case Kind::kFlavor:
      return {"NAME", "NODELABELS", "TAINTS", "TOPOLOGY"};
    case Kind::kPriorityClass:
      return {"NAME", ">VALUE", "KIND", "DESCRIPTION"};
    case Kind::kNamespace:
      return {"NAME", "LABELS"};
    case Kind::kTopology:
      return {"NAME", "LEVELS"};
    case Kind::kNode:
      return {"NAME", "READY", "LABELS", "TAINTS", "ALLOCATABLE"};
    case Kind::kAdmissionCheck:
      return {"NAME", "CONTROLLER", "ACTIVE"};
    default:
      return {};
  }
}

struct RowOf {
  std::vector<Cell> operator()(const ResourceFlavor& flavor) const {
    return {flavor.name, ShowLabels(flavor.node_labels), ShowTaints(flavor.node_taints),
            flavor.topology_name};
  }
  std::vector<Cell> operator()(const WorkloadPriorityClass& priority) const {
    return {priority.name, std::to_string(priority.value), "WorkloadPriorityClass",
            priority.description};
  }
  std::vector<Cell> operator()(const PriorityClass& priority) const {
    return {priority.name, std::to_string(priority.value), "PriorityClass",
            priority.global_default ? "the global default" : ""};
  }
  std::vector<Cell> operator()(const Namespace& ns) const {
    return {ns.name, ShowLabels(ns.labels)};
  }
  std::vector<Cell> operator()(const Topology& topology) const {
    return {topology.name, WithCommas(topology.levels)};
  }
  std::vector<Cell> operator()(const Node& node) const {
    std::string allocatable;
    for (const auto& [resource, quantity] : node.allocatable) {
      allocatable += (allocatable.empty() ? "" : ",") + resource + "=" + quantity.ToString();
    }
    const std::string ready = node.ready ? "yes" : "no";
    return {node.name, node.unschedulable ? ready + ", cordoned" : ready, ShowLabels(node.labels),
            ShowTaints(node.taints), allocatable};
  }
  std::vector<Cell> operator()(const AdmissionCheck& check) const {
    return {check.name, check.controller, check.active ? "yes" : "no"};
  }
  template <typename T>
  std::vector<Cell> operator()(const T&) const {
    return {};
  }
};

}  // namespace

std::string ShowTaints(const std::vector<Taint>& taints) {
  std::string text;
  for (const Taint& taint : taints) {
    if (!text.empty()) text += ',';
    text += taint.key;
    if (!taint.value.empty()) text += "=" + taint.value;
    text += ":" + std::string(EffectName(taint.effect));
  }
  return text;
}

Table ObjectsTable(Kind kind, const std::vector<Object>& objects) {
  Table table(Header(kind));
  for (const Object& object : objects) table.Add(std::visit(RowOf{}, object));
  return table;
}

Table BindingsTable(const Engine& engine, const std::vector<Object>& bindings) {
  std::map<std::string, std::string> states;
  for (const PolicyBindingView& view : lab::Read(engine.PolicyBindings())) {
    states[view.name] = StateText(view);
  }
  Table table({"NAME", "POLICY", "HOOKS", "CLUSTERQUEUES", "COHORTS", "LOCALQUEUES", "STATE"});
  for (const Object& object : bindings) {
    const auto& binding = std::get<PolicyBinding>(object);
    const bool everything =
        binding.cluster_queues.empty() && binding.cohorts.empty() && binding.local_queues.empty();
    table.Add({binding.name, binding.policy,
               binding.hooks.empty() ? "all" : WithCommas(binding.hooks),
               everything ? "all" : WithCommas(binding.cluster_queues), WithCommas(binding.cohorts),
               WithCommas(binding.local_queues), states[binding.name]});
  }
  return table;
}

Table PoliciesTable(const std::vector<PolicyInfo>& policies, bool wide) {
  Table table({"NAME", "HASH", "HOOKS", "DESCRIPTION"});
  for (const PolicyInfo& policy : policies) {
    std::string hooks;
    for (const HookInfo& hook : policy.hooks) {
      if (!hooks.empty()) hooks += ',';
      hooks += HookName(hook.hook);
      if (wide) hooks += " (" + hook.place + ")";
    }
    table.Add({policy.name, wide ? policy.hash : policy.hash.substr(0, kShortHash), hooks,
               policy.description});
  }
  return table;
}

}  // namespace muster::cli
