// SortOnce: the values of a list as a set has them.
#ifndef MUSTER_ENGINE_BASE_SORT_ONCE_H_
#define MUSTER_ENGINE_BASE_SORT_ONCE_H_

#include <algorithm>
#include <vector>

namespace muster {

/// Ascending, each once. O(n) when they are ascending already, else O(n log n).
template <typename T>
void SortOnce(std::vector<T>& values) {
  if (!std::is_sorted(values.begin(), values.end())) std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_SORT_ONCE_H_
