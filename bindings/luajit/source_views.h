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
  kAmounts,  ///< any table of numbers or names that is read from the item
  kLabel,    ///< of a job, a flavor or a domain
  kMixed
};

/// The view that the field `name` of `view` is; kUnknown: it is none.
View FieldOf(View view, std::string_view name);

/// The scope of State::Lookup that has its fields; empty: what it has depends on the package.
std::string_view ScopeOf(View view);

/// Whether field `name` of a view that has a scope is true or false. All others are never nil.
bool IsBoolean(std::string_view name);

/// Whether field `name` of a view that has a scope is a text.
bool IsText(std::string_view name);

/// Whether a ClusterQueue can cover it: Kubernetes knows it, or it has a domain.
bool IsResource(std::string_view name);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_SOURCE_VIEWS_H_
