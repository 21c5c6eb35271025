// FlavorsAhead: asks hook flavor_order about many heads of a cycle in one call, before each of them
// needs the answer.
//
// An answer depends on the workload, on inputs that stay as they are within a cycle, and on what is
// free in the tree: so one that was given ahead counts as long as that is as it was. The row of a
// head is made when it is expected; where a cycle charges in between what is expected to start, the
// next rows see that. A wrong guess costs an answer that is not used, and decides nothing: then the
// policy is asked about that head alone. What is used counts in the record as if asked alone.
#ifndef MUSTER_ENGINE_FLAVORS_FLAVORS_AHEAD_H_
#define MUSTER_ENGINE_FLAVORS_FLAVORS_AHEAD_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/flavors/flavor_sequence.h"
#include "engine/policy/policy_batch.h"
#include "engine/policy/policy_calls.h"
#include "engine/state/world.h"

namespace muster {

class FlavorsAhead {
 public:
  /// `calls` looks here as long as this lives.
  FlavorsAhead(const World& world, PolicyCalls& calls) : world_(world), calls_(calls) {
    calls_.SetFlavorsAhead(this);
  }
  ~FlavorsAhead() { calls_.SetFlavorsAhead(nullptr); }
  FlavorsAhead(const FlavorsAhead&) = delete;
  FlavorsAhead& operator=(const FlavorsAhead&) = delete;

  /// The flavors of this head will be asked about, with the tree as it is now. Nothing is done
  /// where no policy orders them, where answers depend on more than is compared, or one is known.
  void Expect(const WorkloadRecord& workload, const ClusterQueueState& queue);
  /// Asks about all that are expected and not asked about yet.
  void Ask();
  /// What `policy` says about this head now, if it was asked ahead and nothing that the answer
  /// depends on has changed; then it counts as asked. O(flavors).
  const FlavorSequence* Use(const Policy& policy, const WorkloadRecord& workload,
                            const ClusterQueueState& queue);

 private:
  struct Question {
    WorkloadId workload;
    Policy* policy = nullptr;
    const ClusterQueueState* queue = nullptr;
    std::size_t begin = 0, count = 0;  ///< of its inputs in inputs_
    std::size_t flavors = 0;
    FlavorSequence sequence;
    std::int64_t fuel = 0;
    bool known = false;
  };
  /// So many rows fit into the fastest caches.
  static constexpr std::size_t kMostTurns = 32;

  const Question* Find(const Policy& policy, const WorkloadRecord& workload,
                       const ClusterQueueState& queue);
  /// Appends to inputs_ what answers depend on that may change within a cycle.
  void AppendInputs(const HookInfo& hook, const WorkloadRecord& workload,
                    const ClusterQueueState& queue);
  void AskAlone(Question& question, const muster_batch& batch);

  const World& world_;
  PolicyCalls& calls_;
  std::vector<Question> questions_;
  std::size_t asked_ = 0;                             ///< of them; those behind are in batch_
  std::vector<std::array<std::uint32_t, 2>> newest_;  ///< by queue, each one more than its index
  std::vector<Amount> inputs_;
  Policy* policy_ = nullptr;  ///< of batch_
  std::optional<PolicyBatch> batch_;
  std::vector<double> keys_;
  std::vector<std::int64_t> fuel_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_FLAVORS_FLAVORS_AHEAD_H_
