// Classical preemption (sections 6.1 to 6.3 of the reference).
#include <algorithm>

#include "tests/oracle/world.h"

namespace muster::oracle {
namespace {

enum class Kind { kWithinQueue, kHierarchicalReclaim, kWithoutBorrowing, kWhileBorrowing };

struct Candidate {
  Job job;
  Kind kind = Kind::kWithinQueue;
  std::string lca;  ///< the ancestor at which it was found
};
using Candidates = std::vector<Candidate>;

// Section 6.1.
bool Allows(PreemptionPolicy policy, const Job& p, const Job& c) {
  switch (policy) {
    case PreemptionPolicy::kNever:
      return false;
    case PreemptionPolicy::kAny:
      return true;
    case PreemptionPolicy::kLowerPriority:
      return p.priority > c.priority;
    case PreemptionPolicy::kLowerOrNewerEqualPriority:
      return p.priority > c.priority || (p.priority == c.priority && p.queued_at < c.queued_at);
  }
  return false;
}

// "A candidate must use at least one fr in F, even with amount 0."
bool UsesAny(const Job& job, const std::set<Fr>& needed) {
  return std::any_of(needed.begin(), needed.end(),
                     [&](const Fr& fr) { return job.usage.contains(fr); });
}

// Above nominal (a queue) or subtreeQuota (a cohort) in some fr of F.
bool Exceeds(const Tree& tree, const std::string& node, const std::set<Fr>& needed) {
  return std::any_of(needed.begin(), needed.end(), [&](const Fr& fr) {
    return tree.Usage(node, fr) > tree.SubtreeQuota(node, fr);
  });
}

bool StaysNominal(const Tree& tree, const std::string& queue, const Amounts& demand) {
  return std::all_of(demand.begin(), demand.end(), [&](const auto& d) {
    return tree.Usage(queue, d.first) + d.second <= tree.LimitsOf(queue, d.first).nominal;
  });
}

// Section 6.2; evicted ones are split off by the caller, other queues' are in lists of their own.
bool IsBetterVictim(const Candidate& a, const Candidate& b) {
  return std::tuple(a.job.priority, -a.job.reserved_at, a.job.uid) <
         std::tuple(b.job.priority, -b.job.reserved_at, b.job.uid);
}

// Key 3 compares LocalQueues of one queue only: "order within each CQ first, then merge by first
// candidates".
Candidates SelectSorted(const Snapshot& world, const Candidates& from, bool evicted) {
  const auto usage_of = [&](const Candidate& c) {
    const auto found = world.fair_usage.find(c.job.local_queue);
    return found == world.fair_usage.end() ? 0.0 : found->second;
  };
  std::map<std::string, Candidates> by_queue;
  for (const Candidate& c : from) {
    if (c.job.evicted == evicted) by_queue[c.job.queue].push_back(c);
  }
  for (auto& [queue, part] : by_queue) {
    std::sort(part.begin(), part.end(), [&](const Candidate& a, const Candidate& b) {
      if (usage_of(a) != usage_of(b)) return usage_of(a) > usage_of(b);
      return IsBetterVictim(a, b);
    });
  }
  Candidates selected;
  while (!by_queue.empty()) {
    const auto best =
        std::min_element(by_queue.begin(), by_queue.end(), [](const auto& a, const auto& b) {
          return IsBetterVictim(a.second.front(), b.second.front());
        });
    selected.push_back(best->second.front());
    best->second.erase(best->second.begin());
    if (best->second.empty()) by_queue.erase(best);
  }
  return selected;
}

// "Visit every CQ in a's subtree except own CQ and the already visited child subtree, descending
// only into child cohorts exceeding subtreeQuota, and only CQs exceeding nominal in some fr of F."
std::set<std::string> Visit(const Tree& tree, const std::string& a, const std::string& visited,
                            const std::set<Fr>& needed) {
  std::set<std::string> queues;
  for (const std::string& child : tree.Children(a)) {
    const TreeNode& node = tree.nodes.at(child);
    if (child == visited || !node.active || !Exceeds(tree, child, needed)) continue;
    if (node.is_queue) queues.insert(child);
    if (!node.is_queue) queues.merge(Visit(tree, child, visited, needed));
  }
  return queues;
}

struct Collected {
  Candidates high;  ///< the preemptor has hierarchical advantage over these
  Candidates low;
  Candidates own;
};

Collected Collect(const Snapshot& world, const Job& p, const Amounts& demand,
                  const std::set<Fr>& needed) {
  Collected found;
  const Tree& tree = world.tree;
  const PreemptionRules& rules = world.queues.at(p.queue).preemption;
  for (const Job& job : world.holders) {
    const bool allowed = Allows(rules.within_cluster_queue, p, job);
    if (job.queue == p.queue && allowed && UsesAny(job, needed))
      found.own.push_back({job, Kind::kWithinQueue, ""});
  }
  if (rules.reclaim_within_cohort == PreemptionPolicy::kNever) return found;
  bool advantage = StaysNominal(tree, p.queue, demand);
  Amounts rest = demand;
  std::string below = p.queue;
  for (std::string a = tree.nodes.at(below).parent; !a.empty(); a = tree.nodes.at(a).parent) {
    for (auto& [fr, v] : rest) v = std::max<Amount>(0, v - tree.LocalAvailable(below, fr));
    const std::set<std::string> queues = Visit(tree, a, below, needed);
    for (const Job& job : world.holders) {
      if (!queues.contains(job.queue) || !UsesAny(job, needed)) continue;
      if (!Allows(rules.reclaim_within_cohort, p, job)) continue;
      const bool lower = rules.borrow_within_cohort != PreemptionPolicy::kNever &&
                         job.priority < p.priority &&
                         job.priority <= rules.max_priority_threshold.value_or(INT32_MAX);
      const Kind kind = advantage ? Kind::kHierarchicalReclaim
                        : lower   ? Kind::kWhileBorrowing
                                  : Kind::kWithoutBorrowing;
      (advantage ? found.high : found.low).push_back({job, kind, a});
    }
    advantage |= std::all_of(rest.begin(), rest.end(), [&](const auto& r) {
      return tree.Usage(a, r.first) + r.second <= tree.SubtreeQuota(a, r.first);
    });
    below = a;
  }
  return found;
}

// "If its CQ, or any ancestor strictly below lca, is now within its quota for all of F."
bool LeavesNothingToReclaim(const Tree& tree, const Candidate& c, const std::set<Fr>& needed) {
  if (c.lca.empty()) return false;
  for (std::string node = c.job.queue; node != c.lca; node = tree.nodes.at(node).parent) {
    if (!Exceeds(tree, node, needed)) return true;
  }
  return false;
}

Candidates Attempt(Tree tree, const Candidates& sequence, const Job& p, const Amounts& demand,
                   const std::set<Fr>& needed, bool allow_borrow) {
  const auto fits = [&] {
    return Fits(tree, p.queue, demand) && (allow_borrow || StaysNominal(tree, p.queue, demand));
  };
  Candidates targets;
  for (const Candidate& c : sequence) {
    if (allow_borrow && c.kind == Kind::kWithoutBorrowing) continue;
    if (LeavesNothingToReclaim(tree, c, needed)) continue;
    tree.Release(c.job.queue, c.job.usage);
    targets.push_back(c);
    if (!fits()) continue;
    for (int i = static_cast<int>(targets.size()) - 2; i >= 0; --i) {  // fill back
      Candidate& back = targets[static_cast<std::size_t>(i)];
      tree.Charge(back.job.queue, back.job.usage);
      if (fits()) {
        back = targets.back();
        targets.pop_back();
      } else {
        tree.Release(back.job.queue, back.job.usage);
      }
    }
    return targets;
  }
  return {};
}

}  // namespace

bool Fits(const Tree& tree, const std::string& queue, const Amounts& demand) {
  return std::all_of(demand.begin(), demand.end(), [&](const auto& d) {
    return d.second <= std::max<Amount>(0, tree.Available(queue, d.first));
  });
}

std::vector<Target> FindTargets(const Snapshot& world, const Job& p, const Amounts& demand,
                                const std::set<Fr>& needed) {
  const Collected found = Collect(world, p, demand, needed);
  Candidates sequence;
  for (const bool evicted : {true, false}) {
    for (const Candidates* list : {&found.high, &found.low, &found.own}) {
      const Candidates part = SelectSorted(world, *list, evicted);
      sequence.insert(sequence.end(), part.begin(), part.end());
    }
  }
  const bool never =
      world.queues.at(p.queue).preemption.borrow_within_cohort == PreemptionPolicy::kNever;
  const bool full = std::any_of(needed.begin(), needed.end(), [&](const Fr& fr) {
    return world.tree.Usage(p.queue, fr) >= world.tree.LimitsOf(p.queue, fr).nominal;
  });
  std::vector<bool> attempts = {true, false};
  if (never && found.high.empty()) attempts = {false, true};
  if ((found.high.empty() && found.low.empty()) || (never && full)) attempts = {true};
  std::vector<Target> targets;
  for (const bool allow_borrow : attempts) {
    for (const Candidate& c : Attempt(world.tree, sequence, p, demand, needed, allow_borrow)) {
      targets.push_back({c.job, c.kind == Kind::kWithinQueue ? PreemptionReason::kInClusterQueue
                                : c.kind == Kind::kWhileBorrowing
                                    ? PreemptionReason::kInCohortReclaimWhileBorrowing
                                    : PreemptionReason::kInCohortReclamation});
    }
    if (!targets.empty()) break;
  }
  return targets;
}

}  // namespace muster::oracle
