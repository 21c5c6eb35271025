// See policy_calls.h.
#include "engine/policy/policy_calls.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/policy/policy_answers.h"

namespace muster {
namespace {

/// Asked about one workload at a time: what it may use, and what it may evict.
bool IsOfSearch(Hook hook) {
  return hook == Hook::kFlavorOrder || hook == Hook::kPreemptLimits || hook == Hook::kVictim;
}

}  // namespace

Policy* PolicyCalls::For(const ClusterQueueState& queue, Hook hook) const {
  Policy* policy = table_.PolicyFor(world_, queue, hook);
  if (policy == nullptr || out_.empty()) return policy;
  return out_.contains({policy->info().name, hook}) ? nullptr : policy;
}

std::vector<Policy*> PolicyCalls::AllFor(const ClusterQueueState& queue, Hook hook) const {
  std::vector<Policy*> all = table_.Find(world_, queue, hook).All();
  const bool failed = std::any_of(all.begin(), all.end(), [&](const Policy* policy) {
    return out_.contains({policy->info().name, hook});
  });
  if (failed) all.clear();
  return all;
}

HookOutcome PolicyCalls::Try(Policy& policy, Hook hook, PolicyBatch& batch,
                             std::span<double> answers) {
  HookOutcome outcome = AskPolicy(policy, hook, batch.Get(), answers);
  if (record_ == Record::kCount) {
    table_.Count(policy, outcome);
    table_.NoteAsked(policy);
  }
  return outcome;
}

bool PolicyCalls::Settle(const Policy& policy, Hook hook, const ClusterQueueState& queue,
                         HookOutcome outcome) {
  if (outcome.ok) {
    if (IsOfSearch(hook)) NoteSay(queue);
    return true;
  }
  Fail(policy, hook, queue, std::move(outcome));
  return false;
}

bool PolicyCalls::TryEach(Policy& policy, Hook hook, PolicyBatch& batch, std::span<double> answers,
                          std::vector<std::int64_t>* fuel) {
  const std::span<const muster_batch> parts = batch.Parts();
  fuel->assign(parts.size(), 0);
  return AskPolicyEach(policy, hook, parts, answers, *fuel);
}

void PolicyCalls::NoteUsed(const Policy& policy, Hook hook, const ClusterQueueState& queue,
                           std::int64_t fuel) {
  if (IsOfSearch(hook)) NoteSay(queue);
  if (record_ == Record::kForget) return;
  if (used_ != &policy) {
    CountAll();
    used_ = &policy;
    table_.NoteAsked(policy);
  }
  ++used_calls_;
  used_fuel_ += fuel;
}

void PolicyCalls::CountAll() {
  if (used_ != nullptr) table_.Count(*used_, used_calls_, used_fuel_);
  used_ = nullptr;
  used_calls_ = 0;
  used_fuel_ = 0;
}

void PolicyCalls::NoteSay(const ClusterQueueState& queue) {
  if (queue.id.value >= had_say_.size()) had_say_.resize(world_.queues.size());
  had_say_[queue.id.value] = true;
}

void PolicyCalls::Fail(const Policy& policy, Hook hook, const ClusterQueueState& queue,
                       HookOutcome outcome) {
  failed_ = true;
  out_.insert({policy.info().name, hook});
  failures_.push_back({policy.info().name, std::string(HookName(hook)), queue.name(),
                       std::move(outcome.message), outcome.fuel, outcome.late});
}

std::int64_t PolicyCalls::CountFailed(Hook hook) const {
  return std::count_if(out_.begin(), out_.end(),
                       [hook](const auto& failed) { return failed.second == hook; });
}

bool PolicyCalls::CountsEvictions(const ClusterQueueState& queue,
                                  std::initializer_list<Hook> hooks) const {
  for (const Hook hook : hooks) {
    const Policy* policy = For(queue, hook);
    const HookInfo* info = policy == nullptr ? nullptr : FindHook(*policy, hook);
    if (info == nullptr || !info->per.empty() ||  // within a cycle its budgets count
        std::find(info->reads.begin(), info->reads.end(), "account") == info->reads.end()) {
      continue;
    }
    const std::vector<DeclaredAccount>& accounts = policy->info().accounts;
    if (std::any_of(accounts.begin(), accounts.end(), [](const DeclaredAccount& account) {
          return account.rule.of == AccountOf::kPreempted || account.rule.of == AccountOf::kLost ||
                 account.rule.of == AccountOf::kEvicted;
        })) {
      return true;
    }
  }
  return false;
}

const Policy* PolicyCalls::BudgetsOf(const ClusterQueueState& queue) const {
  const Policy* policy = For(queue, Hook::kVictim);
  const HookInfo* info = policy == nullptr ? nullptr : FindHook(*policy, Hook::kVictim);
  return info == nullptr || info->per.empty() ? nullptr : policy;
}

bool PolicyCalls::TakeFailed() {
  CountAll();
  if (failed_) had_say_.clear();
  return std::exchange(failed_, false);
}

}  // namespace muster
