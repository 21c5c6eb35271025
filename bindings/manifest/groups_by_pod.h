// Which pod groups have a pod of a name. A pod stays in its group, which only the group's workload
// tells, and a pod that is given with another names that other.
#ifndef MUSTER_BINDINGS_MANIFEST_GROUPS_BY_POD_H_
#define MUSTER_BINDINGS_MANIFEST_GROUPS_BY_POD_H_

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "muster/engine.h"
#include "muster/object.h"
#include "muster/types.h"

namespace muster::manifest {

/// The groups of one engine. What lives as long as that keeps it, and notes what is applied; then
/// only the first question about a namespace costs O(its workloads and their pods).
class GroupsByPod {
 public:
  /// A group other than `own`, in its namespace, that has the pod and has not ended; unset: none.
  std::optional<Key> OtherGroupOf(const Engine& engine, std::string_view pod, const Key& own);
  /// Those among `objects` that were applied.
  void Note(std::span<const Object> objects);

 private:
  /// Names of groups, by pod; some may have let it go since, or are gone.
  using Groups = std::map<std::string, std::set<std::string>, std::less<>>;

  std::map<std::string, Groups> by_namespace_;
};

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_GROUPS_BY_POD_H_
