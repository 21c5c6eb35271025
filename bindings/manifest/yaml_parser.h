// Text to YamlNodes. Every `---` begins a text of its own, so that a mistake spoils one document
// only.
//
// On top of what yaml-cpp refuses: keys written twice, keys that are no text, tags, circular or
// exploding aliases, nesting beyond kMaxDepth, quotes that are never closed. `<<` merges.
#ifndef MUSTER_BINDINGS_MANIFEST_YAML_PARSER_H_
#define MUSTER_BINDINGS_MANIFEST_YAML_PARSER_H_

#include <string_view>
#include <vector>

#include "bindings/manifest/reporter.h"
#include "bindings/manifest/yaml_node.h"

namespace muster::manifest {

/// Roots of the documents of `text`, empty documents left out. A document with a mistake is left
/// out and reported. O(bytes). A long text is read by several threads, which are done when this
/// returns; what comes of it does not depend on them.
std::vector<const YamlNode*> ParseYaml(std::string_view text, YamlArena& arena, Reporter& reporter);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_YAML_PARSER_H_
