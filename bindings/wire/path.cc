// See path.h.
#include "bindings/wire/path.h"

#include <algorithm>

#include "engine/base/ascii.h"
#include "engine/base/shown.h"

namespace muster::wire {
namespace {

bool IsPlainName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  });
}

}  // namespace

std::string Path::ToString() const {
  std::string text;
  for (const PathStep& step : steps_) {
    if (step.is_index) {
      text += "[" + std::to_string(step.index) + "]";
    } else if (IsPlainName(step.name)) {
      text += (text.empty() ? "" : ".") + Shown(step.name);
    } else {
      text += "[\"" + Shown(step.name) + "\"]";
    }
  }
  return text;
}

}  // namespace muster::wire
