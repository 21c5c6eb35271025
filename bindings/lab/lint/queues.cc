// Queues that no job can use, and cohorts that lend for ever.
#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "bindings/lab/lint/lint.h"
#include "bindings/manifest/closest.h"
#include "engine/model/selector.h"

namespace muster::lab {
namespace {

using manifest::Diagnostic;

/// Labels of every namespace that is applied, or that something lives in.
std::map<std::string, LabelMap> KnownNamespaces(const manifest::Manifests& manifests) {
  std::map<std::string, LabelMap> known;
  for (const Object& object : manifests.objects) {
    const auto* ns = std::get_if<Namespace>(&object);
    const std::string name = ns != nullptr ? ns->name : KeyOf(object).ns;
    if (name.empty()) continue;
    LabelMap& labels = known[name];
    if (ns != nullptr) labels.insert(ns->labels.begin(), ns->labels.end());
    labels.emplace("kubernetes.io/metadata.name", name);
  }
  return known;
}

/// The label of a namespace that comes nearest to one of `wanted` which none has: "team: red".
std::string NearestLabel(const LabelMap& wanted, const std::map<std::string, LabelMap>& known) {
  for (const auto& [key, value] : wanted) {
    std::set<std::string_view> keys;
    std::map<std::string_view, std::set<std::string_view>> values;
    for (const auto& [name, labels] : known) {
      for (const auto& [each, its_value] : labels) {
        keys.insert(each);
        values[each].insert(its_value);
      }
    }
    const auto closest = [](std::string_view word, const std::set<std::string_view>& words) {
      return manifest::Closest(word, std::vector<std::string_view>(words.begin(), words.end()));
    };
    const std::string_view near_key =
        keys.contains(key) ? std::string_view(key) : closest(key, keys);
    if (near_key.empty()) continue;
    const std::string_view near = closest(value, values[near_key]);
    if (near.empty() || (near == value && near_key == key)) continue;
    return std::string(near_key) + ": " + std::string(near);
  }
  return "";
}

bool MayBorrow(const ClusterQueue& queue) {
  for (const ResourceGroup& group : queue.resource_groups) {
    for (const FlavorQuotas& flavor : group.flavors) {
      for (const ResourceQuota& quota : flavor.resources) {
        if (!quota.borrowing_limit || !quota.borrowing_limit->IsZero()) return true;
      }
    }
  }
  return false;
}

/// The ClusterQueues under one root cohort, by their index in the manifests.
using Trees = std::map<std::string, std::vector<std::size_t>>;

Trees FindTrees(const manifest::Manifests& manifests) {
  std::map<std::string, std::string> parents;
  for (const Object& object : manifests.objects) {
    if (const auto* cohort = std::get_if<Cohort>(&object)) parents[cohort->name] = cohort->parent;
  }
  Trees trees;
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    const auto* queue = std::get_if<ClusterQueue>(&manifests.objects[i]);
    if (queue == nullptr || queue->cohort.empty()) continue;
    std::string root = queue->cohort;
    for (std::size_t steps = 0; steps <= parents.size(); ++steps) {
      const auto parent = parents.find(root);
      if (parent == parents.end() || parent->second.empty()) break;
      root = parent->second;
    }
    trees[root].push_back(i);
  }
  return trees;
}

}  // namespace

std::vector<Diagnostic> LintNamespaceSelectors(const manifest::Manifests& manifests) {
  std::vector<Diagnostic> found;
  const std::map<std::string, LabelMap> namespaces = KnownNamespaces(manifests);
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    const auto* queue = std::get_if<ClusterQueue>(&manifests.objects[i]);
    if (queue == nullptr) continue;
    if (!queue->namespace_selector) {
      found.push_back(Advice(
          manifests, i, "spec.namespaceSelector",
          "ClusterQueue " + queue->name + " selects no namespace, so it will never admit anything",
          "write `namespaceSelector: {}` for every namespace"));
      continue;
    }
    const auto selected = [queue](const auto& ns) {
      return Selects(*queue->namespace_selector, ns.second);
    };
    if (namespaces.empty() || std::any_of(namespaces.begin(), namespaces.end(), selected)) {
      continue;
    }
    const std::string near = NearestLabel(queue->namespace_selector->match_labels, namespaces);
    found.push_back(Advice(
        manifests, i, "spec.namespaceSelector",
        "ClusterQueue " + queue->name + " selects none of the " +
            std::to_string(namespaces.size()) + " namespaces in these manifests",
        (near.empty() ? "label a namespace to match" : "write " + near + " if that is meant") +
            ", or write `namespaceSelector: {}`"));
  }
  return found;
}

std::vector<Diagnostic> LintReclaim(const manifest::Manifests& manifests) {
  std::vector<Diagnostic> found;
  for (const auto& [root, members] : FindTrees(manifests)) {
    if (members.size() < 2) continue;
    const auto queue = [&manifests](std::size_t i) -> const ClusterQueue& {
      return std::get<ClusterQueue>(manifests.objects[i]);
    };
    const bool borrows = std::any_of(members.begin(), members.end(),
                                     [&](std::size_t i) { return MayBorrow(queue(i)); });
    const bool reclaims = std::any_of(members.begin(), members.end(), [&](std::size_t i) {
      return queue(i).preemption.reclaim_within_cohort != PreemptionPolicy::kNever;
    });
    if (!borrows || reclaims) continue;
    found.push_back(Advice(manifests, members.front(), "spec.preemption",
                           "what is lent in cohort " + root + " can never be reclaimed: all its " +
                               std::to_string(members.size()) +
                               " ClusterQueues say reclaimWithinCohort: Never",
                           "write `reclaimWithinCohort: Any` or `LowerPriority` where quota is "
                           "lent, or `borrowingLimit: 0` where none should be borrowed"));
  }
  return found;
}

}  // namespace muster::lab
