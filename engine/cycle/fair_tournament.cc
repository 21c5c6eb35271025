// See fair_tournament.h.
#include "engine/cycle/fair_tournament.h"

#include <algorithm>

namespace muster {

FairTournament::FairTournament(World& world, PolicyCalls& calls, std::vector<Entry>& entries)
    : world_(world), calls_(calls) {
  for (Entry& entry : entries) {
    if (!entry.nominated) continue;
    const ClusterQueueState& queue = world.queue(entry.queue);
    remaining_[queue.tree][queue.node] = &entry;
  }
}

Entry* FairTournament::Next() {
  if (remaining_.empty()) return nullptr;
  auto& [tree_index, entries] = *remaining_.begin();
  QuotaTree& tree = world_.trees[tree_index];
  Entry* winner = nullptr;
  if (tree.size() == 1) {
    winner = entries.begin()->second;
  } else {
    if (!rule_) rule_.emplace(world_, &calls_, world_.queue(entries.begin()->second->queue));
    winner = Winner(tree, 0, MeasureAll(tree));
  }
  entries.erase(world_.queue(winner->queue).node);
  if (entries.empty()) {
    remaining_.erase(tree_index);
    rule_.reset();
  }
  return winner;
}

FairTournament::Standings FairTournament::MeasureAll(QuotaTree& tree) {
  Standings standings;
  std::vector<Standing*> noted;
  for (const auto& [node, entry] : remaining_.begin()->second) {
    Note(tree, *entry, standings, noted);
  }
  const std::vector<NodeShare> shares = rule_->Measure();
  for (std::size_t i = 0; i < noted.size(); ++i) noted[i]->share = shares[i];
  return standings;
}

void FairTournament::Note(QuotaTree& tree, const Entry& entry, Standings& standings,
                          std::vector<Standing*>& noted) {
  UsageMark mark(tree);
  const NodeIndex queue = world_.queue(entry.queue).node;
  tree.AddUsage(queue, entry.assignment.usage);
  for (NodeIndex n = queue; tree.HasParent(n); n = tree.node(n).parent) {
    Standing& standing = standings[{&entry, n}];
    rule_->Note(n);
    noted.push_back(&standing);
    for (const Usage& usage : entry.assignment.usage) {
      standing.borrows_requested |=
          usage.amount > 0 && tree.Borrowing(n, tree.ColumnOf(usage.fr), 0);
    }
  }
}

Entry* FairTournament::Winner(const QuotaTree& tree, NodeIndex cohort,
                              const Standings& standings) const {
  Entry* best = nullptr;
  NodeIndex best_node = kNoNode;
  const auto challenge = [&](Entry* entry, NodeIndex through) {
    if (entry == nullptr) return;
    if (best == nullptr ||
        Beats(*entry, standings.at({entry, through}), *best, standings.at({best, best_node}))) {
      best = entry;
      best_node = through;
    }
  };
  for (const NodeIndex child : tree.node(cohort).child_cohorts) {
    challenge(Winner(tree, child, standings), child);
  }
  const auto& entries = remaining_.begin()->second;
  for (const NodeIndex child : tree.node(cohort).child_queues) {
    const auto entry = entries.find(child);
    if (entry != entries.end()) challenge(entry->second, child);
  }
  return best;
}

bool FairTournament::Beats(const Entry& a, const Standing& a_standing, const Entry& b,
                           const Standing& b_standing) const {
  if (world_.catalog.Gate("FairSharingPrioritizeNonBorrowing", true) &&
      a_standing.borrows_requested != b_standing.borrows_requested) {
    return b_standing.borrows_requested;
  }
  const int shares = rule_->Compare(a_standing.share, b_standing.share);
  if (shares != 0) return shares < 0;
  if (a.keys.group != 0 && a.keys.group == b.keys.group) return a.keys.keys > b.keys.keys;
  const WorkloadRecord& workload_a = world_.workload(a.workload);
  const WorkloadRecord& workload_b = world_.workload(b.workload);
  if (world_.catalog.Gate("PrioritySortingWithinCohort", true) &&
      workload_a.priority() != workload_b.priority()) {
    return workload_a.priority() > workload_b.priority();
  }
  return workload_a.key.timestamp < workload_b.key.timestamp;
}

}  // namespace muster
