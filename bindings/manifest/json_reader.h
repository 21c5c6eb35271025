// JSON as it is, several times as fast as by the rules of YAML: gateways and services send it.
//
// Only what no rule of YAML reads otherwise. A text that is no JSON, or with anything to complain
// of, is left to the reader of YAML, which words the mistake.
#ifndef MUSTER_BINDINGS_MANIFEST_JSON_READER_H_
#define MUSTER_BINDINGS_MANIFEST_JSON_READER_H_

#include <string_view>

#include "bindings/manifest/reporter.h"
#include "bindings/manifest/yaml_node.h"

namespace muster::manifest {

/// The root of a text that is one JSON object or list, with the same nodes and places as the reader
/// of YAML makes; null when it is to be read as YAML. `text` is UTF-8, and its first line is line
/// `lines_before` + 1. Nothing is reported; what is added to `arena` in vain stays there unused.
/// O(bytes).
const YamlNode* ReadJson(std::string_view text, int lines_before, YamlArena& arena);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_JSON_READER_H_
