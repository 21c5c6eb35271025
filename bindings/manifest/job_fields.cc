// A walk over a document and the shapes that it should have.
#include "bindings/manifest/job_fields.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bindings/manifest/closest.h"
#include "bindings/manifest/job_shapes.h"
#include "bindings/manifest/quote.h"
#include "bindings/manifest/value.h"
#include "bindings/objects/kind.h"

namespace muster::manifest {
namespace {

/// One field of a shape: "replicas:count", "template:PodTemplate!".
struct ShapeField {
  std::string_view name;
  std::string_view type;  ///< empty: it is not read
  bool is_needed = false;
};

std::vector<ShapeField> ReadFields(const Shape& shape) {
  std::vector<ShapeField> fields;
  for (std::string_view text = shape.fields; !text.empty();) {
    const std::size_t end = std::min(text.find(' '), text.size());
    ShapeField field;
    field.name = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    field.is_needed = field.name.ends_with('!');
    if (field.is_needed) field.name.remove_suffix(1);
    if (const std::size_t colon = field.name.find(':'); colon != field.name.npos) {
      field.type = field.name.substr(colon + 1);
      field.name = field.name.substr(0, colon);
    }
    fields.push_back(field);
  }
  return fields;
}

/// Of a shape of the table, which is read once: every mapping of every job asks.
const std::vector<ShapeField>& FieldsOf(const Shape& shape) {
  static const std::vector<std::vector<ShapeField>> all = [] {
    std::vector<std::vector<ShapeField>> read;
    for (const Shape& each : Shapes()) read.push_back(ReadFields(each));
    return read;
  }();
  return all[static_cast<std::size_t>(&shape - Shapes().data())];
}

/// Those that are read first, for they win.
std::vector<std::string_view> NamesOf(const std::vector<ShapeField>& fields) {
  std::vector<std::string_view> names;
  for (const bool is_read : {true, false}) {
    for (const ShapeField& field : fields) {
      if (field.type.empty() != is_read) names.push_back(field.name);
    }
  }
  return names;
}

/// The shape of an object that another wraps: that of its kind, if it is of that kind's group.
const Shape* ShapeOfWrapped(const YamlNode& object) {
  const YamlNode* version = object.Find("apiVersion");
  const YamlNode* kind = object.Find("kind");
  if (version == nullptr || kind == nullptr) return nullptr;
  for (const objects::KindRow& row : objects::KindTable()) {
    if (row.kind != kind->text()) continue;
    return row.group == objects::GroupOfVersion(version->text()) ? FindShape(kind->text())
                                                                 : nullptr;
  }
  return nullptr;
}

class Walk {
 public:
  explicit Walk(Reporter& reporter) : decoding_{reporter, options_} {}

  /// The head of a whole document is read elsewhere.
  void Document(const Shape& shape, const YamlNode& node) {
    Map(shape, Value(node, shape.name, decoding_), /*is_document=*/true);
  }

 private:
  void Map(const Shape& shape, const Value& map, bool is_document = false) {
    if (!map.ExpectMap()) return;
    const std::vector<ShapeField>& fields = FieldsOf(shape);
    std::vector<std::string_view> meant;
    for (const YamlEntry& entry : map.node().entries()) {
      const auto field = Find(fields, entry.key->text());
      if (field == fields.end()) {
        const std::vector<std::string_view> names = NamesOf(fields);
        const std::string_view near = Closest(entry.key->text(), names);
        const auto read = Find(fields, near);
        if (read == fields.end() || read->type.empty()) {
          if (shape.name.ends_with("Roles") && entry.value->kind != NodeKind::kNull) {
            decoding_.reporter.Error(entry.key->at, "unknown role " + Quoted(entry.key->text()),
                                     ProposeName(entry.key->text(), names));
          }
          continue;
        }
        meant.push_back(near);
        if (is_document) continue;
        decoding_.reporter.Error(entry.key->at, "unknown field " + Quoted(entry.key->text()),
                                 "write " + Quoted(near));
      } else if (!is_document || entry.key->text() == "spec" || entry.key->text() == "status") {
        if (entry.value->kind != NodeKind::kNull) One(field->type, Value(entry, decoding_));
      }
    }
    for (const ShapeField& field : fields) {
      const YamlNode* found = map.node().Find(field.name);
      const bool is_there = found != nullptr && found->kind != NodeKind::kNull;
      const bool is_misspelt = std::find(meant.begin(), meant.end(), field.name) != meant.end();
      if (!field.is_needed || is_there || is_misspelt) continue;
      map.Error("lacks the field " + Quoted(field.name), "add it: it says what the pods ask for");
    }
  }

  static std::vector<ShapeField>::const_iterator Find(const std::vector<ShapeField>& fields,
                                                      std::string_view name) {
    return std::find_if(fields.begin(), fields.end(),
                        [name](const ShapeField& field) { return field.name == name; });
  }

  void One(std::string_view type, const Value& value) {
    if (type.empty()) return;
    if (type.starts_with('[')) {
      if (!value.ExpectList()) return;
      for (const YamlNode* item : value.node().items()) {
        Map(*FindShape(type.substr(1, type.size() - 2)), value.Item(*item));
      }
    } else if (type == "count") {
      std::int32_t count = 0;
      if (Read(value, &count) && count < 0) value.Error("cannot be negative", "write 0 or more");
    } else if (type == "positive") {
      std::int32_t count = 0;
      if (Read(value, &count) && count < 1) value.Error("must be at least 1", "write 1 or more");
    } else if (type == "bool") {
      bool truth = false;
      Read(value, &truth);
    } else if (type == "text") {
      std::string text;
      Read(value, &text);
    } else if (type == "scalar") {
      value.ExpectScalar("a quantity", "write for example 2");
    } else if (type == "map") {
      value.ExpectMap();
    } else if (type == "list") {
      value.ExpectList();
    } else if (type == "Wrapped") {
      Wrapped(value);
    } else {
      Map(*FindShape(type), value);
    }
  }

  void Wrapped(const Value& value) {
    if (!value.ExpectMap()) return;
    for (const std::string_view field : {"apiVersion", "kind"}) {
      const YamlNode* found = value.node().Find(field);
      if (found != nullptr && found->kind == NodeKind::kScalar) continue;
      value.Error("holds an object that has no " + std::string(field),
                  "write it: what it asks for is told by its kind");
    }
    if (const Shape* shape = ShapeOfWrapped(value.node())) Map(*shape, value);
  }

  const ParseOptions options_;
  Decoding decoding_;
};

}  // namespace

void CheckSpelling(std::string_view kind, const YamlNode& document, Reporter& reporter) {
  if (const Shape* shape = FindShape(kind)) Walk(reporter).Document(*shape, document);
}

}  // namespace muster::manifest
