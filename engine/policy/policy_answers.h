// One call of a hook, its answers checked: nothing a policy says is believed.
#ifndef MUSTER_ENGINE_POLICY_POLICY_ANSWERS_H_
#define MUSTER_ENGINE_POLICY_POLICY_ANSWERS_H_

#include <cstdint>
#include <memory>
#include <span>

#include "muster/policy.h"

namespace muster {

/// Fills `answers`; the outcome is a failure too when one of them is not what the hook may answer,
/// and when the policy throws. A lack of memory is none: it passes through, as in all of these.
HookOutcome AskPolicy(Policy& policy, Hook hook, const muster_batch& batch,
                      std::span<double> answers);

/// Policy::CallEach, false too when one of the answers is not what the hook may answer.
bool AskPolicyEach(Policy& policy, Hook hook, std::span<const muster_batch> batches,
                   std::span<double> answers, std::span<std::int64_t> fuel);

/// Policy::Submit, with a failure for what it throws.
HookOutcome AskSubmitHook(Policy& policy, const muster_batch& batch, SubmitAnswer* answer);

/// Policy::WithParams, with kInvalidArgument for what it throws and where it makes none.
Result<std::shared_ptr<Policy>> BoundTo(const Policy& policy, const PolicyParams& params);

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_POLICY_ANSWERS_H_
