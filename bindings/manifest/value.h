// Value: a node on its way into a field of ours, with the words and the place for a mistake in it;
// and Read for scalars, lists, maps and enums. Structs get their Read in decode.h, field by field.
//
// Read answers false after it reported a mistake; the output is then unspecified but safe to use.
#ifndef MUSTER_BINDINGS_MANIFEST_VALUE_H_
#define MUSTER_BINDINGS_MANIFEST_VALUE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/manifest/reporter.h"
#include "bindings/manifest/yaml_node.h"
#include "engine/model/names.h"
#include "muster/quantity.h"
#include "muster/shared_list.h"
#include "muster/shared_map.h"
#include "muster/text.h"
#include "muster/types.h"

namespace muster::manifest {

/// What decoding depends on besides the node.
struct Decoding {
  Reporter& reporter;
  const ParseOptions& options;
  bool v1beta1 = false;         ///< spelling of the document's apiVersion
  bool step_update = false;     ///< a Workload in an `apply` step: only its mutable fields
  bool needs_no_queue = false;  ///< a job that names none waits for one
  /// When given: the names that each mapping may have.
  std::map<const YamlNode*, std::vector<std::string>>* known = nullptr;

  /// Something that is understood and that no decision reads.
  void Unread(Position at, std::string what, std::string cure) {
    if (options.refuse_unread) {
      reporter.Error(at, std::move(what), std::move(cure));
    } else {
      reporter.Warning(at, std::move(what), std::move(cure));
    }
  }
};

class Value {
 public:
  Value(const YamlNode& node, std::string_view name, Decoding& decoding)
      : Value(node, node.at, name, decoding) {}
  Value(const YamlEntry& entry, Decoding& decoding)
      : Value(*entry.value, entry.key->at, entry.key->text(), decoding) {}

  const YamlNode& node() const { return *node_; }
  std::string_view name() const { return name_; }  ///< of the field, or of the list of an item
  Decoding& decoding() const { return *decoding_; }
  Value Item(const YamlNode& item) const {
    Value value(item, name_, *decoding_);
    value.is_item_ = true;
    return value;
  }

  /// A scalar's own place; the place of its key for a list or mapping.
  Position at() const { return node_->kind == NodeKind::kScalar ? node_->at : key_at_; }
  /// `"name"`, or `an item of "name"`.
  std::string Subject() const;
  /// Reports `<subject> <what>` at this value.
  void Error(const std::string& what, std::string cure) const;

  /// Reports and answers false unless the node is of that kind.
  bool ExpectList() const;
  bool ExpectMap() const;
  bool ExpectScalar(std::string_view expected, const std::string& cure) const;

 private:
  Value(const YamlNode& node, Position key_at, std::string_view name, Decoding& decoding)
      : node_(&node), key_at_(key_at), name_(name), decoding_(&decoding) {}

  const YamlNode* node_;
  Position key_at_;
  std::string_view name_;
  Decoding* decoding_;
  bool is_item_ = false;
};

// ---- scalars -----------------------------------------------------------------------------------

bool Read(const Value& value, std::string* out);
bool Read(const Value& value, muster::Text* out);
bool Read(const Value& value, bool* out);
bool Read(const Value& value, std::int32_t* out);
bool Read(const Value& value, std::int64_t* out);
bool Read(const Value& value, double* out);
bool Read(const Value& value, Quantity* out);
/// int64 is also the type of times and durations, which are read by name.
bool ReadTime(const Value& value, TimeNs* out);
bool ReadDuration(const Value& value, DurationNs* out);  ///< not negative
/// A text that becomes an object's name: RFC 1123, with `dots` a subdomain, else one label. Capital
/// letters and underscores, which only Kubernetes minds, are a warning.
bool ReadDnsName(const Value& value, bool dots, std::string* out);
bool ReadDnsName(const Value& value, bool dots, muster::Text* out);

// ---- maps whose keys the user chooses ----------------------------------------------------------

bool Read(const Value& value, LabelMap* out);
bool Read(const Value& value, ResourceList* out);
bool Read(const Value& value, std::map<std::string, double, std::less<>>* out);
bool Read(const Value& value, std::map<std::string, bool, std::less<>>* out);

// ---- enums -------------------------------------------------------------------------------------

/// The index of the word in `names`; reports the allowed ones, nearest first. Empty names, which
/// stand for "unset", are not offered.
std::optional<std::size_t> ReadWord(const Value& value, std::span<const std::string_view> names);

template <typename E>
requires std::is_enum_v<E>
bool Read(const Value& value, E* out) {
  const std::optional<std::size_t> index = ReadWord(value, EnumTable<E>::kNames);
  if (index) *out = static_cast<E>(*index);
  return index.has_value();
}

/// As above, but only some of the words are allowed here.
template <typename E, std::size_t N>
bool ReadOneOf(const Value& value, const std::array<E, N>& allowed, E* out) {
  std::array<std::string_view, N> names;
  for (std::size_t i = 0; i < N; ++i) names[i] = EnumName(allowed[i]);
  const std::optional<std::size_t> index = ReadWord(value, names);
  if (index) *out = allowed[*index];
  return index.has_value();
}

// ---- lists and optionals -----------------------------------------------------------------------

template <typename T>
bool Read(const Value& value, std::vector<T>* out) {
  if (!value.ExpectList()) return false;
  bool ok = true;
  out->clear();
  out->reserve(value.node().items().size());
  for (const YamlNode* item : value.node().items()) {
    T element{};
    ok = Read(value.Item(*item), &element) && ok;
    out->push_back(std::move(element));
  }
  return ok;
}

template <typename T>
bool Read(const Value& value, SharedList<T>* out) {
  std::vector<T> elements;
  const bool ok = Read(value, &elements);
  *out = std::move(elements);
  return ok;
}

template <typename Map>
bool Read(const Value& value, SharedMap<Map>* out) {
  Map entries;
  const bool ok = Read(value, &entries);
  *out = std::move(entries);
  return ok;
}

template <typename T>
bool Read(const Value& value, std::optional<T>* out) {
  return Read(value, &out->emplace());
}

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_VALUE_H_
