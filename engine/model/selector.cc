// Selectors, taints and flavors: each function is one rule of the Kubernetes scheduler.
#include "engine/model/selector.h"

#include <algorithm>
#include <charconv>

#include "engine/model/names.h"

namespace muster {
namespace {

std::optional<std::int64_t> ParseInteger(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool Contains(const std::vector<std::string>& values, const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

/// `label > bound` for kGt, `label < bound` for kLt; false unless both are integers.
bool Compares(const SelectorRequirement& requirement, const std::string& label) {
  if (requirement.values.size() != 1) return false;
  const auto left = ParseInteger(label);
  const auto right = ParseInteger(requirement.values[0]);
  if (!left || !right) return false;
  return requirement.op == SelectorOp::kGt ? *left > *right : *left < *right;
}

bool Tolerates(const Toleration& toleration, const Taint& taint) {
  if (toleration.effect != TaintEffect::kNone && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  return toleration.op == TolerationOp::kExists || toleration.value == taint.value;
}

bool Repels(const Taint& taint) {
  return taint.effect == TaintEffect::kNoSchedule || taint.effect == TaintEffect::kNoExecute;
}

std::string Describe(const Taint& taint) {
  std::string text = taint.key;
  if (!taint.value.empty()) text += "=" + taint.value;
  return text.append(":").append(EnumName(taint.effect));
}

bool MatchesNodeSelector(const LabelMap& selector, const LabelMap& labels,
                         const std::set<std::string>& keys) {
  return std::all_of(selector.begin(), selector.end(), [&](const auto& wanted) {
    if (!keys.contains(wanted.first)) return true;
    const auto label = labels.find(wanted.first);
    return label != labels.end() && label->second == wanted.second;
  });
}

/// Terms are ORed. One that says nothing about `keys` could be met by a node of any flavor, so it
/// makes the whole affinity match; matchFields are about single nodes and never count.
bool MatchesAffinity(const std::vector<NodeSelectorTerm>& terms, const LabelMap& labels,
                     const std::set<std::string>& keys) {
  bool any = terms.empty();
  for (const NodeSelectorTerm& term : terms) {
    bool relevant = false;
    bool all = true;
    for (const SelectorRequirement& requirement : term.match_expressions) {
      if (!keys.contains(requirement.key)) continue;
      relevant = true;
      all = all && Matches(requirement, labels);
    }
    if (!relevant) return true;
    any = any || all;
  }
  return any;
}

}  // namespace

bool Matches(const SelectorRequirement& requirement, const LabelMap& labels) {
  const auto label = labels.find(requirement.key);
  const bool present = label != labels.end();
  switch (requirement.op) {
    case SelectorOp::kIn:
      return present && Contains(requirement.values, label->second);
    case SelectorOp::kNotIn:
      return !present || !Contains(requirement.values, label->second);
    case SelectorOp::kExists:
      return present;
    case SelectorOp::kDoesNotExist:
      return !present;
    case SelectorOp::kGt:
    case SelectorOp::kLt:
      return present && Compares(requirement, label->second);
  }
  return false;
}

bool Selects(const LabelSelector& selector, const LabelMap& labels) {
  const auto has = [&](const auto& wanted) {
    const auto label = labels.find(wanted.first);
    return label != labels.end() && label->second == wanted.second;
  };
  return std::all_of(selector.match_labels.begin(), selector.match_labels.end(), has) &&
         std::all_of(selector.match_expressions.begin(), selector.match_expressions.end(),
                     [&](const auto& requirement) { return Matches(requirement, labels); });
}

bool Tolerates(std::span<const Toleration> tolerations, const Taint& taint) {
  return std::any_of(tolerations.begin(), tolerations.end(),
                     [&](const Toleration& t) { return Tolerates(t, taint); });
}

bool Admits(std::span<const Toleration> pod, std::span<const Toleration> flavor,
            const Taint& taint) {
  return !Repels(taint) || Tolerates(pod, taint) || Tolerates(flavor, taint);
}

bool MatchesNode(std::span<const NodeSelectorTerm> terms, const Node& node) {
  const auto is_met = [&](const NodeSelectorTerm& term) {
    if (term.match_expressions.empty() && term.match_fields.empty()) return false;
    const LabelMap fields{{"metadata.name", node.name}};
    return std::all_of(term.match_expressions.begin(), term.match_expressions.end(),
                       [&](const auto& wanted) { return Matches(wanted, node.labels); }) &&
           std::all_of(term.match_fields.begin(), term.match_fields.end(),
                       [&](const auto& wanted) { return Matches(wanted, fields); });
  };
  return std::any_of(terms.begin(), terms.end(), is_met);
}

std::set<std::string> LabelKeys(const ResourceFlavor& flavor) {
  std::set<std::string> keys;
  for (const auto& [key, value] : flavor.node_labels) keys.insert(keys.end(), key);
  return keys;
}

std::optional<std::string> FlavorMismatch(const PodTemplate& pods, const ResourceFlavor& flavor,
                                          const std::set<std::string>& keys) {
  for (const Taint& taint : flavor.node_taints) {
    if (!Admits(pods.tolerations, flavor.tolerations, taint)) {
      return "untolerated taint " + Describe(taint) + " in flavor " + flavor.name;
    }
  }
  const bool matches = MatchesNodeSelector(pods.node_selector, flavor.node_labels, keys) &&
                       (!pods.required_node_affinity ||
                        MatchesAffinity(*pods.required_node_affinity, flavor.node_labels, keys));
  if (!matches) return "flavor " + flavor.name + " doesn't match node affinity";
  return std::nullopt;
}

std::optional<std::string> FlavorMismatch(const PodTemplate& pods, const ResourceFlavor& flavor) {
  return FlavorMismatch(pods, flavor, LabelKeys(flavor));
}

}  // namespace muster
