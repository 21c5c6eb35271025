// Calls, and what the host checks after each: nothing a policy answers is believed.
#include "bindings/luajit/lua_policy.h"

#include <cmath>

namespace muster::luajit {

// "policies/x/policy.lua:12: text (queue_order of team-a/job-1)".
HookOutcome LuaPolicy::Fail(const CallError& error, const muster_batch& batch,
                            std::int64_t item) const {
  HookOutcome outcome;
  outcome.ok = false;
  outcome.fuel = state_->fuel_used();
  outcome.item = item;
  outcome.message = file_ + ":" + std::to_string(error.line > 0 ? error.line : order_line_) + ": " +
                    error.text + " (queue_order";
  if (outcome.item >= 0 && outcome.item < std::int64_t{batch.count}) {
    const muster_workload& w = batch.workloads[outcome.item];
    const auto text = [&batch](unsigned int index) {
      return std::string(batch.strings[index].data, batch.strings[index].size);
    };
    outcome.message += " of " + text(w.namespace_) + "/" + text(w.name);
  }
  outcome.message += ")";
  return outcome;
}

HookOutcome LuaPolicy::QueueOrder(const muster_batch& batch, std::span<double> keys) {
  HookOutcome outcome;
  if (order_ == nullptr) {
    outcome.ok = false;
    outcome.message = file_ + ": the package does not define queue_order";
    return outcome;
  }
  const auto width = static_cast<std::size_t>(order_->keys);
  if (keys.size() != batch.count * width || batch.resource_count > MUSTER_MAX_RESOURCES) {
    outcome.ok = false;
    outcome.message = file_ + ": the batch does not fit its keys or has too many resources";
    return outcome;
  }
  if (batch.count == 0) return outcome;
  if (const auto error = state_->QueueOrder(batch, keys.data(), false)) {
    return Fail(*error, batch, state_->item());
  }
  outcome.fuel = state_->fuel_used();
  for (std::size_t i = 0; i < keys.size() && options_.checked_keys; ++i) {
    if (std::isfinite(keys[i])) continue;
    const std::string value = std::isnan(keys[i]) ? "nan" : keys[i] > 0 ? "inf" : "-inf";
    return Fail({"queue_order returned " + value + " as key " + std::to_string(i % width + 1) +
                     "; return a finite number",
                 order_line_},
                batch, static_cast<std::int64_t>(i / width));
  }
  return outcome;
}

}  // namespace muster::luajit
