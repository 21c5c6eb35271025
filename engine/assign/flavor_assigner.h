// FlavorAssigner: finds a flavor for every resource of every podset (spec: flavor assignment).
//
// Method: podset groups in order; in a group, each resource group of the queue is served by one
// flavor, found by a walk over the flavors in order of preference: as declared, or as a policy puts
// them. Usage given to earlier groups of the same workload counts as taken. Where the walk ended is
// remembered for the same order only.
#ifndef MUSTER_ENGINE_ASSIGN_FLAVOR_ASSIGNER_H_
#define MUSTER_ENGINE_ASSIGN_FLAVOR_ASSIGNER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/assign/assignment.h"
#include "engine/assign/preemption_oracle.h"
#include "engine/assign/quota_look.h"
#include "engine/flavors/flavor_sequence.h"
#include "engine/kin/slices.h"
#include "engine/state/variant_marks.h"
#include "engine/state/world.h"

namespace muster {

class FlavorAssigner {
 public:
  /// `policies` may be null; `attempts`, when given, receives every flavor looked at, and `looks`
  /// what the latest Assign read of quota.
  FlavorAssigner(const World& world, const ClusterQueueState& queue, PreemptionOracle& oracle,
                 PolicyCalls* policies, std::vector<FlavorAttempt>* attempts = nullptr,
                 QuotaLooks* looks = nullptr);

  /// Assigns flavors for `counts` pods per podset, going on where `progress` ended. With `only`,
  /// just the flavors chosen there are tried.
  Assignment Assign(const WorkloadRecord& workload, std::span<const std::int32_t> counts,
                    const FlavorProgress& progress, const Assignment* only = nullptr);
  /// What a slice takes the place of; null: nothing, as where an earlier entry of the cycle evicts
  /// that.
  const WorkloadRecord* ReplacedNow(const WorkloadRecord& workload) const {
    const WorkloadRecord* const replaced = ReplacedBy(world_, workload);
    return replaced == nullptr || oracle_.IsGone(replaced->id()) ? nullptr : replaced;
  }

 private:
  using Demand = SmallVector<ResourceAmount, 8>;  ///< in visiting order
  using Members = SmallVector<std::size_t, 4>;    ///< podsets that share a podSetGroupName
  struct GroupChoice {
    const FlavorOption* flavor = nullptr;
    FlavorFit fit;
    SmallVector<AssignedFlavor, 4> resources;
    std::int32_t tried_index = FlavorProgress::kStartOver;
    PendingReason others = PendingReason::kNone;
  };

  Demand DemandOf(const WorkloadRecord& workload, std::size_t pod_set, std::int32_t count) const;
  /// False when the group found no flavor; then nothing of it is kept.
  bool AssignGroup(const WorkloadRecord& workload, const Members& members,
                   std::span<const std::int32_t> counts, Assignment& assignment);
  /// Those of the podset's group, itself first; none when an earlier podset is of the group.
  static Members GroupOf(const SharedList<PodSet>& pod_sets, std::size_t pod_set);
  Demand Total(const WorkloadRecord& workload, const Members& members,
               std::span<const std::int32_t> counts) const;
  /// A flavor for every resource group the demand touches; on failure `plan` says so and why.
  std::vector<GroupChoice> ChooseFlavors(const WorkloadRecord& workload, const Members& members,
                                         const Demand& demand, const Assignment& assignment,
                                         PodSetAssignmentPlan& plan);
  /// Writes what the choices mean for one member into the assignment.
  void Record(const WorkloadRecord& workload, const std::vector<GroupChoice>& choices,
              const Demand& demand, std::size_t pod_set, Assignment& assignment) const;
  GroupChoice WalkFlavors(const WorkloadRecord& workload, const Members& members,
                          const ResourceGroupState& group, const Demand& demand,
                          const Assignment& assignment, PodSetAssignmentPlan& plan);
  GroupChoice TryFlavor(const WorkloadRecord& workload, const ResourceGroupState& group,
                        const FlavorOption& option, const Demand& demand,
                        const Assignment& assignment, PodSetAssignmentPlan& plan,
                        PendingReason& reason);
  FlavorFit FitOf(const WorkloadRecord& workload, FlavorResourceId pair, Amount assumed,
                  Amount request, PodSetAssignmentPlan& plan, PendingReason& reason);
  std::optional<std::string> Refusal(const WorkloadRecord& workload, const Members& members,
                                     const ResourceGroupState& group, const Demand& demand,
                                     const FlavorOption& option) const;
  /// Says why a flavor was not looked at.
  static void Note(std::string mismatch, PodSetAssignmentPlan& plan);
  /// Of a slice, what it asks for beside what the workload that it replaces holds.
  Demand BesideReplaced(const Members& members, Demand demand) const;
  /// Why a slice, which keeps the flavors of what it replaces, cannot have this one.
  std::optional<std::string> OtherThanReplaced(const Members& members,
                                               const ResourceGroupState& group,
                                               const Demand& demand,
                                               const FlavorOption& option) const;
  /// Why the podsets may not have the flavor because of where they are to be, or the flavor places
  /// its pods.
  std::optional<std::string> TopologyMismatch(const WorkloadRecord& workload,
                                              const Members& members,
                                              const ResourceGroupState& group,
                                              const ResourceFlavor& flavor) const;
  void Conclude(Assignment& assignment) const;

  const World& world_;
  const ClusterQueueState& queue_;
  const QuotaTree& tree_;
  PreemptionOracle& oracle_;
  PolicyCalls* policies_;
  std::vector<FlavorAttempt>* attempts_;
  QuotaLooks* looks_;
  std::optional<FlavorSequence> sequence_;  ///< once asked for
  const FlavorProgress* progress_ = nullptr;
  const Assignment* only_ = nullptr;
  bool is_slice_ = false;
  std::vector<HeldPodSet> replaced_;         ///< what a slice takes over, by podset
  std::optional<std::string_view> allowed_;  ///< see AllowedFlavors
};

}  // namespace muster

#endif  // MUSTER_ENGINE_ASSIGN_FLAVOR_ASSIGNER_H_
