// BindingIndex: which PolicyBinding is nearest to a ClusterQueue, hook by hook.
//
// Method: bindings are listed under the names that they bind. A queue is looked up by its own name,
// then by the cohorts above it from the nearest on, so the number of bindings does not matter.
#ifndef MUSTER_ENGINE_POLICY_BINDING_INDEX_H_
#define MUSTER_ENGINE_POLICY_BINDING_INDEX_H_

#include <array>
#include <cstddef>
#include <map>
#include <string_view>

#include "engine/state/world.h"
#include "muster/policy.h"

namespace muster {

/// What decides a hook of one queue.
struct Decider {
  Policy* policy = nullptr;                ///< null: the native rule
  const PolicyBinding* binding = nullptr;  ///< null: nothing is bound, or the native rule
};

/// By hook.
class Deciders {
 public:
  Decider& operator[](Hook hook) { return by_hook_[static_cast<std::size_t>(hook)]; }
  const Decider& operator[](Hook hook) const { return by_hook_[static_cast<std::size_t>(hook)]; }

 private:
  std::array<Decider, kHooks> by_hook_;
};

class BindingIndex {
 public:
  void Clear() { *this = BindingIndex(); }
  /// Lists the hooks of `policy` that `binding` binds. Of two that are equally near the one added
  /// first decides. Both must outlive the index. O(names).
  void Add(const PolicyBinding& binding, Policy& policy);
  /// O(depth of the tree).
  Deciders For(const World& world, const ClusterQueueState& queue) const;

 private:
  using ByName = std::map<std::string_view, Deciders>;

  ByName queues_;
  ByName cohorts_;
  Deciders everything_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_BINDING_INDEX_H_
