// What each hook is called with, and what it may return.
#ifndef MUSTER_BINDINGS_LUAJIT_HOOK_SHAPES_H_
#define MUSTER_BINDINGS_LUAJIT_HOOK_SHAPES_H_

#include <string_view>
#include <vector>

#include "bindings/luajit/source_views.h"

namespace muster::luajit {

/// The views a hook gets with their usual names, and how many numbers it may return.
struct HookShape {
  std::string_view name;
  std::vector<View> views;
  std::string_view names;  ///< a letter each
  int fewest = 1;
  int most = 1;
};

/// The hook that a key means, so that one mistyped letter does not hide the mistakes inside;
/// nullptr: none.
const HookShape* MeantShape(std::string_view key);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_HOOK_SHAPES_H_
