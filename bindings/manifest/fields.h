// Fields: a mapping read field by field. Asking for a field makes its name known; when the reader
// goes out of scope every key that was not asked for is reported with the nearest known name.
#ifndef MUSTER_BINDINGS_MANIFEST_FIELDS_H_
#define MUSTER_BINDINGS_MANIFEST_FIELDS_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/manifest/value.h"

namespace muster::manifest {

class Fields {
 public:
  /// Reports a `value` that is no mapping; it then reads as one without fields.
  explicit Fields(const Value& value);
  ~Fields();
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  /// The field `name`; nullopt when it is absent or null.
  std::optional<Value> Find(std::string_view name);

  /// Reads `name` into `out`, which stays as it is when the field is absent. True when it was read.
  template <typename T>
  bool Get(std::string_view name, T* out) {
    const std::optional<Value> value = Find(name);
    return value && Read(*value, out);
  }
  bool GetTime(std::string_view name, TimeNs* out);
  bool GetDuration(std::string_view name, DurationNs* out);

  /// As Get, but an absent field is a mistake.
  template <typename T>
  bool Require(std::string_view name, T* out, std::string_view example) {
    const std::optional<Value> value = Find(name);
    if (!value) ReportMissing(name, example);
    return value && Read(*value, out);
  }
  /// Reported when the reader goes out of scope, unless an unknown field is `name` misspelt.
  void ReportMissing(std::string_view name, std::string_view example);

  /// Fields that are known and not read.
  void Accept(std::span<const std::string_view> names);
  void Accept(std::initializer_list<std::string_view> names);
  /// Fields that Kueue decides by and nothing here does: see Decoding::Unread.
  void Unread(std::string_view name, const std::string& what, const std::string& cure);
  /// A field that this version spells otherwise: an error that says how.
  void Refuse(std::string_view name, const std::string& what, const std::string& cure);

  const Value& value() const { return value_; }
  Decoding& decoding() const { return value_.decoding(); }

 private:
  Value value_;
  bool is_map_ = false;
  std::vector<std::string_view> known_;
  struct Missing {
    std::string_view name;
    std::string example;
  };
  std::vector<Missing> missing_;
  std::vector<const YamlNode*> refused_;  ///< keys that were reported already
};

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_FIELDS_H_
