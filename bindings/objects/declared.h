// Job kinds that a user declares: any object, mapped by paths to podsets and to what its status
// says.
//
// A declaration makes a row of the table of kinds, so that all else is as for the built-in ones.
#ifndef MUSTER_BINDINGS_OBJECTS_DECLARED_H_
#define MUSTER_BINDINGS_OBJECTS_DECLARED_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bindings/objects/kind.h"
#include "bindings/objects/value.h"

namespace muster::objects {

/// True of an object whose field, or condition, has one of the texts.
struct DeclaredTest {
  std::string condition;  ///< its type in status.conditions; empty: `path` counts
  ValuePath path;
  std::vector<std::string> values;  ///< as text: "True", "Succeeded", "3"
};

/// One podset, or one for each part of a list or mapping. Paths begin at the object, or at the
/// part; one that is empty is not declared.
struct DeclaredPodSet {
  ValuePath for_each;
  std::string name;
  ValuePath name_path;
  std::int64_t count = 1;  ///< where `count_path` leads to nothing
  ValuePath count_path;
  ValuePath min_count_path;
  ValuePath template_path;   ///< to a pod template: metadata and spec
  ValuePath requests_path;   ///< or to what a pod asks for, by resource
  ValuePath placement_path;  ///< beside it, where a start writes nodeSelector and tolerations
  ValuePath reclaimable_path;
};

struct DeclaredKind {
  std::string group;
  std::vector<std::string> versions;
  std::string kind;
  ValuePath suspend_path;
  ValuePath priority_class_path;
  std::vector<DeclaredPodSet> pod_sets;
  /// Any of them is enough. Without `active`, it is active while it is not suspended.
  std::vector<DeclaredTest> succeeded;
  std::vector<DeclaredTest> failed;
  std::vector<DeclaredTest> ready;
  std::vector<DeclaredTest> active;
};

/// The row refers to `kind`, which must stay as it is.
KindRow RowOf(const DeclaredKind& kind);

/// "spec.groups[1].replicas": the path as mistakes name it, in `object`.
std::string FieldAt(const Value& object, const ValuePath& path);

}  // namespace muster::objects

#endif  // MUSTER_BINDINGS_OBJECTS_DECLARED_H_
