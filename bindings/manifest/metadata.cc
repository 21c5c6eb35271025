// ObjectMeta: five fields are read, the others of Kubernetes are known, anything else is a mistake.
#include "bindings/manifest/metadata.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "bindings/manifest/closest.h"
#include "bindings/manifest/kubernetes_fields.h"
#include "bindings/manifest/kueue_marks.h"
#include "bindings/manifest/names.h"
#include "bindings/manifest/quote.h"

namespace muster::manifest {
namespace {

/// generateName is no name: only an API server makes one of it.
void RequireName(Fields& fields) {
  if (fields.Find("name")) return;
  if (!fields.Find("generateName")) return fields.ReportMissing("name", "example");
  fields.value().Error("lacks the field \"name\"",
                       "add a name; generateName needs a Kubernetes API server");
}

std::string_view TextAt(const YamlNode& map, std::string_view name) {
  const YamlNode* node = map.Find(name);
  return node == nullptr ? std::string_view() : std::string_view(node->text());
}

/// Kueue knows a variant by its owner alone; other owners are not read.
std::optional<ParentWorkload> WorkloadAmong(const Value& owners) {
  for (const YamlNode* owner : owners.node().items()) {
    if (owner->kind != NodeKind::kMap || TextAt(*owner, "kind") != "Workload" ||
        !TextAt(*owner, "apiVersion").starts_with("kueue.x-k8s.io/")) {
      continue;
    }
    Fields fields(owners.Item(*owner));
    fields.Accept({"apiVersion", "kind", "controller", "blockOwnerDeletion"});
    ParentWorkload parent;
    fields.Require("name", &parent.name, "job-a");
    fields.Require("uid", &parent.uid, "8d3c");
    return parent;
  }
  return std::nullopt;
}

Metadata ReadFields(Fields& object, bool has_name) {
  Metadata metadata;
  if (const std::optional<Value> value = object.Find("metadata")) {
    Fields fields(*value);
    if (has_name) RequireName(fields);
    if (const auto name = fields.Find("name")) ReadDnsName(*name, true, &metadata.name);
    if (const auto ns = fields.Find("namespace")) ReadDnsName(*ns, false, &metadata.ns);
    fields.Get("uid", &metadata.uid);
    fields.GetTime("creationTimestamp", &metadata.created);
    fields.GetTime("deletionTimestamp", &metadata.deletion);
    fields.Get("labels", &metadata.labels);
    fields.Get("annotations", &metadata.annotations);
    if (const auto owners = fields.Find("ownerReferences")) metadata.owner = WorkloadAmong(*owners);
    CheckMarks(object.value().name(), *value);
    fields.Accept(kObjectMetaFields);
  }
  return metadata;
}

}  // namespace

void CheckUid(const YamlNode& document, Reporter& reporter) {
  const YamlNode* metadata = document.Find("metadata");
  const YamlNode* uid = metadata == nullptr ? nullptr : metadata->Find("uid");
  if (uid == nullptr || IsLabelValue(uid->text())) return;
  reporter.Error(uid->at,
                 "metadata.uid " + Quoted(uid->text()) +
                     " is not the uid of an object: it cannot be "
                     "the value of a label",
                 "write the uid that the cluster gave the object, or leave it out");
}

void CheckOwners(const YamlNode& document, Reporter& reporter) {
  const YamlNode* owners = document.Below({"metadata", "ownerReferences"});
  if (owners == nullptr || owners->kind == NodeKind::kNull) return;
  if (owners->kind != NodeKind::kList) {
    return reporter.Error(owners->at, "\"ownerReferences\" must be a list",
                          "write [{apiVersion: ..., kind: ..., name: ..., uid: ...}]");
  }
  constexpr std::array<std::string_view, 6> kKnown = {
      "apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"};
  for (const YamlNode* owner : owners->items()) {
    for (const YamlEntry& entry : owner->entries()) {
      const std::string_view name = entry.key->text();
      if (std::find(kKnown.begin(), kKnown.end(), name) == kKnown.end()) {
        const std::string_view closest = Closest(name, kKnown);
        reporter.Error(entry.key->at, "unknown field " + Quoted(name) + " in \"ownerReferences\"",
                       closest.empty() ? "remove it" : "write " + Quoted(closest));
      } else if (name == "controller" &&
                 (entry.value->quoted || PlainTypeOf(entry.value->text()) != PlainType::kBool)) {
        reporter.Error(entry.value->at, "\"controller\" must be true or false",
                       "write true where it is the object that made this one");
      }
    }
    if (owner->TextBelow({"kind"}).empty() || owner->TextBelow({"name"}).empty()) {
      reporter.Error(owner->at, "an owner needs a kind and a name",
                     "write {apiVersion: ..., kind: ..., name: ..., uid: ...}");
    }
  }
}

Metadata ReadMetadata(Fields& object) {
  object.Accept({"apiVersion", "kind"});
  if (!object.Find("metadata")) object.ReportMissing("metadata", "{name: example}");
  return ReadFields(object, /*has_name=*/true);
}

Metadata ReadSingletonMetadata(Fields& object) {
  object.Accept({"apiVersion", "kind"});
  return ReadFields(object, /*has_name=*/false);
}

Metadata ReadTemplateMetadata(Fields& pod_template) {
  return ReadFields(pod_template, /*has_name=*/false);
}

void CheckPodMetadata(const Value& pod) {
  Fields fields(pod);
  fields.Accept({"apiVersion", "kind", "spec", "status"});
  const auto value = fields.Find("metadata");
  if (!value) return;
  Fields metadata(*value);
  std::string name;
  if (const auto given = metadata.Find("name")) ReadDnsName(*given, true, &name);
  if (const auto given = metadata.Find("namespace")) ReadDnsName(*given, false, &name);
  LabelMap marks;
  metadata.Get("labels", &marks);
  metadata.Get("annotations", &marks);
  TimeNs created = kNoTime;
  metadata.GetTime("creationTimestamp", &created);
  std::string uid;
  metadata.Get("uid", &uid);
  metadata.Accept({"deletionTimestamp"});
  metadata.Accept(kObjectMetaFields);
}

}  // namespace muster::manifest
