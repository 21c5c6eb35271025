// What is the same at both ends is cut off; what is left says which mistake it was.
#include "bindings/luajit/near_name.h"

#include <cstddef>

namespace muster::luajit {

bool IsNear(std::string_view a, std::string_view b) {
  constexpr std::size_t kShortest = 4;
  if (a != b && (a.size() < kShortest || b.size() < kShortest)) return false;
  while (!a.empty() && !b.empty() && a.front() == b.front()) {
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a.remove_suffix(1);
    b.remove_suffix(1);
  }
  const bool swapped = a.size() == 2 && b.size() == 2 && a[0] == b[1] && a[1] == b[0];
  return swapped || (a.size() <= 1 && b.size() <= 1);
}

}  // namespace muster::luajit
