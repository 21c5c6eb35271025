// See second_pass.h.
#include "engine/life/second_pass.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/hand_over/decide.h"
#include "engine/life/checks.h"
#include "engine/record/payload.h"
#include "engine/state/places.h"

namespace muster {
namespace {

constexpr std::int64_t kLongestSeconds = 30;

void Note(World& world, WorkloadRecord& workload, std::int32_t passes, TimeNs due) {
  Aside& aside = workload.aside.Mutable();
  if (aside.second_pass != kNoTime) world.second_passes.erase({aside.second_pass, workload.id()});
  aside.second_pass = due;
  aside.passes = passes;
  if (due != kNoTime) world.second_passes.emplace(due, workload.id());
  world.changes.Touch(workload.id());
}

DurationNs DelayAfter(std::int32_t passes) {
  std::int64_t seconds = 1;
  for (std::int32_t i = 0; i < passes && seconds < kLongestSeconds; ++i) seconds *= 2;
  return std::min(seconds, kLongestSeconds) * kSecond;
}

bool ChecksAreReady(const KeptStatus& status) {
  const auto& checks = status.rare->admission_checks;
  return std::all_of(checks.begin(), checks.end(), [](const AdmissionCheckStatus& check) {
    return check.state == CheckState::kReady;
  });
}

bool HasPlaces(const WorkloadRecord& workload) {
  const auto& assigned = workload.spec.status.admission->pod_sets;
  return std::any_of(assigned.begin(), assigned.end(),
                     [](const PodSetAssignment& each) { return each.topology.has_value(); });
}

/// Whether a holder has pods without a place: because checks make the nodes, or because one of its
/// nodes has failed.
bool LacksPlaces(const World& world, const WorkloadRecord& workload) {
  const KeptStatus& status = workload.spec.status;
  if (!IsTrue(status, condition::kAdmitted)) return AwaitsPlaces(world, workload);
  return !status.rare->unhealthy_nodes.empty() && HasPlaces(workload);
}

}  // namespace

bool AwaitsPlaces(const World& world, const WorkloadRecord& workload) {
  if (world.capacity.places().empty() || !workload.holds()) return false;
  const ClusterQueueState& queue = world.queue(workload.holds_in);
  if (queue.spec.admission_checks.empty()) return false;
  const auto& assigned = workload.spec.status.admission->pod_sets;
  const SharedList<PodSet>& pod_sets = workload.series().pod_sets;
  for (std::size_t i = 0; i < assigned.size() && i < pod_sets.size(); ++i) {
    if (assigned[i].topology || assigned[i].count == 0) continue;
    if (!AsksForPlaces(pod_sets[i]) && !ImpliesPlaces(queue)) continue;
    const std::string* flavor = PlacedFlavor(world, assigned[i]);
    if (flavor != nullptr && NodesAreMade(world, queue, *flavor)) return true;
  }
  return false;
}

bool NeedsSecondPass(const World& world, const WorkloadRecord& workload) {
  if (!workload.holds() || workload.evicted) return false;
  const KeptStatus& status = workload.spec.status;
  return (IsTrue(status, condition::kAdmitted) || ChecksAreReady(status)) &&
         LacksPlaces(world, workload);
}

bool IsPassedThoughEvicted(const World& world, const WorkloadRecord& workload) {
  return world.catalog.engine_config.overcommit_as_kueue && workload.holds() && workload.evicted &&
         LacksPlaces(world, workload);
}

void SyncSecondPass(World& world, WorkloadRecord& workload) {
  const bool noted = workload.aside->second_pass != kNoTime;
  const bool needs = NeedsSecondPass(world, workload);
  if (noted == needs) return;
  Note(world, workload, 0, needs ? world.now + DelayAfter(0) : kNoTime);
}

void PassAgain(World& world, WorkloadRecord& workload) {
  const std::int32_t passes = workload.aside->passes + 1;
  Note(world, workload, passes, world.now + DelayAfter(passes));
}

std::vector<WorkloadId> DuePasses(World& world) {
  std::vector<WorkloadId> due;
  while (!world.second_passes.empty() && world.second_passes.begin()->first <= world.now) {
    WorkloadRecord& workload = world.workload(world.second_passes.begin()->second);
    const std::int32_t passes = workload.aside->passes;
    Note(world, workload, passes, kNoTime);
    if (NeedsSecondPass(world, workload) || IsPassedThoughEvicted(world, workload)) {
      due.push_back(workload.id());
    }
  }
  const bool by_priority = world.catalog.Gate("PrioritySortingWithinCohort", true);
  std::sort(due.begin(), due.end(), [&](WorkloadId x, WorkloadId y) {
    const WorkloadRecord& a = world.workload(x);
    const WorkloadRecord& b = world.workload(y);
    if (by_priority && a.priority() != b.priority()) return a.priority() > b.priority();
    return std::tuple(a.key.timestamp, world.queue(a.holds_in).position, x) <
           std::tuple(b.key.timestamp, world.queue(b.holds_in).position, y);
  });
  return due;
}

void TakePlaces(World& world, WorkloadRecord& workload,
                const std::vector<std::optional<TopologyAssignment>>& topologies) {
  KeptStatus& status = workload.spec.status;
  SharedList<PodSetAssignment>& assigned = status.admission->pod_sets;
  for (std::size_t i = 0; i < assigned.size() && i < topologies.size(); ++i) {
    if (topologies[i]) assigned[i].topology = topologies[i];
  }
  const bool runs = IsTrue(status, condition::kAdmitted);
  if (!status.rare->unhealthy_nodes.empty()) status.rare.Mutable().unhealthy_nodes.clear();
  SyncPlaces(world, workload);
  world.changes.Touch(workload.id());
  world.changes.Report(EventKind::kPlaced, workload.spec.key,
                       [&] { return AdmissionPayload(*status.admission, workload.key.boost); });
  AdmitWhenReady(world, workload);
  if (runs && !workload.evicted) DecideStart(world, workload);
}

}  // namespace muster
