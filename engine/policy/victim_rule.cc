// After a failure candidates cost nothing: what is found then is thrown away with the attempt.
#include "engine/policy/victim_rule.h"

#include <array>
#include <optional>

namespace muster {

void VictimRule::Begin(const WorkloadRecord& preemptor, const ClusterQueueState& queue) {
  if (calls_ == nullptr || calls_->none()) return;
  victim_ = calls_->For(queue, Hook::kVictim);
  if (&preemptor == preemptor_ && &queue == queue_) return;
  preemptor_ = &preemptor;
  queue_ = &queue;
  costs_.clear();
  limits_known_ = false;
  limits_ = {};
}

void VictimRule::Ask(std::span<const WorkloadRecord* const> candidates) {
  std::optional<PolicyBatch> batch;
  std::vector<WorkloadId> asked;
  for (const WorkloadRecord* candidate : candidates) {
    if (costs_.contains(candidate->id())) continue;
    if (!batch) {
      calls_->NewBatch(*victim_, Hook::kVictim, &batch);
      batch->SetQueue(*queue_);
      batch->SetSubject(*preemptor_);
    }
    batch->AddHolder(*candidate, queue_->id);
    asked.push_back(candidate->id());
  }
  if (asked.empty()) return;
  std::vector<double> answers(asked.size());
  if (!calls_->Ask(*victim_, Hook::kVictim, *queue_, *batch, answers)) {
    victim_ = nullptr;
    return;
  }
  for (std::size_t i = 0; i < asked.size(); ++i) costs_[asked[i]] = answers[i];
}

double VictimRule::Cost(const WorkloadRecord& candidate) const {
  return victim_ == nullptr ? 0 : costs_.at(candidate.id());
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
}

}  // namespace muster
