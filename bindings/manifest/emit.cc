// The two printers. Depth is bounded by the parser (kMaxDepth), so recursion is safe.
#include "bindings/manifest/emit.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "engine/codec/json_writer.h"

namespace muster::manifest {
namespace {

constexpr std::size_t kIndent = 2;

bool IsPlainSafe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_./-+").find(c) != std::string_view::npos;
}

/// True when `text` unquoted reads back as this very text.
bool ReadsAsText(std::string_view text) {
  const bool safe_begin = !text.empty() && text.front() != '-' && text.front() != '.';
  return safe_begin && std::all_of(text.begin(), text.end(), IsPlainSafe) &&
         PlainTypeOf(text) == PlainType::kText;
}

/// JSON quoting is also YAML's double quoting.
std::string JsonText(std::string_view text) {
  JsonWriter writer;
  writer.String(text);
  return writer.Take();
}

std::string ScalarText(const YamlNode& node) {
  if (node.kind == NodeKind::kNull) return "null";
  if (node.quoted && !ReadsAsText(node.text())) return JsonText(node.text());
  return std::string(node.text());
}

bool IsBlock(const YamlNode& node) { return !node.entries().empty() || !node.items().empty(); }

/// What fits behind a key or a dash: a scalar, or an empty list or mapping.
std::string InlineText(const YamlNode& node) {
  if (node.kind == NodeKind::kMap) return "{}";
  if (node.kind == NodeKind::kList) return "[]";
  return ScalarText(node);
}

void EmitBlock(const YamlNode& node, std::size_t indent, bool first_indented, std::string& out) {
  bool begun = first_indented;
  const auto begin_line = [&] {
    if (!begun) out.append(indent, ' ');
    begun = false;
  };
  for (const YamlNode* item : node.items()) {
    begin_line();
    out += "- ";
    if (IsBlock(*item)) {
      EmitBlock(*item, indent + kIndent, true, out);
    } else {
      out.append(InlineText(*item)).push_back('\n');
    }
  }
  for (const YamlEntry& entry : node.entries()) {
    begin_line();
    out.append(ScalarText(*entry.key)).push_back(':');
    if (!IsBlock(*entry.value)) {
      out.append(" ").append(InlineText(*entry.value)).push_back('\n');
      continue;
    }
    out.push_back('\n');
    // Lists stand under their key without indentation, as Kubernetes prints them.
    const bool is_list = entry.value->kind == NodeKind::kList;
    EmitBlock(*entry.value, is_list ? indent : indent + kIndent, false, out);
  }
}

void WriteNumber(std::string_view written, JsonWriter& out) {
  const std::string text = JsonNumber(written).value_or(std::string(written));
  const char* const end = text.data() + text.size();
  std::int64_t whole = 0;
  const auto as_whole = std::from_chars(text.data(), end, whole);
  if (as_whole.ptr == end && as_whole.ec == std::errc()) {
    out.Int(whole);
    return;
  }
  double number = 0;
  const auto as_number = std::from_chars(text.data(), end, number);
  if (as_number.ptr == end && as_number.ec == std::errc()) {
    out.Double(number);
  } else {
    out.String(text);
  }
}

void WriteJson(const YamlNode& node, JsonWriter& out) {
  switch (node.kind) {
    case NodeKind::kNull:
      out.Null();
      return;
    case NodeKind::kMap:
      out.BeginObject();
      for (const YamlEntry& entry : node.entries()) {
        out.Key(entry.key->text());
        WriteJson(*entry.value, out);
      }
      out.EndObject();
      return;
    case NodeKind::kList:
      out.BeginArray();
      for (const YamlNode* item : node.items()) WriteJson(*item, out);
      out.EndArray();
      return;
    case NodeKind::kScalar:
      break;
  }
  const PlainType type = node.quoted ? PlainType::kText : PlainTypeOf(node.text());
  if (type == PlainType::kBool) {
    out.Bool(PlainBool(node.text()));
  } else if (type == PlainType::kInt || type == PlainType::kFloat) {
    WriteNumber(node.text(), out);
  } else {
    out.String(node.text());
  }
}

}  // namespace

std::string EmitYaml(const YamlNode& root) {
  std::string out;
  if (IsBlock(root)) {
    EmitBlock(root, 0, false, out);
  } else {
    out = InlineText(root) + "\n";
  }
  return out;
}

std::string EmitJson(const YamlNode& root) {
  JsonWriter writer;
  WriteJson(root, writer);
  return writer.Take();
}

}  // namespace muster::manifest
