// VictimRule: what evicting each candidate would cost one preemptor, and how much it may cost at
// all
// - hooks victim and preempt_limits of the policy of the preemptor's queue.
//
// Candidates are asked about once for each preemptor, all in one call; the searches that the flavor
// walk makes on the way share the answers.
#ifndef MUSTER_ENGINE_POLICY_VICTIM_RULE_H_
#define MUSTER_ENGINE_POLICY_VICTIM_RULE_H_

#include <limits>
#include <map>
#include <span>
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
  /// Asks for the costs that are not known yet. O(candidates).
  void Ask(std::span<const WorkloadRecord* const> candidates);
  /// Smaller is evicted rather. Precondition: asked for, if scripted.
  double Cost(const WorkloadRecord& candidate) const;
  /// Whether the policy forbids to evict it; what is evicted already has nothing to lose.
  bool Protects(const WorkloadRecord& candidate) const {
    return !candidate.evicted && Cost(candidate) == std::numeric_limits<double>::infinity();
  }
  /// Whether these may be evicted together; those evicted already do not count.
  bool Permits(std::span<const WorkloadRecord* const> victims);

 private:
  struct Limits {
    double victims = std::numeric_limits<double>::infinity();
    double cost = std::numeric_limits<double>::infinity();
  };
  void AskLimits();

  PolicyCalls* calls_;
  const WorkloadRecord* preemptor_ = nullptr;
  const ClusterQueueState* queue_ = nullptr;
  Policy* victim_ = nullptr;  ///< null: native
  std::map<WorkloadId, double> costs_;
  bool limits_known_ = false;
  Limits limits_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_VICTIM_RULE_H_
