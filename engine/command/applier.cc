// See applier.h. Which change wakes what follows Kueue's controllers.
#include "engine/command/applier.h"

#include <utility>

#include "engine/base/check.h"
#include "engine/codec/codec.h"
#include "engine/life/checks.h"
#include "engine/life/deadlines.h"
#include "engine/life/lifecycle.h"
#include "engine/life/queueing.h"
#include "engine/model/concurrent.h"
#include "engine/model/priority_boost.h"
#include "engine/state/catalog_tables.h"
#include "engine/state/forest.h"
#include "engine/state/look_ahead.h"
#include "engine/state/records.h"

namespace muster {

Applied Applier::Apply(const Object& object) {
  const Applied applied = std::visit([this](const auto& spec) { return Store(spec); }, object);
  const ObjectKind kind = KindOf(object);
  if (applied != Applied::kUnchanged && kind != ObjectKind::kWorkload) {
    policies_stale_ |= RowOf(kind).asked_about;
    places_stale_ |= RowOf(kind).places;
    const Key key = KeyOf(object);
    MarkStale(RowOf(kind).stale, key);
    world_.changes.Touch(kind, key);
    if (world_.changes.recording) {
      const std::string name = key.ns.empty() ? key.name : key.ToString();
      world_.changes.events.push_back({EventKind::kObjectApplied,
                                       std::string(KindName(kind)) + "/" + name,
                                       ToCanonicalJson(object),
                                       {}});
    }
  }
  return applied;
}

void Applier::MarkStale(Stale stale, const Key& key) {
  if (stale == Stale::kActivity) everything_stale_ = true;
  if (stale == Stale::kRequests) requests_stale_ = true;
  if (stale == Stale::kRequestsOfNamespace) stale_in_.insert(key.ns);
  if (stale == Stale::kRequests || stale == Stale::kRequestsOfNamespace) {
    world_.forms.Clear();
    ++world_.catalog_epoch;
  }
}

template <typename Spec>
Applied Applier::Store(const Spec& spec) {
  auto& table = TableOf<Spec>(world_.catalog);
  const Key key = KeyOfSpec(spec);
  const auto [it, is_new] = table.try_emplace(NameIn(table, key), spec);
  if (is_new) return Applied::kCreated;
  if (it->second == spec) return Applied::kUnchanged;
  it->second = spec;
  return Applied::kChanged;
}

Applied Applier::Store(const ResourceFlavor& flavor) {
  const Applied applied = Store<ResourceFlavor>(flavor);
  if (applied != Applied::kUnchanged) flavors_.insert(flavor.name);
  return applied;
}

Applied Applier::Store(const ClusterQueue& spec) {
  ClusterQueueState* existing = world_.FindQueue(spec.name);
  if (existing == nullptr) {
    const QueueId id = world_.MakeQueue(spec).id;
    const auto naming = world_.local_queues_naming.find(spec.name);
    if (naming != world_.local_queues_naming.end()) {
      local_queues_.insert(naming->second.begin(), naming->second.end());
    }
    queues_created_ = true;
    respecified_.push_back(id);
    touched_.push_back(id);
    world_.wake_trees.push_back(id);
    forest_stale_ = true;
    return Applied::kCreated;
  }
  if (existing->spec == spec) return Applied::kUnchanged;
  const bool quota_moved = existing->spec.resource_groups != spec.resource_groups ||
                           existing->spec.cohort != spec.cohort;
  if (quota_moved) TouchTree(existing->id);
  if (existing->spec.admission_checks != spec.admission_checks) {
    checks_changed_.insert(existing->id);
  }
  if (existing->spec.stop_policy != spec.stop_policy) stops_changed_.insert(existing->id);
  if (existing->spec.cohort == spec.cohort &&
      SameShape(existing->spec.resource_groups, spec.resource_groups)) {
    refill_.queues.push_back(existing->id);
  } else {
    forest_stale_ = true;
  }
  if (existing->spec.admission_mode != spec.admission_mode) world_.changes.Touch(existing->id);
  existing->spec = spec;
  existing->stale = true;
  respecified_.push_back(existing->id);
  ++world_.catalog_epoch;
  world_.wake_trees.push_back(existing->id);
  return Applied::kChanged;
}

Applied Applier::Store(const Cohort& cohort) {
  const auto before = world_.catalog.cohorts.find(cohort.name);
  if (before != world_.catalog.cohorts.end() && before->second == cohort) {
    return Applied::kUnchanged;
  }
  const bool quota_moved = before == world_.catalog.cohorts.end() ||
                           before->second.parent != cohort.parent ||
                           before->second.resource_groups != cohort.resource_groups;
  if (quota_moved) TouchTreeOf(cohort.name);
  const bool numbers_alone = before != world_.catalog.cohorts.end() &&
                             before->second.parent == cohort.parent &&
                             SameShape(before->second.resource_groups, cohort.resource_groups);
  if (numbers_alone) {
    refill_.cohorts.push_back(cohort.name);
  } else {
    forest_stale_ = true;
  }
  if (quota_moved) requoted_cohorts_.insert(cohort.name);
  wake_cohorts_.insert(cohort.name);
  return Store<Cohort>(cohort);
}

Applied Applier::Store(const LocalQueue& spec) {
  LocalQueueState* existing = world_.FindLocalQueue(spec.key);
  if (existing != nullptr) {
    LocalQueue updated = spec;
    updated.history = existing->spec.history;
    if (existing->spec == updated) return Applied::kUnchanged;
    world_.SetSpec(*existing, updated);
    local_queues_.insert(existing->id);
    return Applied::kChanged;
  }
  const LocalQueueId id = world_.MakeLocalQueue(spec).id;
  const auto waiting = world_.without_local_queue.find(spec.key);
  if (waiting != world_.without_local_queue.end()) {
    const std::set<WorkloadId> arriving = waiting->second;
    for (const WorkloadId workload : arriving) world_.EnterRoster(world_.workload(workload), id);
  }
  local_queues_.insert(id);
  return Applied::kCreated;
}

Applied Applier::Store(const Namespace& ns) {
  const auto before = world_.catalog.namespaces.find(ns.name);
  Relabeled relabeled{ns.name, std::nullopt};
  if (before != world_.catalog.namespaces.end()) {
    if (before->second == ns) return Applied::kUnchanged;
    relabeled.before = before->second.labels;
  }
  relabeled_.push_back(std::move(relabeled));
  ++world_.catalog_epoch;
  return Store<Namespace>(ns);
}

template <typename Spec, typename Table, typename Before>
Applied Applier::StoreNoting(const Spec& spec, Table& table, Before& before) {
  const auto name = NameIn(table, KeyOfSpec(spec));
  const auto [it, is_new] = table.try_emplace(name, spec);
  if (is_new) {
    before.try_emplace(name, std::nullopt);
    return Applied::kCreated;
  }
  if (it->second == spec) return Applied::kUnchanged;
  before.try_emplace(name, std::move(it->second));
  it->second = spec;
  return Applied::kChanged;
}

Applied Applier::Store(const Node& node) {
  return StoreNoting(node, world_.catalog.nodes, changed_nodes_.nodes);
}

Applied Applier::Store(const Pod& pod) {
  return StoreNoting(pod, world_.catalog.pods, changed_nodes_.pods);
}

Applied Applier::Store(const Configuration& config) {
  if (world_.catalog.config == config) return Applied::kUnchanged;
  const bool shared = world_.catalog.config.admission_fair_sharing.has_value();
  const bool boosts = world_.catalog.Gate(kPriorityBoostGate, false);
  const bool variants = world_.catalog.Gate(kConcurrentAdmissionGate, false);
  world_.catalog.config = config;
  charges_stale_ |= variants != world_.catalog.Gate(kConcurrentAdmissionGate, false);
  boosts_stale_ |= boosts != world_.catalog.Gate(kPriorityBoostGate, false);
  if (shared != config.admission_fair_sharing.has_value()) RecountAdmitted(world_);
  limits_stale_ = true;
  for (const auto& [key, id] : world_.local_queue_ids) local_queues_.insert(id);
  for (const auto& [name, id] : world_.queue_ids) world_.queue(id).pending.UsageChanged();
  // Kueue reads its configuration when it starts, and every ClusterQueue then.
  for (const auto& [name, id] : world_.queue_ids) {
    if (!world_.queue(id).HasOldOrder()) continue;
    world_.queue(id).SettleOrder();
    world_.changes.Touch(id);
  }
  return Applied::kChanged;
}

Applied Applier::Store(const EngineConfiguration& config) {
  if (world_.catalog.engine_config == config) return Applied::kUnchanged;
  charges_stale_ |= world_.catalog.engine_config.overcommit_as_kueue != config.overcommit_as_kueue;
  world_.catalog.engine_config = config;
  SyncFinished(world_);
  return Applied::kChanged;
}

void Applier::TouchTreeOf(const std::string& cohort) {
  const int tree = TreeOfCohort(world_, cohort);
  if (tree >= 0) touched_trees_.insert(static_cast<std::uint32_t>(tree));
}

void Applier::TouchTree(QueueId queue) {
  touched_.push_back(queue);
  if (world_.queue(queue).node == kNoNode) return;  // created in this call: no tree yet
  touched_trees_.insert(world_.queue(queue).tree);
}

}  // namespace muster
