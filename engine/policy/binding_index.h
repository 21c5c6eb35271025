// BindingIndex: which PolicyBinding is nearest to a ClusterQueue, hook by hook.
//
// Method: bindings are listed under the names that they bind. A queue is looked up by its own name,
// then by the cohorts above it from the nearest on, so the number of bindings does not matter.
#ifndef MUSTER_ENGINE_POLICY_BINDING_INDEX_H_
#define MUSTER_ENGINE_POLICY_BINDING_INDEX_H_

#include <array>
#include <cstddef>
#include <list>
#include <map>
#include <string_view>
#include <vector>

#include "engine/state/world.h"
#include "muster/policy.h"

namespace muster {

/// What decides a hook of one queue.
struct Decider {
  Policy* policy = nullptr;                ///< null: the native rule
  const PolicyBinding* binding = nullptr;  ///< null: nothing is bound, or the native rule
  /// Those that are asked after it, each of which has the hook; null: none.
  const std::vector<Policy*>* then = nullptr;

  bool IsAskedLike(const Decider& other) const {
    return policy == other.policy && then == other.then;
  }
  /// All that are asked, in their order.
  std::vector<Policy*> All() const;
};

/// Whether the hook compares queues with each other, so that one policy must decide for a tree.
bool SpansTree(Hook hook);
/// Whether several packages can decide the hook together, one after the other.
bool MayFollow(Hook hook);


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
  /// Lists the hooks of `policy` that `binding` binds, and `then` behind it for those that others
  /// may follow. Of two bindings that are equally near the one added first decides. All must
  /// outlive the index. O(names).
  void Add(const PolicyBinding& binding, Policy& policy, const std::vector<Policy*>& then);
  /// O(depth of the tree).
  Deciders For(const World& world, const ClusterQueueState& queue) const;

 private:
  using ByName = std::map<std::string_view, Deciders>;

  /// Null where none of `then` has the hook.
  const std::vector<Policy*>* Follow(Hook hook, const std::vector<Policy*>& then);

  ByName queues_;
  ByName cohorts_;
  Deciders everything_;
  std::list<std::vector<Policy*>> follow_;  ///< they stay where they are
};

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_BINDING_INDEX_H_
