// Who may be evicted, and in which order.
#include "engine/preempt/candidates.h"

#include <algorithm>
#include <map>

#include "engine/model/check.h"

namespace muster {

bool PolicyAllows(PreemptionPolicy policy, const WorkloadRecord& preemptor,
                  const WorkloadRecord& candidate) {
  switch (policy) {
    case PreemptionPolicy::kNever:
      return false;
    case PreemptionPolicy::kAny:
      return true;
    case PreemptionPolicy::kLowerPriority:
      return preemptor.priority() > candidate.priority();
    case PreemptionPolicy::kLowerOrNewerEqualPriority:
      return preemptor.priority() > candidate.priority() ||
             (preemptor.priority() == candidate.priority() &&
              preemptor.key.timestamp < candidate.key.timestamp);
  }
  return false;
}

std::vector<WorkloadId> CandidatesOf(const World& world, const ClusterQueueState& queue,
                                     PreemptionPolicy policy, const PreemptionRequest& request,
                                     const std::set<WorkloadId>& gone) {
  std::vector<WorkloadId> candidates;
  if (policy == PreemptionPolicy::kNever || !queue.active) return candidates;
  for (const WorkloadId id : queue.holders) {
    const WorkloadRecord& holder = world.workload(id);
    if (gone.contains(id) || !PolicyAllows(policy, request.preemptor, holder)) continue;
    const bool contested =
        std::any_of(holder.usage.begin(), holder.usage.end(), [&](const Usage& usage) {
          return std::binary_search(request.contested.begin(), request.contested.end(), usage.fr);
        });
    if (contested) candidates.push_back(id);
  }
  return candidates;
}

bool CandidateOrder::UsageBefore(const WorkloadRecord& a, const WorkloadRecord& b,
                                 bool& decided) const {
  decided = false;
  if (!usage_ || a.holds_in != b.holds_in || a.local_queue == b.local_queue) return false;
  if (!a.local_queue.valid() || !b.local_queue.valid()) return false;
  if (!world_.UsageBased(world_.queue(a.holds_in))) return false;
  const double usage_a = usage_(a.local_queue);
  const double usage_b = usage_(b.local_queue);
  decided = usage_a != usage_b;
  return usage_a > usage_b;
}

bool CandidateOrder::Before(WorkloadId a_id, WorkloadId b_id) const {
  const WorkloadRecord& a = world_.workload(a_id);
  const WorkloadRecord& b = world_.workload(b_id);
  if (a.evicted != b.evicted) return a.evicted;
  const bool a_own = a.holds_in == own_;
  const bool b_own = b.holds_in == own_;
  if (a_own != b_own) return b_own;
  bool decided = false;
  const bool by_usage = UsageBefore(a, b, decided);
  if (decided) return by_usage;
  if (a.priority() != b.priority()) return a.priority() < b.priority();
  const TimeNs reserved_a = a.reserved_at == kNoTime ? world_.now : a.reserved_at;
  const TimeNs reserved_b = b.reserved_at == kNoTime ? world_.now : b.reserved_at;
  if (reserved_a != reserved_b) return reserved_a > reserved_b;
  if (a.uid() != b.uid()) return a.uid() < b.uid();
  return a_id < b_id;
}

void CandidateOrder::Sort(std::vector<WorkloadId>& candidates) const {
  const auto before = [this](WorkloadId a, WorkloadId b) { return Before(a, b); };
  if (!usage_) {
    std::sort(candidates.begin(), candidates.end(), before);
    return;
  }
  std::map<QueueId, std::vector<WorkloadId>> by_queue;
  for (const WorkloadId id : candidates) by_queue[world_.workload(id).holds_in].push_back(id);
  for (auto& [queue, list] : by_queue) std::sort(list.rbegin(), list.rend(), before);
  for (WorkloadId& slot : candidates) {
    std::vector<WorkloadId>* best = nullptr;  // lists are in reverse: the first is at the back
    for (auto& [queue, list] : by_queue) {
      if (list.empty()) continue;
      if (best == nullptr || Before(list.back(), best->back())) best = &list;
    }
    MUSTER_CHECK(best != nullptr);
    slot = best->back();
    best->pop_back();
  }
}

}  // namespace muster
