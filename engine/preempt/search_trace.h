// SearchTrace: remembers the fate of every candidate of a search, when somebody asks.
#ifndef MUSTER_ENGINE_PREEMPT_SEARCH_TRACE_H_
#define MUSTER_ENGINE_PREEMPT_SEARCH_TRACE_H_

#include <map>
#include <vector>

#include "engine/preempt/preemption_search.h"
#include "engine/state/world.h"
#include "muster/trace.h"

namespace muster {

class SearchTrace {
 public:
  /// `out` may be null: then nothing is done.
  SearchTrace(const World& world, std::vector<CandidateTrace>* out) : world_(world), out_(out) {}
  bool wanted() const { return out_ != nullptr; }
  void Candidate(WorkloadId id, PreemptionReason reason) {
    if (out_ == nullptr) return;
    const WorkloadRecord& workload = world_.workload(id);
    lines_.emplace(id, out_->size());
    out_->push_back({workload.spec.key, world_.queue(workload.holds_in).name(), reason,
                     CandidateTrace::Fate::kNotNeeded});
  }
  void Fate(WorkloadId id, CandidateTrace::Fate fate) {
    const auto [first, last] = lines_.equal_range(id);
    for (auto line = first; line != last; ++line) (*out_)[line->second].fate = fate;
  }
  /// Those taken by `before` and no more in `after` were filled back.
  void Outcome(const std::vector<Victim>& before, const std::vector<Victim>& after) {
    if (out_ == nullptr) return;
    for (const Victim& victim : before) Fate(victim.workload, CandidateTrace::Fate::kFilledBack);
    for (const Victim& victim : after) Fate(victim.workload, CandidateTrace::Fate::kVictim);
  }

 private:
  const World& world_;
  std::vector<CandidateTrace>* out_;
  std::multimap<WorkloadId, std::size_t> lines_;  ///< where in `out_` a candidate stands
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_SEARCH_TRACE_H_
