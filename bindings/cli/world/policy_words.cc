// See policy_words.h.
#include "bindings/cli/world/policy_words.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <variant>
#include <vector>

#include "bindings/cli/world/report.h"
#include "bindings/lab/read.h"
#include "bindings/lab/words.h"

namespace muster::cli {
namespace {

/// Which packages decide the hook now: " to NAME", or nothing.
std::string Heirs(const Engine& engine, Hook hook) {
  std::string heirs;
  for (const auto& [package, decided] : Deciding(engine)) {
    if (decided == hook) heirs += (heirs.empty() ? "" : ", ") + package;
  }
  return heirs;
}

void WarnOfStopped(const Engine& engine, const std::string& package, Hook hook, Io& io) {
  const std::string heirs = Heirs(engine, hook);
  io.Warn(std::string(HookName(hook)) + " of policy " + package + " decides nothing any more; " +
          (heirs.empty() ? "the built-in rule does" : heirs + " does"));
}

}  // namespace

DecidingHooks Deciding(const Engine& engine) {
  DecidingHooks deciding;
  for (const PolicyInfo& policy : lab::Read(engine.Policies())) {
    for (const Hook hook : lab::Read(engine.DecidingHooks(policy.name)))
      deciding.emplace(policy.name, hook);
  }
  return deciding;
}

void WarnOfActivation(const Engine& engine, const std::string& package,
                      std::span<const StoppedHook> stopped, Io& io) {
  for (const StoppedHook& each : stopped) WarnOfStopped(engine, each.package, each.hook, io);
  const bool bound = !lab::Read(engine.Objects(ObjectKind::kPolicyBinding)).empty();
  if (bound && lab::Read(engine.DecidingHooks(package)).empty()) {
    io.Warn("policy " + package +
            " decides nothing: where there are PolicyBindings only what they bind decides; "
            "muster get policybindings shows them");
  }
}

void WarnOfBindings(const Engine& engine, std::span<const Object> applied,
                    const DecidingHooks& before, Io& io) {
  const std::vector<PolicyBindingView> views = lab::Read(engine.PolicyBindings());
  for (const Object& object : applied) {
    const auto* binding = std::get_if<PolicyBinding>(&object);
    if (binding == nullptr) continue;
    const auto view = std::find_if(views.begin(), views.end(), [&](const PolicyBindingView& each) {
      return each.name == binding->name;
    });
    if (view == views.end()) continue;
    for (const std::string& problem : view->problems) {
      io.Warn("PolicyBinding " + view->name + ": " + problem);
    }
  }
  const DecidingHooks now = Deciding(engine);
  for (const auto& [package, hook] : before) {
    if (!now.contains({package, hook})) WarnOfStopped(engine, package, hook, io);
  }
}

void WarnOfFailures(const CycleResult& cycle, const std::string& place, Io& io) {
  constexpr std::size_t kShownHash = 12;
  std::set<std::string> stuck;
  for (const PolicyFailure& failure : cycle.policy_failures) {
    io.Warn(place + lab::InWords(failure));
    if (failure.stuck_after == 0 || !stuck.insert(failure.policy).second) continue;
    io.Warn(place + "policy " + failure.policy + " failed in " +
            std::to_string(failure.stuck_after) +
            " cycles in a row (rollbackAfter) and stays: there is no generation before it that has "
            "not failed; activate one that works with `muster policy activate`, or take it out "
            "with `muster policy rollback`");
  }
  for (const PolicyRollback& back : cycle.rolled_back) {
    io.Warn(place + "policy " + back.policy + " went back to " + back.to.substr(0, kShownHash) +
            ": " + back.why);
  }
}

void WarnOfSubmit(std::span<const PolicyFailure> failures, const std::string& place, Io& io) {
  using Cause = std::tuple<std::string, std::string, std::string>;
  std::map<Cause, std::vector<std::string>> jobs;
  for (const PolicyFailure& each : failures) {
    const std::string job = each.workload.ToString();
    std::string message = each.message;
    const std::string about = " (submit of " + job + ")";  // the line names it already
    if (message.ends_with(about)) message.resize(message.size() - about.size());
    jobs[{each.policy, each.cluster_queue, std::move(message)}].push_back(job);
  }
  for (const auto& [cause, names] : jobs) {
    const auto& [policy, queue, message] = cause;
    const std::size_t more = names.size() - 1;
    io.Warn(place + "submit of policy " + policy + " failed for " + queue + ", " + names.front() +
            (more == 0 ? " was" : " and " + lab::Counted(more, "more job") + " were") +
            " queued as submitted instead: " + message);
  }
}

std::string StateText(const PolicyBindingView& binding) {
  std::string text;
  for (const Hook hook : binding.decides) {
    text += (text.empty() ? "decides " : ", ") + std::string(HookName(hook));
  }
  for (const std::string& problem : binding.problems) {
    text += (text.empty() ? "" : "; ") + problem;
  }
  return text;
}

}  // namespace muster::cli
