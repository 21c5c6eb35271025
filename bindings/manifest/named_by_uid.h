// Workloads whose names tell more than an object does that is applied: those that came from a Kueue
// cluster. A team's manifest is written without the uid, and of an elastic job Kueue also hashes
// which generation it was.
#ifndef MUSTER_BINDINGS_MANIFEST_NAMED_BY_UID_H_
#define MUSTER_BINDINGS_MANIFEST_NAMED_BY_UID_H_

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "bindings/manifest/groups_by_pod.h"
#include "bindings/manifest/manifest.h"
#include "muster/engine.h"

namespace muster::manifest {

/// The object that a workload is looked for of.
struct NamedObject {
  Key bare;  ///< what it becomes by itself
  std::string_view kind;
  std::string_view uid;  ///< empty: it has none
};

/// Whether `known` was made of that object: it has the same kind and name before another hash, and
/// no other uid.
bool IsNamedByUid(const Workload& known, const NamedObject& object);

/// Which names an engine has of them. A door that lives as long as its engine keeps it, and notes
/// what is applied; then only the first question about a namespace costs O(its workloads).
class NamesByUid {
 public:
  /// Workloads that were there with a uid of their object, ascending; some may have gone.
  const std::set<std::string, std::less<>>& In(const Engine& engine, const std::string& ns);
  /// Those among `objects` that were applied.
  void Note(std::span<const Object> objects);
  /// Which names its pods have, for the same doors.
  GroupsByPod& groups() { return groups_; }

 private:
  GroupsByPod groups_;
  std::map<std::string, std::set<std::string, std::less<>>> by_namespace_;
};

/// What an engine has of them.
class NamedByUid {
 public:
  NamedByUid(const Engine& engine, NamesByUid* names) : engine_(engine), names_(names) {}

  /// The one that the object is again: one that has not ended or, where it asks for the same as
  /// `content`, that has. Of an elastic job the first slice, unless that has ended.
  std::optional<WorkloadView> Find(const NamedObject& object, const Workload* content);

 private:
  const Engine& engine_;
  NamesByUid* names_;
};

/// How its job is called: as the first of its slices, which may be forgotten.
Key NameOfJob(const WorkloadView& known);

/// Makes of `bare` the workload that `known` is: under its name and, where it asks for the same, as
/// it was taken from Kueue, whose templates say more. Queue and priority class are those of `bare`.
void BecomeKnown(const Engine& engine, const WorkloadView& known, Workload* bare);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_NAMED_BY_UID_H_
