// See policy_table.h.
#include "engine/policy/policy_table.h"

#include <algorithm>
#include <utility>

#include "engine/policy/policy_answers.h"
#include "engine/policy/queue_order.h"
#include "engine/state/named_accounts.h"

namespace muster {
namespace {

void AddUse(const PolicyUse& more, PolicyUse& use) {
  use.calls += more.calls;
  use.fuel += more.fuel;
}

/// All of the queue are to be asked about again. What they have holds until then.
void ForgetBoosts(World& world, ClusterQueueState& queue) {
  if (queue.boosted_at == kNoTime) return;
  queue.boosted_at = kNoTime;
  world.changes.Touch(queue.id);
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
  const Policy& now = *policy;
  const std::string package = now.info().name;
  MoveToEnd(package);
  generations_.Activated(now, std::exchange(active_[package], std::move(policy)));
  Invalidate(world);
}

void PolicyTable::Attach(World& world, std::shared_ptr<Policy> policy, bool active) {
  if (!active) {
    generations_.Attach(std::move(policy));
    return;
  }
  const std::string package = policy->info().name;
  MoveToEnd(package);
  active_[package] = std::move(policy);
  Invalidate(world, /*wake=*/false);
}

PolicyTable PolicyTable::With(const World& world, std::shared_ptr<Policy> candidate) const {
  PolicyTable table = *this;
  table.time_ = std::make_shared<PolicyTime>(*time_);
  table.aside_ = true;
  const std::string name = candidate->info().name;
  table.MoveToEnd(name);
  table.active_[name] = std::move(candidate);
  table.BindParams(world);
  if (active_.empty()) table.columns_ = ResourceColumns(world);
  return table;
}

void PolicyTable::BeginCycle() {
  *time_ = aside_ ? *time_ : PolicyTime();
  time_->packages = active_.size();
  for (const auto& [name, policy] : active_) policy->BeginCycle(time_);
  for (const auto& [name, bound] : bound_) {
    if (bound.policy != nullptr) bound.policy->BeginCycle(time_);
  }
}

void PolicyTable::EndCycle() noexcept {
  for (const auto& [name, policy] : active_) policy->EndCycle(time_);
  for (const auto& [name, bound] : bound_) {
    if (bound.policy != nullptr) bound.policy->EndCycle(time_);
  }
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
  order_.clear();
  index_.Clear();
  own_orders_.clear();
  NoteActive();
}

void PolicyTable::MoveToEnd(const std::string& package) {
  std::erase(order_, package);
  order_.push_back(package);
}

// Ledgers of before kept no other order than that.
void PolicyTable::SetNewest(const std::string& package) {
  if (active_.contains(package)) MoveToEnd(package);
  NoteActive();
}

void PolicyTable::NoteActive() {
  ++epoch_;
  defined_ = {};
  unbound_ = {};
  for (const std::string& package : order_) {
    const std::shared_ptr<Policy>& policy = active_.at(package);
    NoteHooks(*policy, defined_);
    for (const HookInfo& info : policy->info().hooks) unbound_[info.hook].policy = policy.get();
  }
  for (const auto& [name, bound] : bound_) {
    if (bound.policy != nullptr) NoteHooks(*bound.policy, defined_);
  }
  reads_cycle_ = std::any_of(active_.begin(), active_.end(), [](const auto& entry) {
    const std::vector<HookInfo>& hooks = entry.second->info().hooks;
    return std::any_of(hooks.begin(), hooks.end(),
                       [](const HookInfo& hook) { return ReadsInput(hook, "cycle"); });
  });
}

void PolicyTable::Invalidate(World& world, bool wake) {
  BindParams(world);
  columns_ = active_.empty() ? ResourceColumns() : ResourceColumns(world);
  const bool has_say =
      Defines(Hook::kFlavorOrder) || Defines(Hook::kPreemptLimits) || Defines(Hook::kVictim);
  world.boosts |= Defines(Hook::kBoost);
  for (const auto& [name, id] : world.queue_ids) {
    ClusterQueueState& queue = world.queue(id);
    ForgetKeys(world, queue);
    queue.pending.AskAnew();
    if (wake) ForgetBoosts(world, queue);
    if (has_say || !queue.search_policies.empty()) SetClasses(world, queue, wake);
  }
}

void PolicyTable::Refresh(World& world, std::span<const QueueId> queues) {
  if (active_.empty() || queues.empty()) return;
  if (ResourceColumns(world) != columns_) return Invalidate(world);
  for (const QueueId id : queues) {
    if (id.value < known_.size()) known_[id.value] = {};  // others may decide there now
    ForgetKeys(world, world.queue(id));
    world.queue(id).pending.AskAnew();
    ForgetBoosts(world, world.queue(id));
    SetClasses(world, world.queue(id), /*wake=*/true);
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
    Result<std::shared_ptr<Policy>> policy = BoundTo(*base->second, binding.params);
    if (policy.ok()) fresh.policy = std::move(*policy);
  }
  bound_ = std::move(bound);
  index_.Clear();
  own_orders_.clear();
  binds_queues_ = false;
  for (const auto& [name, binding] : world.catalog.policy_bindings) {
    binds_queues_ = binds_queues_ || binding.local_queues.empty();
    Policy* policy = PolicyOf(binding);
    if (policy == nullptr) continue;
    if (FindHook(*policy, Hook::kQueueOrder) != nullptr) {
      for (const std::string& own : binding.local_queues) own_orders_.emplace(own, policy);
    }
    std::vector<Policy*> then;
    for (const std::string& package : binding.then) {
      const auto next = active_.find(package);
      if (next != active_.end()) then.push_back(next->second.get());
    }
    index_.Add(binding, *policy, then);
  }
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

Decider PolicyTable::Find(const World& world, const ClusterQueueState& queue, Hook hook) const {
  if (!Defines(hook)) return {};
  if (!binds_queues_) return unbound_[hook];
  if (queue.id.value >= known_.size()) known_.resize(world.queues.size());
  Known& known = known_[queue.id.value];
  if (known.epoch != epoch_) known = {epoch_, index_.For(world, queue)};
  return known.deciders[hook];
}

Policy* PolicyTable::OwnOrder(const Key& local_queue) const {
  const auto found = own_orders_.find(local_queue.ToString());
  return found == own_orders_.end() ? nullptr : found->second;
}

std::set<std::pair<std::string, Hook>> PolicyTable::Deciding(const World& world) const {
  std::set<std::pair<std::string, Hook>> deciding;
  for (const auto& [name, policy] : own_orders_) {
    deciding.emplace(policy->info().name, Hook::kQueueOrder);
  }
  const auto note = [&deciding](const Decider& decider, Hook hook) {
    if (decider.policy != nullptr) deciding.emplace(decider.policy->info().name, hook);
  };
  for (int i = 0; i < kHooks; ++i) {
    const auto hook = static_cast<Hook>(i);
    if (!binds_queues_) note(unbound_[hook], hook);
    for (const auto& [name, id] : world.queue_ids) note(Find(world, world.queue(id), hook), hook);
  }
  return deciding;
}

// What a policy may look at beyond the form makes workloads different; what changes by itself, or
// cannot be known, leaves none equal.
void PolicyTable::SetClasses(World& world, ClusterQueueState& queue, bool wake) const {
  ClassRule rule;
  std::string policies;
  for (const Hook hook : {Hook::kFlavorOrder, Hook::kPreemptLimits, Hook::kVictim}) {
    const Decider decider = Find(world, queue, hook);
    const Policy* policy = decider.policy;
    const PolicyBinding* binding = decider.binding;
    if (policy == nullptr) continue;
    policies.append(HookName(hook)).append(" ").append(policy->info().hash);
    if (binding != nullptr) {
      for (const auto& [name, value] : binding->params) {
        policies.append(" ").append(name).append("=").append(value);
      }
    }
    const HookInfo& info = *FindHook(*policy, hook);
    rule.none |= !info.fields || ReadsInput(info, "account") || ReadsInput(info, "last_admitted") ||
                 ReadsInput(info, "cycle");
    if (info.fields) rule.fields.insert(info.fields->begin(), info.fields->end());
    rule.labels.insert(policy->info().labels.begin(), policy->info().labels.end());
  }
  if (rule.none || rule.fields.empty()) rule.labels.clear();
  if (rule.none) rule.fields.clear();
  if (wake && queue.search_policies != policies) world.wake_trees.push_back(queue.id);
  queue.search_policies = std::move(policies);
  queue.classes = std::move(rule);
}

void PolicyTable::Count(const Policy& policy, std::int64_t calls, std::int64_t fuel) {
  AddUse({{}, calls, fuel}, uses_[policy.info().hash]);
}

std::vector<PolicyInfo> PolicyTable::Active() const {
  std::vector<PolicyInfo> infos;
  for (const std::string& package : order_) infos.push_back(active_.at(package)->info());
  return infos;
}

std::vector<std::shared_ptr<Policy>> PolicyTable::Loaded() const {
  std::vector<std::shared_ptr<Policy>> loaded;
  for (const std::string& package : order_) loaded.push_back(active_.at(package));
  for (const auto& [package, line] : generations_.lines()) {
    if (line.warm != nullptr) loaded.push_back(line.warm);
  }
  return loaded;
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
    AddUse(use, taken_[hash]);
    uses.push_back(std::move(use));
  }
  uses_.clear();
  return uses;
}

std::vector<PolicyUse> PolicyTable::AllUses() const {
  std::map<std::string, PolicyUse> all = taken_;
  for (const auto& [hash, use] : uses_) AddUse(use, all[hash]);
  std::vector<PolicyUse> uses;
  for (auto& [hash, use] : all) uses.push_back({hash, use.calls, use.fuel});
  return uses;
}

}  // namespace muster
