// See closest_name.h. Near is what takes few letters to insert, remove, replace or swap.
#include "engine/base/closest_name.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace muster {
namespace {

constexpr std::size_t kLongest = 253;    // of a name in Kubernetes
constexpr std::size_t kMostListed = 20;  // names

std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string ClosestName(std::string_view wanted, const std::vector<std::string>& known) {
  if (wanted.size() > kLongest) return {};
  std::string best;
  std::size_t nearest = std::max<std::size_t>(2, wanted.size() / 3) + 1;
  for (const std::string& name : known) {
    if (name.size() > kLongest) continue;
    const std::size_t distance = Distance(wanted, name);
    if (distance >= nearest || distance >= name.size()) continue;
    best = name;
    nearest = distance;
  }
  return best;
}

std::string ClosestNameHint(std::string_view wanted, const std::vector<std::string>& known) {
  const std::string near = ClosestName(wanted, known);
  if (!near.empty()) return "did you mean '" + near + "'?";
  if (known.empty()) return "there are none";
  std::string list = "there are ";
  for (std::size_t i = 0; i < std::min(known.size(), kMostListed); ++i) {
    list.append(i == 0 ? "" : ", ").append(known[i]);
  }
  const std::size_t more = known.size() - std::min(known.size(), kMostListed);
  return more == 0 ? list : list + " and " + std::to_string(more) + " more";
}

}  // namespace muster
