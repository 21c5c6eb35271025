// The checks of nomination, in Kueue's order, and what follows: flavors, victims, fewer pods.
#include "engine/cycle/nominate.h"

#include <algorithm>
#include <memory>

#include "engine/assign/flavor_assigner.h"
#include "engine/assign/partial_admission.h"
#include "engine/assign/slice_demand.h"
#include "engine/kin/slices.h"
#include "engine/life/checks.h"
#include "engine/model/admissibility.h"
#include "engine/places/place_finder.h"
#include "engine/state/places.h"

namespace muster {
namespace {

/// Looked for only where computing the requests has found that something speaks against it.
std::optional<std::string> WhyInadmissible(const World& world, const WorkloadRecord& workload) {
  if (workload.admissible) return std::nullopt;
  const std::vector<const LimitRange*> ranges = world.LimitRangesOf(workload.spec.key.ns);
  return Inadmissible(workload.series().pod_sets,
                      {world.catalog.config, world.catalog.runtime_classes, ranges});
}

/// True when the workload may be nominated; else the entry says why not.
bool PassesChecks(const World& world, Entry& entry) {
  const WorkloadRecord& workload = world.workload(entry.workload);
  const ClusterQueueState& queue = world.queue(entry.queue);
  const auto refuse = [&](PendingReason reason, Text message) {
    entry.reason = reason;
    entry.message = std::move(message);
    return false;
  };
  if (HasFailedCheck(workload.spec.status)) {
    return refuse(PendingReason::kPendingEvaluation, "The workload has failed admission checks");
  }
  if (!queue.active) {
    return refuse(PendingReason::kSuspended, "ClusterQueue " + queue.name() + " is inactive");
  }
  const std::string& ns = workload.spec.key.ns;
  if (!world.SelectsNamespace(queue, ns)) {
    if (!world.catalog.namespaces.contains(ns)) {
      return refuse(PendingReason::kMisconfigured, "Could not obtain workload namespace");
    }
    entry.requeue = RequeueReason::kNamespaceMismatch;
    return refuse(PendingReason::kMisconfigured,
                  "Workload namespace doesn't match ClusterQueue selector");
  }
  if (const auto why = WhyInadmissible(world, workload)) {
    return refuse(PendingReason::kMisconfigured, *why);
  }
  return true;
}

/// What was remembered of the flavor walk, unless it is out of date.
const FlavorProgress& CurrentProgress(const World& world, const WorkloadRecord& workload,
                                      const ClusterQueueState& queue) {
  static const FlavorProgress from_first;
  const FlavorProgress& progress = workload.progress();
  const bool keep_for_a_cycle = world.catalog.Gate("FlavorFungibilityPreserveScanProgress", true);
  const bool old = !keep_for_a_cycle || world.cycle - progress.cycle > 1;
  if (old && world.IsOutOfDate(progress, queue)) return from_first;
  return progress;
}

/// Asks a finder while victims are tried.
class FinderQuestion : public PlaceQuestion {
 public:
  FinderQuestion(PlaceFinder& finder, const Assignment& assignment)
      : finder_(finder), assignment_(assignment) {}
  bool HasPlace() const override { return finder_.Exists(assignment_); }

 private:
  PlaceFinder& finder_;
  const Assignment& assignment_;
};

/// No place for the podset: why the resource group of its nodes failed is that, and others may have
/// failed for more. `counts`: the podset was found to lack something before; else it says nothing.
void MarkUnplaced(const World& world, const PlaceFinder& finder, Assignment& assignment,
                  bool counts) {
  PodSetAssignmentPlan& plan = assignment.pod_sets[finder.failed()];
  plan.unplaced = true;
  plan.reason = counts ? PendingReason::kTopologyPlacementFailed : PendingReason::kNone;
  assignment.mode = AssignmentMode::kNoFit;
  assignment.unplaced = finder.why();
  if (!counts) return;
  for (const AssignedFlavor& flavor : plan.flavors) {
    const bool placed = world.capacity.places().Find(world.names.FlavorName(flavor.flavor));
    if (!placed) plan.reason = MoreSevere(plan.reason, flavor.others);
  }
}

/// Podsets without one flavor of nodes fail for what the flavors tried lacked.
void MarkWithoutNodes(const PlaceFinder& finder, Assignment& assignment) {
  for (const std::size_t pod_set : finder.without_nodes()) {
    PodSetAssignmentPlan& plan = assignment.pod_sets[pod_set];
    plan.unplaced = true;
    if (plan.flavors.empty()) plan.reason = PendingReason::kNoMatchingFlavor;
  }
  assignment.mode = AssignmentMode::kNoFit;
  assignment.unplaced = finder.why();
}

/// Finds the places of an assignment that quota allows. Where there are none because of what others
/// use, all that is to be placed needs preemption.
void FindPlaces(const World& world, PlaceFinder& finder, Assignment& assignment) {
  if (assignment.mode == AssignmentMode::kNoFit) return;
  if (!finder.Begin(assignment)) return MarkWithoutNodes(finder, assignment);
  if (!finder.AnyNow()) return;
  if (assignment.mode == AssignmentMode::kFit && finder.Find(assignment, Hosts::kAsUsed)) return;
  const bool fits = assignment.mode == AssignmentMode::kFit;
  const std::size_t crowded = finder.failed();
  const std::string why = fits ? finder.why() : std::string();
  if (!finder.Find(assignment, Hosts::kUnused)) {
    const bool counts =
        !assignment.pod_sets[finder.failed()].fits || (fits && finder.failed() == crowded);
    return MarkUnplaced(world, finder, assignment, counts);
  }
  assignment.mode = AssignmentMode::kPreempt;
  assignment.unplaced = why;
  for (std::size_t i = 0; i < assignment.pod_sets.size(); ++i) {
    if (!finder.IsPlaced(i)) continue;
    PodSetAssignmentPlan& plan = assignment.pod_sets[i];
    plan.fits = false;
    for (AssignedFlavor& flavor : plan.flavors) {
      if (flavor.mode == FlavorMode::kFit) flavor.mode = FlavorMode::kPreempt;
    }
  }
}

/// Once victims are known, or that there are none: the place that is kept in this cycle.
void PlaceWithout(World& world, const std::vector<Victim>& victims, std::uint32_t tree,
                  PlaceFinder& finder, Assignment& assignment) {
  if (victims.empty()) {
    finder.Find(assignment, Hosts::kUnused);
    return;
  }
  const CapacityMark mark(world.capacity, tree);
  for (const Victim& victim : victims) SimulateRemoval(world, victim.workload);
  finder.Find(assignment, Hosts::kAsUsed);
}

}  // namespace

void Nominate(World& world, PreemptionSearch& search, Entry& entry, CycleMemory* memory,
              bool traced) {
  if (!PassesChecks(world, entry)) return;
  entry.nominated = true;
  const WorkloadRecord& workload = world.workload(entry.workload);
  const ClusterQueueState& queue = world.queue(entry.queue);
  entry.position = queue.position;
  entry.priority = workload.priority();
  entry.timestamp = workload.key.timestamp;
  entry.generation = queue.generation;
  const bool from_first =
      memory != nullptr && !traced && ReplacedBy(world, workload) == nullptr &&
      PolicyOver(search.policies(), queue) == nullptr &&
      (workload.aside.IsNew() || !CurrentProgress(world, workload, queue).HasUntriedFlavors());
  if (!from_first) return ComputeAssignment(world, search, entry, nullptr, traced);
  const Assignment* known = memory->fits.Find(world, queue, workload);
  if (known == nullptr) known = memory->misfits.Find(world, queue, workload, search);
  if (known != nullptr) return entry.TakeOver(*known);
  QuotaLooks looks;
  ComputeAssignment(world, search, entry, nullptr, traced, &looks);
  memory->fits.Remember(world, queue, workload, entry.assignment());
  if (!entry.victims.empty() || !search.IsNative(queue)) return;
  memory->misfits.Remember(world, queue, workload, looks, entry.assignment());
}

void ComputeAssignment(World& world, PreemptionSearch& search, Entry& entry, const Assignment* only,
                       bool traced, QuotaLooks* looks) {
  const WorkloadRecord& workload = world.workload(entry.workload);
  const ClusterQueueState& queue = world.queue(entry.queue);
  FlavorAssigner assigner(world, queue, search, search.policies(),
                          traced ? &entry.attempts : nullptr, looks);
  const FlavorProgress progress =
      only == nullptr ? CurrentProgress(world, workload, queue) : FlavorProgress{};
  std::optional<PlaceFinder> finder;
  if (!world.capacity.places().empty() || AsksForPlaces(workload)) {
    finder.emplace(world, workload, queue, search.policies());
    if (!finder->Asks()) finder.reset();
  }
  const WorkloadRecord* const replaced = assigner.ReplacedNow(workload);
  // Whether the counts lead somewhere: they fit, or victims make room for them.
  const auto works = [&](std::span<const std::int32_t> counts) {
    Assignment assigned = assigner.Assign(workload, counts, progress, only);
    if (finder) FindPlaces(world, *finder, assigned);
    if (replaced != nullptr) assigned.charge = SliceCharge(assigned);
    entry.SetAssignment(std::move(assigned));
    const Assignment& assignment = entry.assignment();
    entry.victims.clear();
    entry.replaces = {};
    if (assignment.mode == AssignmentMode::kPreempt) {
      if (traced) entry.report = std::make_unique<SearchReport>();
      const UsageList more = replaced == nullptr ? UsageList() : SliceDemand(assignment, *replaced);
      const UsageList& demand = replaced == nullptr ? assignment.usage : more;
      const bool places = finder && finder->AnyNow();
      std::optional<FinderQuestion> question;
      if (places) question.emplace(*finder, assignment);
      entry.victims = search.FindVictims({workload, queue, demand, assignment.NeedingPreemption(),
                                          question ? &*question : nullptr},
                                         traced ? entry.report.get() : nullptr);
      if (places) {
        Assignment placed = assignment;
        PlaceWithout(world, entry.victims, queue.tree, *finder, placed);
        entry.SetAssignment(std::move(placed));
      }
      if (entry.victims.empty()) return false;
    } else if (assignment.mode == AssignmentMode::kNoFit) {
      return false;
    }
    if (replaced != nullptr) entry.replaces = replaced->id();
    return true;
  };
  SmallVector<std::int32_t, 8> counts;
  for (const PodSetRequests& pod_set : workload.pod_sets) counts.push_back(pod_set.effective_count);
  if (works(counts)) return;
  const PartialAdmission partial(workload.pod_sets);
  if (!partial.Possible() || !world.catalog.Gate("PartialAdmission", true)) return;
  Assignment full = entry.assignment();
  std::vector<FlavorAttempt> full_attempts = std::move(entry.attempts);
  std::unique_ptr<SearchReport> full_report = std::move(entry.report);
  if (partial.Search(works, world.capacity.IsMonotone())) return;
  entry.SetAssignment(std::move(full));
  entry.attempts = std::move(full_attempts);
  entry.report = std::move(full_report);
  entry.victims.clear();
  entry.replaces = {};
}

}  // namespace muster
