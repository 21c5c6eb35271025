// Plain: documents of YAML as the plain objects that the job kinds read.
#ifndef MUSTER_BINDINGS_MANIFEST_PLAIN_H_
#define MUSTER_BINDINGS_MANIFEST_PLAIN_H_

#include <string>
#include <string_view>
#include <vector>

#include "bindings/manifest/yaml_node.h"
#include "bindings/objects/value.h"

namespace muster::manifest {

/// The node as data, with places; aliases are copied.
objects::Value PlainOf(const YamlNode& node);

/// And back. What was not read from a text stands `otherwise`.
const YamlNode* NodeOf(const objects::Value& value, Position otherwise, YamlArena& arena);

struct PlainDocuments {
  std::vector<objects::Value> documents;
  std::string problem;  ///< of the first document that is no YAML; empty for none
};
PlainDocuments ParsePlain(std::string_view text, std::string_view file);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_PLAIN_H_
