// See policy_table.h.
#include "engine/policy/policy_table.h"

#include <algorithm>
#include <utility>

#include "engine/policy/queue_order.h"

namespace muster {
namespace {

bool Contains(const std::vector<std::string>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool Binds(const PolicyBinding& binding, Hook hook) {
  return binding.hooks.empty() || Contains(binding.hooks, HookName(hook));
}

bool ForEverything(const PolicyBinding& binding) {
  return binding.cluster_queues.empty() && binding.cohorts.empty();
}

/// Compares queues with each other, so that one policy must decide for a whole tree.
bool SpansTree(Hook hook) { return hook == Hook::kShare || hook == Hook::kCycleOrder; }

/// How near a binding is to the queue: larger is more specific, -1: it does not apply.
int Specificity(const World& world, const ClusterQueueState& queue, const PolicyBinding& binding,
                Hook hook) {
  if (ForEverything(binding)) return 0;
  const QuotaTree& tree = world.tree_of(queue);
  if (SpansTree(hook)) return Contains(binding.cohorts, tree.node(0).name) ? 1 : -1;
  if (Contains(binding.cluster_queues, queue.name())) return 1 << 20;
  int best = -1;
  int distance = 1 << 19;
  for (NodeIndex n = tree.node(queue.node).parent; n != kNoNode; n = tree.node(n).parent) {
    if (best < 0 && Contains(binding.cohorts, tree.node(n).name)) best = distance;
    --distance;
  }
  return best;
}

bool ShareAName(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](const std::string& name) { return Contains(b, name); });
}

bool ShareAHook(const PolicyBinding& a, const PolicyBinding& b) {
  return a.hooks.empty() || b.hooks.empty() || ShareAName(a.hooks, b.hooks);
}

/// Equally near to some queue, for a hook that both mean.
bool Clash(const PolicyBinding& a, const PolicyBinding& b) {
  if (!ShareAHook(a, b)) return false;
  return (ForEverything(a) && ForEverything(b)) || ShareAName(a.cohorts, b.cohorts) ||
         ShareAName(a.cluster_queues, b.cluster_queues);
}

void NoteHooks(const Policy& policy, std::array<bool, kHooks>& defined) {
  for (const HookInfo& info : policy.info().hooks) {
    defined[static_cast<std::size_t>(info.hook)] = true;
  }
}

}  // namespace

const HookInfo* FindHook(const Policy& policy, Hook hook) {
  for (const HookInfo& info : policy.info().hooks) {
    if (info.hook == hook) return &info;
  }
  return nullptr;
}

void PolicyTable::Activate(World& world, std::shared_ptr<Policy> policy) {
  default_ = policy->info().name;
  const Policy& now = *policy;
  generations_.Activated(now, std::exchange(active_[default_], std::move(policy)));
  Invalidate(world);
}

void PolicyTable::Attach(World& world, std::shared_ptr<Policy> policy, bool active) {
  if (!active) {
    generations_.Attach(std::move(policy));
    return;
  }
  default_ = policy->info().name;
  active_[default_] = std::move(policy);
  Invalidate(world, /*wake=*/false);
}

PolicyTable PolicyTable::With(const World& world, std::shared_ptr<Policy> candidate) const {
  PolicyTable table = *this;
  const std::string name = candidate->info().name;
  if (!active_.contains(name)) table.default_ = name;
  table.active_[name] = std::move(candidate);
  table.BindParams(world);
  if (active_.empty()) table.columns_ = ResourceColumns(world);
  return table;
}

std::vector<std::string> PolicyTable::JudgeCycle(const std::vector<PolicyFailure>& failures,
                                                 std::int64_t most) {
  return generations_.Judge(std::exchange(asked_, {}), failures, most);
}

std::optional<std::pair<std::string, std::string>> PolicyTable::TakeBack(
    World& world, const std::string& package) {
  const auto active = active_.find(package);
  if (active == active_.end()) return std::nullopt;
  const std::string failing = active->second->info().hash;
  std::shared_ptr<Policy> previous = generations_.TakePrevious(package, failing);
  if (previous == nullptr) return std::nullopt;
  active->second = std::move(previous);
  Invalidate(world);
  return std::pair(failing, active->second->info().hash);
}

void PolicyTable::Clear() {
  active_.clear();
  default_.clear();
  NoteActive();
}

void PolicyTable::SetDefault(std::string package) {
  default_ = std::move(package);
  NoteActive();
}

void PolicyTable::NoteActive() {
  const auto policy = active_.find(default_);
  default_policy_ = policy == active_.end() ? nullptr : policy->second.get();
  default_defined_ = {};
  if (default_policy_ != nullptr) NoteHooks(*default_policy_, default_defined_);
  defined_ = {};
  for (const auto& [name, generation] : active_) NoteHooks(*generation, defined_);
  for (const auto& [name, bound] : bound_) {
    if (bound.policy != nullptr) NoteHooks(*bound.policy, defined_);
  }
}

void PolicyTable::Invalidate(World& world, bool wake) {
  BindParams(world);
  columns_ = active_.empty() ? ResourceColumns() : ResourceColumns(world);
  const bool has_say =
      Defines(Hook::kFlavorOrder) || Defines(Hook::kPreemptLimits) || Defines(Hook::kVictim);
  for (const auto& [name, id] : world.queue_ids) {
    ClusterQueueState& queue = world.queue(id);
    ForgetKeys(world, queue);
    if (has_say || !queue.search_policies.empty()) SetClasses(world, queue, wake);
  }
}

// Loading a generation takes milliseconds, so one whose parameters stayed is kept.
void PolicyTable::BindParams(const World& world) {
  std::map<std::string, Bound> bound;
  for (const auto& [name, binding] : world.catalog.policy_bindings) {
    const auto base = active_.find(binding.policy);
    if (binding.params.empty() || base == active_.end()) continue;
    const auto before = bound_.find(name);
    if (before != bound_.end() && before->second.base == base->second &&
        before->second.params == binding.params) {
      bound[name] = before->second;
      continue;
    }
    Bound& fresh = bound[name];
    fresh = {base->second, binding.params, nullptr};
    Result<std::shared_ptr<Policy>> policy = base->second->WithParams(binding.params);
    if (policy.ok()) fresh.policy = std::move(*policy);
  }
  bound_ = std::move(bound);
  NoteActive();
}

Policy* PolicyTable::PolicyOf(const PolicyBinding& binding) const {
  if (!binding.params.empty()) {
    const auto bound = bound_.find(binding.name);
    return bound == bound_.end() ? nullptr : bound->second.policy.get();
  }
  const auto policy = active_.find(binding.policy);
  return policy == active_.end() ? nullptr : policy->second.get();
}

Policy* PolicyTable::PolicyFor(const World& world, const ClusterQueueState& queue,
                               Hook hook) const {
  const PolicyBinding* binding = nullptr;
  return Find(world, queue, hook, &binding);
}

Policy* PolicyTable::Find(const World& world, const ClusterQueueState& queue, Hook hook,
                          const PolicyBinding** best_binding) const {
  if (!Defines(hook)) return nullptr;
  if (world.catalog.policy_bindings.empty()) {
    return default_defined_[static_cast<std::size_t>(hook)] ? default_policy_ : nullptr;
  }
  Policy* best = nullptr;
  int best_specificity = -1;
  for (const auto& [name, binding] : world.catalog.policy_bindings) {
    Policy* policy = Binds(binding, hook) ? PolicyOf(binding) : nullptr;
    if (policy == nullptr || FindHook(*policy, hook) == nullptr) continue;
    const int specificity = Specificity(world, queue, binding, hook);
    if (specificity > best_specificity) {
      best = policy;
      *best_binding = &binding;
      best_specificity = specificity;
    }
  }
  return best;
}

// What a policy may look at beyond the form makes workloads different; what changes by itself, or
// cannot be known, leaves nobody equal.
void PolicyTable::SetClasses(World& world, ClusterQueueState& queue, bool wake) const {
  ClassRule rule;
  std::string policies;
  for (const Hook hook : {Hook::kFlavorOrder, Hook::kPreemptLimits, Hook::kVictim}) {
    const PolicyBinding* binding = nullptr;
    const Policy* policy = Find(world, queue, hook, &binding);
    if (policy == nullptr) continue;
    policies.append(HookName(hook)).append(" ").append(policy->info().hash);
    if (binding != nullptr) {
      for (const auto& [name, value] : binding->params) {
        policies.append(" ").append(name).append("=").append(value);
      }
    }
    const HookInfo& info = *FindHook(*policy, hook);
    rule.none |= !info.fields || Contains(info.reads, "account") ||
                 Contains(info.reads, "last_admitted") || Contains(info.reads, "cycle");
    if (info.fields) rule.fields.insert(info.fields->begin(), info.fields->end());
    rule.labels.insert(policy->info().labels.begin(), policy->info().labels.end());
  }
  if (rule.none || rule.fields.empty()) rule.labels.clear();
  if (rule.none) rule.fields.clear();
  if (wake && queue.search_policies != policies) world.wake_trees.push_back(queue.id);
  queue.search_policies = std::move(policies);
  queue.classes = std::move(rule);
}

std::vector<Problem> PolicyTable::Check(const World& world, std::span<const Object> objects) const {
  std::map<std::string, const PolicyBinding*> bindings;
  for (const auto& [name, binding] : world.catalog.policy_bindings) bindings[name] = &binding;
  for (const Object& object : objects) {
    if (const auto* binding = std::get_if<PolicyBinding>(&object))
      bindings[binding->name] = binding;
  }
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto* binding = std::get_if<PolicyBinding>(&objects[i]);
    if (binding == nullptr || bindings[binding->name] != binding) continue;
    for (const auto& [name, other] : bindings) {
      if (other == binding || !Clash(*binding, *other)) continue;
      problems.push_back({i, "spec", "PolicyBinding " + name + " binds the same hooks as closely",
                          "name other queues or hooks in one of them"});
      break;
    }
    const auto policy = active_.find(binding->policy);
    if (binding->params.empty() || policy == active_.end()) continue;
    const auto bound = policy->second->WithParams(binding->params);
    if (!bound.ok()) problems.push_back({i, "spec.params", bound.status().message(), ""});
  }
  return problems;
}

Status PolicyTable::CheckParams(const World& world, const Policy& policy) const {
  for (const auto& [name, binding] : world.catalog.policy_bindings) {
    if (binding.policy != policy.info().name || binding.params.empty()) continue;
    const auto bound = policy.WithParams(binding.params);
    if (bound.ok()) continue;
    return Status(StatusCode::kInvalidArgument,
                  "PolicyBinding " + name + ": " + bound.status().message());
  }
  return Status::Ok();
}

void PolicyTable::Count(const Policy& policy, std::int64_t calls, std::int64_t fuel) {
  asked_.insert(policy.info().name);
  PolicyUse& use = uses_[policy.info().hash];
  use.calls += calls;
  use.fuel += fuel;
}

std::vector<PolicyInfo> PolicyTable::Active() const {
  std::vector<PolicyInfo> infos;
  for (const auto& [name, policy] : active_) infos.push_back(policy->info());
  return infos;
}

std::vector<AccountRule> PolicyTable::AccountRules(const Policy* also) const {
  std::vector<AccountRule> rules;
  const auto add = [&rules](const Policy& policy) {
    for (const DeclaredAccount& account : policy.info().accounts) rules.push_back(account.rule);
  };
  for (const auto& [name, policy] : active_) {
    if (also == nullptr || also->info().name != name) add(*policy);
  }
  if (also != nullptr) add(*also);
  return rules;
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
