// See policy_answers.h.
#include "engine/policy/policy_answers.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/shown.h"

namespace muster {
namespace {

/// Whether every first number is 0 or stands for a reason, and each reason says something.
bool NamesReasons(std::span<const double> answers, const std::vector<std::string>& reasons) {
  const auto most = static_cast<double>(reasons.size());
  for (std::size_t i = 0; i + 1 < answers.size(); i += 2) {
    const double which = answers[i];
    if (which < 0 || which > most || which != std::floor(which)) return false;
  }
  return std::none_of(reasons.begin(), reasons.end(),
                      [](const std::string& reason) { return reason.empty(); });
}

/// What the exception that is being handled says, where it is the policy's own.
std::string Thrown() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const InvariantBroken&) {
    throw;
  } catch (const std::exception& thrown) {
    return std::string("the policy threw an exception: ") + thrown.what();
  } catch (...) {
    return "the policy threw an exception of an unknown kind";
  }
}

/// `ask()`, or a failure that says what it threw.
template <typename Function>
HookOutcome WithoutThrowing(const Function& ask) {
  try {
    return ask();
  } catch (...) {
    HookOutcome outcome;
    outcome.ok = false;
    outcome.message = Thrown();
    return outcome;
  }
}

/// At most so much of a reason as is kept with the state, and blanks for controls below 0x20. What
/// histories have recorded depends on it, so it is not Shown, which may learn of more.
std::string Kept(std::string_view reason) {
  const std::size_t end = WholeBytes(reason, kMaxHoldReason - 3);
  std::string kept(reason.substr(0, end));
  std::replace_if(
      kept.begin(), kept.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return end < reason.size() ? kept + "..." : kept;
}

}  // namespace

bool MayAnswer(Hook hook, double answer) {
  constexpr double kMostBoost = 1e9;
  if (hook == Hook::kBoost) return std::abs(answer) <= kMostBoost && std::trunc(answer) == answer;
  if (std::isfinite(answer)) return true;
  const bool finite_only =
      hook == Hook::kQueueOrder || hook == Hook::kCycleOrder || hook == Hook::kDomainOrder;
  if (finite_only || std::isnan(answer)) return false;
  return (hook == Hook::kFlavorOrder) == (answer < 0);
}

HookOutcome AskPolicy(Policy& policy, Hook hook, const muster_batch& batch,
                      std::span<double> answers) {
  HookOutcome outcome = WithoutThrowing([&] { return policy.Call(hook, batch, answers); });
  const bool acceptable = std::all_of(answers.begin(), answers.end(),
                                      [&](double answer) { return MayAnswer(hook, answer); });
  if (outcome.ok && !acceptable) {
    outcome.ok = false;
    outcome.message = hook == Hook::kBoost
                          ? "an answer is no whole number from -1000000000 to 1000000000"
                          : "an answer is not a finite number";
  }
  if (outcome.ok && hook == Hook::kHold) {
    for (std::string& reason : outcome.reasons) reason = Kept(reason);
    if (!NamesReasons(answers, outcome.reasons)) {
      outcome.ok = false;
      outcome.message = "an answer names no reason";
    }
  }
  return outcome;
}

bool AskPolicyEach(Policy& policy, Hook hook, std::span<const muster_batch> batches,
                   std::span<double> answers, std::span<std::int64_t> fuel) {
  bool answered = false;
  try {
    answered = policy.CallEach(hook, batches, answers, fuel);
  } catch (...) {
    (void)Thrown();  // a call for one item says it
  }
  return answered && std::all_of(answers.begin(), answers.end(),
                                 [&](double answer) { return MayAnswer(hook, answer); });
}

HookOutcome AskSubmitHook(Policy& policy, const muster_batch& batch, SubmitAnswer* answer) {
  return WithoutThrowing([&] { return policy.Submit(batch, answer); });
}

Result<std::shared_ptr<Policy>> BoundTo(const Policy& policy, const PolicyParams& params) {
  std::string thrown;
  try {
    Result<std::shared_ptr<Policy>> bound = policy.WithParams(params);
    if (!bound.ok() || *bound != nullptr) return bound;
    thrown = "the policy made none with these parameters";
  } catch (...) {
    thrown = Thrown();
  }
  return Status(StatusCode::kInvalidArgument, std::move(thrown));
}

}  // namespace muster
