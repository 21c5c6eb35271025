// See fair_tournament.h.
#include "engine/cycle/fair_tournament.h"

#include <utility>

#include "engine/base/amount.h"

namespace muster {

FairTournament::FairTournament(World& world, PolicyCalls& calls, std::vector<Entry>& entries)
    : world_(world),
      calls_(calls),
      non_borrowing_first_(world.catalog.Gate("FairSharingPrioritizeNonBorrowing", true)),
      by_priority_(world.catalog.Gate("PrioritySortingWithinCohort", true)) {
  for (Entry& entry : entries) {
    if (entry.nominated) waiting_[world.queue(entry.queue).tree].push_back(&entry);
  }
}

Entry* FairTournament::Next() {
  if (tree_ != nullptr) {
    seats_[processed_].winner = nullptr;
    for (NodeIndex n = processed_; tree_->HasParent(n); n = tree_->node(n).parent) {
      Play(n);
      const NodeIndex parent = tree_->node(n).parent;
      TakeWinner(parent);
      Note(parent);
      Measure();
    }
    if (seats_[0].winner == nullptr) tree_ = nullptr;
  }
  if (tree_ == nullptr) {
    if (waiting_.empty()) return nullptr;
    OpenTree(waiting_.begin()->first);
  }
  Entry* winner = seats_[0].winner;
  processed_ = world_.queue(winner->queue).node;
  return winner;
}

void FairTournament::OpenTree(std::uint32_t index) {
  tree_ = &world_.capacity.tree(index);
  const std::vector<Entry*> entries = std::move(waiting_.begin()->second);
  waiting_.erase(waiting_.begin());
  rule_.emplace(world_, &calls_, world_.queue(entries.front()->queue));
  seats_.assign(tree_->size(), Seat{});
  brackets_.clear();
  std::vector<std::vector<NodeIndex>> by_depth;
  std::vector<std::size_t> depths(tree_->size(), 0);
  for (NodeIndex n = 0; n < tree_->size(); ++n) {  // parents stand before children
    const QuotaNode& node = tree_->node(n);
    std::size_t position = 0;
    for (const auto* children : {&node.child_cohorts, &node.child_queues}) {
      for (const NodeIndex child : *children) seats_[child].position = position++;
    }
    brackets_.emplace_back(position);
    if (tree_->HasParent(n)) depths[n] = depths[node.parent] + 1;
    if (depths[n] >= by_depth.size()) by_depth.resize(depths[n] + 1);
    by_depth[depths[n]].push_back(n);
  }
  for (Entry* entry : entries) {
    Seat& seat = seats_[world_.queue(entry->queue).node];
    seat.winner = entry;
    seat.added = entry->assignment().usage;
  }
  for (std::size_t depth = by_depth.size(); depth-- > 0;) {
    for (const NodeIndex n : by_depth[depth]) {
      if (!tree_->node(n).queue.valid()) TakeWinner(n);
      Note(n);
    }
    Measure();
    if (depth == 0) break;
    for (const NodeIndex n : by_depth[depth]) Play(n);
  }
}

void FairTournament::Note(NodeIndex n) {
  Seat& seat = seats_[n];
  if (seat.winner == nullptr || !tree_->HasParent(n)) return;
  QuotaTrial trial(*tree_);  // a share is of quota alone
  for (const Usage& usage : seat.added) {
    const Column column = tree_->ColumnOf(usage.fr);
    trial.Suppose(n, column, Add(tree_->cell(n, column).usage, usage.amount));
  }
  rule_->Note(n);
  noted_.push_back(n);
  seat.borrows_requested = false;
  for (const Usage& usage : seat.winner->assignment().usage) {
    seat.borrows_requested |= usage.amount > 0 && tree_->Borrowing(n, tree_->ColumnOf(usage.fr), 0);
  }
}

void FairTournament::Measure() {
  if (noted_.empty()) return;
  const std::vector<NodeShare> shares = rule_->Measure();
  for (std::size_t i = 0; i < noted_.size(); ++i) seats_[noted_[i]].share = shares[i];
  noted_.clear();
}

void FairTournament::Play(NodeIndex n) {
  const NodeIndex cohort = tree_->node(n).parent;
  brackets_[cohort].Play(seats_[n].position, seats_[n].winner != nullptr,
                         [&](std::size_t a, std::size_t b) {
                           return Beats(seats_[ChildAt(cohort, a)], seats_[ChildAt(cohort, b)]);
                         });
}

void FairTournament::TakeWinner(NodeIndex cohort) {
  Seat& seat = seats_[cohort];
  seat.added.clear();
  const std::size_t position = brackets_[cohort].winner();
  seat.winner = nullptr;
  if (position == Bracket::kNobody) return;
  const NodeIndex child = ChildAt(cohort, position);
  seat.winner = seats_[child].winner;
  for (const Usage& usage : seats_[child].added) {
    const Amount kept = tree_->LocalAvailable(child, tree_->ColumnOf(usage.fr));
    if (usage.amount > kept) seat.added.push_back({usage.fr, Sub(usage.amount, kept)});
  }
}

NodeIndex FairTournament::ChildAt(NodeIndex cohort, std::size_t position) const {
  const QuotaNode& node = tree_->node(cohort);
  const std::size_t cohorts = node.child_cohorts.size();
  return position < cohorts ? node.child_cohorts[position] : node.child_queues[position - cohorts];
}

bool FairTournament::Beats(const Seat& a, const Seat& b) const {
  if (non_borrowing_first_ && a.borrows_requested != b.borrows_requested) {
    return b.borrows_requested;
  }
  const int shares = rule_->Compare(a.share, b.share);
  if (shares != 0) return shares < 0;
  const CycleKeys& keys_a = a.winner->keys();
  const CycleKeys& keys_b = b.winner->keys();
  if (keys_a.group != 0 && keys_a.group == keys_b.group) return keys_a.keys > keys_b.keys;
  const WorkloadRecord& workload_a = world_.workload(a.winner->workload);
  const WorkloadRecord& workload_b = world_.workload(b.winner->workload);
  if (by_priority_ && workload_a.priority() != workload_b.priority()) {
    return workload_a.priority() > workload_b.priority();
  }
  return workload_a.key.timestamp < workload_b.key.timestamp;
}

}  // namespace muster
