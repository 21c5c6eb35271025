// See binding_index.h.
#include "engine/policy/binding_index.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace muster {
namespace {

void Offer(Decider& decider, const Decider& offered) {
  if (decider.policy == nullptr) decider = offered;
}

/// What `list` has for those hooks that are not decided yet.
template <typename Wanted>
void Take(const std::map<std::string_view, Deciders>& list, std::string_view name,
          const Wanted& wanted, Deciders& deciders) {
  const auto found = list.find(name);
  if (found == list.end()) return;
  for (int i = 0; i < kHooks; ++i) {
    const auto hook = static_cast<Hook>(i);
    if (deciders[hook].policy == nullptr && wanted(hook)) deciders[hook] = found->second[hook];
  }
}

}  // namespace

bool SpansTree(Hook hook) { return hook == Hook::kShare || hook == Hook::kCycleOrder; }

bool MayFollow(Hook hook) { return hook == Hook::kQueueOrder || hook == Hook::kCycleOrder; }

std::vector<Policy*> Decider::All() const {
  std::vector<Policy*> all;
  if (policy != nullptr) all.push_back(policy);
  if (then != nullptr) all.insert(all.end(), then->begin(), then->end());
  return all;
}

const std::vector<Policy*>* BindingIndex::Follow(Hook hook, const std::vector<Policy*>& then) {
  if (!MayFollow(hook)) return nullptr;
  std::vector<Policy*> have;
  std::copy_if(then.begin(), then.end(), std::back_inserter(have), [hook](const Policy* policy) {
    const std::vector<HookInfo>& hooks = policy->info().hooks;
    return std::any_of(hooks.begin(), hooks.end(),
                       [hook](const HookInfo& info) { return info.hook == hook; });
  });
  return have.empty() ? nullptr : &follow_.emplace_back(std::move(have));
}

void BindingIndex::Add(const PolicyBinding& binding, Policy& policy,
                       const std::vector<Policy*>& then) {
  if (!binding.local_queues.empty()) return;
  for (const HookInfo& info : policy.info().hooks) {
    const Hook hook = info.hook;
    const bool bound = binding.hooks.empty() ||
                       std::find(binding.hooks.begin(), binding.hooks.end(), HookName(hook)) !=
                           binding.hooks.end();
    if (!bound) continue;
    const Decider decider{&policy, &binding, Follow(hook, then)};
    if (binding.cluster_queues.empty() && binding.cohorts.empty()) {
      Offer(everything_[hook], decider);
    }
    for (const std::string& cohort : binding.cohorts) Offer(cohorts_[cohort][hook], decider);
    if (SpansTree(hook)) continue;
    for (const std::string& queue : binding.cluster_queues) Offer(queues_[queue][hook], decider);
  }
}

Deciders BindingIndex::For(const World& world, const ClusterQueueState& queue) const {
  const QuotaTree& tree = world.tree_of(queue);
  const auto own = [](Hook hook) { return !SpansTree(hook); };
  Deciders deciders;
  Take(queues_, queue.name(), own, deciders);
  for (NodeIndex n = tree.node(queue.node).parent; n != kNoNode; n = tree.node(n).parent) {
    Take(cohorts_, tree.node(n).name, own, deciders);
  }
  Take(cohorts_, tree.node(0).name, SpansTree, deciders);
  for (int i = 0; i < kHooks; ++i) {
    const auto hook = static_cast<Hook>(i);
    if (deciders[hook].policy == nullptr) deciders[hook] = everything_[hook];
  }
  return deciders;
}

}  // namespace muster
