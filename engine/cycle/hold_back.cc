// See hold_back.h. What has to be asked about is known by the queues: PendingQueue::TakeUnasked.
#include "engine/cycle/hold_back.h"

#include <algorithm>
#include <cstddef>
#include <span>
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

/// Asks about queue after queue: gathers those that ask the same policy about a few workloads, and
/// asks about them in one call. Where that fails, or one of them is held back, it is asked about
/// alone: that tells a failure, and the reason.
class HoldAsker {
 public:
  HoldAsker(World& world, PolicyCalls& calls) : world_(world), calls_(calls) {}
  HoldAsker(const HoldAsker&) = delete;
  HoldAsker& operator=(const HoldAsker&) = delete;

  void Ask(std::span<const QueueId> queues) {
    for (const QueueId id : queues) {
      ClusterQueueState& queue = world_.queue(id);
      Policy* policy = calls_.For(queue, Hook::kHold);
      if (policy != policy_) {
        AskGathered();
        policy = calls_.For(queue, Hook::kHold);  // it may have failed
        if (policy != nullptr) inputs_ = HoldInputsOf(world_, *policy);
        policy_ = policy;
      }
      if (policy != nullptr) Gather(queue);
    }
    AskGathered();
  }

 private:
  void Gather(ClusterQueueState& queue) {
    PendingQueue& pending = queue.pending;
    if (MayAnswerOtherwise(*policy_, queue.hold_inputs, inputs_)) pending.AskAnew();
    pending.SetAsking(true);
    queue.hold_inputs = inputs_;
    std::vector<WorkloadId> ids = pending.TakeUnasked();
    if (ids.empty()) return;
    workloads_ += ids.size();
    questions_.push_back({&queue, std::move(ids)});
    const bool full = questions_.size() == HoldAnswers::kMostQuestions ||
                      workloads_ >= HoldAnswers::kMostWorkloads;
    if (full) AskGathered();
  }

  void AskGathered() {
    const bool together =
        questions_.size() > 1 && together_.AskTogether(world_, calls_, *policy_, questions_);
    std::size_t first = 0;
    for (std::size_t q = 0; q < questions_.size(); ++q) {
      const HoldQuestion& question = questions_[q];
      const std::size_t count = question.ids.size();
      if (together && together_.HoldsNone(first, count)) {
        together_.NoteUsed(calls_, question, q);
        TakeAnswers(question, together_, first);
      } else if (calls_.For(*question.queue, Hook::kHold) == policy_ &&
                 alone_.Ask(world_, calls_, *policy_, *question.queue, question.ids)) {
        TakeAnswers(question, alone_, 0);
      }
      first += count;
    }
    questions_.clear();
    workloads_ = 0;
  }

  void TakeAnswers(const HoldQuestion& question, const HoldAnswers& answers, std::size_t first) {
    for (std::size_t i = 0; i < question.ids.size(); ++i) {
      WorkloadRecord& workload = world_.workload(question.ids[i]);
      if (auto hold = answers.Of(world_, first + i)) {
        SetOnHold(world_, workload, *std::move(hold));
      } else if (PendingQueue::IsOnHold(workload.key)) {
        Release(world_, workload);
      }
    }
  }

  World& world_;
  PolicyCalls& calls_;
  Policy* policy_ = nullptr;  ///< of the questions
  HoldInputs inputs_;         ///< of its answers now
  std::vector<HoldQuestion> questions_;
  std::size_t workloads_ = 0;  ///< of the questions
  HoldAnswers together_, alone_;
};

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
  HoldAsker(world, calls).Ask(queues);
  for (const QueueId id : queues) {  // of a policy that failed behind them, too
    ClusterQueueState& queue = world.queue(id);
    if (calls.For(queue, Hook::kHold) == nullptr) ReleaseAll(world, queue);
  }
}

}  // namespace muster
