// What a workload says by its labels, annotations and conditions.
#ifndef MUSTER_BINDINGS_MANIFEST_WORKLOAD_MARKS_H_
#define MUSTER_BINDINGS_MANIFEST_WORKLOAD_MARKS_H_

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "muster/workload.h"

namespace muster::manifest {

/// The uid of the object that it was made of.
inline constexpr std::string_view kJobUidLabel = "kueue.x-k8s.io/job-uid";

/// The text of a label or annotation; empty: there is none.
template <typename Marks>
std::string TextIn(const Marks& marks, std::string_view key) {
  const auto found = marks.find(key);
  return found == marks.end() ? std::string() : std::string(found->second);
}

/// The names in a list with commas between, without spaces around them.
inline std::set<std::string> NamesIn(std::string_view list) {
  std::set<std::string> names;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    std::string_view name = list.substr(0, end);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    names.emplace(name);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return names;
}

/// Whether its status says that it has quota.
inline bool HasQuota(const Workload& workload) {
  const std::vector<Condition>& conditions = workload.status.conditions;
  return std::any_of(conditions.begin(), conditions.end(), [](const Condition& each) {
    return each.type == "QuotaReserved" && each.status;
  });
}

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_WORKLOAD_MARKS_H_
