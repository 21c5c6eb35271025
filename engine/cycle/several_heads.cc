// Several heads a queue: cycle after cycle, with what the engine does between two calls in between.
#include <iterator>
#include <utility>

#include "engine/concurrent/controller.h"
#include "engine/cycle/cycle.h"
#include "engine/life/deadlines.h"
#include "engine/life/queueing.h"

namespace muster {
namespace {

template <typename T>
void Append(std::vector<T>& all, std::vector<T>& more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// What the controller of jobs makes of a cycle may be looked at by the next one.
void FollowCycle(World& world, CycleMemory& memory, CycleResult& result) {
  if (!ReconcileJobs(world)) return;
  memory.rest.Disturb();
  if (memory.rest_of_call) memory.rest_of_call->Disturb();
  memory.call_rests = false;
  result.at_rest = false;
}

}  // namespace

CycleResult RunSchedulingCycles(World& world, PolicyTable& policies, CycleMemory& memory,
                                CycleTrace* trace, Shadow* shadow) {
  const std::int32_t heads = world.catalog.engine_config.heads_per_cycle;
  memory.rest_of_call.reset();
  if (heads > 1) memory.rest_of_call.emplace();
  CycleResult result = RunSchedulingCycle(world, policies, memory, trace, shadow);
  FollowCycle(world, memory, result);
  bool at_rest = result.at_rest;
  bool empty = false;
  for (std::int32_t done = 1; done < heads && !memory.call_rests && !empty; ++done) {
    const std::int64_t before = world.cycle;
    TakeWakesDue(world, NextCall::kCycle, /*time_passed=*/false);
    FlushWakes(world);
    ExpireDeadlines(world);
    FlushWakes(world);
    CycleTrace next_trace;
    CycleResult next = RunSchedulingCycle(world, policies, memory,
                                          trace == nullptr ? nullptr : &next_trace, shadow);
    FollowCycle(world, memory, next);
    result.cycle = next.cycle;
    empty = world.cycle == before;
    at_rest = next.at_rest || empty;
    Append(result.admitted, next.admitted);
    Append(result.preempted, next.preempted);
    Append(result.policy_failures, next.policy_failures);
    Append(result.rolled_back, next.rolled_back);
    if (trace == nullptr) continue;
    trace->cycle = next_trace.cycle;
    Append(trace->workloads, next_trace.workloads);
  }
  result.at_rest = at_rest && result.DecidedNothing();
  return result;
}

}  // namespace muster
