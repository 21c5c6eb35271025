// ReadJson: any value that objects are made of, back from the JSON of json_fields.h.
//
// What the text leaves out is unset or empty, also where a new object has something else there; a
// member that has no such state keeps what a new object has.
#ifndef MUSTER_ENGINE_CODEC_JSON_VALUES_H_
#define MUSTER_ENGINE_CODEC_JSON_VALUES_H_

#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/codec/fields.h"
#include "engine/codec/json_reader.h"
#include "engine/model/names.h"
#include "muster/quantity.h"
#include "muster/shared_list.h"
#include "muster/shared_map.h"
#include "muster/text.h"

namespace muster {

/// Unset, empty, the unnamed enum value or kNoTime: what IsBlank of json_fields.h is true for.
template <typename T>
void MakeBlank(T& value) {
  if constexpr (requires { value.reset(); }) {
    value.reset();
  } else if constexpr (requires { value.clear(); }) {
    value.clear();
  } else if constexpr (std::is_same_v<T, TimeNs>) {
    value = kNoTime;
  } else if constexpr (std::is_enum_v<T>) {
    if (EnumName(T{}).empty()) value = T{};
  }
}

template <typename T>
void ReadJson(JsonReader& json, T& value);

template <typename T>
void ReadJson(JsonReader& json, std::optional<T>& value) {
  value.reset();
  if (!json.TakeNull()) ReadJson(json, value.emplace());
}

template <typename T>
void ReadJson(JsonReader& json, std::vector<T>& values) {
  values.clear();
  json.BeginArray();
  while (json.NextElement()) ReadJson(json, values.emplace_back());
  json.EndArray();
}

template <typename T>
void ReadJson(JsonReader& json, SharedList<T>& values) {
  std::vector<T> read;
  ReadJson(json, read);
  values = std::move(read);
}

template <typename T>
void ReadJson(JsonReader& json, std::map<std::string, T, std::less<>>& entries) {
  entries.clear();
  json.BeginObject();
  for (std::string key; json.NextMember(&key);) {
    if (!entries.empty() && key <= entries.rbegin()->first) return json.Fail();
    ReadJson(json, entries.emplace_hint(entries.end(), std::move(key), T{})->second);
  }
  json.EndObject();
}

template <typename Map>
void ReadJson(JsonReader& json, SharedMap<Map>& entries) {
  Map read;
  ReadJson(json, read);
  entries = std::move(read);
}

template <typename T>
void ReadJson(JsonReader& json, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    value = json.Bool();
  } else if constexpr (std::is_integral_v<T>) {
    const std::int64_t wide = json.Int();
    value = static_cast<T>(wide);
    if (wide != value) json.Fail();
  } else if constexpr (std::is_floating_point_v<T>) {
    value = json.Double();
  } else if constexpr (std::is_enum_v<T>) {
    const std::optional<T> named = EnumFromName<T>(json.String());
    if (!named) json.Fail();
    value = named.value_or(T{});
  } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, Text>) {
    value = json.String();
  } else if constexpr (std::is_same_v<T, Quantity>) {
    const auto parsed = Quantity::Parse(json.String());
    if (!parsed) json.Fail();
    value = parsed.value_or(Quantity());
  } else {
    const auto read = [&json](const char* name, auto& member) {
      if (json.TakeMember(name)) {
        ReadJson(json, member);
      } else {
        MakeBlank(member);
      }
    };
    json.BeginObject();
    VisitFields(read, value);
    json.EndObject();
  }
}

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_JSON_VALUES_H_
