// SearchTrace: remembers the fate of the candidates of a search, on demand. As many as are
// shown are remembered, and not as many as there are.
#ifndef MUSTER_ENGINE_PREEMPT_SEARCH_TRACE_H_
#define MUSTER_ENGINE_PREEMPT_SEARCH_TRACE_H_

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/model/limits.h"
#include "engine/preempt/preemption_search.h"
#include "engine/state/world.h"
#include "muster/trace.h"

namespace muster {

class SearchTrace {
 public:
  /// `out` may be null: then nothing is done.
  SearchTrace(const World& world, SearchReport* out) : world_(world), out_(out) {}
  bool wanted() const { return out_ != nullptr; }
  SearchReport* report() const { return out_; }
  /// Whether another candidate would be remembered. When not, it is noted that there is one.
  bool TakesMore() {
    if (out_->candidates.size() < kMaxCandidates) return true;
    out_->more_candidates = true;
    return false;
  }
  void Queues(std::span<const CandidateQueue> queues) {
    out_->queues.clear();
    for (const CandidateQueue& from : queues) out_->queues.push_back(from.queue->id);
    std::sort(out_->queues.begin(), out_->queues.end());
  }
  void Candidate(WorkloadId id, PreemptionReason reason) {
    if (out_ == nullptr) return;
    const WorkloadRecord& workload = world_.workload(id);
    lines_.emplace(id, out_->candidates.size());
    out_->candidates.push_back({workload.spec.key,
                                world_.queue(workload.holds_in).name(),
                                reason,
                                CandidateTrace::Fate::kNotNeeded,
                                {},
                                workload.evicted,
                                false,
                                {}});
  }
  void Fate(WorkloadId id, CandidateTrace::Fate fate) {
    const auto [first, last] = lines_.equal_range(id);
    for (auto line = first; line != last; ++line) out_->candidates[line->second].fate = fate;
  }
  /// It is a victim, for `reason`.
  void Taken(WorkloadId id, PreemptionReason reason) {
    Fate(id, CandidateTrace::Fate::kVictim);
    const auto [first, last] = lines_.equal_range(id);
    for (auto line = first; line != last; ++line) out_->candidates[line->second].reason = reason;
  }
  /// From here on this is said of an attempt, which may borrow or not.
  void BeginAttempt(bool allow_borrowing) {
    noted_ = out_ != nullptr && allow_borrowing;
    if (!noted_) return;
    out_->tried.clear();
    out_->beyond_budget.clear();
    out_->within_quota.clear();
  }
  void Tried(WorkloadId id) {
    if (noted_) out_->tried.insert(id);
  }
  /// What is left of the queue, its side of the tree keeps.
  void KeepsTheRest(QueueId queue) {
    if (noted_) out_->within_quota.insert(queue);
  }
  /// The budget of `key` that `policy` keeps is used up for it.
  void BeyondBudget(WorkloadId id, const std::string& policy, const std::string& key) {
    if (noted_) {
      out_->beyond_budget.insert(id);
      out_->budgeter = policy;
    }
    const auto [first, last] = lines_.equal_range(id);
    for (auto line = first; line != last; ++line) {
      CandidateTrace& candidate = out_->candidates[line->second];
      candidate.fate = CandidateTrace::Fate::kProtected;
      candidate.policy = policy;
      candidate.beyond_budget = true;
      candidate.budget = key;
    }
  }
  /// Candidates of other queues would be evicted for `reason`.
  void OthersAre(PreemptionReason reason) {
    if (out_ == nullptr) return;
    for (CandidateTrace& candidate : out_->candidates) {
      if (candidate.reason != PreemptionReason::kInClusterQueue) candidate.reason = reason;
    }
  }
  /// The strategy refuses all of `queue` whose fate is open.
  void ProtectOthersOf(QueueId queue) {
    for (const auto& [id, line] : lines_) {
      if (world_.workload(id).holds_in != queue) continue;
      CandidateTrace& candidate = out_->candidates[line];
      if (candidate.fate == CandidateTrace::Fate::kNotNeeded) {
        candidate.fate = CandidateTrace::Fate::kProtected;
      }
    }
  }
  /// Those taken by `before` and no more in `after` were filled back.
  void Outcome(const std::vector<Victim>& before, const std::vector<Victim>& after) {
    if (out_ == nullptr) return;
    for (const Victim& victim : before) {
      if (!lines_.contains(victim.workload)) Candidate(victim.workload, victim.reason);
      Fate(victim.workload, CandidateTrace::Fate::kFilledBack);
    }
    for (const Victim& victim : after) Fate(victim.workload, CandidateTrace::Fate::kVictim);
  }

 private:
  const World& world_;
  SearchReport* out_;
  bool noted_ = false;  ///< the attempt is one of which a certificate speaks
  std::multimap<WorkloadId, std::size_t> lines_;  ///< where in `out_` a candidate stands
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_SEARCH_TRACE_H_
