// See wrong_answer.h.
#include "bindings/luajit/wrong_answer.h"

#include <cmath>
#include <cstdio>

namespace muster::luajit {
namespace {

/// "0.5", "1e+20", "-inf", "nan" whatever its sign.
std::string NumberText(double value) {
  if (std::isnan(value)) return "nan";
  char text[32] = {};
  std::snprintf(text, sizeof(text), "%.14g", value);
  return text;
}

std::string_view CureOfNumber(Hook hook, std::size_t key, double value) {
  if (std::isnan(value)) {
    return "0/0 is no number, nor is a root or logarithm of what is below 0: try math.max(x, 1)";
  }
  if (hook == Hook::kBoost) {
    return "return a whole number from -1e9 to 1e9, such as math.floor(x)";
  }
  if (hook == Hook::kPreemptLimits) {
    return key == 0 ? "return how many victims it may have, a whole number from 0, or nil for any"
                    : "return what they may cost together, from 0, or nil for anything";
  }
  return value > 0 ? "return a finite number, such as math.min(x, 1e9)"
                   : "return a finite number, such as math.max(x, -1e9)";
}

}  // namespace

std::string WrongAnswer(Hook hook, std::size_t key, double value) {
  std::string text(HookName(hook));
  text += " returned " + NumberText(value) + " as key " + std::to_string(key + 1) + "; ";
  return text.append(CureOfNumber(hook, key, value));
}

}  // namespace muster::luajit
