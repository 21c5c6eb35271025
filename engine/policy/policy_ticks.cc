// See policy_ticks.h.
#include "engine/policy/policy_ticks.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace muster {
namespace {

/// The hooks that may hold a preemptor back.
constexpr Hook kHeldBackBy[] = {Hook::kVictim, Hook::kPreemptLimits, Hook::kFlavorOrder};

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
  const bool in_steps = hook == Hook::kQueueOrder || hook == Hook::kHold || hook == Hook::kBoost ||
                        hook == Hook::kDomainOrder;
  return in_steps && every > 0 ? now / every * every : now;
}

TimeNs NextTick(const HookInfo& info, TimeNs now) {
  const TimeNs every = EveryOf(info);
  const bool told = every > 0 && now != kNoTime && ReadsTime(info);
  return told && now / every < std::numeric_limits<TimeNs>::max() / every - 1
             ? (now / every + 1) * every
             : kNoTime;
}

void WakeByTicks(World& world, const PolicyTable& table, TimeNs before) {
  if (before == kNoTime || world.now == before) return;
  if (!table.Defines(Hook::kVictim) && !table.Defines(Hook::kPreemptLimits) &&
      !table.Defines(Hook::kFlavorOrder)) {
    return;
  }
  const auto ticked = [&](const Policy& policy) {
    return std::any_of(std::begin(kHeldBackBy), std::end(kHeldBackBy), [&](Hook hook) {
      const HookInfo* info = FindHook(policy, hook);
      return info != nullptr && ReadsTime(*info) && Ticked(*info, before, world.now);
    });
  };
  if (!table.AnyOf(ticked)) return;
  world.ForgetUnparked();
  for (const QueueId id : world.with_parked) {
    const ClusterQueueState& queue = world.queue(id);
    if (queue.pending.parked_size() == 0) continue;
    for (const Hook hook : kHeldBackBy) {
      const Policy* policy = table.PolicyFor(world, queue, hook);
      const HookInfo* info = policy == nullptr ? nullptr : FindHook(*policy, hook);
      if (info == nullptr || !ReadsTime(*info) || !Ticked(*info, before, world.now)) continue;
      world.wake_queues.push_back(id);
      break;
    }
  }
}

bool AsksAboutCheckpoints(const PolicyTable& table) {
  if (!table.Defines(Hook::kVictim)) return false;
  return table.AnyOf([](const Policy& policy) {
    const HookInfo* info = FindHook(policy, Hook::kVictim);
    if (info == nullptr || !info->named) return info != nullptr;
    return std::any_of(info->named->begin(), info->named->end(), [](const std::string& field) {
      return field == "checkpointed" || field == "lost_work";
    });
  });
}

}  // namespace muster
