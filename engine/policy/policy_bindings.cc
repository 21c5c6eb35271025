// PolicyTable, second part: what is wrong with bindings, and what each of them comes to.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/base/closest_name.h"
#include "engine/policy/policy_answers.h"
#include "engine/policy/policy_table.h"

namespace muster {
namespace {

bool Lists(const std::vector<std::string>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool ForEverything(const PolicyBinding& binding) {
  return binding.cluster_queues.empty() && binding.cohorts.empty() && binding.local_queues.empty();
}

/// What a binding claims: a hook of everything, of a cohort or of a ClusterQueue. Two bindings must
/// not claim the same.
using HookClaim = std::tuple<char, std::string_view, Hook>;

std::vector<HookClaim> ClaimsOf(const PolicyBinding& binding) {
  std::vector<HookClaim> claims;
  for (int i = 0; i < kHooks; ++i) {
    const auto hook = static_cast<Hook>(i);
    if (!binding.hooks.empty() && !Lists(binding.hooks, HookName(hook))) continue;
    if (ForEverything(binding)) claims.emplace_back('*', "", hook);
    for (const std::string& name : binding.cohorts) claims.emplace_back('c', name, hook);
    for (const std::string& name : binding.cluster_queues) claims.emplace_back('q', name, hook);
    for (const std::string& name : binding.local_queues) claims.emplace_back('l', name, hook);
  }
  return claims;
}

/// Object `index` and another one both claim `hook`.
Problem ConflictOf(std::size_t index, const PolicyBinding& binding, const PolicyBinding& other,
                   Hook hook) {
  std::string what =
      "PolicyBinding " + other.name + " binds " + std::string(HookName(hook)) + " as closely";
  if (binding.hooks.empty() || other.hooks.empty()) {
    what += "; a binding without hooks claims all, also those that its package lacks";
  }
  return {index, "spec", std::move(what), "name other queues or hooks in one of them"};
}

std::vector<std::string> HooksOf(const Policy& policy) {
  std::vector<std::string> hooks;
  for (const HookInfo& info : policy.info().hooks) hooks.emplace_back(HookName(info.hook));
  return hooks;
}

std::string LackingText(const Policy& policy, std::string_view hook) {
  return "package " + policy.info().name + " has no hook " + std::string(hook);
}

/// Places of `binding.hooks` that the package lacks.
std::vector<std::size_t> LackingHooks(const PolicyBinding& binding, const Policy& policy) {
  const std::vector<std::string> hooks = HooksOf(policy);
  std::vector<std::size_t> lacking;
  for (std::size_t i = 0; i < binding.hooks.size(); ++i) {
    if (!Lists(hooks, binding.hooks[i])) lacking.push_back(i);
  }
  return lacking;
}

bool Binds(const PolicyBinding& binding, Hook hook) {
  return binding.hooks.empty() || Lists(binding.hooks, HookName(hook));
}

/// What is wrong with `after`, an active package, as one that is compared behind `policy`; empty:
/// nothing. `keys`: by hook, how many there are before; those of `after` are added.
std::string WrongBehind(const PolicyBinding& binding, const Policy& policy, const Policy& after,
                        std::array<int, kHooks>& keys) {
  const std::string& name = after.info().name;
  bool follows = false;
  for (const HookInfo& info : after.info().hooks) {
    if (!MayFollow(info.hook) || !Binds(binding, info.hook)) continue;
    if (FindHook(policy, info.hook) == nullptr) continue;
    follows = true;
    int& sum = keys[static_cast<std::size_t>(info.hook)];
    sum += info.keys;
    if (sum <= MUSTER_MAX_KEYS) continue;
    return "with package " + name + " hook " + std::string(HookName(info.hook)) + " has " +
           std::to_string(sum) + " keys; at most " + std::to_string(MUSTER_MAX_KEYS) +
           " are compared";
  }
  return follows ? ""
                 : "package " + name + " has no hook to compare behind " + policy.info().name +
                       ": only queue_order and cycle_order have packages one after the other";
}

/// The same of each in `then` that is active in turn: its place there, and what is wrong.
template <typename Active>
std::vector<std::pair<std::size_t, std::string>> WrongInARow(const PolicyBinding& binding,
                                                             const Policy& policy,
                                                             const Active& active) {
  std::array<int, kHooks> keys = {};
  for (const HookInfo& info : policy.info().hooks) {
    keys[static_cast<std::size_t>(info.hook)] = info.keys;
  }
  std::vector<std::pair<std::size_t, std::string>> wrong;
  for (std::size_t i = 0; i < binding.then.size(); ++i) {
    const Policy* after = active(binding.then[i]);
    if (after == nullptr) continue;
    std::string what = WrongBehind(binding, policy, *after, keys);
    if (!what.empty()) wrong.emplace_back(i, std::move(what));
  }
  return wrong;
}

/// Whether the binding is for this queue, however near others are.
bool Covers(const PolicyBinding& binding, const World& world, const ClusterQueueState& queue) {
  if (ForEverything(binding) || Lists(binding.cluster_queues, queue.name())) return true;
  const QuotaTree& tree = world.tree_of(queue);
  for (NodeIndex n = tree.node(queue.node).parent; n != kNoNode; n = tree.node(n).parent) {
    if (Lists(binding.cohorts, tree.node(n).name)) return true;
  }
  return false;
}

/// A package says where in its own file it met a parameter; what counts is where the binding has
/// it.
std::string WithoutPlace(const std::string& message) {
  const std::size_t end = message.find(": ");
  if (end == std::string::npos || message.find(' ') < end) return message;
  const std::string_view place = std::string_view(message).substr(0, end);
  const bool is_place = place.find(".lua:") != std::string_view::npos;
  return is_place ? message.substr(end + 2) : message;
}

/// Each parameter by itself; where all are right alone, together.
void CheckParams(const PolicyBinding& binding, const Policy& policy, std::size_t index,
                 std::vector<Problem>& problems) {
  const auto bound = BoundTo(policy, binding.params);
  if (bound.ok()) return;
  const std::size_t before = problems.size();
  for (const auto& [name, value] : binding.params) {
    const auto alone = BoundTo(policy, {{name, value}});
    if (alone.ok()) continue;
    problems.push_back(
        {index, "spec.params[" + name + "]", WithoutPlace(alone.status().message()), ""});
  }
  if (problems.size() > before) return;
  problems.push_back({index, "spec.params", WithoutPlace(bound.status().message()), ""});
}

}  // namespace

std::vector<Problem> PolicyTable::Check(const World& world, std::span<const Object> objects,
                                        Strictness strictness) const {
  std::map<std::string_view, const PolicyBinding*> bindings;
  bool any = false;
  for (const auto& [name, binding] : world.catalog.policy_bindings) bindings[name] = &binding;
  for (const Object& object : objects) {
    const auto* binding = std::get_if<PolicyBinding>(&object);
    if (binding == nullptr) continue;
    bindings[binding->name] = binding;
    any = true;
  }
  if (!any) return {};
  std::map<HookClaim, std::vector<const PolicyBinding*>> claims;
  for (const auto& [name, binding] : bindings) {
    for (const HookClaim& claim : ClaimsOf(*binding)) claims[claim].push_back(binding);
  }
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto* binding = std::get_if<PolicyBinding>(&objects[i]);
    if (binding == nullptr || bindings[binding->name] != binding) continue;
    const PolicyBinding* other = nullptr;
    Hook both{};
    for (const HookClaim& claim : ClaimsOf(*binding)) {
      for (const PolicyBinding* each : claims[claim]) {
        if (each == binding || (other != nullptr && each->name >= other->name)) continue;
        other = each;
        both = std::get<Hook>(claim);
      }
    }
    if (other != nullptr) problems.push_back(ConflictOf(i, *binding, *other, both));
    const auto policy = active_.find(binding->policy);
    if (policy == active_.end()) continue;
    for (const std::size_t at : LackingHooks(*binding, *policy->second)) {
      if (strictness == Strictness::kLenient) break;
      problems.push_back({i, "spec.hooks[" + std::to_string(at) + "]",
                          LackingText(*policy->second, binding->hooks[at]),
                          ClosestNameHint(binding->hooks[at], HooksOf(*policy->second))});
    }
    const auto now = [this](const std::string& name) { return ActiveOf(name); };
    for (auto& [at, what] : WrongInARow(*binding, *policy->second, now)) {
      if (strictness == Strictness::kLenient) break;
      const std::string field = "spec.then[" + std::to_string(at) + "]";
      problems.push_back({i, field, std::move(what), "remove it"});
    }
    if (binding->params.empty()) continue;
    CheckParams(*binding, *policy->second, i, problems);
  }
  return problems;
}

Status PolicyTable::CheckBindings(const World& world, const Policy& policy) const {
  const std::string& package = policy.info().name;
  const auto then_active = [&](const std::string& name) {
    return name == package ? &policy : ActiveOf(name);
  };
  for (const auto& [name, binding] : world.catalog.policy_bindings) {
    const std::string at = "PolicyBinding " + name + ": ";
    const Policy* first = then_active(binding.policy);
    if (first != nullptr && (first == &policy || Lists(binding.then, package))) {
      for (const auto& [index, what] : WrongInARow(binding, *first, then_active)) {
        return Status(StatusCode::kInvalidArgument,
                      at + what + "; take it out of `then` first, or change the package");
      }
    }
    if (first != &policy) continue;
    for (const std::size_t lacking : LackingHooks(binding, policy)) {
      return Status(StatusCode::kInvalidArgument,
                    at + LackingText(policy, binding.hooks[lacking]) +
                        "; take it out of the binding first, or add it to the package");
    }
    if (binding.params.empty()) continue;
    const auto bound = BoundTo(policy, binding.params);
    if (!bound.ok()) {
      return Status(StatusCode::kInvalidArgument, at + bound.status().message());
    }
  }
  return Status::Ok();
}

const Policy* PolicyTable::ActiveOf(const std::string& package) const {
  const auto found = active_.find(package);
  return found == active_.end() ? nullptr : found->second.get();
}

std::string PolicyTable::NotActive(const std::string& package) const {
  const std::string near = ClosestName(package, order_);
  return "package " + package + " is not active" +
         (order_.empty() ? "; no package is yet"
          : near.empty() ? ""
                         : "; did you mean '" + near + "'?");
}

std::string PolicyTable::ShadowOf(const World& world, const PolicyBinding& binding,
                                  Hook hook) const {
  for (const auto& [name, id] : world.queue_ids) {
    const ClusterQueueState& queue = world.queue(id);
    if (!Covers(binding, world, queue)) continue;
    const Decider decider = Find(world, queue, hook);
    const std::string& root = world.tree_of(queue).node(0).name;
    if (SpansTree(hook) && !ForEverything(binding) && !Lists(binding.cohorts, root)) {
      return std::string(HookName(hook)) + " is decided for whole trees: bind it to cohort " + root;
    }
    if (decider.binding == nullptr) continue;
    return std::string(HookName(hook)) + ": PolicyBinding " + decider.binding->name +
           " is nearer, as in ClusterQueue " + name;
  }
  return "";
}

std::vector<PolicyBindingView> PolicyTable::Bindings(const World& world) const {
  std::map<const PolicyBinding*, std::set<Hook>> decides;
  std::set<std::pair<std::string, Hook>> deciding;
  for (const auto& [name, id] : world.queue_ids) {
    for (int i = 0; i < kHooks; ++i) {
      const Decider decider = Find(world, world.queue(id), static_cast<Hook>(i));
      if (decider.policy == nullptr) continue;
      decides[decider.binding].insert(static_cast<Hook>(i));
      deciding.emplace(decider.policy->info().name, static_cast<Hook>(i));
    }
  }
  std::vector<PolicyBindingView> views;
  for (const auto& [name, binding] : world.catalog.policy_bindings) {
    PolicyBindingView& view = views.emplace_back();
    view.name = name;
    std::set<Hook>& hooks = decides[&binding];
    const bool orders_own =
        std::any_of(binding.local_queues.begin(), binding.local_queues.end(),
                    [this](const std::string& own) { return own_orders_.contains(own); });
    if (orders_own) hooks.insert(Hook::kQueueOrder);
    view.decides.assign(hooks.begin(), hooks.end());
    const auto active = active_.find(binding.policy);
    if (active == active_.end()) {
      view.problems.push_back(NotActive(binding.policy));
      continue;
    }
    const Policy& package = *active->second;
    for (const std::size_t lacking : LackingHooks(binding, package)) {
      view.problems.push_back(LackingText(package, binding.hooks[lacking]));
    }
    const bool submit_left_out = FindHook(package, Hook::kSubmit) != nullptr &&
                                 !binding.hooks.empty() && !Lists(binding.hooks, "submit") &&
                                 !deciding.contains({binding.policy, Hook::kSubmit});
    if (submit_left_out) {
      view.problems.push_back("submit of " + binding.policy +
                              " decides nowhere; add it to hooks if the others need what it sets");
    }
    const auto now = [this](const std::string& of) { return ActiveOf(of); };
    for (auto& [at, what] : WrongInARow(binding, package, now)) {
      view.problems.push_back(std::move(what));
    }
    for (const std::string& after : binding.then) {
      if (ActiveOf(after) == nullptr) view.problems.push_back(NotActive(after));
    }
    if (PolicyOf(binding) == nullptr) {
      view.problems.emplace_back("its params do not suit the package");
      continue;
    }
    for (const HookInfo& info : package.info().hooks) {
      if (!Binds(binding, info.hook) || hooks.contains(info.hook)) continue;
      std::string shadow = ShadowOf(world, binding, info.hook);
      if (!shadow.empty()) view.problems.push_back(std::move(shadow));
    }
    if (view.decides.empty() && view.problems.empty()) {
      view.problems.emplace_back("no queue is bound by it");
    }
  }
  return views;
}

}  // namespace muster
