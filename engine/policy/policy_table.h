// PolicyTable: the active generations of policy packages, and which of them decides what.
//
// The most specific PolicyBinding wins, hook by hook: one that names the ClusterQueue, else the
// nearest cohort above it, else one for everything. Without any binding the package decides that
// was activated last of those that define the hook. What compares queues (cycle_order, share) is
// bound to whole trees. A binding with parameters has a generation of its own.
#ifndef MUSTER_ENGINE_POLICY_POLICY_TABLE_H_
#define MUSTER_ENGINE_POLICY_POLICY_TABLE_H_

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/policy/binding_index.h"
#include "engine/policy/generations.h"
#include "engine/policy/policy_batch.h"
#include "engine/state/world.h"
#include "engine/validity/validate.h"
#include "muster/object.h"
#include "muster/policy.h"
#include "muster/views.h"

namespace muster {

/// Null when the policy does not define it.
const HookInfo* FindHook(const Policy& policy, Hook hook);

class PolicyTable {
 public:
  /// Makes `policy` the active generation of its package and asks for fresh keys everywhere.
  void Activate(World& world, std::shared_ptr<Policy> policy);
  /// Puts a stored generation back to work, or keeps it warm when another one is active.
  void Attach(World& world, std::shared_ptr<Policy> policy, bool active);
  /// The same table with `candidate` as the active generation of its package; the world stays as it
  /// is.
  PolicyTable With(const World& world, std::shared_ptr<Policy> candidate) const;
  /// A cycle is over: packages that have failed in `most` of them in a row.
  std::vector<std::string> JudgeCycle(const std::vector<PolicyFailure>& failures,
                                      std::int64_t most);
  /// Back to the generation before: hashes of the one left and of the one that is active now.
  std::optional<std::pair<std::string, std::string>> TakeBack(World& world,
                                                              const std::string& package);
  const Generations& generations() const { return generations_; }
  Generations& generations() { return generations_; }
  /// Takes every generation out; follow with Activate or Invalidate.
  void Clear();
  /// Bindings, queues or the policies behind them changed: works the bindings out again and forgets
  /// every key; with `wake`, boosts are asked for anew and queues are woken in which others have a
  /// say in flavors and victims now. O(bindings + workloads).
  void Invalidate(World& world, bool wake = true);
  /// The same after an Apply, for what it may have changed: `queues` are new or have another spec.
  /// O(1) without a policy; else O(queues) for those that have columns in batches, and the work of
  /// Invalidate for `queues` alone where the columns stayed.
  void Refresh(World& world, std::span<const QueueId> queues);
  /// Whether `is_so(policy)` of any active generation, with or without parameters of a binding.
  template <typename IsSo>
  bool AnyOf(const IsSo& is_so) const {
    for (const auto& [name, policy] : active_) {
      if (is_so(*policy)) return true;
    }
    for (const auto& [name, bound] : bound_) {
      if (bound.policy != nullptr && is_so(*bound.policy)) return true;
    }
    return false;
  }

  /// The policy whose `hook` decides for `queue`; null: the native rule. O(1); O(depth) for the
  /// first question about a queue after Invalidate.
  Policy* PolicyFor(const World& world, const ClusterQueueState& queue, Hook hook) const {
    return Find(world, queue, hook).policy;
  }
  /// The same with the binding that says so.
  Decider Find(const World& world, const ClusterQueueState& queue, Hook hook) const;
  /// Whose queue_order decides among the jobs of a LocalQueue; null: the order they have.
  Policy* OwnOrder(const Key& local_queue) const;
  bool AnyOwnOrder() const { return !own_orders_.empty(); }
  /// What decides anywhere: packages with their hooks. O(queues).
  std::set<std::pair<std::string, Hook>> Deciding(const World& world) const;
  /// Every binding with what it decides, or why it does not. O(bindings + queues).
  std::vector<PolicyBindingView> Bindings(const World& world) const;

  /// What is wrong with bindings among `objects`, looked at together with those there are. A
  /// lenient look lets a binding name a hook that its package lacks.
  std::vector<Problem> Check(const World& world, std::span<const Object> objects,
                             Strictness strictness) const;
  /// Whether every binding of its package suits this generation: its parameters, and its hooks.
  Status CheckBindings(const World& world, const Policy& policy) const;

  const ResourceColumns& columns() const { return columns_; }
  /// The package has a say in the running cycle: when it does not fail, its failures are over.
  void NoteAsked(const Policy& policy) { asked_.insert(policy.info().name); }
  /// Adds calls to what TakeUses and AllUses return.
  void Count(const Policy& policy, const HookOutcome& outcome) { Count(policy, 1, outcome.fuel); }
  void Count(const Policy& policy, std::int64_t calls, std::int64_t fuel);

  /// Around the calls of one cycle: see Policy. A table that With made goes on with the time that
  /// was taken so far.
  void BeginCycle();
  void EndCycle() noexcept;

  bool empty() const { return active_.empty(); }
  /// Whether any active package defines the hook.
  bool Defines(Hook hook) const { return defined_[static_cast<std::size_t>(hook)]; }
  /// Whether any of them may answer otherwise in the next cycle because it is another cycle.
  bool ReadsCycle() const { return reads_cycle_; }
  /// Active generations, in the order in which their packages were activated.
  std::vector<PolicyInfo> Active() const;
  /// The active generations in that order, then those that are kept loaded to go back to.
  std::vector<std::shared_ptr<Policy>> Loaded() const;
  /// What the active packages, and `also` when it is not null, want the engine to remember.
  std::vector<AccountRule> AccountRules(const Policy* also = nullptr) const;
  /// Calls and fuel since the last call of this function, by hash.
  std::vector<PolicyUse> TakeUses();
  /// All that Count was told, by hash.
  std::vector<PolicyUse> AllUses() const;
  /// The package that was activated last; empty when none is.
  std::string newest_package() const { return order_.empty() ? std::string() : order_.back(); }
  /// Says after a restart which of the active packages was activated last.
  void SetNewest(const std::string& package);

 private:
  /// A generation with the parameters of one binding.
  struct Bound {
    std::shared_ptr<Policy> base;
    PolicyParams params;
    std::shared_ptr<Policy> policy;  ///< null: the parameters do not suit it
  };
  void BindParams(const World& world);
  /// Works out what follows from what is active and bound.
  void NoteActive();
  /// The package was activated last of all.
  void MoveToEnd(const std::string& package);
  void SetClasses(World& world, ClusterQueueState& queue, bool wake) const;
  Policy* PolicyOf(const PolicyBinding& binding) const;
  const Policy* ActiveOf(const std::string& package) const;  ///< null: none is
  /// Says so, with the closest name that is.
  std::string NotActive(const std::string& package) const;
  /// Which binding decides `hook` instead of this one, and where for example; empty: none.
  std::string ShadowOf(const World& world, const PolicyBinding& binding, Hook hook) const;

  /// What decides for one queue, as long as nothing was invalidated since.
  struct Known {
    std::uint64_t epoch = 0;
    Deciders deciders;
  };

  std::map<std::string, std::shared_ptr<Policy>, std::less<>> active_;  ///< by package name
  std::vector<std::string> order_;      ///< the same names, those activated last at the end
  std::map<std::string, Bound> bound_;  ///< by binding name
  std::map<std::string, PolicyUse> uses_;
  std::map<std::string, PolicyUse> taken_;  ///< what TakeUses has returned, added up
  std::set<std::string> asked_;             ///< packages, in the running cycle
  Generations generations_;
  std::array<bool, kHooks> defined_ = {};  ///< by any active generation, or a bound one
  bool reads_cycle_ = false;               ///< any of them reads its number
  Deciders unbound_;                       ///< where nothing is bound
  BindingIndex index_;
  bool binds_queues_ = false;  ///< any binding is of more than LocalQueues
  std::map<std::string, Policy*, std::less<>> own_orders_;  ///< by LocalQueue, "namespace/name"
  std::uint64_t epoch_ = 1;           ///< grows whenever other policies may decide
  mutable std::vector<Known> known_;  ///< by queue
  ResourceColumns columns_;
  std::shared_ptr<PolicyTime> time_ = std::make_shared<PolicyTime>();
  bool aside_ = false;  ///< made by With
};

/// The calls of one cycle, from its beginning to its end, however that comes.
class PolicyCycle {
 public:
  explicit PolicyCycle(PolicyTable& policies) : policies_(policies) { policies_.BeginCycle(); }
  ~PolicyCycle() { policies_.EndCycle(); }
  PolicyCycle(const PolicyCycle&) = delete;
  PolicyCycle& operator=(const PolicyCycle&) = delete;

 private:
  PolicyTable& policies_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_POLICY_TABLE_H_
