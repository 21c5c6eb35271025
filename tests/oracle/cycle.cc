// One scheduling cycle (sections 3.3 and 4 of the reference).
#include <algorithm>

#include "tests/oracle/world.h"

namespace muster::oracle {
namespace {

struct Entry : Verdict {
  Assignment assignment;
  std::vector<Target> targets;
};

// "F = set of frs whose mode is Preempt in the assignment."
std::set<Fr> FindNeeded(const Assignment& assignment) {
  std::set<Fr> needed;
  for (const Choices& choices : assignment.pod_sets) {
    for (const auto& [resource, choice] : choices) {
      if (choice.mode != Mode::kFit) needed.insert({choice.flavor, resource});
    }
  }
  return needed;
}

void Nominate(const Snapshot& world, Entry& entry, const Assignment* only = nullptr) {
  entry.assignment = Assign(world, entry.job, only);
  entry.targets.clear();
  if (entry.assignment.mode != Mode::kPreempt) return;
  entry.targets =
      FindTargets(world, entry.job, entry.assignment.usage, FindNeeded(entry.assignment));
}

// Section 4.2: borrowing level, priority, timestamp; then, ours, the queue's name and the UID.
bool IsBefore(const Entry& a, const Entry& b) {
  const auto key = [](const Entry& e) {
    return std::tuple(e.assignment.level, -e.job.priority, e.job.queued_at, e.job.queue, e.job.uid);
  };
  return key(a) < key(b);
}

// Section 4.4, last paragraph but one: what a preemptor without targets keeps from later entries.
Amounts Reserve(const Snapshot& world, const Entry& entry) {
  Amounts reserved;
  for (const auto& [fr, usage] : entry.assignment.usage) {
    const Limits limits = world.tree.LimitsOf(entry.job.queue, fr);
    const Amount room = limits.nominal - world.tree.Usage(entry.job.queue, fr);
    if (entry.assignment.level == 0) {
      reserved[fr] = std::max<Amount>(0, std::min(usage, room));
    } else {
      reserved[fr] = limits.borrowing ? std::min(usage, room + *limits.borrowing) : usage;
    }
  }
  return reserved;
}

Snapshot Without(Snapshot world, const std::set<Key>& jobs) {
  world.Remove(jobs);
  return world;
}

Admission Admit(const Snapshot& world, const Entry& entry) {
  Admission admission;
  admission.cluster_queue = world.queues.at(entry.job.queue).name;
  for (std::size_t i = 0; i < entry.job.asks.size(); ++i) {
    const Ask& ask = entry.job.asks[i];
    PodSetAssignment pod_set;
    pod_set.name = ask.name;
    pod_set.count = ask.count;
    for (const auto& [resource, choice] : entry.assignment.pod_sets[i]) {
      const Amount amount = ask.requests.at(resource);
      pod_set.flavors[resource] = choice.flavor;
      pod_set.resource_usage[resource] =
          resource == "cpu" ? Quantity::Milli(amount) : Quantity::Units(amount);
    }
    admission.pod_sets.push_back(pod_set);
  }
  return admission;
}

// Section 4.4. `claimed` is P.
void Process(Snapshot& world, std::set<Key>& claimed, Entry& entry) {
  const std::string& queue = entry.job.queue;
  const auto overlaps = [&] {
    return std::any_of(entry.targets.begin(), entry.targets.end(),
                       [&](const Target& target) { return claimed.contains(target.job.key); });
  };
  bool deferred = false;
  if (overlaps()) {  // 2
    const Assignment nominated = entry.assignment;
    Nominate(Without(world, claimed), entry, &nominated);
    deferred = entry.assignment.mode == Mode::kFit;
  }
  entry.reason = PendingReason::kWaitingForQuota;
  if (entry.assignment.mode == Mode::kNoFit) {  // 4
    entry.reason = entry.assignment.reason;
    entry.requeue = Requeue::kNoFit;
    return;
  }
  if (entry.assignment.mode == Mode::kPreempt && entry.targets.empty()) {  // 5
    entry.requeue = Requeue::kPreemptionNoCandidates;
    const auto reclaim = world.queues.at(queue).preemption.reclaim_within_cohort;
    if (reclaim != PreemptionPolicy::kAny) world.tree.Charge(queue, Reserve(world, entry));
    return;
  }
  if (deferred) {  // 7
    entry.reason = PendingReason::kWaitingForPreemptedWorkloads;
    entry.requeue = Requeue::kPendingPreemption;
    world.tree.Charge(queue, entry.assignment.usage);
    return;
  }
  if (overlaps()) return;  // 8
  std::set<Key> removed = claimed;
  for (const Target& target : entry.targets) removed.insert(target.job.key);
  if (!Fits(Without(world, removed).tree, queue, entry.assignment.usage)) return;  // 9
  claimed = removed;                                                               // 10
  world.tree.Charge(queue, entry.assignment.usage);
  if (entry.assignment.mode == Mode::kFit) {  // 12
    entry.admission = Admit(world, entry);
    return;
  }
  entry.reason = PendingReason::kWaitingForPreemptedWorkloads;  // 11
  entry.requeue = Requeue::kPendingPreemption;
  for (const Target& target : entry.targets) {
    if (target.job.evicted) continue;  // section 6.5: no second call
    entry.preempts[target.job.key] = target.reason;
  }
}

// Section 5.6: dropped when preemptions were issued and after a deferred fit.
Progress Remember(const Entry& entry) {
  Progress progress;
  if (entry.requeue == Requeue::kPendingPreemption || entry.admission) return progress;
  for (const Choices& choices : entry.assignment.pod_sets) {
    auto& tried = progress.emplace_back();
    for (const auto& [resource, choice] : choices) tried[resource] = choice.tried;
  }
  return progress;
}

}  // namespace

bool HasUntriedFlavors(const Progress& progress) {
  bool any = false;
  for (const auto& pod_set : progress) {
    for (const auto& [resource, tried] : pod_set) any |= tried != -1;
  }
  return any;
}

std::vector<Verdict> Decide(const Snapshot& start) {
  std::vector<Entry> entries;
  for (const auto& [queue, heap] : start.heaps) {
    if (heap.empty() || !start.tree.nodes.at(queue).active) continue;
    Entry& entry = entries.emplace_back();
    entry.job = heap.front();
    Nominate(start, entry);
  }
  std::sort(entries.begin(), entries.end(), IsBefore);
  Snapshot world = start;
  std::set<Key> claimed;
  std::vector<Verdict> verdicts;
  for (Entry& entry : entries) {
    Process(world, claimed, entry);
    entry.progress = Remember(entry);
    verdicts.push_back(entry);
  }
  return verdicts;
}

}  // namespace muster::oracle
