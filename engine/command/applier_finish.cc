// What applied objects call for, done once for all of them: queues that fill or empty, requests and
// the quota forest computed anew, trees that wake. Each part costs what it changes.
#include <algorithm>
#include <utility>

#include "engine/base/sort_once.h"
#include "engine/command/applier.h"
#include "engine/life/boosts.h"
#include "engine/life/checks.h"
#include "engine/life/deadlines.h"
#include "engine/life/lifecycle.h"
#include "engine/life/queueing.h"
#include "engine/life/second_pass.h"
#include "engine/model/selector.h"
#include "engine/state/look_ahead.h"
#include "engine/state/places.h"
#include "engine/state/records.h"

namespace muster {
namespace {

bool UsesAny(const ClusterQueueState& queue, const std::set<std::string>& flavors) {
  for (const ResourceGroup& group : queue.spec.resource_groups) {
    for (const FlavorQuotas& quotas : group.flavors) {
      if (flavors.contains(quotas.name)) return true;
    }
  }
  return false;
}

}  // namespace

void Applier::SyncLocalQueue(LocalQueueState& queue) {
  const auto cluster_queue = world_.queue_ids.find(queue.spec.cluster_queue);
  const bool was_resolved = queue.queue.valid();
  queue.queue = cluster_queue == world_.queue_ids.end() ? QueueId{} : cluster_queue->second;
  if (!was_resolved && queue.queue.valid() && world_.catalog.config.admission_fair_sharing) {
    world_.changes.Touch(queue.id);
    queue.fair_usage.Start(queue.spec.history ? queue.spec.history->consumed : ResourceList{},
                           *world_.catalog.config.admission_fair_sharing, world_.now);
    world_.UsageChanged(queue);
  }
  for (const WorkloadId id : world_.WorkloadsOf(queue)) {
    WorkloadRecord& workload = world_.workload(id);
    ResolveQueues(world_, workload);
    world_.accounts.Charge(world_, workload);
    SyncChecks(world_, workload);
    const bool may_queue = MayQueue(world_, workload);
    if (!may_queue && workload.queued()) Dequeue(world_, workload);
    if (!workload.queued()) NoteAdmissionGates(world_, workload);
    if (may_queue && !workload.queued()) {
      RefreshKey(world_, workload);
      Enqueue(world_, workload, true, false);  // a restarted queue starts afresh
    }
  }
}

void Applier::ChargeReturned() {
  std::set<WorkloadId> dormant;
  for (const auto& [id, usage] : world_.dormant) dormant.insert(id);
  for (const WorkloadId id : world_.InNameOrder(dormant)) {
    SyncQuota(world_, world_.workload(id), true);
  }
}

void Applier::ResolveStaleRequests() {
  if (requests_stale_) {
    for (const WorkloadId id : world_.WorkloadsByName()) {
      ResolveRequests(world_, world_.workload(id));
    }
    return;
  }
  for (const std::string& ns : stale_in_) ResolveRequestsIn(world_, ns);
}

void Applier::UpdateForest() {
  if (everything_stale_ || !flavors_.empty()) {
    for (const auto& [name, id] : world_.queue_ids) {
      ClusterQueueState& queue = world_.queue(id);
      if (!everything_stale_ && !UsesAny(queue, flavors_)) continue;
      queue.stale = true;
      world_.wake_trees.push_back(id);
      if (queue.node != kNoNode) refill_.queues.push_back(id);
    }
  }
  if (forest_stale_) return RebuildForest(world_);
  if (refill_.queues.empty() && refill_.cohorts.empty()) return;
  SortOnce(refill_.queues);
  SortOnce(refill_.cohorts);
  RefillForest(world_, refill_);
}

void Applier::TouchQueuesOfTrees() {
  for (const std::uint32_t tree : std::exchange(touched_trees_, {})) {
    const std::vector<QueueId> queues = QueuesOfTree(world_, tree);
    touched_.insert(touched_.end(), queues.begin(), queues.end());
  }
}

void Applier::NoteRequoted() {
  for (const std::string& cohort : requoted_cohorts_) TouchTreeOf(cohort);
  for (const QueueId id : touched_) {
    const QuotaTree& tree = world_.tree_of(world_.queue(id));
    if (tree.requoted() < world_.cycle) RequoteTree(world_, world_.queue(id));
  }
  for (const std::uint32_t tree : touched_trees_) {
    const std::vector<QueueId> queues = QueuesOfTree(world_, tree);
    const bool known = queues.empty() || world_.capacity.tree(tree).requoted() >= world_.cycle;
    if (!known) RequoteTree(world_, world_.queue(queues.front()));
  }
}

/// A queue whose selector takes a namespace that it did not take before looks at all it parked.
void Applier::WakeBySelectors() {
  if (relabeled_.empty()) return;
  for (const auto& [name, id] : world_.queue_ids) {
    const ClusterQueueState& queue = world_.queue(id);
    if (!HasParked(queue) || !queue.spec.namespace_selector) continue;
    const bool newly = std::any_of(relabeled_.begin(), relabeled_.end(), [&](const Relabeled& ns) {
      return world_.SelectsNamespace(queue, ns.name) &&
             !(ns.before && Selects(*queue.spec.namespace_selector, *ns.before));
    });
    if (newly) world_.wake_queues.push_back(id);
  }
}

/// The lifecycle controller looks at those whose queue was stopped or started.
void Applier::NoteStops() {
  for (const QueueId id : stops_changed_) {
    const auto naming = world_.local_queues_naming.find(world_.queue(id).name());
    if (naming == world_.local_queues_naming.end()) continue;
    local_queues_.insert(naming->second.begin(), naming->second.end());
  }
  for (const LocalQueueId id : local_queues_) {
    for (const WorkloadId each : world_.WorkloadsOf(world_.local_queue(id))) {
      NoteUnsettled(world_, world_.workload(each));
    }
  }
}

void Applier::RefreshPolicies(PolicyTable& policies) {
  if (policies_stale_) return policies.Invalidate(world_);
  SortOnce(respecified_);
  policies.Refresh(world_, respecified_);
}

void Applier::Finish() {
  NameNewcomersOnce();
  if (places_stale_) {
    RebuildPlaces(world_);
  } else {
    UpdateTrees(world_, changed_nodes_);
  }
  if (queues_created_) ChargeReturned();
  for (const LocalQueueId id : local_queues_) SyncLocalQueue(world_.local_queue(id));
  for (const Newcomer& newcomer : newcomers_) {
    AdmitNewcomer(newcomer);
    SyncQuota(world_, world_.workload(newcomer.id), forest_stale_);
    if (newcomer.shrinks) NoteShrunk(world_.workload(newcomer.id));
  }
  if (charges_stale_) {
    for (const WorkloadId id : world_.WorkloadsByName()) {
      SyncQuota(world_, world_.workload(id), forest_stale_);
    }
  }
  ResolveStaleRequests();
  if (boosts_stale_) RefreshBoosts(world_);
  TouchQueuesOfTrees();  // old trees go by their numbers as long as there are no new ones
  UpdateForest();
  if (limits_stale_) {
    SyncDeadlines(world_);
    RefreshKeysOfEvicted(world_);
  }
  for (const QueueId id : checks_changed_) SyncChecksOf(world_, world_.queue(id));
  NoteRequoted();
  for (std::size_t i = 0; i < newcomers_.size(); ++i) {
    if (i + kObjectsAhead < newcomers_.size()) {
      SendForHolder(world_, world_.workload(newcomers_[i + kObjectsAhead].id));
    }
    WorkloadRecord& workload = world_.workload(newcomers_[i].id);
    NoteAdmissionGates(world_, workload);
    if (MayQueue(world_, workload)) Enqueue(world_, workload, true, true);
  }
  for (const std::string& cohort : wake_cohorts_) {
    const int tree = TreeOfCohort(world_, cohort);
    if (tree < 0) continue;
    const std::vector<QueueId> queues = QueuesOfTree(world_, static_cast<std::uint32_t>(tree));
    if (!queues.empty()) WakeTreeOf(world_, queues.front());
  }
  WakeBySelectors();
  NoteStops();
  if (!world_.capacity.places().empty()) FollowPlaces();
}

void Applier::FollowPlaces() {
  for (const Newcomer& newcomer : newcomers_) SyncSecondPass(world_, world_.workload(newcomer.id));
  FollowNodes(world_, changed_nodes_);
}

}  // namespace muster
