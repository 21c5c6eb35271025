// TypeNameOf: the name of a type as its header has it, for a page and a schema about types.
#ifndef MUSTER_BINDINGS_WIRE_TYPE_NAME_H_
#define MUSTER_BINDINGS_WIRE_TYPE_NAME_H_

#include <string_view>

namespace muster::wire {

/// "Workload", "command::Finish": without the namespace of all of them. The compiler's own words,
/// so that no list of names has to be kept.
template <typename T>
constexpr std::string_view TypeNameOf() {
  constexpr std::string_view kMark = "T = muster::";
  std::string_view name = __PRETTY_FUNCTION__;
  name.remove_prefix(name.find(kMark) + kMark.size());
  return name.substr(0, name.find_first_of(";]"));
}

}  // namespace muster::wire

#endif  // MUSTER_BINDINGS_WIRE_TYPE_NAME_H_
