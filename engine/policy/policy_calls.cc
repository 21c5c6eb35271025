// See policy_calls.h.
#include "engine/policy/policy_calls.h"

#include <string>

#include "engine/policy/policy_answers.h"

namespace muster {

Policy* PolicyCalls::For(const ClusterQueueState& queue, Hook hook) const {
  Policy* policy = table_.PolicyFor(world_, queue, hook);
  return policy == nullptr || out_.contains({policy, hook}) ? nullptr : policy;
}

bool PolicyCalls::Ask(Policy& policy, Hook hook, const ClusterQueueState& queue, PolicyBatch& batch,
                      std::span<double> answers) {
  HookOutcome outcome = AskPolicy(policy, hook, batch.Get(), answers);
  if (record_ == Record::kCount) table_.Count(policy, outcome);
  if (outcome.ok) return true;
  Fail(policy, hook, queue, std::move(outcome));
  return false;
}

void PolicyCalls::Fail(const Policy& policy, Hook hook, const ClusterQueueState& queue,
                       HookOutcome outcome) {
  failed_ = true;
  out_.insert({&policy, hook});
  failures_.push_back({policy.info().name, std::string(HookName(hook)), queue.name(),
                       std::move(outcome.message), outcome.fuel});
}

}  // namespace muster
