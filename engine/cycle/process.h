// Processing: each entry in its turn - admit, preempt, hold, or skip - on the usage that the
// entries before it left behind. Changes nothing but the entries and, under the cycle's marks, the
// trees.
#ifndef MUSTER_ENGINE_CYCLE_PROCESS_H_
#define MUSTER_ENGINE_CYCLE_PROCESS_H_

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/capacity/quota_trial.h"
#include "engine/cycle/entry.h"
#include "engine/life/deadlines.h"
#include "engine/policy/hold_rule.h"
#include "engine/policy/policy_calls.h"
#include "engine/preempt/claims.h"
#include "engine/preempt/preemption_search.h"
#include "engine/state/world.h"

namespace muster {

class EntryProcessor {
 public:
  EntryProcessor(World& world, PreemptionSearch& search, PolicyCalls& calls, bool traced)
      : world_(world),
        search_(search),
        calls_(calls),
        hold_again_(world, calls),
        traced_(traced),
        blocked_(WaitsForPodsReady(world)) {}
  /// Decides the entry's outcome.
  void Process(Entry& entry);
  /// The trees in which something is charged that no start is, ascending. O(n log n) in their
  /// entries.
  std::vector<std::uint32_t> TentativeTrees() const;
  /// What holds those back whose outcome is kOnHold.
  std::map<WorkloadId, PolicyHold> TakeHolds() { return std::move(holds_); }

 private:
  /// While it lives, a tree is charged as if the victims of earlier entries were gone. O(1), but
  /// for the first time in a tree: O(its cells). While room is kept, or more than
  /// quota decides: O(those victims).
  class WithoutClaimed {
   public:
    WithoutClaimed(EntryProcessor& processor, std::uint32_t index);
    ~WithoutClaimed();
    WithoutClaimed(const WithoutClaimed&) = delete;
    WithoutClaimed& operator=(const WithoutClaimed&) = delete;
    /// Whether what the claims say is all in which the tree is charged otherwise now.
    bool IsNoted() const { return other_ != nullptr; }

   private:
    QuotaTree& tree_;
    SecondTree* other_ = nullptr;
    std::optional<CapacityMark> mark_;
  };

  /// What entries took of a tree. It has some from the first claim on.
  struct Taken {
    Claims claims;
    /// The tree as it is charged but for the victims, as soon as it was asked for.
    std::optional<SecondTree> cleared;
  };

  void Refresh(Entry& entry);
  /// Takes the victims in other trees off their hosts.
  void FreeHostsBeside(std::uint32_t tree);
  /// Whether hosts have no room left for it, while quota has, with the victims gone.
  bool LostItsPlace(const Entry& entry);
  /// The same as Refresh, with the victims of others still there.
  void RefreshPlaces(Entry& entry);
  /// Charges `usage` for the entry, and the hosts it is to be on.
  void ChargeFor(const Entry& entry, std::span<const Usage> usage);
  /// Charges `queue`, for the rest of the cycle.
  void Charge(const ClusterQueueState& queue, std::span<const Usage> usage);
  void ReserveForBlocked(const Entry& entry);
  /// Whether a policy holds it back after what earlier entries took.
  bool IsHeldBack(Entry& entry);
  bool Overlaps(const Entry& entry) const;
  /// Whether it would evict what a slice has replaced in this cycle.
  bool WantsReplaced(const Entry& entry) const;
  /// A slice takes the place of another workload: for later entries that is gone where Kueue's
  /// overcommitment is wanted, and else stays charged.
  void NoteReplaced(const Entry& entry);
  bool Fits(const Entry& entry);
  /// Why a flavor that it was nominated with is not for it any more, after what this cycle started.
  std::optional<std::string> HeldFlavor(const Entry& entry);
  /// Why the evictions of the entry must wait for those of earlier ones, by the policy of its
  /// queue; empty: they need not.
  std::string MustWait(const Entry& entry) const;
  /// Notes what the evictions of the entry spend, and of whose budgets.
  void Spend(const Entry& entry);
  void Claim(Entry& entry);
  /// A variant fits, and `sibling` runs with a flavor that is preferred less: that has to leave
  /// first, if the job may move at all. What the variant takes stays charged in this cycle.
  void Migrate(Entry& entry, const WorkloadRecord& sibling);
  static void Settle(Entry& entry, Outcome outcome, RequeueReason requeue, PendingReason reason,
                     Text message);

  World& world_;
  PreemptionSearch& search_;
  PolicyCalls& calls_;
  HoldAgain hold_again_;
  std::map<WorkloadId, PolicyHold> holds_;
  bool traced_;
  bool blocked_;                          ///< an admitted workload must become ready first
  std::vector<std::uint32_t> tentative_;  ///< see TentativeTrees; in no order, some twice
  HeldAmounts starting_;                  ///< what this cycle's starts charge
  bool uncharged_ = false;                ///< an earlier entry of this cycle orders a new eviction
  std::map<std::uint32_t, Taken> taken_;  ///< by tree
  std::set<WorkloadId> replaced_;         ///< by slices that start; see NoteReplaced
  const Policy* spender_ = nullptr;       ///< whose budgets all those are charged to
  bool spent_otherwise_ = false;          ///< some are charged to those of another one, or to none
  Budget spent_;                          ///< of the budgets of `spender_`
};

/// The head of a queue is decided about: sets Entry::room_stays, true when what was kept for
/// another one of the queue, `room`, is kept on. It is not when the head has others evicted itself,
/// when it was admitted and used it, or when it blocks its queue, so that the one behind it cannot
/// come.
void KeepOrGiveUpRoom(const World& world, Entry& entry, const std::vector<Usage>& room);

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_PROCESS_H_
