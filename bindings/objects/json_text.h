// JSON in an annotation.
#ifndef MUSTER_BINDINGS_OBJECTS_JSON_TEXT_H_
#define MUSTER_BINDINGS_OBJECTS_JSON_TEXT_H_

#include <optional>
#include <string_view>

#include "bindings/objects/value.h"

namespace muster::objects {

/// nullopt when `text` is no JSON; depth is bounded.
std::optional<Value> ReadJson(std::string_view text);

}  // namespace muster::objects

#endif  // MUSTER_BINDINGS_OBJECTS_JSON_TEXT_H_
