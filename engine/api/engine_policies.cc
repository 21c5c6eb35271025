// Calls about policies: which packages decide, and what one would be asked.
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/api/engine_run.h"
#include "engine/policy/policy_changes.h"
#include "engine/record/payload.h"

namespace muster {
namespace {

std::vector<std::string> HashesOf(std::span<const std::shared_ptr<Policy>> policies) {
  std::vector<std::string> hashes;
  for (const auto& policy : policies) hashes.push_back(policy->info().hash);
  return hashes;
}

}  // namespace

Status Engine::State::ActivatePolicy(std::shared_ptr<Policy> policy, TimeNs now,
                                     const PolicyChange& change,
                                     std::vector<StoppedHook>* stopped) {
  if (policy == nullptr) return NoPolicy();
  if (Status status = policies.CheckBindings(world, *policy); !status.ok()) return status;
  if (Status status = CheckAccountResources(world, policy->info()); !status.ok()) return status;
  if (Status status = muster::Accounts::Check(policies.AccountRules(policy.get())); !status.ok()) {
    return status;
  }
  return Run(command::ActivatePolicy{policy->info().hash, change}, now, [&] {
    const PolicyInfo info = policy->info();
    const auto before = policies.Deciding(world);
    policies.Activate(world, std::move(policy));
    std::vector<StoppedHook> now_stopped = Stopped(before, policies.Deciding(world));
    world.changes.Report(EventKind::kPolicyActivated, Key{"policy", info.name},
                         [&] { return ActivatedPayload(info.hash, change, now_stopped); });
    world.accounts.Declare(world, policies.AccountRules());
    if (stopped != nullptr) *stopped = std::move(now_stopped);
    return Status::Ok();
  });
}

Status Engine::State::RollBackPolicy(std::string_view package,
                                     std::vector<std::shared_ptr<Policy>> before, TimeNs now,
                                     const PolicyChange& change) {
  for (const auto& policy : before) {
    if (policy == nullptr) return NoPolicy();
    const PolicyInfo& info = policy->info();
    if (!policies.generations().HasFailed(info.name, info.hash)) continue;
    return Status(StatusCode::kFailedPrecondition,
                  "policy " + info.name + "@" + info.hash.substr(0, 12) +
                      " was rolled back for failing; activate it to try it again");
  }
  const std::vector<std::string> hashes = HashesOf(before);
  return Run(command::RollBackPolicy{std::string(package), hashes, change}, now, [&] {
    world.changes.Report(EventKind::kPolicyRolledBack, Key{"policy", std::string(package)},
                         [&] { return GenerationsPayload(hashes, change); });
    policies.generations().Forget(std::string(package));
    policies.Clear();
    for (auto& policy : before) policies.Activate(world, std::move(policy));
    policies.Invalidate(world);
    world.accounts.Declare(world, policies.AccountRules());
    return Status::Ok();
  });
}

Status Engine::State::NoteStaged(std::string_view package, std::string_view hash,
                                 std::string_view refused, const PolicyChange& change, TimeNs now) {
  const command::NoteStaged input{std::string(package), std::string(hash), std::string(refused),
                                  change};
  return Run(input, now, [&] {
    SampleFairUsage(world);
    world.changes.Report(EventKind::kPolicyStaged, Key{"policy", std::string(package)},
                         [&] { return StagedPayload(hash, refused, change); });
    return Status::Ok();
  });
}

std::vector<LiveBatch> Engine::State::LiveBatches(const PolicyInfo& info, std::size_t most) {
  touched = true;
  return ExportBatches(world, info, most);
}

void Engine::State::ShadowPolicy(std::shared_ptr<Policy> candidate) {
  std::optional<muster::Shadow> begun;
  if (candidate != nullptr) begun.emplace(std::move(candidate));
  shadow = std::move(begun);
}

ShadowReport Engine::State::Shadow() const { return shadow ? shadow->report() : ShadowReport{}; }

std::vector<PolicyInfo> Engine::State::Policies() const {
  std::vector<PolicyInfo> infos = policies.Active();
  std::sort(infos.begin(), infos.end(),
            [](const PolicyInfo& a, const PolicyInfo& b) { return a.name < b.name; });
  return infos;
}

std::vector<PolicyBindingView> Engine::State::PolicyBindings() const {
  return policies.Bindings(world);
}

std::vector<Hook> Engine::State::DecidingHooks(std::string_view package) const {
  std::vector<Hook> hooks;
  for (const auto& [name, hook] : policies.Deciding(world)) {
    if (name == package) hooks.push_back(hook);
  }
  return hooks;
}

}  // namespace muster
