// What is known of views from the source alone: which view a field of another one is, and the name
// under which its fields are looked up.
#ifndef MUSTER_BINDINGS_LUAJIT_SOURCE_VIEWS_H_
#define MUSTER_BINDINGS_LUAJIT_SOURCE_VIEWS_H_

#include <string_view>

namespace muster::luajit {

enum class View {
  kUnknown,
  kWorkload,
  kEntry,
  kVictim,
  kNode,
  kFlavor,
  kDomain,
  kContext,
  kParams,
  kAmounts,    ///< a table of numbers that is read from the item
  kFlavors,    ///< of a victim: the name of the flavor of each resource
  kResources,  ///< of the context: the names of all resources
  kLabel,      ///< of a job, a flavor or a domain
  kMixed
};

/// The view that the field `name` of `view` is; kUnknown: it is none.
View FieldOf(View view, std::string_view name);

/// The scope of State::Lookup that has its fields; empty: what it has depends on the package.
std::string_view ScopeOf(View view);

enum class FieldKind { kUnknown, kNumber, kText, kBoolean, kView };

/// What field `name` of `view` holds; of the context and what it has that is not known. Where it is
/// known the field is never nil.
FieldKind KindOf(View view, std::string_view name);

/// Whether a ClusterQueue can cover it: Kubernetes knows it, or it has a domain.
bool IsResource(std::string_view name);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_SOURCE_VIEWS_H_
