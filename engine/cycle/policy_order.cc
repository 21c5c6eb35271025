// See policy_order.h.
#include "engine/cycle/policy_order.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/cycle/policy_batch.h"

namespace muster {
namespace {

const HookInfo* FindHook(const Policy& policy, Hook hook) {
  for (const HookInfo& info : policy.info().hooks) {
    if (info.hook == hook) return &info;
  }
  return nullptr;
}

bool Binds(const PolicyBinding& binding, Hook hook) {
  return binding.hooks.empty() || std::find(binding.hooks.begin(), binding.hooks.end(),
                                            HookName(hook)) != binding.hooks.end();
}

/// How near a binding is to the queue: larger is more specific, -1: it does not apply.
int Specificity(const World& world, const ClusterQueueState& queue, const PolicyBinding& binding) {
  const auto names = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  if (binding.cluster_queues.empty() && binding.cohorts.empty()) return 0;
  if (names(binding.cluster_queues, queue.name())) return 1 << 20;
  int best = -1;
  int distance = 1 << 19;
  const QuotaTree& tree = world.tree_of(queue);
  for (NodeIndex n = tree.node(queue.node).parent; n != kNoNode; n = tree.node(n).parent) {
    if (best < 0 && names(binding.cohorts, tree.node(n).name)) best = distance;
    --distance;
  }
  return best;
}

/// Takes every key of the queue out, sets `scripted`, and returns them.
std::vector<WorkloadId> Empty(World& world, ClusterQueueState& queue, bool scripted) {
  std::vector<WorkloadId> ids;
  for (const PendingKey* key : queue.pending.Fresh()) ids.push_back(key->workload);
  for (const PendingKey* key : queue.pending.Ordered({})) ids.push_back(key->workload);
  for (const WorkloadId id : ids) {
    queue.pending.Erase(world.workload(id).key);
    world.workload(id).key.scripted = false;
  }
  queue.pending.SetScripted(scripted);
  return ids;
}

}  // namespace

void PolicyTable::Activate(World& world, std::shared_ptr<Policy> policy) {
  default_ = policy->info().name;
  active_[default_] = std::move(policy);
  Invalidate(world);
}

void PolicyTable::Clear() {
  active_.clear();
  default_.clear();
}

void PolicyTable::Invalidate(World& world) {
  for (const auto& [name, id] : world.queue_ids) {
    ClusterQueueState& queue = world.queue(id);
    for (PendingKey* key : queue.pending.parked()) key->scripted = false;
    TakeNative(world, queue);
  }
}

void PolicyTable::TakeNative(World& world, ClusterQueueState& queue) {
  for (const WorkloadId id : Empty(world, queue, false)) {
    queue.pending.Push(world.workload(id).key);
  }
}

Policy* PolicyTable::PolicyFor(const World& world, const ClusterQueueState& queue,
                               Hook hook) const {
  if (world.catalog.policy_bindings.empty()) {
    const auto policy = active_.find(default_);
    return policy != active_.end() && FindHook(*policy->second, hook) != nullptr
               ? policy->second.get()
               : nullptr;
  }
  Policy* best = nullptr;
  int best_specificity = -1;
  for (const auto& [name, binding] : world.catalog.policy_bindings) {
    const auto policy = active_.find(binding.policy);
    if (policy == active_.end() || !Binds(binding, hook)) continue;
    if (FindHook(*policy->second, hook) == nullptr) continue;
    const int specificity = Specificity(world, queue, binding);
    if (specificity > best_specificity) {
      best = policy->second.get();
      best_specificity = specificity;
    }
  }
  return best;
}

void PolicyTable::OrderQueue(World& world, ClusterQueueState& queue,
                             std::vector<PolicyFailure>* failures) {
  Policy* policy = PolicyFor(world, queue, Hook::kQueueOrder);
  if (policy == nullptr) {
    if (queue.pending.scripted()) TakeNative(world, queue);
    return;
  }
  const HookInfo& hook = *FindHook(*policy, Hook::kQueueOrder);
  std::vector<WorkloadId> ids;
  const bool keys_stay = hook.reads.empty();  // what changes by itself must be asked for again
  if (queue.pending.scripted() && keys_stay) {
    for (const PendingKey* key : queue.pending.Fresh()) ids.push_back(key->workload);
  } else {
    ids = Empty(world, queue, true);
  }
  if (ids.empty()) return;
  const auto keys_per_row = static_cast<std::size_t>(hook.keys);
  std::vector<double> keys(ids.size() * keys_per_row);
  const PolicyBatch batch(world, queue, ids, policy->info().labels);
  HookOutcome outcome = policy->QueueOrder(batch.batch(), keys);
  PolicyUse& use = uses_[policy->info().hash];
  ++use.calls;
  use.fuel += outcome.fuel;
  const bool finite =
      std::all_of(keys.begin(), keys.end(), [](double k) { return std::isfinite(k); });
  if (outcome.ok && !finite) {
    outcome.ok = false;
    outcome.message = "a key is not a finite number";
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    PendingKey& key = world.workload(ids[i]).key;
    queue.pending.Erase(key);
    if (outcome.ok) {
      key.keys = {};
      std::copy_n(keys.begin() + static_cast<std::ptrdiff_t>(i * keys_per_row), keys_per_row,
                  key.keys.begin());
      key.scripted = true;
    }
    queue.pending.Push(key);
  }
  if (outcome.ok) return;
  TakeNative(world, queue);
  if (failures != nullptr) {
    failures->push_back(
        {policy->info().name, "queue_order", queue.name(), outcome.message, outcome.fuel});
  }
}

std::vector<PolicyInfo> PolicyTable::Active() const {
  std::vector<PolicyInfo> infos;
  for (const auto& [name, policy] : active_) infos.push_back(policy->info());
  return infos;
}

std::vector<PolicyUse> PolicyTable::TakeUses() {
  std::vector<PolicyUse> uses;
  for (auto& [hash, use] : uses_) {
    use.hash = hash;
    uses.push_back(std::move(use));
  }
  uses_.clear();
  return uses;
}

}  // namespace muster
