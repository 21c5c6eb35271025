// topologyAssignment in both spellings: `domains`, one entry each, and `slices`, which factor out
// what the domains of a run have in common.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "bindings/manifest/forms.h"
#include "bindings/manifest/limits.h"

namespace muster::manifest {

static bool Read(const Value& value, TopologyDomain* out) {
  Fields fields(value);
  fields.Get("values", &out->values);
  fields.Require("count", &out->count, "1");
  return true;
}

/// {universal: v} or {individual: {prefix, suffix, roots}}: one level's value in each domain.
struct LevelValues {
  std::optional<std::string> universal;
  std::string prefix;
  std::string suffix;
  std::vector<std::string> roots;

  std::size_t size() const { return roots.size(); }
  std::string At(std::size_t domain) const {
    return universal ? *universal : prefix + roots[domain] + suffix;
  }
};

static bool Read(const Value& value, LevelValues* out) {
  Fields fields(value);
  fields.Get("universal", &out->universal);
  if (const auto individual = fields.Find("individual")) {
    Fields inner(*individual);
    inner.Get("prefix", &out->prefix);
    inner.Get("suffix", &out->suffix);
    inner.Get("roots", &out->roots);
  }
  return true;
}

/// {universal: n} or {individual: [n, ...]}: the pods in each domain.
struct PodCounts {
  std::optional<std::int32_t> universal;
  std::vector<std::int32_t> individual;

  std::int32_t At(std::size_t domain) const { return universal ? *universal : individual[domain]; }
};

static bool Read(const Value& value, PodCounts* out) {
  Fields fields(value);
  fields.Get("universal", &out->universal);
  fields.Get("individual", &out->individual);
  return true;
}

/// The domains of one slice, added to `value` when the slice is consistent.
struct DomainSlice {
  std::vector<TopologyDomain> domains;
};

static bool Read(const Value& value, DomainSlice* out) {
  Fields fields(value);
  std::int32_t count = 0;
  std::vector<LevelValues> levels;
  PodCounts pods;
  bool ok = fields.Require("domainCount", &count, "1");
  ok = fields.Get("valuesPerLevel", &levels) && ok;
  ok = fields.Get("podCounts", &pods) && ok;
  if (!ok) return false;
  if (count > kMaxTopologyDomains) {
    value.Error("has more than " + std::to_string(kMaxTopologyDomains) + " domains",
                "write at most that many");
    return false;
  }
  bool consistent = count >= 0 && (pods.universal || pods.individual.size() == std::size_t(count));
  for (const LevelValues& level : levels) {
    consistent = consistent && (level.universal || level.size() == std::size_t(count));
  }
  if (!consistent) {
    value.Error("must have domainCount values in each list",
                "write one root per domain and one count per domain, or universal");
    return false;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    TopologyDomain& domain = out->domains.emplace_back();
    for (const LevelValues& level : levels) domain.values.push_back(level.At(i));
    domain.count = pods.At(i);
  }
  return true;
}

bool Read(const Value& value, TopologyAssignment* out) {
  Fields fields(value);
  fields.Get("levels", &out->levels);
  fields.Get("domains", &out->domains);
  std::vector<DomainSlice> slices;
  fields.Get("slices", &slices);
  for (DomainSlice& slice : slices) {
    for (TopologyDomain& domain : slice.domains) out->domains.push_back(std::move(domain));
  }
  for (const TopologyDomain& domain : out->domains) {
    if (domain.values.size() == out->levels.size()) continue;
    value.Error("has a domain with " + std::to_string(domain.values.size()) + " values for " +
                    std::to_string(out->levels.size()) + " levels",
                "write one value for each of the levels");
    return false;
  }
  return true;
}

namespace {

/// {universal: v} when all domains have the same value at `level`, else their values one by one.
Encoded EncodeLevel(YamlArena& arena, const std::vector<TopologyDomain>& domains,
                    std::size_t level) {
  MapWriter out(arena);
  std::vector<std::string> roots;
  for (const TopologyDomain& domain : domains) {
    roots.push_back(level < domain.values.size() ? domain.values[level] : std::string());
  }
  const bool same = std::all_of(roots.begin(), roots.end(),
                                [&](const std::string& root) { return root == roots.front(); });
  if (same) {
    out.Put("universal", Text(arena, roots.front()));
  } else {
    MapWriter individual(arena);
    individual.Put("roots", roots);
    out.Put("individual", individual.node());
  }
  return out.node();
}

Encoded EncodeCounts(YamlArena& arena, const std::vector<TopologyDomain>& domains) {
  MapWriter out(arena);
  std::vector<std::int32_t> counts;
  for (const TopologyDomain& domain : domains) counts.push_back(domain.count);
  const bool same = std::all_of(counts.begin(), counts.end(),
                                [&](std::int32_t count) { return count == counts.front(); });
  if (same) {
    out.Put("universal", counts.front());
  } else {
    out.Put("individual", counts);
  }
  return out.node();
}

}  // namespace

Encoded Encode(YamlArena& arena, const TopologyAssignment& assignment) {
  MapWriter out(arena);
  out.Put("levels", assignment.levels);
  if (assignment.domains.empty()) return out.node();
  MapWriter slice(arena);
  slice.Put("domainCount", static_cast<std::int32_t>(assignment.domains.size()));
  YamlNode* values = arena.New(NodeKind::kList);
  for (std::size_t i = 0; i < assignment.levels.size(); ++i) {
    arena.Append(values, EncodeLevel(arena, assignment.domains, i));
  }
  slice.Put("valuesPerLevel", Encoded(values));
  slice.Put("podCounts", EncodeCounts(arena, assignment.domains));
  YamlNode* slices = arena.New(NodeKind::kList);
  arena.Append(slices, slice.node());
  out.Put("slices", Encoded(slices));
  return out.node();
}

}  // namespace muster::manifest
