// VictimRule: what evicting each candidate would cost one preemptor, and how much it may cost at
// all
// - hooks victim and preempt_limits of the policy of the preemptor's queue.
//
// Candidates are asked about once for each preemptor, all in one call; the searches that the flavor
// walk makes on the way share the answers. A search looks at costs at every comparison, so they are
// kept by the slot of the candidate.
#ifndef MUSTER_ENGINE_POLICY_VICTIM_RULE_H_
#define MUSTER_ENGINE_POLICY_VICTIM_RULE_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/policy/policy_calls.h"

namespace muster {

class VictimRule {
 public:
  /// `calls` may be null: candidates cost nothing and there are no limits. It must outlive this.
  explicit VictimRule(PolicyCalls* calls) : calls_(calls) {}

  /// Begins the search of `preemptor`, which waits in `queue`.
  void Begin(const WorkloadRecord& preemptor, const ClusterQueueState& queue);
  /// Whether the policy of the queue has costs, so that Ask must come before Cost.
  bool scripted() const { return victim_ != nullptr; }
  /// Asks for the costs that are not known yet. O(candidates), and once O(slots).
  void Ask(std::span<const WorkloadRecord* const> candidates);
  /// Smaller is evicted rather. Precondition: asked for, if scripted. O(1).
  double Cost(const WorkloadRecord& candidate) const;
  /// Whether the policy forbids to evict it; what is evicted already has nothing to lose.
  bool Protects(const WorkloadRecord& candidate) const {
    return !candidate.evicted && Cost(candidate) == std::numeric_limits<double>::infinity();
  }
  /// Whether these may be evicted together; those evicted already do not count.
  bool Permits(std::span<const WorkloadRecord* const> victims);
  /// The package whose costs count, and the one whose limits do; empty: native.
  std::string package() const { return victim_ == nullptr ? "" : victim_->info().name; }
  const std::string& limiter() const { return limiter_; }

 private:
  struct Limits {
    double victims = std::numeric_limits<double>::infinity();
    double cost = std::numeric_limits<double>::infinity();
  };
  struct Answer {
    std::int64_t search = 0;  ///< the one it was given in
    double cost = 0;
  };
  void AskLimits();
  bool Knows(const WorkloadRecord& candidate) const {
    const std::uint32_t slot = candidate.id().slot().value;
    return slot < costs_.size() && costs_[slot].search == search_;
  }
  /// An empty batch for the policy, in the memory of the last one.
  PolicyBatch& NewBatch();

  PolicyCalls* calls_;
  const WorkloadRecord* preemptor_ = nullptr;
  const ClusterQueueState* queue_ = nullptr;
  Policy* victim_ = nullptr;   ///< null: native
  std::int64_t search_ = 0;    ///< counts preemptors
  std::vector<Answer> costs_;  ///< by WorkloadSlot
  std::optional<PolicyBatch> batch_;
  const Policy* batch_of_ = nullptr;        ///< whose hook the batch is for
  std::vector<const WorkloadRecord*> new_;  ///< candidates without a known cost
  bool limits_known_ = false;
  Limits limits_;
  std::string limiter_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_VICTIM_RULE_H_
