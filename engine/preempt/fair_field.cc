// See fair_field.h.
#include "engine/preempt/fair_field.h"

#include <utility>

namespace muster {

FairField::FairField(const QuotaTree& tree)
    : tree_(tree), seats_(tree.size()), place_(tree.size(), kNobody) {
  brackets_.reserve(tree.size());
  for (NodeIndex n = 0; n < tree.size(); ++n) {
    std::uint32_t position = 0;
    for (const auto* children : {&tree.node(n).child_cohorts, &tree.node(n).child_queues}) {
      for (const NodeIndex child : *children) seats_[child].position = position++;
    }
    brackets_.emplace_back(position);
  }
}

void FairField::Add(NodeIndex queue, QueueCandidates candidates) {
  place_[queue] = static_cast<std::uint32_t>(candidates_.size());
  candidates_.push_back(std::move(candidates));
  ++present_;
}

void FairField::Remove(NodeIndex queue) {
  if (std::exchange(place_[queue], kNobody) != kNobody) --present_;
}

void FairField::PassGone(NodeIndex queue) {
  QueueCandidates& candidates = candidates_[place_[queue]];
  candidates.PassGone();
  if (candidates.Front() == nullptr) Remove(queue);
}

void FairField::Open(const ShareRule& rule, const CandidateOrder& order, const Shares& shares) {
  rule_ = &rule;
  order_ = &order;
  shares_ = &shares;
  for (NodeIndex n = static_cast<NodeIndex>(tree_.size()); n-- > 1;) {  // children before parents
    if (IsQueue(n) && place_[n] == kNobody) continue;
    seats_[n].share = shares(n);
    PlayOnce(n);
  }
}

void FairField::Enter(NodeIndex own, const QueueCandidates& own_candidates, const ShareRule& rule,
                      const CandidateOrder& order, const Shares& shares) {
  own_ = own;
  rule_ = &rule;
  order_ = &order;
  shares_ = &shares;
  touched_.emplace(own, Touched{own_candidates});
  for (NodeIndex n = own; n != kNoNode; n = tree_.ParentOf(n)) seats_[n].on_path = true;
  Play(own);
}

void FairField::Leave(const ShareRule& rule, const CandidateOrder& order, const Shares& shares) {
  rule_ = &rule;
  order_ = &order;
  shares_ = &shares;
  const auto touched = std::exchange(touched_, {});
  const std::vector<NodeIndex> out = std::exchange(out_, {});
  refused_.clear();
  second_pass_ = false;
  for (NodeIndex n = own_; n != kNoNode; n = tree_.ParentOf(n)) seats_[n].on_path = false;
  for (const NodeIndex n : out) seats_[n].out = false;
  own_ = kNoNode;
  for (const NodeIndex n : out) Play(n);
  for (const auto& [queue, left] : touched) Play(queue);
}

const WorkloadRecord* FairField::Front(NodeIndex queue) const {
  const auto touched = touched_.empty() ? touched_.end() : touched_.find(queue);
  const bool as_before = touched == touched_.end();
  if (second_pass_) {
    const auto refused = refused_.find(queue);
    if (refused != refused_.end()) return refused->second;
    if (!as_before) return nullptr;
  }
  if (!as_before) return touched->second.left.Front();
  return place_[queue] == kNobody ? nullptr : candidates_[place_[queue]].Front();
}

const WorkloadRecord& FairField::Pop(NodeIndex queue) {
  const WorkloadRecord& front = *Front(queue);
  if (second_pass_) {
    refused_[queue] = nullptr;
    return front;
  }
  auto touched = touched_.find(queue);
  if (touched == touched_.end()) {
    touched = touched_.emplace(queue, Touched{candidates_[place_[queue]]}).first;
  }
  touched->second.left.Pop();
  return front;
}

NodeIndex FairField::Next() const {
  if (!tree_.HasParent(own_)) return Front(own_) == nullptr ? kNoNode : own_;
  if (seats_[0].out) return kNoNode;
  NodeIndex n = 0;
  while (!IsQueue(n)) {
    const std::size_t position = brackets_[n].winner();
    if (position == Bracket::kNobody) return kNoNode;
    n = ChildAt(n, position);
  }
  return n;
}

bool FairField::Takes(NodeIndex n) const {
  const Seat& seat = seats_[n];
  if (seat.out || (!seat.on_path && !seat.share.native.borrowing)) return false;
  return IsQueue(n) ? Front(n) != nullptr : brackets_[n].winner() != Bracket::kNobody;
}

bool FairField::Beats(NodeIndex a, NodeIndex b) const {
  const int compared = rule_->Compare(seats_[a].share, seats_[b].share);
  if (compared != 0) return compared > 0;
  if (IsQueue(a) != IsQueue(b)) return IsQueue(b);
  if (!IsQueue(a)) return seats_[a].position > seats_[b].position;
  const WorkloadRecord* const front_a = Front(a);
  const WorkloadRecord* const front_b = Front(b);
  // Between two searches or passes one that has none may still be seated: its own turn comes.
  if (front_a == nullptr || front_b == nullptr) return front_b == nullptr && front_a != nullptr;
  return order_->Before(*front_a, *front_b);
}

void FairField::PlayOnce(NodeIndex n) {
  const NodeIndex cohort = tree_.ParentOf(n);
  brackets_[cohort].Play(seats_[n].position, Takes(n), [&](std::size_t a, std::size_t b) {
    return Beats(ChildAt(cohort, a), ChildAt(cohort, b));
  });
}

void FairField::Play(NodeIndex queue) {
  for (NodeIndex n = queue; tree_.HasParent(n); n = tree_.ParentOf(n)) {
    seats_[n].share = (*shares_)(n);
    PlayOnce(n);
  }
}

void FairField::TakeOut(NodeIndex node) {
  seats_[node].out = true;
  out_.push_back(node);
  for (NodeIndex n = node; tree_.HasParent(n); n = tree_.ParentOf(n)) PlayOnce(n);
}

void FairField::RefuseAllBelow(NodeIndex cohort) {
  for (const auto& [queue, touched] : touched_) {
    if (queue == own_ || touched.left.Front() == nullptr || !IsBelow(cohort, queue)) continue;
    refused_.emplace(queue, touched.left.Front());
  }
  TakeOut(cohort);
}

void FairField::BeginSecondPass() {
  second_pass_ = true;
  const std::vector<NodeIndex> out = std::exchange(out_, {});
  for (const NodeIndex n : out) seats_[n].out = false;
  for (const NodeIndex n : out) Play(n);
  for (const auto& [queue, touched] : touched_) Play(queue);
}

NodeIndex FairField::ChildAt(NodeIndex cohort, std::size_t position) const {
  const QuotaNode& node = tree_.node(cohort);
  const std::size_t cohorts = node.child_cohorts.size();
  return position < cohorts ? node.child_cohorts[position] : node.child_queues[position - cohorts];
}

}  // namespace muster
