// kIndexIn: which alternative of a variant a type is.
#ifndef MUSTER_ENGINE_BASE_INDEX_IN_H_
#define MUSTER_ENGINE_BASE_INDEX_IN_H_

#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>

namespace muster {

/// Does not compile when it is none.
template <typename T, typename Variant>
inline constexpr std::size_t kIndexIn = [] {
  constexpr std::size_t index = []<std::size_t... i>(std::index_sequence<i...>) {
    std::size_t found = 0;
    ((std::is_same_v<T, std::variant_alternative_t<i, Variant>> ? found = i : 0), ...);
    return found;
  }
  (std::make_index_sequence<std::variant_size_v<Variant>>());
  static_assert(std::is_same_v<T, std::variant_alternative_t<index, Variant>>);
  return index;
}();

/// Makes `variant` the alternative of that index, default-constructed; false when there is none.
template <typename Variant>
bool EmplaceAt(Variant& variant, std::size_t index) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return ((index == i ? (variant.template emplace<i>(), true) : false) || ...);
  }
  (std::make_index_sequence<std::variant_size_v<Variant>>());
}

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_INDEX_IN_H_
