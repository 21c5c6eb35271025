// Whether one name may have been meant by another.
#ifndef MUSTER_BINDINGS_LUAJIT_NEAR_NAME_H_
#define MUSTER_BINDINGS_LUAJIT_NEAR_NAME_H_

#include <string_view>

namespace muster::luajit {

/// One letter is missing, too many or another, or two neighbours are swapped, in names that are
/// long enough to be recognised. O(|a| + |b|).
bool IsNear(std::string_view a, std::string_view b);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_NEAR_NAME_H_
