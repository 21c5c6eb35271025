// WriteJson: any value that objects are made of, as JSON, by the field lists of fields.h.
//
// Inside objects, what is unset or empty is left out, so that equal objects give equal text
// whatever defaults later versions add. Enums appear by name, quantities in canonical form, times
// in ns.
#ifndef MUSTER_ENGINE_CODEC_JSON_FIELDS_H_
#define MUSTER_ENGINE_CODEC_JSON_FIELDS_H_

#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/codec/fields.h"
#include "engine/codec/json_writer.h"
#include "engine/codec/written_memory.h"
#include "engine/model/condition_list.h"
#include "engine/model/names.h"
#include "muster/quantity.h"
#include "muster/shared_list.h"
#include "muster/shared_map.h"
#include "muster/text.h"

namespace muster {

/// True for what an object leaves out: unset, empty text, list or map, the unnamed enum value,
/// kNoTime.
template <typename T>
bool IsBlank(const T& value) {
  if constexpr (requires { value.has_value(); }) {
    return !value.has_value();
  } else if constexpr (requires { value.empty(); }) {
    return value.empty();
  } else if constexpr (std::is_enum_v<T>) {
    return EnumName(value).empty();
  } else if constexpr (std::is_same_v<T, TimeNs>) {
    return value == kNoTime;
  } else {
    return false;
  }
}

template <typename T>
void WriteJson(JsonWriter& json, const T& value);

/// Visits the fields of an object.
struct MemberWriter {
  static constexpr bool kLeavesOutFalse = true;  ///< of what came later; see VisitLaterFlag
  JsonWriter& json;

  template <typename T>
  void operator()(const char* name, const T& member) {
    if (IsBlank(member)) return;
    json.Key(name);
    WriteJson(json, member);
  }
};

template <typename T>
void WriteJson(JsonWriter& json, const std::optional<T>& value) {
  if (value) {
    WriteJson(json, *value);
  } else {
    json.Null();
  }
}

template <typename List>
void WriteJsonArray(JsonWriter& json, const List& values) {
  json.BeginArray();
  for (const auto& value : values) WriteJson(json, value);
  json.EndArray();
}

template <typename T>
void WriteJson(JsonWriter& json, const std::vector<T>& values) {
  WriteJsonArray(json, values);
}

inline void WriteJson(JsonWriter& json, const ConditionList& values) {
  WriteJsonArray(json, values);
}

template <typename T>
void WriteJson(JsonWriter& json, const SharedList<T>& values) {
  if constexpr (WrittenMemory::kKeeps<SharedList<T>>) {
    if (json.memory() != nullptr && !values.empty()) {
      std::string& known = json.memory()->EncodingOf(values);
      if (known.empty()) {
        JsonWriter alone;
        WriteJsonArray(alone, values);
        known = alone.Take();
      }
      json.Written(known);
      return;
    }
  }
  WriteJsonArray(json, values);
}

template <typename T>
void WriteJson(JsonWriter& json, const std::map<std::string, T, std::less<>>& entries) {
  json.BeginObject();
  for (const auto& [key, value] : entries) {
    json.Key(key);
    WriteJson(json, value);
  }
  json.EndObject();
}

template <typename Map>
void WriteJson(JsonWriter& json, const SharedMap<Map>& entries) {
  WriteJson(json, entries.map());
}

template <typename T>
void WriteJson(JsonWriter& json, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    json.Bool(value);
  } else if constexpr (std::is_integral_v<T>) {
    json.Int(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    json.Double(value);
  } else if constexpr (std::is_enum_v<T>) {
    json.String(EnumName(value));
  } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, Text>) {
    json.String(value);
  } else if constexpr (std::is_same_v<T, Quantity>) {
    json.String(value.ToString());
  } else {
    MemberWriter write{json};
    json.BeginObject();
    VisitFields(write, value);
    json.EndObject();
  }
}

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_JSON_FIELDS_H_
