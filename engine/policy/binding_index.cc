// See binding_index.h.
#include "engine/policy/binding_index.h"

#include <algorithm>

namespace muster {
namespace {

/// Compares queues with each other, so that one policy must decide for a whole tree.
bool SpansTree(Hook hook) { return hook == Hook::kShare || hook == Hook::kCycleOrder; }

void Offer(Decider& decider, const PolicyBinding& binding, Policy& policy) {
  if (decider.policy == nullptr) decider = {&policy, &binding};
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

void BindingIndex::Add(const PolicyBinding& binding, Policy& policy) {
  for (const HookInfo& info : policy.info().hooks) {
    const Hook hook = info.hook;
    const bool bound = binding.hooks.empty() ||
                       std::find(binding.hooks.begin(), binding.hooks.end(), HookName(hook)) !=
                           binding.hooks.end();
    if (!bound) continue;
    if (binding.cluster_queues.empty() && binding.cohorts.empty()) {
      Offer(everything_[hook], binding, policy);
    }
    for (const std::string& cohort : binding.cohorts) {
      Offer(cohorts_[cohort][hook], binding, policy);
    }
    if (SpansTree(hook)) continue;
    for (const std::string& queue : binding.cluster_queues) {
      Offer(queues_[queue][hook], binding, policy);
    }
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
