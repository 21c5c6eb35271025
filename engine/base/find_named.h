// FindNamed: the element of a short list that has a name.
#ifndef MUSTER_ENGINE_BASE_FIND_NAMED_H_
#define MUSTER_ENGINE_BASE_FIND_NAMED_H_

#include <algorithm>
#include <string_view>

namespace muster {

/// The first element whose `name` is `name`; null when there is none. Const lists are only read,
/// so that shared ones stay shared. O(elements).
template <typename List>
auto* FindNamed(List& list, std::string_view name) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.name == name; });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_FIND_NAMED_H_
