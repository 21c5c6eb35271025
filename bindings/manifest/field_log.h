// Which fields documents may have, for callers of Parse that ask for them.
#ifndef MUSTER_BINDINGS_MANIFEST_FIELD_LOG_H_
#define MUSTER_BINDINGS_MANIFEST_FIELD_LOG_H_

#include <map>
#include <string>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "bindings/manifest/yaml_node.h"

namespace muster::manifest {

/// Names of fields, by the mapping that may have them.
using KnownFields = std::map<const YamlNode*, std::vector<std::string>>;

/// Adds what is known of `node` and all below it; `path` leads to it.
void LogFields(const YamlNode& node, const std::string& path, const KnownFields& known,
               FieldLog* log);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_FIELD_LOG_H_
