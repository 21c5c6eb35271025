// See explain_notes.h. All but that of a boost are about a policy that orders the queue: its author
// reads the order of the queue and wonders at what comes before it, or is not subject to it at all.
#include "engine/explain/explain_notes.h"

#include <string>
#include <string_view>
#include <utility>

#include "engine/explain/kin_words.h"
#include "engine/state/records.h"

namespace muster {
namespace {

class Notes {
 public:
  Notes(const World& world, const PolicyTable& policies, const WorkloadRecord& workload,
        const Hypothesis& hypothesis, Explanation& explanation)
      : world_(world),
        policies_(policies),
        workload_(workload),
        queue_(world.queue(workload.queue)),
        hypothesis_(hypothesis),
        explanation_(explanation) {}

  void Add() {
    AddOwnOrder();
    const Policy* policy = policies_.PolicyFor(world_, queue_, Hook::kQueueOrder);
    if (policy == nullptr || !queue_.pending.scripted()) return;
    order_ = "not queue_order of policy " + policy->info().name;
    AddAhead();
    AddEvictions();
    AddOtherQueues();
  }

 private:
  void Note(std::string text) { explanation_.notes.push_back(std::move(text)); }

  void AddOwnOrder() {
    if (!workload_.local_queue.valid()) return;
    const Key& local_queue = world_.local_queue(workload_.local_queue).spec.key;
    const Policy* policy = policies_.OwnOrder(local_queue);
    if (policy == nullptr) return;
    Note("Policy " + policy->info().name + " orders the jobs of LocalQueue " +
         local_queue.ToString() + " among themselves: which of them takes a place of theirs.");
  }

  void AddAhead() {
    for (const AheadView& ahead : explanation_.ahead) {
      const bool by_usage = ahead.key == "LocalQueue usage";
      if (!by_usage && ahead.key != OrderKeyName(OrderKey::kSticky)) continue;
      return Note(std::string(by_usage ? "Use of LocalQueues (admission fair sharing)"
                                       : "The mark of a preemptor") +
                  " decides here, " + order_ + ": " + ahead.workload.ToString() +
                  " comes first by it.");
    }
  }

  void AddEvictions() {
    for (const HolderView& holder : explanation_.holders) {
      if (holder.why.find("its priority") == std::string::npos) continue;
      return Note("Priority decides here, " + order_ + ": what it may evict goes by " + holder.why +
                  " (" + holder.workload.ToString() + ").");
    }
  }

  /// Between queues a cycle has its own order.
  void AddOtherQueues() {
    if (world_.catalog.FairSharing() ||
        policies_.PolicyFor(world_, queue_, Hook::kCycleOrder) != nullptr) {
      return;
    }
    constexpr std::string_view kRule =
        ": between ClusterQueues a cycle goes by borrowing level, priority and time "
        "(hook cycle_order)";
    for (const HolderView& holder : explanation_.holders) {
      const WorkloadRecord* record = world_.FindWorkload(holder.workload);
      if (record == nullptr || record->holds_in == queue_.id) continue;
      if (record->priority() <= workload_.priority()) continue;
      if (record->reserved_at == kNoTime || record->reserved_at < workload_.created()) continue;
      return Note("Priority decides here, " + order_ + std::string(kRule) + "; " +
                  holder.workload.ToString() + " came first with priority " +
                  std::to_string(record->priority()) + ".");
    }
    const bool lost = workload_.reason == PendingReason::kWaitingForQuota &&
                      hypothesis_.entry.nominated &&
                      hypothesis_.entry.assignment().mode == AssignmentMode::kFit;
    if (lost) {
      Note("In the last cycle others came first; that was " + order_ + std::string(kRule) + ".");
    }
  }

  const World& world_;
  const PolicyTable& policies_;
  const WorkloadRecord& workload_;
  const ClusterQueueState& queue_;
  const Hypothesis& hypothesis_;
  Explanation& explanation_;
  std::string order_;
};

/// Priorities of jobs that were submitted alike may differ by it.
std::string BoostNote(const World& world, const WorkloadRecord& workload) {
  const std::string policy = BoostedBy(world, workload);
  return "Its priority is " + std::to_string(workload.priority()) + ": " +
         std::to_string(workload.key.priority) + " and a boost of " +
         std::to_string(workload.key.boost) + " by " +
         (policy.empty() ? "its annotation" : "policy " + policy) + ".";
}

}  // namespace

void AddNotes(const World& world, const PolicyTable& policies, const WorkloadRecord& workload,
              const Hypothesis& hypothesis, Explanation& explanation) {
  if (workload.key.boost != 0) explanation.notes.push_back(BoostNote(world, workload));
  AddKinNotes(world, workload, explanation.notes);
  if (!workload.queued()) return;
  Notes(world, policies, workload, hypothesis, explanation).Add();
}

}  // namespace muster
