// Second passes: workloads that hold quota and are given places in a cycle, before any head.
//
// They take no quota. All are looked at against the same hosts; each is then tried again on what
// those before it left, and looked at once more where that is too little. One that finds a place,
// but not beside others of the cycle, is tried again later: its host failed, but another has room.
#ifndef MUSTER_ENGINE_NODES_SECOND_PASSES_H_
#define MUSTER_ENGINE_NODES_SECOND_PASSES_H_

#include <optional>
#include <vector>

#include "engine/places/replacement.h"
#include "engine/policy/policy_calls.h"
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
  void Nominate(PolicyCalls& calls);
  /// What they get is used, under the caller's mark.
  void Process(PolicyCalls& calls);
  /// With nothing tried any more: those that found places have them, and the others are tried again
  /// later, or are evicted because their host failed.
  void CarryOut(CycleResult& result);

 private:
  struct Pass {
    WorkloadId workload;
    std::optional<NewPlaces> found;
    bool is_skipped = false;  ///< it had a place, and others of the cycle took it
  };
  std::optional<NewPlaces> Find(const WorkloadRecord& workload, PolicyCalls& calls);
  /// Without a place beside others it keeps the one that it would have without them, so that none
  /// behind it in the cycle takes room away - unless its queue may reclaim from any.
  void Reserve(const WorkloadRecord& workload);

  World* world_ = nullptr;
  std::vector<Pass> passes_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_NODES_SECOND_PASSES_H_
