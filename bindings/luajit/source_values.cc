// See source_values.h.
#include "bindings/luajit/source_values.h"

#include <cstdlib>
#include <string>

namespace muster::luajit {

Value NumberFrom(std::string_view text) {
  return {ValueKind::kNumber, kNoIndex, {}, std::strtod(std::string(text).c_str(), nullptr)};
}

Value Computed(std::string_view op, const Value& left, const Value& right) {
  const bool numbers = left.kind == ValueKind::kNumber && right.kind == ValueKind::kNumber;
  const auto number = [](double value) { return Value{ValueKind::kNumber, kNoIndex, {}, value}; };
  if (numbers && op == "+") return number(left.number + right.number);
  if (numbers && op == "-") return number(left.number - right.number);
  if (numbers && op == "*") return number(left.number * right.number);
  if (numbers && op == "/") return number(left.number / right.number);
  const auto scaled = [](const Value& of, double by) {
    const double before = of.kind == ValueKind::kScaled ? of.number : 1;
    return Value{ValueKind::kScaled, of.id, {}, before * by};
  };
  const auto traced = [](const Value& value) {
    return value.kind == ValueKind::kOrigin || value.kind == ValueKind::kScaled;
  };
  if (traced(left) && right.kind == ValueKind::kNumber) {
    if (op == "*") return scaled(left, right.number);
    if (op == "/") return scaled(left, 1 / right.number);
  }
  if (traced(right) && left.kind == ValueKind::kNumber && op == "*") {
    return scaled(right, left.number);
  }
  return {};
}

Value Negated(const Value& value) {
  return Computed("*", value, {ValueKind::kNumber, kNoIndex, {}, -1});
}

}  // namespace muster::luajit
