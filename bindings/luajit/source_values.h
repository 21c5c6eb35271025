// What is known of a computed value before it is computed.
#ifndef MUSTER_BINDINGS_LUAJIT_SOURCE_VALUES_H_
#define MUSTER_BINDINGS_LUAJIT_SOURCE_VALUES_H_

#include <string_view>

#include "bindings/luajit/source_facts.h"

namespace muster::luajit {

/// A number that is written down.
Value NumberFrom(std::string_view text);

/// A sum, difference, product or quotient of numbers that are written down, or a value of an origin
/// that is scaled by one. Of any other operator, or other values, nothing is known.
Value Computed(std::string_view op, const Value& left, const Value& right);

Value Negated(const Value& value);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_SOURCE_VALUES_H_
