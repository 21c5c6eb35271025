// After a failure candidates cost nothing: what is found then is thrown away with the attempt.
#include "engine/policy/victim_rule.h"

#include <array>
#include <optional>

#include "engine/base/check.h"

namespace muster {

void VictimRule::Begin(const WorkloadRecord& preemptor, const ClusterQueueState& queue) {
  if (calls_ == nullptr || calls_->none()) return;
  victim_ = calls_->For(queue, Hook::kVictim);
  if (&preemptor == preemptor_ && &queue == queue_) return;
  preemptor_ = &preemptor;
  queue_ = &queue;
  ++search_;
  limits_known_ = false;
  limits_ = {};
  limiter_.clear();
}

PolicyBatch& VictimRule::NewBatch() {
  if (batch_ && batch_of_ == victim_) {
    batch_->Clear();
  } else {
    calls_->NewBatch(*victim_, Hook::kVictim, &batch_);
    batch_of_ = victim_;
  }
  return *batch_;
}

void VictimRule::Ask(std::span<const WorkloadRecord* const> candidates) {
  new_.clear();
  for (const WorkloadRecord* candidate : candidates) {
    if (!Knows(*candidate)) new_.push_back(candidate);
  }
  if (new_.empty()) return;
  PolicyBatch& batch = NewBatch();
  batch.SetQueue(*queue_);
  batch.SetSubject(*preemptor_);
  for (const WorkloadRecord* candidate : new_) batch.AddHolder(*candidate, queue_->id);
  std::vector<double> answers(new_.size());
  if (!calls_->Ask(*victim_, Hook::kVictim, *queue_, batch, answers)) {
    victim_ = nullptr;
    return;
  }
  for (std::size_t i = 0; i < new_.size(); ++i) {
    const std::uint32_t slot = new_[i]->id().slot().value;
    if (slot >= costs_.size()) costs_.resize(slot + std::size_t{1});
    costs_[slot] = {search_, answers[i]};
  }
}

double VictimRule::Cost(const WorkloadRecord& candidate) const {
  if (victim_ == nullptr) return 0;
  MUSTER_CHECK(Knows(candidate));
  return costs_[candidate.id().slot().value].cost;
}

bool VictimRule::Permits(std::span<const WorkloadRecord* const> victims) {
  if (calls_ == nullptr || calls_->none()) return true;
  if (!limits_known_) AskLimits();
  double count = 0, cost = 0;
  for (const WorkloadRecord* victim : victims) {
    if (victim->evicted) continue;
    count += 1;
    cost += Cost(*victim);
  }
  return count <= limits_.victims && cost <= limits_.cost;
}

void VictimRule::AskLimits() {
  limits_known_ = true;
  Policy* policy = calls_->For(*queue_, Hook::kPreemptLimits);
  if (policy == nullptr) return;
  std::optional<PolicyBatch> batch;
  calls_->NewBatch(*policy, Hook::kPreemptLimits, &batch);
  batch->SetQueue(*queue_);
  batch->SetSubject(*preemptor_);
  std::array<double, 2> answers = {};
  if (!calls_->Ask(*policy, Hook::kPreemptLimits, *queue_, *batch, answers)) return;
  limits_ = {answers[0], answers[1]};
  limiter_ = policy->info().name;
}

}  // namespace muster
