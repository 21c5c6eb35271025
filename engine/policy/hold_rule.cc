// See hold_rule.h.
#include "engine/policy/hold_rule.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "engine/base/sooner.h"
#include "engine/base/time_text.h"
#include "engine/policy/policy_ticks.h"
#include "engine/state/named_accounts.h"
#include "engine/state/rows_ahead.h"

namespace muster {
namespace {

constexpr std::size_t kWidth = 2;

/// Of what changes by itself, it reads more than the time and accounts.
bool ReadsMore(const HookInfo& info) {
  return std::any_of(info.reads.begin(), info.reads.end(), [](const std::string& input) {
    return input != "now" && input != "account" && input != "last_admitted";
  });
}

/// Whether the policy may hold back a head that it did not hold back before, now that accounts are
/// as `ahead` says. Those of its queue are under its own key, too.
bool MayHold(const Policy& policy, const WorkloadRecord& head, const AccountsAhead& ahead) {
  const HookInfo& info = *FindHook(policy, Hook::kHold);
  const std::vector<DeclaredAccount>& accounts = policy.info().accounts;
  return ReadsMore(info) ||
         std::any_of(accounts.begin(), accounts.end(), [&](const DeclaredAccount& account) {
           return ahead.Differs(account.rule, head) && MayReadAccount(policy.info(), info, account);
         });
}

}  // namespace

std::string HoldMessage(const PolicyHold& hold) {
  return "held by policy " + hold.policy + ": " + hold.reason +
         (hold.until == kNoTime ? "" : ", until " + FormatTime(hold.until));
}

bool MayAnswerOtherwise(const Policy& policy, const HoldInputs& then, const HoldInputs& now) {
  return then != now || ReadsMore(*FindHook(policy, Hook::kHold));
}

HoldInputs HoldInputsOf(const World& world, const Policy& policy) {
  const HookInfo& info = *FindHook(policy, Hook::kHold);
  HoldInputs inputs;
  if (ReadsInput(info, "now")) inputs.at = TimeFor(Hook::kHold, info, world.now);
  for (const DeclaredAccount& each : policy.info().accounts) {
    if (!MayReadAccount(policy.info(), info, each)) continue;
    inputs.accounts += world.accounts.Version(each.rule);
    if (ChangesWithTime(each.rule)) inputs.at = world.now;
  }
  return inputs;
}

void HoldAnswers::Begin(PolicyCalls& calls, const Policy& policy) {
  if (policy_ == &policy) return batch_->Clear();
  calls.NewBatch(policy, Hook::kHold, &batch_);
  policy_ = &policy;
}

void HoldAnswers::AddAll(const World& world, std::span<const WorkloadId> ids) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i % kRowsAhead == 0) SendForRows(world, ids.subspan(i));
    batch_->AddWorkload(world.workload(ids[i]));
  }
}

bool HoldAnswers::Ask(const World& world, PolicyCalls& calls, Policy& policy,
                      const ClusterQueueState& queue, std::span<const WorkloadId> ids,
                      const AccountsAhead* ahead) {
  Begin(calls, policy);
  if (ahead != nullptr) batch_->SetAhead(*ahead);
  batch_->SetQueue(queue);
  AddAll(world, ids);
  answers_.assign(ids.size() * kWidth, 0);
  HookOutcome outcome = calls.Try(policy, Hook::kHold, *batch_, answers_);
  reasons_ = std::move(outcome.reasons);
  return calls.Settle(policy, Hook::kHold, queue, std::move(outcome));
}

bool HoldAnswers::AskTogether(const World& world, PolicyCalls& calls, Policy& policy,
                              std::span<const HoldQuestion> questions) {
  Begin(calls, policy);
  std::size_t count = 0;
  for (const HoldQuestion& question : questions) {
    batch_->BeginPart(*question.queue);
    AddAll(world, question.ids);
    count += question.ids.size();
  }
  answers_.assign(count * kWidth, 0);
  reasons_.clear();
  return PolicyCalls::TryEach(policy, Hook::kHold, *batch_, answers_, &fuel_);
}

bool HoldAnswers::HoldsNone(std::size_t i, std::size_t count) const {
  for (std::size_t k = i; k < i + count; ++k) {
    if (answers_[k * kWidth] != 0) return false;
  }
  return true;
}

void HoldAnswers::NoteUsed(PolicyCalls& calls, const HoldQuestion& question, std::size_t q) const {
  calls.NoteUsed(*policy_, Hook::kHold, *question.queue, fuel_[q]);
}

std::optional<PolicyHold> HoldAnswers::Of(const World& world, std::size_t i) const {
  constexpr double kLatest = 9.2e9;  // the nanoseconds of a TimeNs end there
  const double which = answers_[i * kWidth];
  const double until = answers_[i * kWidth + 1];
  if (which == 0) return std::nullopt;
  PolicyHold hold{policy_->info().name, reasons_[static_cast<std::size_t>(which) - 1], kNoTime};
  if (until >= kLatest) return hold;
  if (until <= 0) return std::nullopt;
  hold.until = static_cast<TimeNs>(std::llround(until * static_cast<double>(kSecond)));
  if (hold.until <= world.now) return std::nullopt;
  return hold;
}

std::optional<PolicyHold> AskHold(const World& world, PolicyCalls& calls,
                                  const WorkloadRecord& workload, const ClusterQueueState& queue,
                                  const AccountsAhead* ahead) {
  Policy* policy = calls.For(queue, Hook::kHold);
  if (policy == nullptr) return std::nullopt;
  HoldAnswers answers;
  const WorkloadId id = workload.id();
  const bool ok = answers.Ask(world, calls, *policy, queue, std::span(&id, 1), ahead);
  return ok ? answers.Of(world, 0) : std::nullopt;
}

TimeNs NextHoldEnd(const World& world, const PolicyTable& policies) {
  const auto end = std::find_if(world.hold_ends.begin(), world.hold_ends.end(),
                                [&](const auto& each) { return each.first > world.now; });
  TimeNs next = end == world.hold_ends.end() ? kNoTime : end->first;
  for (const QueueId id : world.with_on_hold) {
    const ClusterQueueState& queue = world.queue(id);
    const Policy* policy = policies.PolicyFor(world, queue, Hook::kHold);
    if (policy == nullptr || queue.pending.on_hold().empty()) continue;
    next = Sooner(next, NextTick(*FindHook(*policy, Hook::kHold), world.now));
  }
  return next;
}

void HoldAgain::NoteStart(const WorkloadRecord& workload, std::span<const Usage> usage) {
  if (calls_.none(Hook::kHold)) return;
  started_ = true;
  ahead_.Admit(workload, usage);
}

std::optional<PolicyHold> HoldAgain::Ask(const WorkloadRecord& workload,
                                         const ClusterQueueState& queue) {
  if (!started_) return std::nullopt;
  const Policy* policy = calls_.For(queue, Hook::kHold);
  if (policy == nullptr || !MayHold(*policy, workload, ahead_)) return std::nullopt;
  return AskHold(world_, calls_, workload, queue, &ahead_);
}

}  // namespace muster
