// PreemptionSearch: finds a set of workloads whose eviction makes room (spec: preemption).
//
// Works under a mark on capacity and leaves it as it was. Two algorithms, chosen by the
// configuration: classical (classical_search.cc) and fair sharing (fair_search.cc); both end with a
// fill-back that gives back what was not needed after all.
//
// The cost follows the victims, not the holders: candidates come out of each queue's index one at a
// time, and where even all of them would not be enough none is looked at. That bound is sound
// because taking usage away never makes less available, and the sums it takes are never too low.
// It looks at quota alone: what else limits can refuse more and never permit what quota refuses.
// Preemptors of one tree share what they see alike (common_view.h), and a search that would read
// what it read before is not repeated (search_memory.h).
#ifndef MUSTER_ENGINE_PREEMPT_PREEMPTION_SEARCH_H_
#define MUSTER_ENGINE_PREEMPT_PREEMPTION_SEARCH_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/assign/preemption_oracle.h"
#include "engine/base/ids.h"
#include "engine/capacity/quota_trial.h"
#include "engine/policy/policy_calls.h"
#include "engine/preempt/asked_candidates.h"
#include "engine/preempt/candidates.h"
#include "engine/preempt/claims.h"
#include "engine/preempt/common_view.h"
#include "engine/preempt/search_memory.h"
#include "engine/preempt/victim.h"
#include "engine/state/world.h"
#include "muster/decision.h"
#include "muster/trace.h"

namespace muster {

/// A queue whose holders the preemptor may evict, as far as `policy` goes.
struct CandidateQueue {
  const ClusterQueueState* queue = nullptr;
  PreemptionPolicy policy = PreemptionPolicy::kNever;
};

/// What a search says of those it looked at, on demand.
struct SearchReport {
  /// The first kMaxCandidates in the order of the search, then what else it took.
  std::vector<CandidateTrace> candidates;
  bool more_candidates = false;  ///< there are others
  std::vector<QueueId> queues;   ///< whose holders the search could take, ascending
  /// What would be available beside what is, if all candidates left, by contested pair; at most
  /// kMaxHoldersRead leave one by one, the others by the bound on them.
  std::vector<Usage> freeable;
  std::set<WorkloadId> spared;  ///< what hook victim of `protector` protects
  std::string protector;
  std::string limiter;  ///< whose hook preempt_limits forbade what was found; empty: none did

  // What a certificate is made of; see engine/certify.
  std::vector<Usage> demand;                ///< that of the request
  std::vector<FlavorResourceId> contested;  ///< by the request
  bool quota_alone = false;                 ///< nothing else decides whether it fits
  // Of the attempt that may borrow.
  std::set<WorkloadId> tried;          ///< those that it took
  std::set<WorkloadId> beyond_budget;  ///< a budget of `budgeter` left them
  std::string budgeter;
  std::set<QueueId> within_quota;  ///< what was left of them, their side of the tree keeps
};

class PreemptionSearch : public PreemptionOracle {
 public:
  /// `policies` may be null: the native rules decide. So may `memory`: every search is made.
  PreemptionSearch(World& world, FrozenUsage usage, PolicyCalls* policies,
                   SearchMemory* memory = nullptr)
      : world_(world),
        usage_(std::move(usage)),
        policies_(policies),
        memory_(memory),
        victims_(policies) {}

  /// Victims in the order found; empty when nothing that may be evicted makes enough room.
  /// `report`, when given, receives the candidates and their fates.
  std::vector<Victim> FindVictims(const PreemptionRequest& request, SearchReport* report = nullptr);

  FlavorFit Ask(const WorkloadRecord& workload, const ClusterQueueState& queue,
                Usage demand) override;
  bool IsGone(WorkloadId workload) const override { return gone_->contains(workload); }

  /// Null: the native rules decide.
  PolicyCalls* policies() const { return policies_; }
  /// Whether no policy has a say in searches for `queue`, such as one that failed in this cycle.
  bool IsNative(const ClusterQueueState& queue) const;

  /// What earlier entries took of the one tree that is searched until the next call. Null: nothing;
  /// else it must outlive this, and only grow. `noted`: all in which the tree is charged otherwise
  /// than at the start of the cycle is in it; searches then share what they see.
  void SetClaims(const Claims* claims, bool noted) {
    gone_ = claims == nullptr ? &kNoneGone : &claims->victims;
    noted_ = noted ? claims : nullptr;
    found_.clear();
  }
  /// What evictions that earlier entries ordered spend of the budgets that hook victim keeps; null:
  /// nothing. To be called before SetClaims; it must outlive this or the next call.
  void SetSpent(const Budget* spent) { spent_ = spent == nullptr ? &kNothingSpent : spent; }
  /// The key of the budget that a victim found here spends of.
  const std::string& BudgetOf(const Victim& victim) const {
    return victims_.KeyOf(victim.spending);
  }

 private:
  /// What was found for one request of a preemptor.
  struct Found {
    std::vector<Usage> demand;
    std::vector<FlavorResourceId> contested;
    std::vector<Victim> victims;
  };
  /// A search whose result no other preemptor can share. The flavor walk and the nomination of one
  /// often ask the same, on the same usage: that is searched once.
  std::vector<Victim> SearchOnce(const PreemptionRequest& request, SearchReport* report);
  /// What the preemptor sees as others do; null: nothing that is known yet, or can be shared.
  CommonView* ViewFor(const PreemptionRequest& request);
  std::vector<Victim> Search(const PreemptionRequest& request, SearchReport* report,
                             CommonView* view);
  /// All queues that a search may take from, on demand.
  using AllQueues = std::function<std::vector<CandidateQueue>()>;
  /// Has the costs of all candidates asked for, if the policy has any, and puts them into the
  /// order. Those of other queues than `queues` are known, and there are none if these have none.
  /// `report`, when given, learns what the policy protects.
  void OrderByCost(const CandidateScope& scope, std::span<const CandidateQueue> queues,
                   const AllQueues& all, CandidateOrder& order, SearchReport* report);
  /// Those whose costs are in the set of answers that was found last. The place stays the same.
  AskedCandidates& AskedNow();
  /// All that hold quota in `queue`, in the order without costs.
  const AskedCandidates::Holders& HoldersOf(const ClusterQueueState& queue,
                                            const CandidateOrder& order);
  bool Permits(std::span<const Victim> victims, SearchReport* report);
  /// Whether `budget` allows to evict the candidate; one that is evicted already spends nothing.
  bool Affords(const WorkloadRecord& candidate, const Budget& budget) const {
    return candidate.evicted || !victims_.budgeted() ||
           budget.Allows(victims_.SpendingOf(candidate));
  }
  /// It is a victim, for `reason`: what it spends is gone.
  Victim TakenFor(const WorkloadRecord& candidate, PreemptionReason reason, Budget& budget) const;

  friend class ClassicalSearch;
  friend class FairSearch;
  World& world_;
  FrozenUsage usage_;
  PolicyCalls* policies_;
  SearchMemory* memory_;
  CommonViews views_;          ///< of trees on which nothing is tried
  CommonViews claimed_views_;  ///< of trees as claims are noted
  bool read_time_ = false;     ///< the running search did; see CandidateOrder
  VictimRule victims_;
  std::vector<AskedCandidates> asked_;  ///< by the place of their answers, once there are any
  /// By QueueId, of those from which a preemptor with a policy may have taken. They stay the same
  /// as long as this lives.
  std::vector<std::optional<AskedCandidates::Holders>> holders_;
  const WorkloadRecord* finder_ = nullptr;
  std::uint64_t found_at_ = 0;  ///< version of the tree
  std::size_t failures_ = 0;    ///< of policies, when it was found
  std::vector<Found> found_;    ///< for this preemptor, with those gone that are
  static inline const std::set<WorkloadId> kNoneGone;
  const std::set<WorkloadId>* gone_ = &kNoneGone;
  const Claims* noted_ = nullptr;
  static inline const Budget kNothingSpent;
  const Budget* spent_ = &kNothingSpent;
};

/// Releases what `id` is charged (its record keeps it), or charges it again; under a mark.
void SimulateRemoval(World& world, WorkloadId id);
void SimulateReturn(World& world, WorkloadId id);
/// Releases it on a trial of its tree.
void TryRemoval(const World& world, QuotaTrial& trial, WorkloadId id);

/// Whether the demand fits its queue on current usage, borrowing or not.
bool DemandFits(const World& world, const PreemptionRequest& request, bool allow_borrowing);
/// The same as far as quota goes: false proves that it does not fit.
bool QuotaHolds(const QuotaTree& tree, const PreemptionRequest& request, bool allow_borrowing);

/// False proves that no set of candidates of these queues makes enough room, because all together
/// do not. True where asking would cost more than trying. O(queues x priorities x pairs).
bool MayMakeRoom(QuotaTree& tree, const PreemptionRequest& request,
                 std::span<const CandidateQueue> queues, bool allow_borrowing);

/// Fills `report.freeable`. Another queue gives no more once it borrows nothing contested.
void MeasureFreeable(const World& world, QuotaTree& tree, const CandidateScope& scope,
                     std::span<const CandidateQueue> queues, SearchReport& report);

/// Gives back victims that turn out not to be needed: from the last but one to the first, each is
/// returned, and dropped from the list (the last one takes its slot) when the demand still fits.
void FillBack(World& world, const PreemptionRequest& request, bool allow_borrowing,
              std::vector<Victim>& victims);

}  // namespace muster

#endif  // MUSTER_ENGINE_PREEMPT_PREEMPTION_SEARCH_H_
