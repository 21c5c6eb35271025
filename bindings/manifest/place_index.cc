// A path is walked as far as the document goes. Keys may contain dots
// ("nodeLabels.example.com/zone"), so at a mapping the longest key that begins the rest of the path
// is taken.
#include "bindings/manifest/place_index.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <set>
#include <tuple>
#include <utility>

#include "bindings/manifest/quote.h"

namespace muster::manifest {
namespace {

/// The rest of `path` after `key`, when `key` is its next segment: key, ["key"], ['key'] or [key].
bool TakeKey(std::string_view path, std::string_view key, std::string_view* rest) {
  if (path.starts_with('[')) {
    path.remove_prefix(1);
    const char quote = path.empty() ? '\0' : path.front();
    const bool quoted = quote == '"' || quote == '\'';
    if (quoted) path.remove_prefix(1);
    if (!path.starts_with(key)) return false;
    path.remove_prefix(key.size());
    if (quoted) {
      if (!path.starts_with(quote)) return false;
      path.remove_prefix(1);
    }
    if (!path.starts_with(']')) return false;
    *rest = path.substr(1);
    return true;
  }
  if (!path.starts_with(key)) return false;
  path.remove_prefix(key.size());
  if (!path.empty() && path.front() != '.' && path.front() != '[') return false;
  *rest = path;
  return true;
}

const YamlEntry* FindEntry(const YamlNode& map, std::string_view path, std::string_view* rest) {
  const YamlEntry* best = nullptr;
  for (const YamlEntry& entry : map.entries()) {
    std::string_view after;
    const bool longer = best == nullptr || entry.key->text().size() > best->key->text().size();
    if (longer && TakeKey(path, entry.key->text(), &after)) {
      best = &entry;
      *rest = after;
    }
  }
  return best;
}

const YamlNode* FindItem(const YamlNode& list, std::string_view path, std::string_view* rest) {
  if (!path.starts_with('[')) return nullptr;
  std::size_t index = 0;
  const char* const end = path.data() + path.size();
  const auto [next, error] = std::from_chars(path.data() + 1, end, index);
  if (error != std::errc() || next == end || *next != ']' || index >= list.items().size()) {
    return nullptr;
  }
  *rest = path.substr(static_cast<std::size_t>(next - path.data()) + 1);
  return list.items()[index];
}

struct Renaming {
  std::string_view from;
  std::string_view to;
};

constexpr auto kOldNames = std::to_array<Renaming>({
    {"spec.cohortName", "spec.cohort"},
    {"spec.admissionChecksStrategy.admissionChecks", "spec.admissionChecks"},
    {"spec.priorityClassRef", "spec.priorityClassName"},
    {"status.accumulatedPastExecutionTimeSeconds", "status.accumulatedPastExexcutionTimeSeconds"},
});

/// Longer paths first: the first that begins the path is taken.
constexpr std::array kJobNames = {
    Renaming{"spec.podSets[0].template", "spec.template"},
    Renaming{"spec.podSets[0].count", "spec.parallelism"},
    Renaming{"spec.podSets[0].minCount",
             "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]"},
    Renaming{"spec.podSets[0].topologyRequest.required",
             "spec.template.metadata.annotations[kueue.x-k8s.io/podset-required-topology]"},
    Renaming{"spec.podSets[0].topologyRequest.preferred",
             "spec.template.metadata.annotations[kueue.x-k8s.io/podset-preferred-topology]"},
    Renaming{"spec.podSets[0].topologyRequest.podSetSliceSize",
             "spec.template.metadata.annotations[kueue.x-k8s.io/podset-slice-size]"},
    Renaming{"spec.podSets[0].topologyRequest.unconstrained",
             "spec.template.metadata.annotations[kueue.x-k8s.io/podset-unconstrained-topology]"},
    Renaming{"spec.podSets[0].topologyRequest.podSetGroupName",
             "spec.template.metadata.annotations[kueue.x-k8s.io/podset-group-name]"},
    Renaming{"spec.podSets[0].topologyRequest.podSetSliceRequiredTopology",
             "spec.template.metadata.annotations[kueue.x-k8s.io/podset-slice-required-topology]"},
    Renaming{"spec.podSets[0].topologyRequest.segments",
             "spec.template.metadata.annotations[muster.dev/podset-segments]"},
    Renaming{"spec.podSets[0].topologyRequest", "spec.template.metadata.annotations"},
    Renaming{"spec.podSets", "spec"},
    Renaming{"spec.queueName", "metadata.labels[kueue.x-k8s.io/queue-name]"},
    Renaming{"spec.priorityClassRef", "metadata.labels[kueue.x-k8s.io/priority-class]"},
    Renaming{"spec.maximumExecutionTimeSeconds",
             "metadata.labels[kueue.x-k8s.io/max-exec-time-seconds]"},
};

template <std::size_t N>
std::string Rename(std::string_view path, const std::array<Renaming, N>& names) {
  for (const Renaming& name : names) {
    std::string_view rest;
    if (TakeKey(path, name.from, &rest)) return std::string(name.to) + std::string(rest);
  }
  return std::string(path);
}

}  // namespace

std::string TranslatePath(std::string_view path, Spelling spelling) {
  switch (spelling) {
    case Spelling::kV1beta1:
      return Rename(path, kOldNames);
    case Spelling::kJob:
      return Rename(path, kJobNames);
    case Spelling::kSame:
      break;
  }
  return std::string(path);
}

Position FindPlace(const YamlNode& root, std::string_view path, const YamlNode** found) {
  const YamlNode* node = &root;
  const YamlNode* last = node;
  Position at = root.at;
  while (!path.empty()) {
    if (path.starts_with('.')) path.remove_prefix(1);
    if (node->kind == NodeKind::kMap) {
      const YamlEntry* entry = FindEntry(*node, path, &path);
      if (entry == nullptr) break;
      last = node = entry->value;
      at = node->kind == NodeKind::kScalar ? node->at : entry->key->at;
    } else if (node->kind == NodeKind::kList) {
      node = FindItem(*node, path, &path);
      if (node == nullptr) break;
      last = node;
      at = node->at;
    } else {
      break;
    }
  }
  if (found != nullptr) *found = last;
  return at;
}

namespace {

/// Manifests::PlaceOf, with the node.
Place Locate(const Manifests& manifests, std::size_t object, std::string_view field,
             const YamlNode** node) {
  const Manifests::Index* index = manifests.index.get();
  if (index == nullptr) return {};
  const std::size_t read = index->entries.size();
  if (object >= read + index->left_out.size()) return {};
  const Manifests::Index::Entry& entry =
      object < read ? index->entries[object] : index->left_out[object - read];
  const std::string path = TranslatePath(field, entry.spelling);
  const YamlNode* found = nullptr;
  Position at = FindPlace(*entry.root, path, &found);
  // The switches of an EngineConfiguration may stand below spec.
  if (found == entry.root && !path.empty()) {
    const YamlNode* below = nullptr;
    const Position place = FindPlace(*entry.root, "spec." + path, &below);
    const bool is_there = below != entry.root && below != entry.root->Find("spec");
    if (is_there) at = place;
    if (is_there) found = below;
  }
  if (node != nullptr) *node = found;
  return {entry.file, at.line, at.column};
}

std::string_view LastName(std::string_view field) {
  const std::size_t dot = field.rfind('.');
  return dot == std::string_view::npos ? field : field.substr(dot + 1);
}

}  // namespace

Place Manifests::PlaceOf(std::size_t object, std::string_view field) const {
  return Locate(*this, object, field, nullptr);
}

std::vector<Diagnostic> Locate(const Manifests& manifests, std::span<const Problem> problems,
                               Severity severity) {
  std::vector<Diagnostic> diagnostics;
  diagnostics.reserve(problems.size());
  std::set<const YamlNode*> reported;
  std::set<std::tuple<std::string, int, int, std::string>> said;
  for (const Problem& problem : problems) {
    const YamlNode* node = nullptr;
    const Place place = Locate(manifests, problem.object, problem.field, &node);
    // A label of a Job is also a field of its Workload: one text is one mistake.
    const bool is_text = node != nullptr && node->kind == NodeKind::kScalar;
    if (is_text && !reported.insert(node).second) continue;
    std::string what = problem.what;
    if (what == "required") what = Quoted(LastName(problem.field)) + " is required";
    // Replicas of an object are written once.
    if (place.line > 0 && !said.insert({place.file, place.line, place.column, what}).second)
      continue;
    diagnostics.push_back({severity, place, std::move(what), problem.cure});
  }
  return diagnostics;
}

}  // namespace muster::manifest
