// How documents are kept until all are read, and which pods and Jobs are, by what is written in
// each alone.
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/manifest/job_documents.h"
#include "bindings/manifest/place_index.h"
#include "bindings/manifest/plain.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/well_known.h"
#include "bindings/objects/job_kinds.h"
#include "bindings/objects/owners.h"
#include "bindings/objects/pod.h"

namespace muster::manifest {

void JobDocuments::Add(const YamlNode& node, std::size_t source, const std::string& file,
                       const DeclaredKinds::Declared* declared) {
  documents_.push_back({&node, source, file, declared});
}

void JobDocuments::AddLost(const YamlNode& node, std::size_t source, const std::string& file) {
  Add(node, source, file, nullptr);
  documents_.back().is_lost = true;
}

bool JobDocuments::MarkAskedFor() {
  std::set<std::pair<std::string_view, std::string_view>> owners;  // kind and name
  for (const Document& document : documents_) {
    const YamlNode* const references = document.node->Below({"metadata", "ownerReferences"});
    if (references == nullptr) continue;
    for (const YamlNode* each : references->items()) {
      owners.emplace(each->TextBelow({"kind"}), each->TextBelow({"name"}));
    }
  }
  for (Document& document : documents_) {
    const std::string_view kind = document.node->TextBelow({"kind"});
    const bool surrounds =
        document.declared_by == nullptr &&
        objects::FindKindRow(document.node->TextBelow({"apiVersion"}), kind) == nullptr;
    document.is_asked_for = surrounds || kind == "RayCluster" ||
                            owners.contains({kind, document.node->TextBelow({"metadata", "name"})});
  }
  return !owners.empty();
}

void JobDocuments::ReadPlain(Document& document) {
  objects::Value& object = document.object = PlainOf(*document.node);
  if (document.declared_by == nullptr) {
    document.row = objects::FindKindRow(object);
  } else if (document.declared_by->is_right) {
    document.row = &document.declared_by->row;
    document.declared = &document.declared_by->kind;
  }
  if (object.At("kind").text == "ReplicaSet" && objects::ControllerOf(object).IsNull()) {
    document.row = objects::FindKindRow("apps/v1", "Deployment");
  }
  if (document.row != nullptr && document.row->fill != nullptr) document.row->fill(object);
}

bool JobDocuments::Takes(const YamlNode& node) {
  const std::string_view kind = node.TextBelow({"kind"});
  if (kind == "Pod") {
    return !node.TextBelow({"metadata", "labels", kQueueNameLabel}).empty() &&
           node.TextBelow({"spec", "nodeName"}).empty();
  }
  const YamlNode* const owners = node.Below({"metadata", "ownerReferences"});
  return kind == "Job" && owners != nullptr && !owners->items().empty();
}

bool JobDocuments::WarnOfBound(const YamlNode& node, Reporter& reporter) {
  const YamlNode* const name = node.Below({"metadata", "name"});
  if (node.TextBelow({"kind"}) != "Pod" || name == nullptr ||
      node.TextBelow({"metadata", "labels", kQueueNameLabel}).empty() ||
      node.TextBelow({"spec", "nodeName"}).empty()) {
    return false;
  }
  reporter.Warning(
      FindPlace(node, "spec.nodeName"),
      "Pod " + Quoted(name->text()) + " of a queue is on a node already and is skipped",
      "its quota is that of the workload that it was started for; without "
      "spec.nodeName it is queued anew");
  return true;
}

bool JobDocuments::IsLost(const YamlNode& node) {
  return node.TextBelow({"kind"}) == "Pod" &&
         !node.TextBelow({"metadata", "labels", kQueueNameLabel}).empty() &&
         node.TextBelow({"status", "phase"}) == "Failed" && !Takes(node) &&
         !objects::GroupOf(PlainOf(node), objects::Setting()).empty();
}

}  // namespace muster::manifest
