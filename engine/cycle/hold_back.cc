// See hold_back.h. What has to be asked about is known by the queues: PendingQueue::TakeUnasked.
#include "engine/cycle/hold_back.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/life/lifecycle.h"
#include "engine/life/queueing.h"
#include "engine/policy/hold_rule.h"

namespace muster {
namespace {

void Release(World& world, WorkloadRecord& workload) {
  SetPending(world, workload, PendingReason::kPendingEvaluation,
             "no longer held by policy " + workload.hold().policy);
  LetGo(world, workload);
}

void ReleaseAll(World& world, ClusterQueueState& queue) {
  queue.pending.SetAsking(false);
  std::vector<WorkloadId> ids;
  for (const PendingKey* key : queue.pending.on_hold()) ids.push_back(key->workload);
  std::sort(ids.begin(), ids.end());
  for (const WorkloadId id : ids) Release(world, world.workload(id));
}

/// Active queues in which something is in the heap or on hold, in the order of names.
std::vector<QueueId> QueuesToLookAt(World& world) {
  std::erase_if(world.with_on_hold, [&](QueueId id) {
    ClusterQueueState& queue = world.queue(id);
    queue.has_on_hold = !queue.pending.on_hold().empty();
    return !queue.has_on_hold;
  });
  std::vector<QueueId> queues = world.with_on_hold;
  for (const QueueId id : world.with_heads) {
    if (world.queues[id.value] != nullptr && !world.queue(id).has_on_hold) queues.push_back(id);
  }
  std::erase_if(queues, [&](QueueId id) { return !world.queue(id).active; });
  std::sort(queues.begin(), queues.end(), [&](QueueId a, QueueId b) {
    return world.queue(a).position < world.queue(b).position;
  });
  return queues;
}

/// A time that a policy named is over.
void AskAgainWhereOver(World& world) {
  while (!world.hold_ends.empty() && world.hold_ends.begin()->first <= world.now) {
    WorkloadRecord& workload = world.workload(world.hold_ends.begin()->second);
    world.hold_ends.erase(world.hold_ends.begin());
    world.queue(workload.queue).pending.AskAgain(workload.key);
  }
}

void HoldBackIn(World& world, PolicyCalls& calls, ClusterQueueState& queue, Policy& policy,
                HoldAnswers& answers) {
  PendingQueue& pending = queue.pending;
  const HoldInputs now = HoldInputsOf(world, policy);
  if (MayAnswerOtherwise(policy, queue.hold_inputs, now)) pending.AskAnew();
  pending.SetAsking(true);
  queue.hold_inputs = now;
  const std::vector<WorkloadId> ids = pending.TakeUnasked();
  if (ids.empty() || !answers.Ask(world, calls, policy, queue, ids)) return;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    WorkloadRecord& workload = world.workload(ids[i]);
    if (auto hold = answers.Of(world, i)) {
      SetOnHold(world, workload, *std::move(hold));
    } else if (PendingQueue::IsOnHold(workload.key)) {
      Release(world, workload);
    }
  }
}

}  // namespace

void SetOnHold(World& world, WorkloadRecord& workload, PolicyHold hold) {
  const PolicyHold& before = workload.hold();
  if (hold == before) return;
  const bool other = hold.policy != before.policy || hold.reason != before.reason;
  if (other) workload.reason = PendingReason::kNone;  // what is told is another reason
  SetPending(world, workload, PendingReason::kOnHold, HoldMessage(hold));
  PutOnHold(world, workload, std::move(hold));
}

void HoldBack(World& world, PolicyCalls& calls) {
  if (calls.none(Hook::kHold) && world.with_on_hold.empty()) return;
  AskAgainWhereOver(world);
  const std::vector<QueueId> queues = QueuesToLookAt(world);
  HoldAnswers answers;
  for (const QueueId id : queues) {
    ClusterQueueState& queue = world.queue(id);
    Policy* policy = calls.For(queue, Hook::kHold);
    if (policy != nullptr) HoldBackIn(world, calls, queue, *policy, answers);
  }
  for (const QueueId id : queues) {  // of a policy that failed behind them, too
    ClusterQueueState& queue = world.queue(id);
    if (calls.For(queue, Hook::kHold) == nullptr) ReleaseAll(world, queue);
  }
}

}  // namespace muster
