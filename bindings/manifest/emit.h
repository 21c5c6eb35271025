// YamlNodes as text: block YAML, or compact JSON.
#ifndef MUSTER_BINDINGS_MANIFEST_EMIT_H_
#define MUSTER_BINDINGS_MANIFEST_EMIT_H_

#include <string>

#include "bindings/manifest/yaml_node.h"

namespace muster::manifest {

/// One document in block style, without `---`, ending in a newline. Texts are quoted where they
/// would read as something else.
std::string EmitYaml(const YamlNode& root);
/// Unquoted scalars become numbers, truth values or null where they look like one.
std::string EmitJson(const YamlNode& root);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_EMIT_H_
