// See policy_answers.h.
#include "engine/policy/policy_answers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace muster {
namespace {

/// Order hooks answer finite numbers; in the others infinity has a meaning.
bool Acceptable(Hook hook, double answer) {
  if (std::isfinite(answer)) return true;
  const bool ordering =
      hook == Hook::kQueueOrder || hook == Hook::kCycleOrder || hook == Hook::kFlavorOrder;
  return !ordering && answer == std::numeric_limits<double>::infinity();
}

}  // namespace

HookOutcome AskPolicy(Policy& policy, Hook hook, const muster_batch& batch,
                      std::span<double> answers) {
  HookOutcome outcome = policy.Call(hook, batch, answers);
  const bool acceptable = std::all_of(answers.begin(), answers.end(),
                                      [&](double answer) { return Acceptable(hook, answer); });
  if (outcome.ok && !acceptable) {
    outcome.ok = false;
    outcome.message = "an answer is not a finite number";
  }
  return outcome;
}

bool AskPolicyEach(Policy& policy, Hook hook, std::span<const muster_batch> batches,
                   std::span<double> answers, std::span<std::int64_t> fuel) {
  return policy.CallEach(hook, batches, answers, fuel) &&
         std::all_of(answers.begin(), answers.end(),
                     [&](double answer) { return Acceptable(hook, answer); });
}

}  // namespace muster
