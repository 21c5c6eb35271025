// What waits where (section 3): heaps, parking, wakes; and what a cycle makes of its heads.
#include <algorithm>

#include "tests/oracle/history.h"

namespace muster::oracle {
namespace {

bool IsBestEffort(const ClusterQueue& queue) {
  return queue.queueing_strategy == QueueingStrategy::kBestEffortFifo;
}

// Section 5.6: "older than one cycle, and the CQ's quota generation advanced".
bool IsOutdated(const Member& member, std::int64_t cycle, std::int64_t generation) {
  return cycle - member.progress_cycle > 1 && generation > member.progress_generation;
}

}  // namespace

Class ClassOf(const Member& member) {
  const Job job = ReadJob(member.workload, kNoTime);
  return {job.priority, job.asks};
}

// Section 3.2.
bool History::MayQueue(const Member& member) const {
  const Workload& workload = member.workload;
  const auto* local = Find<LocalQueue>({workload.key.ns, workload.queue});
  return workload.active && !IsTrue(workload, "Finished") && !workload.status.admission && local &&
         local->stop_policy == StopPolicy::kNone && Find<ClusterQueue>({"", local->cluster_queue});
}

// Section 3.8.
bool History::IsBackoffOver(const Member& member) const {
  const WorkloadStatus& status = member.workload.status;
  for (const Condition& condition : status.conditions) {
    if (condition.type == "Requeued" && !condition.status) return false;
  }
  return !status.requeue_state || status.requeue_state->requeue_at == kNoTime ||
         now_ >= status.requeue_state->requeue_at;
}

// The reason for which an equal workload was parked.
std::optional<PendingReason> History::ParkedReason(const Member& member) const {
  const auto memory = queues_.find(QueueOf(member.workload));
  if (memory == queues_.end()) return std::nullopt;
  const Class mine = ClassOf(member);
  for (const auto& [other, reason] : memory->second.parked_classes) {
    if (other == mine) return reason;
  }
  return std::nullopt;
}

void History::Enqueue(Member& member, bool changed, bool check_class) {
  if (member.place == Place::kHeap || (member.place == Place::kParked && !changed)) return;
  const bool parks = !IsBackoffOver(member) || (check_class && ParkedReason(member));
  member.place = parks ? Place::kParked : Place::kHeap;
}

// Out of the queue: this, and only this, clears the marker.
void History::Leave(Member& member) {
  QueueMemory& memory = queues_[QueueOf(member.workload)];
  if (memory.marked == member.workload.key) memory.marked.reset();
  member.place = Place::kNone;
  member.progress.clear();
}

std::set<std::string> History::TreeOf(const std::string& node) const {
  const Tree tree = Look().tree;
  const auto root_of = [&](std::string n) {
    while (!tree.nodes.at(n).parent.empty()) n = tree.nodes.at(n).parent;
    return n;
  };
  std::set<std::string> queues;
  if (!tree.nodes.contains(node)) return queues;
  for (const auto& [id, n] : tree.nodes) {
    if (n.is_queue && root_of(id) == root_of(node)) queues.insert(id.substr(6));
  }
  return queues;
}

// Section 3.6: "all events of a WL go through its LocalQueue as it stands at that moment".
void History::WakeFor(const Workload& workload) {
  const auto* local = Find<LocalQueue>({workload.key.ns, workload.queue});
  if (local == nullptr || local->stop_policy != StopPolicy::kNone) return;
  WakeTreeOf(local->cluster_queue);
}

// Section 3.6: per whole tree, and the parked classes are forgotten even if none was parked.
void History::FlushWakes() {
  std::set<std::string> queues;
  for (const std::string& queue : woken_) queues.merge(TreeOf("queue/" + queue));
  woken_.clear();
  for (const std::string& queue : queues) queues_[queue].parked_classes.clear();
  for (auto& [key, member] : members_) {
    const bool wakes = member.place == Place::kParked && queues.contains(QueueOf(member.workload));
    if (wakes && IsBackoffOver(member)) member.place = Place::kHeap;
  }
}

// Sections 3.1 and 8: the heaps in order, and where scans go on.
Snapshot History::LookForCycle() const {
  Snapshot world = Look();
  world.fair_usage = FairUsageValues();
  std::erase_if(world.fair_usage, [&](const auto& usage) {
    const auto* local = Find<LocalQueue>(usage.first);
    const auto* queue = Find<ClusterQueue>({"", local->cluster_queue});
    return !queue || queue->admission_mode != AdmissionMode::kUsageBased;
  });
  const std::map<Key, double> values = FairUsageValues();
  for (auto& [id, heap] : world.heaps) {
    const std::string name = world.queues.at(id).name;
    const QueueMemory& memory = queues_.at(name);
    for (Job& job : heap) {
      const Member& member = members_.at(job.key);
      job.generation = memory.generation;
      if (!IsOutdated(member, cycle_ + 1, memory.generation)) job.progress = member.progress;
    }
    const auto rank = [&](const Job& job) {
      const auto usage = values.find(job.local_queue);
      const bool counts = memory.by_usage && usage != values.end();
      const bool sticky = memory.sticky && memory.marked == job.key;
      return std::tuple(counts ? usage->second : 0.0, !sticky, -job.priority, job.queued_at,
                        job.uid);
    };
    std::sort(heap.begin(), heap.end(),
              [&](const Job& a, const Job& b) { return rank(a) < rank(b); });
  }
  return world;
}

Decisions History::RunOneCycle() {
  const std::vector<Verdict> verdicts = Decide(LookForCycle());
  if (!verdicts.empty()) ++cycle_;  // "it blocks while nothing is available"
  Decisions decisions;
  std::map<Key, const Verdict*> started;
  for (const Verdict& verdict : verdicts) {
    if (verdict.admission) {
      decisions.admitted[verdict.job.key] = *verdict.admission;
      started[verdict.job.key] = &verdict;
      continue;
    }
    for (const auto& [victim, reason] : verdict.preempts) {
      decisions.preempted[victim] = {reason, verdict.job.key};
      OrderEviction(members_.at(victim), "Preempted");
    }
    Requeue(verdict);
  }
  for (const auto& [key, verdict] : started) Start(*verdict);
  return decisions;
}

void History::Start(const Verdict& verdict) {
  Member& member = members_.at(verdict.job.key);
  Leave(member);
  member.reason = PendingReason::kNone;
  member.workload.status.admission = verdict.admission;
  for (const char* type : {"QuotaReserved", "Admitted"}) {
    SetCondition(member.workload, type, true, type, now_);
  }
  if (IsTrue(member.workload, "Evicted")) {
    SetCondition(member.workload, "Evicted", false, "QuotaReserved", now_);
  }
  AdvanceGeneration(member);
  const auto& config = config_.admission_fair_sharing;
  const auto* queue = Find<ClusterQueue>({"", verdict.admission->cluster_queue});
  if (!config || queue->admission_mode != AdmissionMode::kUsageBased) return;
  ResourceList requests;
  for (const Ask& ask : verdict.job.asks) {
    for (const auto& [resource, amount] : ask.requests) {
      requests[resource] = requests[resource] +
                           (resource == "cpu" ? Quantity::Milli(amount) : Quantity::Units(amount));
    }
  }
  const Key& local = verdict.job.local_queue;
  usage_[local].Settle(*config, AdmittedUsage(local), requests, now_);
}

// Section 3.4.
void History::Requeue(const Verdict& verdict) {
  Member& member = members_.at(verdict.job.key);
  const std::string name = QueueOf(member.workload);
  const bool best_effort = IsBestEffort(*Find<ClusterQueue>({"", name}));
  QueueMemory& memory = queues_[name];
  const bool preempting = verdict.requeue == oracle::Requeue::kPendingPreemption;
  if (preempting) {
    memory.marked = verdict.job.key;
    memory.sticky = best_effort;
  } else if (sticky_cure_ && memory.marked == verdict.job.key) {
    memory.marked.reset();
  }
  member.reason = verdict.reason;
  member.progress = verdict.progress;
  member.progress_cycle = cycle_;
  member.progress_generation = verdict.job.generation;
  const bool at_once =
      !best_effort || preempting || verdict.requeue == oracle::Requeue::kFailedAfterNomination;
  const bool to_heap = IsBackoffOver(member) && (at_once || HasUntriedFlavors(member.progress));
  member.place = to_heap ? Place::kHeap : Place::kParked;
  if (to_heap || !best_effort) return;
  if (at_once) return;
  ParkClass(member, name);
}

// Section 3.5: "all heap WLs of that CQ with the same hash are parked too; they keep the reason".
void History::ParkClass(const Member& member, const std::string& queue) {
  const Class mine = ClassOf(member);
  auto& classes = queues_[queue].parked_classes;
  std::erase_if(classes, [&](const auto& parked) { return parked.first == mine; });
  classes.emplace_back(mine, member.reason);
  for (auto& [key, other] : members_) {
    const bool waits = other.place == Place::kHeap && QueueOf(other.workload) == queue;
    if (waits && ClassOf(other) == mine) other.place = Place::kParked;
  }
}

}  // namespace muster::oracle
