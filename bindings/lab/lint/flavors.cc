// A flavor matches a node when the node has all its labels. Where none does, the label that no node
// has is named, and the one that comes nearest: the same key with another value, or another key.
#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "bindings/lab/lint/lint.h"
#include "bindings/lab/words.h"
#include "bindings/manifest/closest.h"

namespace muster::lab {
namespace {

using manifest::Diagnostic;
using Label = LabelMap::value_type;

std::string Written(const Label& label) { return label.first + "=" + label.second; }

std::string Have(std::size_t nodes, const std::string& what) {
  return Counted(nodes, "node") + (nodes == 1 ? " has " : " have ") + what;
}

class NodeLabels {
 public:
  explicit NodeLabels(const std::vector<Node>& nodes) : nodes_(nodes) {
    for (const Node& node : nodes) {
      for (const Label& label : node.labels) ++count_[label];
    }
  }

  std::size_t CountOf(const Label& label) const {
    const auto found = count_.find(label);
    return found == count_.end() ? 0 : found->second;
  }

  bool SomeNodeHasAll(const LabelMap& labels) const {
    return std::any_of(nodes_.begin(), nodes_.end(), [&labels](const Node& node) {
      return std::all_of(labels.begin(), labels.end(), [&node](const Label& label) {
        const auto own = node.labels.find(label.first);
        return own != node.labels.end() && own->second == label.second;
      });
    });
  }

  /// The label of some node that is probably meant by `label`, which no node has.
  std::optional<Label> Nearest(const Label& label) const {
    std::vector<std::string_view> values;
    std::vector<std::string_view> keys;
    for (const auto& [each, unused] : count_) {
      if (each.first == label.first) values.push_back(each.second);
      if (keys.empty() || keys.back() != each.first) keys.push_back(each.first);
    }
    if (!values.empty()) {
      return Label{label.first, std::string(manifest::ByCloseness(label.second, values).front())};
    }
    const std::string_view key = manifest::Closest(label.first, keys);
    if (key.empty()) return std::nullopt;
    values.clear();
    for (const auto& [each, unused] : count_) {
      if (each.first == key) values.push_back(each.second);
    }
    return Label{std::string(key),
                 std::string(manifest::ByCloseness(label.second, values).front())};
  }

 private:
  const std::vector<Node>& nodes_;
  std::map<Label, std::size_t> count_;
};

/// Every label exists somewhere, but no node has them together.
Diagnostic NotTogether(const manifest::Manifests& manifests, std::size_t object,
                       const ResourceFlavor& flavor, const NodeLabels& nodes) {
  std::string each;
  for (const Label& label : flavor.node_labels) {
    each += (each.empty() ? "" : ", ") + Have(nodes.CountOf(label), Written(label));
  }
  return Advice(manifests, object, "spec.nodeLabels",
                "no node has all labels of flavor " + flavor.name + ": " + each,
                "keep the labels that one pool of nodes shares");
}

Diagnostic Unknown(const manifest::Manifests& manifests, std::size_t object, const Label& label,
                   const NodeLabels& nodes) {
  std::string what = Written(label) + " matches no node";
  std::string cure = "label the nodes, or remove it";
  if (const std::optional<Label> near = nodes.Nearest(label)) {
    what += "; " + Have(nodes.CountOf(*near), Written(*near));
    cure = "write " + near->first + ": " + near->second;
  }
  return Advice(manifests, object, "spec.nodeLabels[" + label.first + "]", std::move(what),
                std::move(cure));
}

}  // namespace

Diagnostic Advice(const manifest::Manifests& manifests, std::size_t object, std::string_view field,
                  std::string what, std::string cure) {
  return {manifest::Severity::kWarning, manifests.PlaceOf(object, field), std::move(what),
          std::move(cure)};
}

std::vector<Diagnostic> LintFlavors(const manifest::Manifests& manifests,
                                    const std::vector<Node>& nodes) {
  std::vector<Diagnostic> found;
  if (nodes.empty()) return found;
  const NodeLabels labels(nodes);
  for (std::size_t i = 0; i < manifests.objects.size(); ++i) {
    const auto* flavor = std::get_if<ResourceFlavor>(&manifests.objects[i]);
    if (flavor == nullptr || labels.SomeNodeHasAll(flavor->node_labels)) continue;
    const std::size_t before = found.size();
    for (const Label& label : flavor->node_labels) {
      if (labels.CountOf(label) == 0) found.push_back(Unknown(manifests, i, label, labels));
    }
    if (found.size() == before) found.push_back(NotTogether(manifests, i, *flavor, labels));
  }
  return found;
}

}  // namespace muster::lab
