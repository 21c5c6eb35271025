// See queue_owner.h.
#include "muster/queue_owner.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>

#include "engine/base/caught.h"
#include "muster/policy.h"

namespace muster {
namespace {

bool IsOwnersHook(std::string_view hook) {
  constexpr std::array kHooks = {Hook::kQueueOrder, Hook::kFlavorOrder, Hook::kHold, Hook::kSubmit};
  return std::any_of(kHooks.begin(), kHooks.end(), [&](Hook own) { return HookName(own) == hook; });
}

/// A LocalQueue is named with its namespace; no ClusterQueue has a slash.
bool IsLocal(std::string_view queue) { return queue.find('/') != std::string_view::npos; }

bool BindsOnly(const PolicyBinding& binding, std::string_view queue) {
  const std::vector<std::string>& own =
      IsLocal(queue) ? binding.local_queues : binding.cluster_queues;
  const std::vector<std::string>& other =
      IsLocal(queue) ? binding.cluster_queues : binding.local_queues;
  return binding.cohorts.empty() && other.empty() && own.size() == 1 && own.front() == queue;
}

bool IsOwners(const PolicyBinding& binding, std::string_view queue) {
  return BindsOnly(binding, queue) && !binding.hooks.empty() &&
         std::all_of(binding.hooks.begin(), binding.hooks.end(), IsOwnersHook);
}

/// What is wrong with one binding; an empty `what`: nothing.
Problem WrongWith(const PolicyBinding& binding, std::string_view queue) {
  if (!BindsOnly(binding, queue)) {
    return {0, "spec",
            "the owner of " + std::string(IsLocal(queue) ? "LocalQueue " : "ClusterQueue ") +
                std::string(queue) + " binds that queue alone",
            "write " + std::string(IsLocal(queue) ? "localQueues: [" : "clusterQueues: [") +
                std::string(queue) + "] and no others"};
  }
  if (IsLocal(queue)) return {};  // the engine lets it bind queue_order and nothing else
  if (binding.hooks.empty()) {
    return {0, "spec", "without hooks it binds all that the package has",
            "write hooks: [queue_order], or flavor_order, hold or submit"};
  }
  for (std::size_t i = 0; i < binding.hooks.size(); ++i) {
    if (IsOwnersHook(binding.hooks[i])) continue;
    return {0, "spec.hooks[" + std::to_string(i) + "]",
            "hook " + binding.hooks[i] + " decides about the jobs of others, too",
            "an owner binds queue_order, flavor_order, hold and submit"};
  }
  return {};
}

/// `stored`: the PolicyBindings that there are; `unbound`: packages decide without one, everywhere.
std::vector<Problem> WrongWithAll(const std::vector<Object>& stored, bool unbound,
                                  std::span<const Object> objects, std::string_view queue) {
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    Problem problem;
    if (const auto* binding = std::get_if<PolicyBinding>(&objects[i])) {
      problem = WrongWith(*binding, queue);
      const bool replaces = std::any_of(stored.begin(), stored.end(), [&](const Object& object) {
        const auto& other = std::get<PolicyBinding>(object);
        return other.name == binding->name && !IsOwners(other, queue);
      });
      if (problem.what.empty() && unbound && !IsLocal(queue)) {
        problem = {0, "kind",
                   "with the first binding of a ClusterQueue the active packages stop deciding for "
                   "all others",
                   "let the administrator bind them first"};
      }
      if (problem.what.empty() && replaces) {
        problem = {0, "metadata.name",
                   "there is a PolicyBinding of this name that is not the owner's",
                   "give it another name"};
      }
    } else {
      problem = {
          0, "kind", "the owner of a queue applies PolicyBindings and nothing else",
          "leave the " + std::string(KindName(KindOf(objects[i]))) + " to the administrator"};
    }
    if (problem.what.empty()) continue;
    problem.object = i;
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace

Result<std::vector<Problem>> CheckQueueOwner(const Engine& engine, std::span<const Object> objects,
                                             std::string_view queue) {
  return Guarded([&]() -> Result<std::vector<Problem>> {
    const Result<std::vector<Object>> stored = engine.Objects(ObjectKind::kPolicyBinding);
    if (!stored.ok()) return stored.status();
    const Result<std::vector<PolicyInfo>> active = engine.Policies();
    if (!active.ok()) return active.status();
    const bool bound = std::any_of(stored->begin(), stored->end(), [](const Object& object) {
      return std::get<PolicyBinding>(object).local_queues.empty();
    });
    return WrongWithAll(*stored, !bound && !active->empty(), objects, queue);
  });
}

}  // namespace muster
