// See hook_shapes.h.
#include "bindings/luajit/hook_shapes.h"

#include <algorithm>
#include <array>

#include "bindings/luajit/near_name.h"

namespace muster::luajit {
namespace {

const std::array<HookShape, 10>& HookShapes() {
  static const std::array<HookShape, 10> kShapes = {{
      {"submit", {View::kWorkload, View::kContext}, "wc", 0, 1},
      {"queue_order", {View::kWorkload, View::kContext}, "wc", 1, 3},
      {"cycle_order", {View::kEntry, View::kContext}, "wc", 1, 3},
      {"share", {View::kNode, View::kContext}, "nc", 1, 1},
      {"flavor_order", {View::kWorkload, View::kFlavor, View::kContext}, "wfc", 1, 1},
      {"preempt_limits", {View::kWorkload, View::kContext}, "pc", 0, 2},
      {"victim", {View::kVictim, View::kWorkload, View::kContext}, "vpc", 1, 1},
      {"hold", {View::kWorkload, View::kContext}, "wc", 0, 1},
      {"boost", {View::kWorkload, View::kContext}, "wc", 0, 1},
      {"domain_order", {View::kDomain, View::kWorkload, View::kContext}, "dwc", 1, 1},
  }};
  return kShapes;
}

}  // namespace

const HookShape* MeantShape(std::string_view key) {
  const auto& shapes = HookShapes();
  const auto shape = std::find_if(shapes.begin(), shapes.end(),
                                  [key](const HookShape& s) { return IsNear(s.name, key); });
  return shape == shapes.end() ? nullptr : &*shape;
}

}  // namespace muster::luajit
