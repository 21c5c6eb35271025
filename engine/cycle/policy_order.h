// PolicyTable: which policy decides for which queue, and the order that it gives.
//
// The most specific PolicyBinding wins: one that names the ClusterQueue, else the nearest cohort
// above it, else one for everything; without any binding the last activated policy decides for all.
// A call that fails leaves the queue to the native order for that cycle, all of it.
#ifndef MUSTER_ENGINE_CYCLE_POLICY_ORDER_H_
#define MUSTER_ENGINE_CYCLE_POLICY_ORDER_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/state/world.h"
#include "muster/decision.h"
#include "muster/policy.h"

namespace muster {

class PolicyTable {
 public:
  /// Makes `policy` the active generation of its package and asks for fresh keys everywhere.
  void Activate(World& world, std::shared_ptr<Policy> policy);
  /// Takes every generation out; follow with Activate or Invalidate.
  void Clear();
  /// Forgets every key: bindings or the policies behind them changed.
  void Invalidate(World& world);

  /// The policy whose `hook` decides for `queue`; null: the native rule.
  Policy* PolicyFor(const World& world, const ClusterQueueState& queue, Hook hook) const;

  /// Brings the queue's heap into the order its policy wants: one call over all workloads that have
  /// no keys yet. A failure is appended to `failures` when given. O(new + log heap).
  void OrderQueue(World& world, ClusterQueueState& queue, std::vector<PolicyFailure>* failures);

  std::vector<PolicyInfo> Active() const;
  /// Calls and fuel since the last call of this function, by hash.
  std::vector<PolicyUse> TakeUses();
  const std::string& default_package() const { return default_; }
  void SetDefault(std::string package) { default_ = std::move(package); }

 private:
  void TakeNative(World& world, ClusterQueueState& queue);

  std::map<std::string, std::shared_ptr<Policy>, std::less<>> active_;  ///< by package name
  std::map<std::string, PolicyUse> uses_;
  std::string default_;  ///< package activated last; decides where nothing is bound
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_POLICY_ORDER_H_
