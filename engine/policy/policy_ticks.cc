// See policy_ticks.h.
#include "engine/policy/policy_ticks.h"

#include <algorithm>
#include <cmath>

namespace muster {
namespace {

bool ReadsTime(const HookInfo& hook) {
  return std::any_of(hook.reads.begin(), hook.reads.end(),
                     [](const std::string& input) { return input == "now" || input == "account"; });
}

/// 0: not declared.
TimeNs EveryOf(const HookInfo& hook) {
  return hook.every <= 0
             ? 0
             : static_cast<TimeNs>(std::llround(hook.every * static_cast<double>(kSecond)));
}

bool Ticked(const HookInfo& hook, TimeNs before, TimeNs now) {
  if (hook.every <= 0) return now > before;
  const TimeNs every = EveryOf(hook);
  return every > 0 && now / every != before / every;
}

}  // namespace

TimeNs TimeFor(Hook hook, const HookInfo& info, TimeNs now) {
  const TimeNs every = EveryOf(info);
  return hook == Hook::kQueueOrder && every > 0 ? now / every * every : now;
}

void WakeByTicks(World& world, const PolicyTable& table, TimeNs before) {
  if (before == kNoTime || world.now == before) return;
  if (!table.Defines(Hook::kVictim) && !table.Defines(Hook::kPreemptLimits) &&
      !table.Defines(Hook::kFlavorOrder)) {
    return;
  }
  for (const auto& [name, id] : world.queue_ids) {
    const ClusterQueueState& queue = world.queue(id);
    if (queue.pending.parked_size() == 0) continue;
    for (const Hook hook : {Hook::kVictim, Hook::kPreemptLimits, Hook::kFlavorOrder}) {
      const Policy* policy = table.PolicyFor(world, queue, hook);
      const HookInfo* info = policy == nullptr ? nullptr : FindHook(*policy, hook);
      if (info == nullptr || !ReadsTime(*info) || !Ticked(*info, before, world.now)) continue;
      world.wake_queues.push_back(id);
      break;
    }
  }
}

}  // namespace muster
