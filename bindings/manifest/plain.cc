#include "bindings/manifest/plain.h"

#include <optional>
#include <utility>

#include "bindings/manifest/reporter.h"
#include "bindings/manifest/yaml_parser.h"

namespace muster::manifest {
namespace {

void SetScalar(const YamlNode& node, objects::Value* out) {
  using objects::ValueKind;
  const PlainType type = node.quoted ? PlainType::kText : PlainTypeOf(node.text());
  switch (type) {
    case PlainType::kNull:
      out->kind = ValueKind::kNull;
      return;
    case PlainType::kBool:
      out->kind = ValueKind::kBool;
      out->truth = PlainBool(node.text());
      return;
    case PlainType::kInt:
    case PlainType::kFloat:
      if (std::optional<std::string> number = JsonNumber(node.text())) {
        out->kind = ValueKind::kNumber;
        out->text = *std::move(number);
        return;
      }
      break;  // no number of JSON, which the parser has reported
    case PlainType::kText:
      break;
  }
  out->kind = ValueKind::kText;
  out->text = node.text();
}

}  // namespace

objects::Value PlainOf(const YamlNode& node) {
  objects::Value out;
  switch (node.kind) {
    case NodeKind::kNull:
      break;
    case NodeKind::kScalar:
      SetScalar(node, &out);
      break;
    case NodeKind::kMap:
      out = objects::Value::Map();
      out.entries.reserve(node.entries().size());
      for (const YamlEntry& entry : node.entries()) {
        objects::Value child = PlainOf(*entry.value);
        child.key_line = entry.key->at.line;
        child.key_column = entry.key->at.column;
        out.entries.emplace_back(entry.key->text(), std::move(child));
      }
      break;
    case NodeKind::kList:
      out = objects::Value::List();
      out.items.reserve(node.items().size());
      for (const YamlNode* item : node.items()) out.items.push_back(PlainOf(*item));
      break;
  }
  out.line = node.at.line;
  out.column = node.at.column;
  return out;
}

const YamlNode* NodeOf(const objects::Value& value, Position otherwise, YamlArena& arena) {
  using objects::ValueKind;
  const auto place = [&otherwise](int line, int column) {
    return line == 0 ? otherwise : Position{line, column};
  };
  const Position at = place(value.line, value.column);
  if (value.kind == ValueKind::kNull) return arena.New(NodeKind::kNull, at);
  if (value.IsMap()) {
    YamlNode* map = arena.New(NodeKind::kMap, at);
    for (const auto& [key, child] : value.entries) {
      const YamlNode* name = arena.NewText(key, place(child.key_line, child.key_column));
      arena.Append(map, {name, NodeOf(child, at, arena)});
    }
    return map;
  }
  if (value.IsList()) {
    YamlNode* list = arena.New(NodeKind::kList, at);
    for (const objects::Value& item : value.items) arena.Append(list, NodeOf(item, at, arena));
    return list;
  }
  const bool is_bool = value.kind == ValueKind::kBool;
  return arena.NewText(is_bool ? (value.truth ? "true" : "false") : std::string_view(value.text),
                       at, value.IsText());
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
