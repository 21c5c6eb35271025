// JSON of contracts: keys in the order they were set, two blanks of indentation.
#ifndef MUSTER_BINDINGS_LAB_JSON_H_
#define MUSTER_BINDINGS_LAB_JSON_H_

#include <nlohmann/json.hpp>
#include <string>

namespace muster::lab {

using Json = nlohmann::ordered_json;

/// Bytes that are not UTF-8 come out as U+FFFD.
inline std::string JsonText(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_JSON_H_
