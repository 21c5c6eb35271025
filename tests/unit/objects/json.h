// Values from JSON, for tests.
#ifndef MUSTER_TESTS_UNIT_OBJECTS_JSON_H_
#define MUSTER_TESTS_UNIT_OBJECTS_JSON_H_

#include <string_view>

#include "bindings/objects/json_text.h"

namespace muster::objects {

inline Value Json(std::string_view text) { return ReadJson(text).value(); }

}  // namespace muster::objects

#endif  // MUSTER_TESTS_UNIT_OBJECTS_JSON_H_
