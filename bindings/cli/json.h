// JSON as every verb prints it: keys in the order they were set, two blanks of indentation.
#ifndef MUSTER_BINDINGS_CLI_JSON_H_
#define MUSTER_BINDINGS_CLI_JSON_H_

#include <nlohmann/json.hpp>
#include <ostream>

namespace muster::cli {

using Json = nlohmann::ordered_json;

/// One value and a newline. Bytes that are not UTF-8 come out as U+FFFD.
inline void PrintJson(std::ostream& out, const Json& json) {
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_JSON_H_
