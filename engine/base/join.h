// Join: the words of a list as one text.
#ifndef MUSTER_ENGINE_BASE_JOIN_H_
#define MUSTER_ENGINE_BASE_JOIN_H_

#include <string>
#include <string_view>

namespace muster {

/// The elements of `words`, in order, with `separator` between them. O(length).
template <typename List>
std::string Join(const List& words, std::string_view separator = ", ") {
  std::string joined;
  bool first = true;
  for (const auto& word : words) {
    if (!first) joined += separator;
    first = false;
    joined += word;
  }
  return joined;
}

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_JOIN_H_
