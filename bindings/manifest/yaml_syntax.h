// The complaints of yaml-cpp in words that say what to do.
#ifndef MUSTER_BINDINGS_MANIFEST_YAML_SYNTAX_H_
#define MUSTER_BINDINGS_MANIFEST_YAML_SYNTAX_H_

#include <string>
#include <string_view>

#include "bindings/manifest/yaml_node.h"

namespace muster::manifest {

struct SyntaxMistake {
  Position at;
  std::string what;
  std::string cure;
};

/// What `message` at `at` (byte `offset` of `text`, -1 when unknown) means. `innermost` is the list
/// or mapping that was open, null for none.
SyntaxMistake ExplainSyntax(std::string_view message, Position at, std::string_view text,
                            int offset, const YamlNode* innermost);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_YAML_SYNTAX_H_
