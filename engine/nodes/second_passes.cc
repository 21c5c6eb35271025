// See second_passes.h.
#include "engine/nodes/second_passes.h"

#include <memory>
#include <utility>

#include "engine/life/checks.h"
#include "engine/life/lifecycle.h"
#include "engine/life/second_pass.h"
#include "engine/places/place_finder.h"

namespace muster {
namespace {

bool IsReplacement(const WorkloadRecord& workload) {
  return !workload.spec.status.rare->unhealthy_nodes.empty();
}

}  // namespace

SecondPasses::SecondPasses(World& world) : world_(&world) {
  if (world.second_passes.empty()) return;
  for (const WorkloadId id : DuePasses(world)) passes_.push_back({id, std::nullopt});
}

std::optional<NewPlaces> SecondPasses::Find(const WorkloadRecord& workload, PolicyCalls& calls) {
  const KeptStatus& status = workload.spec.status;
  if (!world_->queue(workload.holds_in).active) return std::nullopt;
  if (HasFailedCheck(status) && !IsPassedThoughEvicted(*world_, workload)) return std::nullopt;
  if (!IsReplacement(workload)) return PlaceLater(*world_, workload, Hosts::kAsUsed, &calls);
  return ReplaceHost(*world_, workload, status.rare->unhealthy_nodes.front(), &calls);
}

void SecondPasses::Nominate(PolicyCalls& calls) {
  for (Pass& pass : passes_) pass.found = Find(world_->workload(pass.workload), calls);
}

void SecondPasses::Process(PolicyCalls& calls) {
  if (empty()) return;
  TopologyForest& places = world_->capacity.places();
  const bool again = world_->catalog.Gate("TASRecomputeAssignmentWithinSchedulingCycle", true);
  for (Pass& pass : passes_) {
    const WorkloadRecord& workload = world_->workload(pass.workload);
    bool fits = pass.found && PlacesFit(places, pass.found->added);
    if (pass.found && !fits && again) {
      pass.found = Find(workload, calls);
      fits = pass.found && PlacesFit(places, pass.found->added);
    }
    if (!pass.found) {
      Reserve(workload);
      continue;
    }
    if (fits) {
      places.Try(std::make_shared<const std::vector<PlacedPods>>(pass.found->added));
    } else {
      pass.found.reset();
      pass.is_skipped = true;
    }
  }
}

void SecondPasses::Reserve(const WorkloadRecord& workload) {
  const ClusterQueueState& queue = world_->queue(workload.holds_in);
  if (HasFailedCheck(workload.spec.status) || !queue.active || IsReplacement(workload)) return;
  if (queue.spec.preemption.reclaim_within_cohort == PreemptionPolicy::kAny) return;
  const auto empty = PlaceLater(*world_, workload, Hosts::kUnused, nullptr);
  if (!empty) return;
  world_->capacity.places().Try(std::make_shared<const std::vector<PlacedPods>>(empty->added));
}

void SecondPasses::CarryOut(CycleResult& result) {
  if (empty()) return;
  const bool fails_fast = world_->catalog.Gate("TASFailedNodeReplacementFailFast", true);
  for (const Pass& pass : passes_) {
    WorkloadRecord& workload = world_->workload(pass.workload);
    const KeptStatus& status = workload.spec.status;
    if (pass.found) {
      TakePlaces(*world_, workload, pass.found->topologies);
      result.admitted.push_back({workload.spec.key, *workload.spec.status.admission,
                                 IsTrue(workload.spec.status, condition::kAdmitted)});
    } else if (fails_fast && !pass.is_skipped && IsReplacement(workload) &&
               world_->queue(workload.holds_in).active) {
      const std::string node = status.rare->unhealthy_nodes.front();
      OrderEviction(*world_, workload, eviction::kNodeFailures,
                    "No other node has room for the pods of node " + node + ", which failed");
      result.preempted.push_back({workload.spec.key, PreemptionReason::kNodeFailures, {}});
    } else {
      PassAgain(*world_, workload);
    }
  }
}

}  // namespace muster
