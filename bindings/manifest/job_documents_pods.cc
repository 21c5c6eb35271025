// Which pods and Jobs are kept until all documents are read, by what is written in each alone.
#include <initializer_list>
#include <string>
#include <string_view>

#include "bindings/manifest/job_documents.h"
#include "bindings/manifest/place_index.h"
#include "bindings/manifest/plain.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/well_known.h"
#include "bindings/objects/pod.h"

namespace muster::manifest {
namespace {

const YamlNode* NodeAt(const YamlNode& node, std::initializer_list<std::string_view> keys) {
  const YamlNode* at = &node;
  for (const std::string_view key : keys) {
    at = at->Find(key);
    if (at == nullptr) return nullptr;
  }
  return at;
}

}  // namespace

bool JobDocuments::Takes(const YamlNode& node) {
  const YamlNode* kind = node.Find("kind");
  if (kind == nullptr) return false;
  if (kind->text == "Pod") {
    const YamlNode* queue = NodeAt(node, {"metadata", "labels", kQueueNameLabel});
    const YamlNode* bound = NodeAt(node, {"spec", "nodeName"});
    return queue != nullptr && !queue->text.empty() && (bound == nullptr || bound->text.empty());
  }
  if (kind->text != "Job") return false;
  const YamlNode* owners = NodeAt(node, {"metadata", "ownerReferences"});
  return owners != nullptr && !owners->items.empty();
}

bool JobDocuments::WarnOfBound(const YamlNode& node, Reporter& reporter) {
  const YamlNode* kind = node.Find("kind");
  const YamlNode* queue = NodeAt(node, {"metadata", "labels", kQueueNameLabel});
  const YamlNode* bound = NodeAt(node, {"spec", "nodeName"});
  const YamlNode* name = NodeAt(node, {"metadata", "name"});
  if (kind == nullptr || kind->text != "Pod" || queue == nullptr || queue->text.empty() ||
      bound == nullptr || bound->text.empty() || name == nullptr) {
    return false;
  }
  reporter.Warning(FindPlace(node, "spec.nodeName"),
                   "Pod " + Quoted(name->text) + " of a queue is on a node already and is skipped",
                   "its quota is that of the workload that it was started for; without "
                   "spec.nodeName it is queued anew");
  return true;
}

bool JobDocuments::IsLost(const YamlNode& node) {
  const YamlNode* kind = node.Find("kind");
  const YamlNode* queue = NodeAt(node, {"metadata", "labels", kQueueNameLabel});
  const YamlNode* phase = NodeAt(node, {"status", "phase"});
  return kind != nullptr && kind->text == "Pod" && queue != nullptr && !queue->text.empty() &&
         phase != nullptr && phase->text == "Failed" && !Takes(node) &&
         !objects::GroupOf(PlainOf(node), objects::Setting()).empty();
}

}  // namespace muster::manifest
