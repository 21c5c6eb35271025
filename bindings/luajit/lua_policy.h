// Policy over a Lua state: one generation of one package.
#ifndef MUSTER_BINDINGS_LUAJIT_LUA_POLICY_H_
#define MUSTER_BINDINGS_LUAJIT_LUA_POLICY_H_

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/luajit/policy_package.h"
#include "bindings/luajit/state.h"

namespace muster::luajit {

class LuaPolicy final : public Policy {
 public:
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook hook, const muster_batch& batch, std::span<double> answers) override;
  bool CallEach(Hook hook, std::span<const muster_batch> batches, std::span<double> answers,
                std::span<std::int64_t> fuel) override;
  HookOutcome Submit(const muster_batch& batch, SubmitAnswer* answer) override;
  void IgnoreTime() { time_->Ignore(true); }
  void HeedTime() { time_->Ignore(false); }
  void BeginCycle(const std::shared_ptr<PolicyTime>& all) override { time_->Begin(all); }
  void EndCycle(const std::shared_ptr<PolicyTime>& all) override { time_->End(all); }
  Result<std::shared_ptr<Policy>> WithParams(const PolicyParams& params) const override;

  const State& state() const { return *state_; }

 private:
  friend class PackageLoader;
  /// A hook that the package defines, as the host needs it.
  struct Defined {
    int keys = 0;  ///< numbers per item; 0: not defined
    int line = 0;  ///< where its function begins
  };
  const Defined& defined(Hook hook) const { return defined_[static_cast<std::size_t>(hook)]; }
  HookOutcome Fail(Hook hook, const CallError& error, const muster_batch& batch,
                   std::int64_t item) const;
  bool Accepts(Hook hook, double answer) const;
  /// The first of the answers that is none: which row, and what is wrong with it. `is_new`: limits
  /// of preemption that cannot be meant are none; where packages have decided, one below 0 forbids.
  std::optional<std::pair<std::size_t, CallError>> FirstRefused(Hook hook,
                                                                std::span<const double> answers,
                                                                bool is_new) const;

  /// The reasons that the answers of hook hold name, if any does.
  std::optional<CallError> FindReasons(std::span<const double> answers,
                                       std::vector<std::string>& reasons) const;

  void ShareTime(std::shared_ptr<CycleTime> time) {
    time_ = std::move(time);
    state_->set_cycle_time(time_.get());
  }

  SandboxOptions options_;
  std::shared_ptr<CycleTime> time_;
  std::unique_ptr<State> state_;
  PolicyInfo info_;
  std::string file_;      ///< "policies/x/policy.lua"
  PackageSource source_;  ///< to make generations with other parameters
  ParamTexts params_;
  std::array<Defined, kHooks> defined_ = {};
  /// What WithParams made and is still in use: loading takes a millisecond.
  mutable std::map<PolicyParams, std::weak_ptr<Policy>> made_;
};

/// What loading a package gave: a policy, or why not. Never both.
struct LoadedPackage {
  std::shared_ptr<LuaPolicy> policy;
  std::vector<PackageProblem> problems;
};

/// Loads and checks a package; `options` other than the default are for tests.
LoadedPackage Load(const PackageSource& source, const ParamTexts& params = {},
                   const SandboxOptions& options = {});

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_LUA_POLICY_H_
