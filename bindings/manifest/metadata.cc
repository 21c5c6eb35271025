// ObjectMeta: five fields are read, the others of Kubernetes are known, anything else is a mistake.
#include "bindings/manifest/metadata.h"

#include <string>
#include <string_view>

#include "bindings/manifest/kubernetes_fields.h"
#include "bindings/manifest/kueue_marks.h"

namespace muster::manifest {
namespace {

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
    CheckMarks(object.value().name(), *value);
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
