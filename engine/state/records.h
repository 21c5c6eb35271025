// Records: what the engine derives from a workload's spec, and charging its quota.
#ifndef MUSTER_ENGINE_STATE_RECORDS_H_
#define MUSTER_ENGINE_STATE_RECORDS_H_

#include <span>
#include <string>
#include <string_view>

#include "engine/state/recent_charges.h"
#include "engine/state/world.h"
#include "muster/workload.h"

namespace muster {

/// The label of a workload that names its WorkloadPriorityClass.
inline constexpr std::string_view kPriorityClassLabel = "kueue.x-k8s.io/priority-class";

/// Gives a newcomer what it came without: its UID, which is its number, and when it came.
void CompleteNewcomer(World& world, WorkloadRecord& workload);
/// Computes requests, effective counts and the equivalence class from spec and catalog.
void ResolveRequests(World& world, WorkloadRecord& workload);
/// The same for all workloads of one namespace. O(LocalQueues of it + their workloads).
void ResolveRequestsIn(World& world, std::string_view ns);
/// Forgets resources that no queue has had and nothing asks for any more, once they may be most of
/// them. Amortised O(1) for each that came; O(workloads) then.
void ForgetResources(World& world);
/// Of which resource `usage` has more than kMostAsked in all, as what a LimitRange or a
/// RuntimeClass adds may lead to; invalid: of none. O(pairs of pairs).
ResourceId AsksTooMuch(const FlavorResources& names, std::span<const Usage> usage);
/// Why such a workload never starts.
std::string TooMuchAsked(const FlavorResources& names, ResourceId resource);
/// After a change of its podsets: those that are reclaimable are at most those that there are.
void CapReclaimablePods(Workload& workload);
/// Of the open gates those that are among `gates`: only gates that a workload has can be open.
void CloseUnknownGates(const SharedList<std::string>& gates, SharedList<std::string>& open);
/// Finds the LocalQueue and its ClusterQueue by name; invalid ids while they do not exist.
void ResolveQueues(World& world, WorkloadRecord& workload);
/// What is added to its priority: as a policy answered last, else as its annotation says while the
/// feature gate is open.
std::int32_t BoostOf(const World& world, const WorkloadRecord& workload);
/// The policy package whose answer that is; empty: none's, or it is 0.
std::string BoostedBy(const World& world, const WorkloadRecord& workload);
/// Derives the queue-order key from the spec. The workload must not be in a heap.
void ResolveKey(const World& world, WorkloadRecord& workload);
/// Priority of a new workload: as given, else from its class, the default class, or the pods'
/// class.
void ResolvePriority(const World& world, Series& series);
void ResolvePriority(const World& world, WorkloadRecord& workload);

/// What the workload's admission charges now: the recorded usage per pod times the pods that
/// remain.
UsageList AdmissionUsage(World& world, const WorkloadRecord& workload);

/// Whether the workload's quota counts: reserved, not finished, active, and its queue exists.
bool ShouldHold(const World& world, const WorkloadRecord& workload);
/// Whether it has quota reserved that is not charged, but would be if it were active and its queue
/// existed; see World::dormant.
bool IsDormant(const World& world, const WorkloadRecord& workload);
/// What ranks a holder among those of its queue has changed: priority, reservation, eviction.
void RefreshHolder(World& world, WorkloadRecord& workload);
/// Charges `usage` to the workload's ClusterQueue: what SyncQuota would compute from an admission
/// just written, without its names. `charged`: capacity says so already. Precondition: it holds
/// nothing.
void HoldQuota(World& world, WorkloadRecord& workload, SharedList<Usage> usage, bool charged);
/// The same for a workload that is read back and holds nothing yet, if it should hold quota. False
/// when its tree knows a pair of it not: then the forest must be rebuilt. Lists that workloads read
/// back have in common are the same memory already. `deferred`: its place among the holders is
/// found when their order is asked for.
bool HoldRestored(World& world, WorkloadRecord& workload, RecentCharges& recent, bool deferred);
/// Charges or releases the quota so that it is held exactly when ShouldHold; recomputes the usage.
/// True when anything changed. The forest must be current unless `forest_stale`.
bool SyncQuota(World& world, WorkloadRecord& workload, bool forest_stale = false);
/// Counts it in World::unready, or no longer, after a change of its admission or readiness.
void SyncUnready(World& world, WorkloadRecord& workload);

}  // namespace muster

#endif  // MUSTER_ENGINE_STATE_RECORDS_H_
