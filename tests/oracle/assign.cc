// Flavor assignment (section 5 of the reference).
#include <algorithm>

#include "tests/oracle/world.h"

namespace muster::oracle {
namespace {

struct Trial {
  Mode mode = Mode::kFit;
  int level = 0;
  PendingReason reason = PendingReason::kNone;
};

// "NoMatchingFlavor > ExceedsMaxQuota > WaitingForQuota > TopologyPlacementFailed > none."
int Severity(PendingReason reason) {
  const PendingReason order[] = {PendingReason::kWaitingForQuota, PendingReason::kExceedsMaxQuota,
                                 PendingReason::kNoMatchingFlavor};
  return static_cast<int>(std::find(order, order + 3, reason) - order + 1) % 4;
}

PendingReason PickWorse(PendingReason a, PendingReason b) {
  return Severity(a) < Severity(b) ? b : a;
}

// Section 5.3.
Trial Try(const Snapshot& world, const Job& job, const Fr& fr, Amount v) {
  const Tree& tree = world.tree;
  if (v > tree.Potential(job.queue, fr)) return {Mode::kNoFit, 0, PendingReason::kExceedsMaxQuota};
  const Level level = tree.BorrowingLevel(job.queue, fr, v);
  if (Fits(tree, job.queue, {{fr, v}})) return {Mode::kFit, level.height};
  const PreemptionRules& rules = world.queues.at(job.queue).preemption;
  if (tree.LimitsOf(job.queue, fr).nominal < v && !level.may_reclaim &&
      rules.borrow_within_cohort == PreemptionPolicy::kNever) {
    return {Mode::kNoFit, 0, PendingReason::kWaitingForQuota};
  }
  const std::vector<Target> targets = FindTargets(world, job, {{fr, v}}, {fr});
  if (targets.empty()) return {Mode::kNoCandidates, level.height};
  Tree after = tree;
  bool own = false;
  for (const Target& target : targets) {
    after.Release(target.job.queue, target.job.usage);
    own |= target.job.queue == job.queue;
  }
  return {own ? Mode::kPreempt : Mode::kReclaim, after.BorrowingLevel(job.queue, fr, v).height};
}

// Section 5.4.
bool IsPreferred(const Trial& a, const Trial& b, const FlavorFungibility& fungibility) {
  if (a.mode == Mode::kNoFit || b.mode == Mode::kNoFit) return a.mode != Mode::kNoFit;
  if (a.mode != b.mode && (a.mode == Mode::kNoCandidates || b.mode == Mode::kNoCandidates)) {
    return b.mode == Mode::kNoCandidates;
  }
  if (fungibility.preference == FungibilityPreference::kPreemptionOverBorrowing) {
    return std::pair(-a.level, a.mode) > std::pair(-b.level, b.mode);
  }
  return std::pair(a.mode, -a.level) > std::pair(b.mode, -b.level);
}

// Section 5.5.
bool TriesNext(const Trial& best, const FlavorFungibility& fungibility) {
  if (best.mode == Mode::kNoFit || best.mode == Mode::kNoCandidates) return true;
  if (best.mode != Mode::kFit &&
      fungibility.when_can_preempt == FungibilityPolicy::kTryNextFlavor) {
    return true;
  }
  return best.level > 0 && fungibility.when_can_borrow == FungibilityPolicy::kTryNextFlavor;
}

struct Scan {
  Trial best{Mode::kNoFit};  ///< of the chosen flavor, its worst resource
  Choices choices;             ///< of the chosen flavor; empty: none was found
  PendingReason reason = PendingReason::kNone;
};

// Sections 5.2 and 5.6 for one resource group. `used` is what earlier podsets were assigned; the
// scan begins after flavor `tried`.
Scan ScanGroup(const Snapshot& world, const Job& job, const ResourceGroup& group,
               const std::map<std::string, Amount>& requests, const Amounts& used,
               const Choices* only, int tried) {
  const FlavorFungibility& fungibility = world.queues.at(job.queue).flavor_fungibility;
  Scan scan;
  std::optional<PendingReason> least;
  const int count = static_cast<int>(group.flavors.size());
  for (int i = tried + 1; i < count; ++i) {
    const std::string& flavor = group.flavors[static_cast<std::size_t>(i)].name;
    Choices choices;
    Trial worst{Mode::kFit, 0};
    PendingReason reason = PendingReason::kNone;
    bool first = true;
    for (const auto& [resource, amount] : requests) {
      const Fr fr{flavor, resource};
      const Amount assumed = used.contains(fr) ? used.at(fr) : 0;
      Trial attempt = only != nullptr && only->at(resource).flavor != flavor
                            ? Trial{Mode::kNoFit, 0, PendingReason::kNoMatchingFlavor}
                            : Try(world, job, fr, assumed + amount);
      choices[resource] = {flavor, attempt.mode, attempt.level};
      if (first || IsPreferred(worst, attempt, fungibility)) worst = attempt;
      first = false;
      reason = PickWorse(reason, attempt.reason);
    }
    if (worst.mode == Mode::kNoFit && (!least || Severity(reason) < Severity(*least))) {
      least = reason;
    }
    const bool stop = !TriesNext(worst, fungibility);
    if (stop || IsPreferred(worst, scan.best, fungibility)) {
      scan.best = worst;
      scan.choices = choices;
    }
    for (auto& [resource, choice] : scan.choices) choice.tried = i + 1 < count ? i : -1;
    if (stop) break;
  }
  scan.reason =
      least.value_or(tried + 1 < count ? PendingReason::kNone : PendingReason::kNoMatchingFlavor);
  return scan;
}

// "Resources are visited by ascending FNV-1a 64 hash of the name."
std::uint64_t HashName(const std::string& name) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

const ResourceGroup* FindGroup(const ClusterQueue& queue, const std::string& resource) {
  for (const ResourceGroup& group : queue.resource_groups) {
    const auto& covered = group.covered_resources;
    if (std::find(covered.begin(), covered.end(), resource) != covered.end()) return &group;
  }
  return nullptr;
}

int FindTried(const Job& job, std::size_t pod_set, const std::string& resource) {
  if (pod_set >= job.progress.size()) return -1;
  const auto found = job.progress[pod_set].find(resource);
  return found == job.progress[pod_set].end() ? -1 : found->second;
}

// Sections 5.1 and 5.8 for one podset: adds to `assignment`, or returns false when nothing was
// found.
bool AssignPodSet(const Snapshot& world, const Job& job, const Ask& ask, const Choices* only,
                  Assignment& assignment) {
  const ClusterQueue& queue = world.queues.at(job.queue);
  std::map<std::uint64_t, std::string> order;
  for (const auto& [resource, amount] : ask.requests) order[HashName(resource)] = resource;
  Choices all;
  bool fits = true;
  Mode worst = Mode::kFit;
  PendingReason reason = PendingReason::kNone;
  for (const auto& [hash, first] : order) {
    const ResourceGroup* group = FindGroup(queue, first);
    if (all.contains(first) || (group == nullptr && ask.requests.at(first) == 0)) continue;
    std::map<std::string, Amount> portion;
    for (const auto& [resource, amount] : ask.requests) {
      if (FindGroup(queue, resource) == group) portion[resource] = amount;
    }
    Scan scan;
    scan.reason = PendingReason::kNoMatchingFlavor;
    if (group) {
      const int tried = only ? -1 : FindTried(job, assignment.pod_sets.size(), first);
      scan = ScanGroup(world, job, *group, portion, assignment.usage, only, tried);
    }
    reason = PickWorse(reason, scan.reason);
    if (scan.choices.empty()) {
      assignment.mode = Mode::kNoFit;
      assignment.reason = reason;
      return false;
    }
    fits &= scan.best.mode == Mode::kFit;
    all.insert(scan.choices.begin(), scan.choices.end());
  }
  for (const auto& [resource, choice] : all) {
    worst = std::min(worst, choice.mode);
    assignment.level = std::max(assignment.level, choice.level);
    assignment.usage[{choice.flavor, resource}] += ask.requests.at(resource);
  }
  if (!fits && worst != Mode::kFit) assignment.mode = Mode::kPreempt;
  assignment.pod_sets.push_back(all);
  return true;
}

}  // namespace

Assignment Assign(const Snapshot& world, const Job& job, const Assignment* only) {
  Assignment assignment;
  for (const Ask& ask : job.asks) {
    const Choices* chosen = only ? &only->pod_sets.at(assignment.pod_sets.size()) : nullptr;
    if (!AssignPodSet(world, job, ask, chosen, assignment)) break;
  }
  return assignment;
}

}  // namespace muster::oracle
