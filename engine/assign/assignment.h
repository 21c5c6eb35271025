// Assignment: what flavor assignment found for one workload - flavors, how well they fit, why not.
#ifndef MUSTER_ENGINE_ASSIGN_ASSIGNMENT_H_
#define MUSTER_ENGINE_ASSIGN_ASSIGNMENT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/ids.h"
#include "engine/base/name_table.h"
#include "engine/base/small_vector.h"
#include "engine/state/workload_record.h"
#include "engine/topology/topology_forest.h"
#include "muster/decision.h"
#include "muster/text.h"
#include "muster/trace.h"

namespace muster {

/// How a workload as a whole fits: the worst of its podsets.
enum class AssignmentMode { kNoFit, kPreempt, kFit };

/// The flavor one podset got for one resource.
struct AssignedFlavor {
  ResourceId resource;
  FlavorId flavor;
  FlavorResourceId pair;
  /// Of the flavors of its resource group that were passed over or do not fit; the least severe.
  PendingReason others = PendingReason::kNone;
  Amount amount = 0;  ///< of this podset alone
  FlavorMode mode = FlavorMode::kNoFit;
  std::int32_t level = 0;  ///< borrowing level
};

/// What a flavor lacked, as numbers: most refusals are never read, so words come on request.
struct Refusal {
  enum class Kind : std::uint8_t {
    kNotCovered,  ///< no resource group of the queue covers the resource
    kMaximum,     ///< `request` beside `assumed` is more than `limit`, all there could ever be
    kUnused,      ///< `request` more would have to be unused
    kMismatch,    ///< PodSetAssignmentPlan::mismatches[limit]
  };
  Kind kind = Kind::kNotCovered;
  ResourceId resource;
  FlavorId flavor;
  Amount assumed = 0;
  Amount request = 0;
  Amount limit = 0;
};

struct PodSetAssignmentPlan {
  std::int32_t count = 0;
  SmallVector<AssignedFlavor, 4> flavors;
  /// Every resource group's chosen flavor fits as a whole (its representative mode is fit).
  bool fits = true;
  /// A resource group found no flavor; then `flavors` is empty.
  bool failed = false;
  /// Its flavors have the quota, and none of their nodes are for it.
  bool unplaced = false;
  PendingReason reason = PendingReason::kNone;  ///< why it failed, or has no place
  SmallVector<Refusal, 1> refusals;             ///< what every tried flavor lacked
  std::vector<std::string> mismatches;          ///< between pods and flavors: taints, selectors
};

/// Where the pods would be, for podsets that are placed by topology.
struct AssignedPlaces {
  std::vector<std::optional<TopologyAssignment>> topologies;  ///< by podset
  Placed placed;                                              ///< the same, to be used
  std::string proof = {};  ///< why segments cannot be on fewer domains, in words; empty: none asked
};

/// What carrying it out looks at stands in front.
struct Assignment {
  AssignmentMode mode = AssignmentMode::kNoFit;
  std::int32_t borrowing_level = 0;  ///< the highest over all podsets and resources
  /// What GrantedBy gives, where it is known already, else empty; it never changes.
  SharedList<PodSetAssignment> granted;
  SharedList<Usage> charge;  ///< the same for ChargeOf
  Text why;                  ///< the same for MessageOf
  UsageList usage;           ///< what admission would charge; ascending, each pair once
  std::vector<PodSetAssignmentPlan> pod_sets;    ///< assigned ones, up to the first that failed
  FlavorProgress progress;                       ///< where the next evaluation goes on
  std::shared_ptr<const AssignedPlaces> places;  ///< null: nothing is placed
  std::string unplaced;                          ///< why it has no place, in words; mostly empty

  /// As new; keeps the memory of its lists.
  void Clear();
  bool Borrows() const { return borrowing_level > 0; }
  /// Pairs that need preemption, ascending: F of the preemption search.
  std::vector<FlavorResourceId> NeedingPreemption() const;
  /// Why the workload does not fit; kNone when it does, or only needs preemption.
  PendingReason NoFitReason() const;
  /// One sentence for people; empty when everything fits.
  std::string Message(const FlavorResources& names, const WorkloadRecord& workload) const;
};

/// The assignment as the status of an admitted workload has it, by names.
SharedList<PodSetAssignment> GrantedBy(const FlavorResources& names, const WorkloadRecord& workload,
                                       const Assignment& assignment);

/// Assignment::Message.
Text MessageOf(const FlavorResources& names, const WorkloadRecord& workload,
               const Assignment& assignment);

/// The usage of an assignment as a holder keeps it.
SharedList<Usage> ChargeOf(const Assignment& assignment);

}  // namespace muster

#endif  // MUSTER_ENGINE_ASSIGN_ASSIGNMENT_H_
