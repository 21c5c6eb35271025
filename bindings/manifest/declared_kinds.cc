#include "bindings/manifest/declared_kinds.h"

#include <algorithm>
#include <set>
#include <utility>

#include "bindings/manifest/closest.h"
#include "bindings/manifest/fields.h"
#include "bindings/manifest/kinds.h"
#include "bindings/manifest/metadata.h"
#include "bindings/manifest/names.h"
#include "bindings/manifest/quote.h"

namespace muster::manifest {
namespace {

using objects::DeclaredPodSet;
using objects::DeclaredTest;
using objects::ValuePath;

constexpr std::size_t kMostPodSets = 18;

/// A text as "spec.groups": keys with dots between.
void GetPath(Fields& fields, std::string_view name, ValuePath* out) {
  std::string text;
  if (!fields.Get(name, &text)) return;
  const Value value = *fields.Find(name);
  *out = {text};  // given, though it may be wrong
  std::size_t skip = text.starts_with('$') ? 1 : 0;
  if (std::string_view(text).substr(skip).starts_with('.')) ++skip;
  if (skip > 0) {
    return value.Error("begins at the object by itself", "write " + Quoted(text.substr(skip)));
  }
  if (text.find('[') != std::string::npos) {
    return value.Error("cannot have brackets",
                       "name a list by forEach, or write containers.0 for its first item");
  }
  out->clear();
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    out->push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (std::find(out->begin(), out->end(), "") == out->end()) return;
  value.Error("is no path", "write field names with dots between, for example spec.replicas");
}

bool Read(const Value& value, DeclaredTest* out) {
  Fields fields(value);
  fields.Get("condition", &out->condition);
  GetPath(fields, "path", &out->path);
  if (out->condition.empty() == out->path.empty()) {
    value.Error("needs either condition or path",
                "write {condition: Complete}, or {path: status.phase, is: [Done]}");
  }
  fields.Get("is", &out->values);
  if (out->values.empty() && out->condition.empty()) {
    value.Error("does not say which values count", "add for example is: [Succeeded]");
  }
  if (out->values.empty()) out->values = {"True"};
  return true;
}

void CheckPodSet(const Value& value, const DeclaredPodSet& set) {
  if (set.template_path.empty() == set.requests_path.empty()) {
    value.Error("needs either templatePath or requestsPath",
                "name where its pod template stands, or what a pod asks for");
  }
  if (!set.name.empty() && !set.name_path.empty()) {
    value.Error("has both name and namePath", "keep one of them");
  }
  if (set.for_each.empty() && set.name.empty() && set.name_path.empty()) {
    value.Error("has no name", "add for example name: workers");
  }
  if (!set.for_each.empty() && !set.name.empty()) {
    value.Error("gives all its podsets one name",
                "write namePath, or neither where forEach names a mapping");
  }
  if (!set.placement_path.empty() && set.requests_path.empty()) {
    value.Error("needs no placementPath", "remove it: a start writes into the template");
  }
  if (set.count < 0) value.Error("has a negative count", "write for example count: 1");
}

bool Read(const Value& value, DeclaredPodSet* out) {
  Fields fields(value);
  GetPath(fields, "forEach", &out->for_each);
  if (const auto name = fields.Find("name")) ReadDnsName(*name, false, &out->name);
  GetPath(fields, "namePath", &out->name_path);
  fields.Get("count", &out->count);
  GetPath(fields, "countPath", &out->count_path);
  GetPath(fields, "minCountPath", &out->min_count_path);
  GetPath(fields, "templatePath", &out->template_path);
  GetPath(fields, "requestsPath", &out->requests_path);
  GetPath(fields, "placementPath", &out->placement_path);
  GetPath(fields, "reclaimablePath", &out->reclaimable_path);
  if (!out->min_count_path.empty() && out->count_path.empty()) {
    fields.Find("minCountPath")
        ->Error("needs countPath", "add countPath: a start writes there how many pods it admits");
  }
  CheckPodSet(value, *out);
  return true;
}

template <typename T>
void ReadEach(Fields& fields, std::string_view name, std::vector<T>* out) {
  const auto value = fields.Find(name);
  if (!value || !value->ExpectList()) return;
  for (const YamlNode* item : value->node().items()) Read(value->Item(*item), &out->emplace_back());
}

void ReadStatus(const Value& value, objects::DeclaredKind* out) {
  Fields fields(value);
  ReadEach(fields, "succeeded", &out->succeeded);
  ReadEach(fields, "failed", &out->failed);
  ReadEach(fields, "ready", &out->ready);
  ReadEach(fields, "active", &out->active);
}

void ReadSpec(const Value& value, objects::DeclaredKind* out) {
  Fields fields(value);
  fields.Require("group", &out->group, "acme.example");
  fields.Require("kind", &out->kind, "Training");
  fields.Require("versions", &out->versions, "[v1]");
  GetPath(fields, "suspendPath", &out->suspend_path);
  GetPath(fields, "priorityClassPath", &out->priority_class_path);
  ReadEach(fields, "podSets", &out->pod_sets);
  if (const auto status = fields.Find("status")) ReadStatus(*status, out);
  if (!out->kind.empty() && (out->kind[0] < 'A' || out->kind[0] > 'Z')) {
    fields.Find("kind")->Error("must begin with a capital letter", "write it as the objects do");
  }
  if (const auto group = fields.Find("group"); group && !IsDnsSubdomain(out->group)) {
    group->Error("is no group of an API", "write what stands before / in apiVersion");
  }
  if (const auto versions = fields.Find("versions"); versions && out->versions.empty()) {
    versions->Error("is empty", "write for example [v1]");
  }
  if (out->pod_sets.empty()) {
    fields.ReportMissing("podSets",
                         "[{name: main, countPath: spec.replicas, templatePath: "
                         "spec.template}]");
  }
  if (out->pod_sets.size() > kMostPodSets) {
    fields.Find("podSets")->Error("has " + std::to_string(out->pod_sets.size()) + " podsets",
                                  "write at most " + std::to_string(kMostPodSets));
  }
}

/// Calls `visit` with each mapping below which paths of a podset begin.
template <typename Visit>
void ForEachRoot(const DeclaredPodSet& set, const YamlNode& document, const Visit& visit) {
  const YamlNode* at = &document;
  for (const std::string& key : set.for_each) {
    at = at->Find(key);
    if (at == nullptr) return;
  }
  if (set.for_each.empty()) return visit(*at);
  for (const YamlNode* item : at->items()) visit(*item);
  for (const YamlEntry& entry : at->entries()) visit(*entry.value);
}

class NearKeys {
 public:
  NearKeys(const objects::DeclaredKind& kind, Reporter& reporter)
      : kind_(kind), reporter_(reporter) {
    Know(kind.suspend_path);
    Know(kind.priority_class_path);
    for (const DeclaredPodSet& set : kind.pod_sets) {
      Know(set.for_each);
      for (const ValuePath* path : PathsOf(set)) Know(*path);
    }
  }

  void Check(const YamlNode& document) {
    Follow(document, kind_.suspend_path);
    Follow(document, kind_.priority_class_path);
    for (const DeclaredPodSet& set : kind_.pod_sets) {
      Follow(document, set.for_each);
      ForEachRoot(set, document, [&](const YamlNode& root) {
        for (const ValuePath* path : PathsOf(set)) Follow(root, *path);
      });
    }
  }

 private:
  static std::vector<const ValuePath*> PathsOf(const DeclaredPodSet& set) {
    return {&set.name_path,     &set.count_path,    &set.min_count_path,
            &set.template_path, &set.requests_path, &set.placement_path};
  }
  void Know(const ValuePath& path) { known_.insert(path.begin(), path.end()); }

  void Follow(const YamlNode& from, const ValuePath& path) {
    const YamlNode* at = &from;
    for (const std::string& key : path) {
      const YamlNode* next = at->Find(key);
      if (next == nullptr) return Warn(*at, key);
      at = next;
    }
  }

  void Warn(const YamlNode& map, std::string_view missing) {
    for (const YamlEntry& entry : map.entries()) {
      const std::string_view key = entry.key->text();
      if (known_.contains(key) || Closest(key, std::span(&missing, 1)).empty()) continue;
      if (!told_.insert(entry.key).second) continue;
      reporter_.Warning(entry.key->at,
                        Quoted(key) + " looks like " + Quoted(missing) + ", which JobKind of " +
                            kind_.kind + " reads and which is not here",
                        "write " + Quoted(missing) + " if it is meant");
    }
  }

  const objects::DeclaredKind& kind_;
  Reporter& reporter_;
  std::set<std::string, std::less<>> known_;
  std::set<const YamlNode*> told_;
};

}  // namespace

void DeclaredKinds::Read(const YamlNode& document, const ParseOptions& options,
                         Reporter& reporter) {
  const std::string_view kind = document.TextBelow({"kind"});
  if (kind == "List") {
    const YamlNode* items = document.Find("items");
    if (items == nullptr) return;
    for (const YamlNode* item : items->items()) Read(*item, options, reporter);
  } else if (kind == kJobKind && document.TextBelow({"apiVersion"}) == kJobKindVersion) {
    ReadOne(document, options, reporter);
  }
}

void DeclaredKinds::ReadOne(const YamlNode& document, const ParseOptions& options,
                            Reporter& reporter) {
  const std::size_t errors = reporter.errors();
  Decoding decoding{reporter, options};
  const Value value(document, kJobKind, decoding);
  Declared declared;
  declared.source = reporter.source();
  {
    Fields fields(value);
    ReadMetadata(fields);
    if (const auto spec = fields.Find("spec")) {
      ReadSpec(*spec, &declared.kind);
    } else {
      fields.ReportMissing("spec", "{group: acme.example, kind: Training, versions: [v1], ...}");
    }
  }
  const YamlNode* name = &document;
  if (const YamlNode* spec = document.Find("spec"); spec != nullptr && spec->Find("kind")) {
    name = spec->Find("kind");
  }
  declared.place = reporter.PlaceAt(name->at);
  const objects::DeclaredKind& kind = declared.kind;
  if (kind.kind.empty()) return;
  if (IsBuiltIn(kind.kind, kind.group)) {
    return reporter.Error(name->at, kind.kind + " of " + kind.group + " is a built-in kind",
                          "remove this JobKind");
  }
  for (const Declared& other : declared_) {
    if (other.kind.kind != kind.kind || other.kind.group != kind.group) continue;
    return reporter.Error(
        name->at,
        kind.kind + " of " + kind.group + " is declared twice, first in " + PlaceText(other.place),
        "keep one of the two");
  }
  declared.is_right = reporter.errors() == errors;
  declared_.push_back(std::move(declared));
  if (declared_.back().is_right) declared_.back().row = objects::RowOf(declared_.back().kind);
}

DeclaredKinds::Declared* DeclaredKinds::Find(const YamlNode& object, Reporter& reporter) {
  const std::string_view kind = object.TextBelow({"kind"});
  const std::string_view api_version = object.TextBelow({"apiVersion"});
  const std::string_view group = objects::GroupOfVersion(api_version);
  for (Declared& each : declared_) {
    if (each.kind.kind != kind || each.kind.group != group) continue;
    each.is_used = true;
    const std::size_t begin = std::min(group.size() + 1, api_version.size());
    const std::string_view version = api_version.substr(begin);
    const auto& versions = each.kind.versions;
    if (each.is_right && std::find(versions.begin(), versions.end(), version) == versions.end()) {
      reporter.Error(object.Find("apiVersion")->at,
                     "a " + each.kind.kind + " has no apiVersion " + Quoted(api_version),
                     "write " + each.kind.group + "/" + versions.front() +
                         ", or add the version to its JobKind");
    }
    return &each;
  }
  return nullptr;
}

void DeclaredKinds::ReportUnused(Reporter& reporter) const {
  if (reporter.errors() > 0) return;  // the object may be among what is wrong
  for (const Declared& each : declared_) {
    if (each.is_used || !each.is_right) continue;
    reporter.BeginSource(each.source, each.place.file);
    reporter.Warning({each.place.line, each.place.column},
                     "there is no " + each.kind.kind + " in these files, and a JobKind is not kept",
                     "give it together with its objects");
  }
}

std::vector<std::string_view> DeclaredKinds::names() const {
  std::vector<std::string_view> names;
  for (const Declared& each : declared_) names.push_back(each.kind.kind);
  return names;
}

std::vector<const objects::KindRow*> DeclaredKinds::rows() const {
  std::vector<const objects::KindRow*> rows;
  for (const Declared& each : declared_) {
    if (each.is_right) rows.push_back(&each.row);
  }
  return rows;
}

void WarnOfSpelling(const objects::DeclaredKind& kind, const YamlNode& document,
                    Reporter& reporter) {
  NearKeys(kind, reporter).Check(document);
}

}  // namespace muster::manifest
