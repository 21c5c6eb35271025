// ObjectMeta: five fields are read, the others of Kubernetes are known, anything else is a mistake.
#include "bindings/manifest/metadata.h"

#include <string>
#include <string_view>

#include "bindings/manifest/kubernetes_fields.h"

namespace muster::manifest {
namespace {

struct WithoutEffect {
  std::string_view annotation;
  std::string_view cure;
};
/// They decide something in Kueue and nothing here.
constexpr WithoutEffect kWithoutEffect[] = {
    {"kueue.x-k8s.io/workload-slice-replacement-for",
     "submit the additional pods as a workload of their own"},
    {"kueue.x-k8s.io/elastic-job", "remove it; a job that runs can be made smaller, not larger"},
    {"kueue.x-k8s.io/priority-boost", "remove it, and give the job another priority"}};

void WarnOfAnnotations(const Value& metadata) {
  const YamlNode* annotations = metadata.node().Find("annotations");
  if (annotations == nullptr) return;
  for (const YamlEntry& entry : annotations->entries) {
    for (const WithoutEffect& known : kWithoutEffect) {
      if (entry.key->text != known.annotation) continue;
      metadata.decoding().reporter.Warning(
          entry.key->at, "the annotation \"" + entry.key->text + "\" has no effect",
          std::string(known.cure));
    }
  }
}

Metadata ReadFields(Fields& object) {
  Metadata metadata;
  if (const std::optional<Value> value = object.Find("metadata")) {
    Fields fields(*value);
    if (const auto name = fields.Find("name")) ReadDnsName(*name, true, &metadata.name);
    if (const auto ns = fields.Find("namespace")) ReadDnsName(*ns, false, &metadata.ns);
    fields.Get("uid", &metadata.uid);
    fields.GetTime("creationTimestamp", &metadata.created);
    fields.GetTime("deletionTimestamp", &metadata.deletion);
    fields.Get("labels", &metadata.labels);
    fields.Get("annotations", &metadata.annotations);
    WarnOfAnnotations(*value);
    fields.Accept(kObjectMetaFields);
  }
  return metadata;
}

}  // namespace

Metadata ReadMetadata(Fields& object) {
  object.Accept({"apiVersion", "kind"});
  const std::optional<Value> value = object.Find("metadata");
  if (!value) {
    object.ReportMissing("metadata", "{name: example}");
  } else if (value->node().kind == NodeKind::kMap) {
    const YamlNode* name = value->node().Find("name");
    if (name == nullptr || name->kind == NodeKind::kNull) {
      const bool generated = value->node().Find("generateName") != nullptr;
      value->Error("lacks the field \"name\"",
                   generated ? "add a name; generateName needs a Kubernetes API server"
                             : "add for example name: example");
    }
  }
  return ReadFields(object);
}

Metadata ReadSingletonMetadata(Fields& object) {
  object.Accept({"apiVersion", "kind"});
  return ReadFields(object);
}

Metadata ReadTemplateMetadata(Fields& pod_template) { return ReadFields(pod_template); }

}  // namespace muster::manifest
