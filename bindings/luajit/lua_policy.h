// Policy over a Lua state: one generation of one package.
#ifndef MUSTER_BINDINGS_LUAJIT_LUA_POLICY_H_
#define MUSTER_BINDINGS_LUAJIT_LUA_POLICY_H_

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/luajit/policy_package.h"
#include "bindings/luajit/state.h"

namespace muster::luajit {

class LuaPolicy final : public Policy {
 public:
  const PolicyInfo& info() const override { return info_; }
  HookOutcome QueueOrder(const muster_batch& batch, std::span<double> keys) override;

  const State& state() const { return *state_; }

 private:
  friend class PackageLoader;
  HookOutcome Fail(const CallError& error, const muster_batch& batch, std::int64_t item) const;

  SandboxOptions options_;
  std::unique_ptr<State> state_;
  PolicyInfo info_;
  std::string file_;           ///< "policies/x/policy.lua"
  HookInfo* order_ = nullptr;  ///< of queue_order, in info_; null: not defined
  int order_line_ = 0;
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
