// The engine names fields as manifests do, "spec.queueName". A command has the same values side by
// side, some under a shorter name, so a path is walked as far as the text goes with it.
#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <system_error>

#include "bindings/manifest/encoding.h"
#include "bindings/wire/json_tree.h"
#include "bindings/wire/path.h"
#include "bindings/wire/wire.h"

namespace muster::wire {
namespace {

using Node = JsonTree::Node;

/// Parts of a manifest whose fields stand in the command's object itself.
constexpr auto kBeside = std::to_array<std::string_view>(
    {"spec", "metadata", "status", "template", "fairSharing", "admissionChecksStrategy", "affinity",
     "nodeAffinity", "nodeSelectorTerms", "resources"});

struct Alias {
  std::string_view manifest;
  std::string_view wire;
};

constexpr auto kAliases = std::to_array<Alias>({
    {"cohortName", "cohort"},
    {"controllerName", "controller"},
    {"default", "defaultLimits"},
    {"defaultRequest", "defaultRequests"},
    {"limits", "items"},
    {"maximumExecutionTimeSeconds", "maxExecutionSeconds"},
    {"name", "key"},
    {"name", "podSet"},
    {"namespace", "key"},
    {"nodeName", "node"},
    {"nominalQuota", "nominal"},
    {"operator", "op"},
    {"parentName", "parent"},
    {"podSetAssignments", "podSets"},
    {"podSetGroupName", "podSetGroup"},
    {"priorityClassName", "priorityClass"},
    {"priorityClassRef", "priorityClass"},
    {"queueName", "queue"},
    {"requiredDuringSchedulingIgnoredDuringExecution", "requiredNodeAffinity"},
    {"runtimeClassName", "runtimeClass"},
    {"spec", "pods"},
    {"topologyAssignment", "topology"},
    {"topologyRequest", "topology"},
    {"weight", "fairWeight"},
});

/// A value of the text, and the way to it.
class Walker {
 public:
  explicit Walker(const JsonTree& tree) : tree_(tree), node_(tree.root()) {}

  Node node() const { return node_; }
  const Path& path() const { return path_; }

  bool Enter(std::string_view name) {
    if (tree_.kind(node_) != JsonKind::kObject) return false;
    for (Node n = tree_.first(node_); n != JsonTree::kNone; n = tree_.next(n)) {
      if (tree_.name(n) != name) continue;
      path_.Push(tree_.name(n));
      node_ = n;
      return true;
    }
    return false;
  }

  bool Enter(std::size_t index) {
    if (tree_.kind(node_) != JsonKind::kList || index >= tree_.size(node_)) return false;
    Node n = tree_.first(node_);
    for (std::size_t i = 0; i < index; ++i) n = tree_.next(n);
    path_.Push(index);
    node_ = n;
    return true;
  }

  /// Goes along `field` as far as the text does. What is left of it begins with the name that the
  /// missing field has in a command.
  std::string Follow(std::string_view field) {
    while (!field.empty()) {
      if (field.starts_with('.')) field.remove_prefix(1);
      const std::string_view before = field;
      const bool entered = field.starts_with('[') ? EnterBracket(&field) : EnterName(&field);
      if (!entered) return std::string(WireName(NameIn(before))) + std::string(field);
    }
    return "";
  }

 private:
  static std::string_view NameIn(std::string_view field) {
    return field.starts_with('[') ? field.substr(0, field.find(']') + 1)
                                  : field.substr(0, field.find_first_of(".["));
  }

  static std::string_view WireName(std::string_view name) {
    for (const Alias& alias : kAliases) {
      if (alias.manifest == name && alias.wire != "key") return alias.wire;
    }
    return name;
  }

  /// "[3]" of a list, "[nvidia.com/gpu]" of an object.
  bool EnterBracket(std::string_view* field) {
    const std::size_t end = field->find(']');
    if (end == std::string_view::npos) return false;
    const std::string_view inside = field->substr(1, end - 1);
    field->remove_prefix(end + 1);
    if (tree_.kind(node_) == JsonKind::kObject) return Enter(inside);
    std::size_t index = 0;
    const char* const stop = inside.data() + inside.size();
    const auto [next, error] = std::from_chars(inside.data(), stop, index);
    return error == std::errc() && next == stop && Enter(index);
  }

  bool EnterName(std::string_view* field) {
    const std::string_view name = NameIn(*field);
    field->remove_prefix(name.size());
    if (Enter(name)) return true;
    for (const Alias& alias : kAliases) {
      if (alias.manifest == name && Enter(alias.wire)) return alias.wire != "key" || Enter(name);
    }
    return std::find(kBeside.begin(), kBeside.end(), name) != kBeside.end();
  }

  const JsonTree& tree_;
  Node node_;
  Path path_;
};

}  // namespace

Mistake Locate(std::string_view json, std::size_t command, const Problem* problem) {
  std::optional<BadJson> bad;
  const JsonTree tree = JsonTree::Parse(json, &bad);
  Mistake mistake;
  if (bad) return mistake;
  Walker walker(tree);
  walker.Enter(command);
  if (problem != nullptr) {
    const bool listed = walker.Enter("objects") || walker.Enter("workloads");
    const bool there = !listed || walker.Enter(problem->object);
    const std::string rest = there ? walker.Follow(problem->field) : problem->field;
    mistake.what = rest + (rest.empty() ? "" : ": ") + problem->what;
    mistake.cure = problem->cure;
  }
  const manifest::Position at = manifest::PositionOf(json, tree.offset(walker.node()));
  mistake.line = at.line;
  mistake.column = at.column;
  mistake.path = walker.path().ToString();
  return mistake;
}

}  // namespace muster::wire
