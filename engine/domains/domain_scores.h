// DomainScores: what hook domain_order of a queue's policy says about the domains that the pods of
// a workload may go to.
//
// It is asked once for each level where there is a choice, about the domains of that level with
// room, while the pods of one podset, or of a leader and its workers, are placed. Rows show what is
// free as it is then, without what earlier podsets of the workload take. Where a call fails, the
// cycle is decided anew with the native order; until then all domains are alike.
#ifndef MUSTER_ENGINE_DOMAINS_DOMAIN_SCORES_H_
#define MUSTER_ENGINE_DOMAINS_DOMAIN_SCORES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "engine/policy/policy_batch.h"
#include "engine/policy/policy_calls.h"
#include "engine/state/world.h"
#include "engine/placing/placer.h"

namespace muster {

/// The policy that is asked about the domains of this queue; null: none is. `calls` may be null.
Policy* PolicyOverDomains(const PolicyCalls* calls, const ClusterQueueState& queue);

/// What is being placed, and what earlier podsets of the workload take.
struct Placing {
  const WorkloadRecord& workload;
  const ClusterQueueState& queue;
  const TopologyTree& tree;
  const AssumedPods& assumed;             ///< in `tree`
  const std::vector<PlacedPods>& before;  ///< the same pods
};

class DomainScores : public DomainScorer {
 public:
  /// All must outlive it.
  DomainScores(const World& world, PolicyCalls& calls, Policy& policy, const Placing& placing);
  /// One call over the candidates. O(nodes below them) where the hook names amounts or labels, and
  /// O(pods of holders) where it names what is placed.
  void Score(std::size_t level, std::span<const DomainCandidate> candidates,
             std::span<double> scores) override;
  /// Whether an answer may have had a say.
  bool answered() const { return answered_; }

 private:
  bool MayRead(std::string_view field) const;
  DomainRow RowOf(std::size_t level, const DomainCandidate& candidate) const;
  void AddAmounts(std::uint32_t first, std::uint32_t last, DomainRow* row) const;
  void TakeAssumed(std::uint32_t first, std::uint32_t last, DomainRow* row) const;
  /// Counts pods of jobs with the key of this one, by the labels of their hosts.
  void CountPlaced();
  void Count(const std::vector<PlacedPods>& pods);
  /// What all nodes below have as this label; empty: they differ, or have none.
  std::string_view CommonLabel(std::uint32_t first, std::uint32_t last,
                               const std::string& label) const;

  const World& world_;
  PolicyCalls& calls_;
  Policy& policy_;
  const HookInfo& hook_;
  const Placing placing_;
  std::vector<std::uint32_t> columns_;  ///< the forest's number of each column's resource
  std::vector<bool> gpus_;              ///< by the forest's number
  bool reads_amounts_ = false;
  bool reads_labels_ = false;
  bool reads_hosts_ = false;
  bool reads_placed_ = false;
  bool counted_ = false;
  /// By declared label, then by its value.
  std::vector<std::map<std::string_view, std::int64_t>> placed_;
  bool answered_ = false;
  bool failed_ = false;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_DOMAINS_DOMAIN_SCORES_H_
