#include "bindings/manifest/field_log.h"

namespace muster::manifest {

void LogFields(const YamlNode& node, const std::string& path, const KnownFields& known,
               FieldLog* log) {
  const std::string child = path.ends_with(' ') ? path : path + ".";
  if (const auto names = known.find(&node); names != known.end()) {
    for (const std::string& name : names->second) log->insert(child + name);
  }
  for (const YamlEntry& entry : node.entries()) {
    LogFields(*entry.value, child + entry.key->text(), known, log);
  }
  for (const YamlNode* item : node.items()) LogFields(*item, path + "[]", known, log);
}

}  // namespace muster::manifest
