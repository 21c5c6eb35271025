// Second passes: workloads that hold quota and are given places in a cycle, before any head.
//
// They take no quota. One without a place, whose nodes were to be made first, may evict others as a
// head may, and is tried again when they have left. All are looked at against the same hosts; each
// is then tried again on what those before it left, and looked at once more where that is too
// little. One that finds a place, but not beside others of the cycle, is tried again later: its
// host failed, but another has room.
#ifndef MUSTER_ENGINE_NODES_SECOND_PASSES_H_
#define MUSTER_ENGINE_NODES_SECOND_PASSES_H_

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/places/replacement.h"
#include "engine/policy/policy_calls.h"
#include "engine/preempt/preemption_search.h"
#include "engine/state/world.h"
#include "muster/decision.h"

namespace muster {

class SecondPasses {
 public:
  SecondPasses() = default;  ///< none
  /// Those that are due now.
  explicit SecondPasses(World& world);
  bool empty() const { return passes_.empty(); }

  /// Precondition: nothing is tried on hosts yet.
  void Nominate(PolicyCalls& calls, PreemptionSearch& search);
  /// What they get is used, under the caller's mark.
  void Process(PolicyCalls& calls);
  /// What Process had them evict, by the queue of each. Others of the cycle leave these alone.
  std::vector<std::pair<QueueId, const std::vector<Victim>*>> Claimed() const;
  /// With nothing tried any more: those that found places have them, and the others are tried again
  /// later, or are evicted because their host failed.
  void CarryOut(CycleResult& result);

 private:
  struct Pass {
    WorkloadId workload;
    std::optional<NewPlaces> found;
    std::vector<Victim> victims;  ///< that leave, for what was found
    bool is_skipped = false;      ///< it had a place, and others of the cycle took it
  };
  std::optional<NewPlaces> Find(const WorkloadRecord& workload, PolicyCalls& calls);
  /// Looks for evictions where there is no place.
  void FindVictims(Pass& pass, PreemptionSearch& search);
  bool MayEvict(const WorkloadRecord& workload) const;
  /// Keeps what it gets without its victims, unless an earlier pass of the cycle evicts one of
  /// them.
  void Claim(Pass& pass);
  /// Without a place beside others it keeps the one that it would have without them, so that none
  /// behind it in the cycle takes room away - unless its queue may reclaim from any.
  void Reserve(const WorkloadRecord& workload);

  World* world_ = nullptr;
  std::vector<Pass> passes_;
  std::set<WorkloadId> claimed_;  ///< victims
};

}  // namespace muster

#endif  // MUSTER_ENGINE_NODES_SECOND_PASSES_H_
