// The nearest of some names to one that was mistyped, and the words that propose it.
#ifndef MUSTER_BINDINGS_MANIFEST_CLOSEST_H_
#define MUSTER_BINDINGS_MANIFEST_CLOSEST_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster::manifest {

/// Insertions, deletions, replacements and swaps of neighbours between `a` and `b`; the case of
/// letters is free. O(|a| x |b|).
std::size_t EditDistance(std::string_view a, std::string_view b);

/// The name meant by `word`: few edits away, or one that `word` is the beginning of; empty when
/// none is near enough. The first of equals.
std::string_view Closest(std::string_view word, std::span<const std::string_view> names);

/// `names`, nearest first; equally near ones keep their order.
std::vector<std::string_view> ByCloseness(std::string_view word,
                                          std::span<const std::string_view> names);

/// `"a", "b" or "c"`, cut after kMaxListed names.
std::string Enumerate(std::span<const std::string_view> names);

/// `write "x"` when one name is near, else `write one of "a", "b" or "c"`.
std::string ProposeName(std::string_view word, std::span<const std::string_view> names);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_CLOSEST_H_
