// After a failure the rule is native: what is decided then is thrown away with the cycle's attempt.
#include "engine/policy/share_rule.h"

#include <utility>

namespace muster {

ShareRule::ShareRule(const World& world, PolicyCalls* calls, const ClusterQueueState& queue)
    : queue_(queue), tree_(world.tree_of(queue)), calls_(calls) {
  if (calls_ != nullptr) policy_ = calls_->For(queue, Hook::kShare);
}

void ShareRule::Note(NodeIndex n) {
  noted_.push_back({ShareOf(tree_, n), 0});
  if (policy_ == nullptr) return;
  if (!batch_) calls_->NewBatch(*policy_, Hook::kShare, &batch_);
  complete_ = batch_->AddNode(tree_, n) && complete_;
}

std::vector<NodeShare> ShareRule::Measure() {
  if (policy_ != nullptr && !noted_.empty()) Ask();
  batch_.reset();
  return std::exchange(noted_, {});
}

NodeShare ShareRule::Of(NodeIndex n) {
  Note(n);
  return Measure().front();
}

int ShareRule::Compare(const NodeShare& a, const NodeShare& b) const {
  if (policy_ == nullptr) return CompareShares(a.native, b.native);
  return a.scripted < b.scripted ? -1 : a.scripted > b.scripted;
}

void ShareRule::Ask() {
  std::vector<double> answers(noted_.size());
  if (!complete_) {
    HookOutcome outcome;
    outcome.message =
        "the tree has quota for more than " + std::to_string(MUSTER_MAX_RESOURCES) + " resources";
    calls_->Fail(*policy_, Hook::kShare, queue_, std::move(outcome));
    policy_ = nullptr;
  } else if (!calls_->Ask(*policy_, Hook::kShare, queue_, *batch_, answers)) {
    policy_ = nullptr;
  }
  for (std::size_t i = 0; i < noted_.size(); ++i) noted_[i].scripted = answers[i];
}

}  // namespace muster
