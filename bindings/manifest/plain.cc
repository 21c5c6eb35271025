#include "bindings/manifest/plain.h"

#include <utility>

#include "bindings/manifest/reporter.h"
#include "bindings/manifest/yaml_parser.h"

namespace muster::manifest {
namespace {

void SetScalar(const YamlNode& node, objects::Value* out) {
  using objects::ValueKind;
  const PlainType type = node.quoted ? PlainType::kText : PlainTypeOf(node.text);
  switch (type) {
    case PlainType::kNull: out->kind = ValueKind::kNull; return;
    case PlainType::kBool:
      out->kind = ValueKind::kBool;
      out->truth = PlainBool(node.text);
      return;
    case PlainType::kInt:
    case PlainType::kFloat: out->kind = ValueKind::kNumber; break;
    case PlainType::kText: out->kind = ValueKind::kText; break;
  }
  out->text = node.text;
}

}  // namespace

objects::Value PlainOf(const YamlNode& node) {
  objects::Value out;
  switch (node.kind) {
    case NodeKind::kNull: break;
    case NodeKind::kScalar: SetScalar(node, &out); break;
    case NodeKind::kMap:
      out = objects::Value::Map();
      out.entries.reserve(node.entries.size());
      for (const YamlEntry& entry : node.entries) {
        out.entries.emplace_back(entry.key->text, PlainOf(*entry.value));
      }
      break;
    case NodeKind::kList:
      out = objects::Value::List();
      out.items.reserve(node.items.size());
      for (const YamlNode* item : node.items) out.items.push_back(PlainOf(*item));
      break;
  }
  out.line = node.at.line;
  out.column = node.at.column;
  return out;
}

PlainDocuments ParsePlain(std::string_view text, std::string_view file) {
  PlainDocuments out;
  YamlArena arena;
  Reporter reporter;
  reporter.BeginSource(0, std::string(file));
  for (const YamlNode* root : ParseYaml(text, arena, reporter)) {
    out.documents.push_back(PlainOf(*root));
  }
  const std::vector<Diagnostic> diagnostics = reporter.Take();
  if (!diagnostics.empty()) out.problem = diagnostics.front().ToString();
  return out;
}

}  // namespace muster::manifest
