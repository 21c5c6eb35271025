// See wrapped_parts.h.
#include "bindings/manifest/wrapped_parts.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/manifest/closest.h"
#include "bindings/manifest/passive_kinds.h"
#include "bindings/manifest/quote.h"
#include "bindings/objects/job_kinds.h"

namespace muster::manifest {
namespace {

using PlainValue = objects::Value;

Position PlaceIn(const PlainValue& value) { return {value.line, value.column}; }

/// Of the kind in the table; null: it has none of that name.
const objects::KindRow* RowOf(std::string_view kind) {
  for (const objects::KindRow& row : objects::KindTable()) {
    if (row.kind == kind) return &row;
  }
  return nullptr;
}

/// The kind that is meant by a misspelt one; empty where it may be one of another project.
std::string_view KindMeant(std::string_view group, std::string_view kind) {
  std::vector<std::string_view> kinds;
  bool is_known = false;
  for (const objects::KindRow& row : objects::KindTable()) {
    is_known |= row.group == group;
    kinds.push_back(row.kind);
  }
  return is_known ? Closest(kind, kinds) : "";
}

/// Whether its head names a kind that there is, as far as that is known.
bool CheckHead(const PlainValue& wrapped, Reporter& reporter) {
  const std::string_view version = wrapped.TextAt("apiVersion");
  const std::string_view group = objects::GroupOfVersion(version);
  const std::string& kind = wrapped.At("kind").text;
  const std::string_view meant = KindMeant(group, kind);
  if (meant.empty() || IsPassiveKind(group, kind)) return true;
  const objects::KindRow& row = *RowOf(meant);
  if (meant != kind) {
    reporter.Error(PlaceIn(wrapped.At("kind")), "unknown kind " + Quoted(kind),
                   "write " + Quoted(meant));
    return false;
  }
  const std::string own =
      (row.group.empty() ? "" : std::string(row.group) + "/") + std::string(row.version);
  if (version == own) return true;
  reporter.Error(PlaceIn(wrapped.At("apiVersion")),
                 "a " + kind + " has no apiVersion " + Quoted(version), "write " + own);
  return false;
}

/// A path that leads nowhere because of one misspelt key is an error.
void CheckPath(const PlainValue& component, const PlainValue& path, Reporter& reporter) {
  const PlainValue* at = &component;
  for (const std::string& key : objects::WrappedPath(path.text)) {
    const PlainValue& next = at->At(key);
    if (!next.IsNull()) {
      at = &next;
      continue;
    }
    std::vector<std::string_view> keys;
    for (const auto& [name, value] : at->entries) keys.push_back(name);
    const std::string_view meant = Closest(key, keys);
    const std::string what =
        "the path " + Quoted(path.text) + " leads nowhere: there is no " + Quoted(key);
    if (!meant.empty()) {
      return reporter.Error(PlaceIn(path), what, "write " + Quoted(meant) + " instead of it");
    }
    return reporter.Warning(PlaceIn(path), what + ", and no queue is charged for its pods",
                            "lead it to a pod template, as template.spec.template does in a Job");
  }
  if (at->IsMap()) return;
  reporter.Warning(PlaceIn(path),
                   "the path " + Quoted(path.text) +
                       " leads to no pod template, and no queue is charged for its pods",
                   "lead it to a pod template, as template.spec.template does in a Job");
}

}  // namespace

void CheckWrappedParts(const PlainValue& wrapper, Reporter& reporter) {
  for (const PlainValue& component : wrapper.At({"spec", "components"}).items) {
    const PlainValue& wrapped = component.At("template");
    const auto& declared = component.At("podSets").items;
    for (const PlainValue& each : declared) CheckPath(component, each.At("path"), reporter);
    const std::string& kind = wrapped.At("kind").text;
    const std::string_view group = objects::GroupOfVersion(wrapped.TextAt("apiVersion"));
    // A kind may be any where its podsets are told.
    if (!declared.empty() && objects::FindKindRow(wrapped) == nullptr) continue;
    if (!CheckHead(wrapped, reporter) || !declared.empty()) continue;
    if (IsPassiveKind(group, kind) || objects::CountOfWrapped(component) > 0) continue;
    reporter.Warning(PlaceIn(wrapped.At("kind")),
                     "of a wrapped " + kind +
                         " no podsets are known, and no queue is "
                         "charged for pods that it has",
                     "tell where they are, for example podSets: [{path: template.spec.template, "
                     "replicas: 1}]");
  }
}

}  // namespace muster::manifest
