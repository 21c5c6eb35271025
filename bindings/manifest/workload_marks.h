// What a workload says by its labels, annotations and conditions.
#ifndef MUSTER_BINDINGS_MANIFEST_WORKLOAD_MARKS_H_
#define MUSTER_BINDINGS_MANIFEST_WORKLOAD_MARKS_H_

#include <algorithm>
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

/// Whether its status says that it has quota.
inline bool HasQuota(const Workload& workload) {
  const std::vector<Condition>& conditions = workload.status.conditions;
  return std::any_of(conditions.begin(), conditions.end(), [](const Condition& each) {
    return each.type == "QuotaReserved" && each.status;
  });
}

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_WORKLOAD_MARKS_H_
