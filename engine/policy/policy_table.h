// PolicyTable: the active generations of policy packages, and which of them decides what.
//
// The most specific PolicyBinding wins, hook by hook: one that names the ClusterQueue, else the
// nearest cohort above it, else one for everything; without any binding the last activated policy
// decides for all. What compares queues (cycle_order, share) is bound to whole trees. A binding
// with parameters has a generation of its own.
#ifndef MUSTER_ENGINE_POLICY_POLICY_TABLE_H_
#define MUSTER_ENGINE_POLICY_POLICY_TABLE_H_

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/policy/generations.h"
#include "engine/policy/policy_batch.h"
#include "engine/state/world.h"
#include "muster/object.h"
#include "muster/policy.h"

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
  /// every key; with `wake`, queues are woken in which others have a say in flavors and victims
  /// now. O(bindings + workloads).
  void Invalidate(World& world, bool wake = true);

  /// The policy whose `hook` decides for `queue`; null: the native rule. O(bindings).
  Policy* PolicyFor(const World& world, const ClusterQueueState& queue, Hook hook) const;

  /// What is wrong with bindings among `objects`, looked at together with those there are.
  std::vector<Problem> Check(const World& world, std::span<const Object> objects) const;
  /// Whether the parameters of every binding of its package suit this generation.
  Status CheckParams(const World& world, const Policy& policy) const;

  const ResourceColumns& columns() const { return columns_; }
  /// Adds a call to what TakeUses returns.
  void Count(const Policy& policy, const HookOutcome& outcome) { Count(policy, 1, outcome.fuel); }
  void Count(const Policy& policy, std::int64_t calls, std::int64_t fuel);

  bool empty() const { return active_.empty(); }
  /// Whether any active package defines the hook.
  bool Defines(Hook hook) const { return defined_[static_cast<std::size_t>(hook)]; }
  std::vector<PolicyInfo> Active() const;
  /// What the active packages, and `also` when it is not null, want the engine to remember.
  std::vector<AccountRule> AccountRules(const Policy* also = nullptr) const;
  /// Calls and fuel since the last call of this function, by hash.
  std::vector<PolicyUse> TakeUses();
  const std::string& default_package() const { return default_; }
  void SetDefault(std::string package);

 private:
  /// A generation with the parameters of one binding.
  struct Bound {
    std::shared_ptr<Policy> base;
    PolicyParams params;
    std::shared_ptr<Policy> policy;  ///< null: the parameters do not suit it
  };
  void BindParams(const World& world);
  /// Works out what follows from who is active, bound, and the default.
  void NoteActive();
  /// PolicyFor, and the binding that says so; null: the default decides.
  Policy* Find(const World& world, const ClusterQueueState& queue, Hook hook,
               const PolicyBinding** binding) const;
  void SetClasses(World& world, ClusterQueueState& queue, bool wake) const;
  Policy* PolicyOf(const PolicyBinding& binding) const;

  std::map<std::string, std::shared_ptr<Policy>, std::less<>> active_;  ///< by package name
  std::map<std::string, Bound> bound_;                                  ///< by binding name
  std::map<std::string, PolicyUse> uses_;
  std::set<std::string> asked_;  ///< packages, in the running cycle
  Generations generations_;
  std::string default_;               ///< package activated last; decides where nothing is bound
  Policy* default_policy_ = nullptr;  ///< its active generation, if it has one
  std::array<bool, kHooks> defined_ = {};          ///< by any active generation, or a bound one
  std::array<bool, kHooks> default_defined_ = {};  ///< by the default one
  ResourceColumns columns_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_POLICY_TABLE_H_
