// Rest: whether further cycles at the same time would decide anything.
//
// A cycle that decides nothing and leaves every head where it was, with its flavor walk beginning
// where it began, would be repeated for ever. So would cycles that decide nothing and come back to
// a state that was there before: walks may go round. That is found by keeping the state of one
// cycle while others pass, of ever later ones.
#ifndef MUSTER_ENGINE_CYCLE_REST_H_
#define MUSTER_ENGINE_CYCLE_REST_H_

#include <cstdint>
#include <vector>

#include "engine/base/hash.h"
#include "engine/cycle/entry.h"
#include "engine/policy/policy_table.h"
#include "engine/state/world.h"
#include "muster/decision.h"

namespace muster {

/// What a cycle did to its heads that did not start.
struct Movement {
  bool left = false;       ///< one was parked, or the marker of its queue moved
  bool walked_on = false;  ///< one begins its flavor walk elsewhere next time
};

/// Whether the flavor walk of a head that did not start begins elsewhere than this one did. Asked
/// before the decision is carried out.
bool WalksOn(const World& world, const WorkloadRecord& workload, const Entry& entry);

/// Whether a cycle at this time would find nothing to look at, to tell or to wake. May say no of
/// one that would not. O(queues that had a head in the last cycle).
bool NothingToLookAt(const World& world, const PolicyTable& policies);

class Rest {
 public:
  /// Something else than a cycle happened, or time passed.
  void Disturb() {
    still_ = 0;
    resting_ = false;
  }
  /// Whether no cycle after this one would admit or evict, if nothing comes between. O(1) after a
  /// cycle that decided something, else O(heads); O(waiting) with preemptorHold.
  bool After(const World& world, const PolicyTable& policies, const std::vector<Entry>& entries,
             const CycleResult& result, Movement movement);

 private:
  bool ComesToRest(const World& world, const PolicyTable& policies,
                   const std::vector<Entry>& entries, const CycleResult& result, Movement movement);
  bool ComesBack(const Hash128& state);

  bool resting_ = false;
  std::int64_t still_ = 0;  ///< cycles in a row in which nothing was decided and no head left
  std::int64_t kept_at_ = 0;
  Hash128 kept_;  ///< the state after the cycle that was the kept_at_-th of them
};

}  // namespace muster

#endif  // MUSTER_ENGINE_CYCLE_REST_H_
