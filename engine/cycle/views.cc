// Pictures of the state for reading: lists of workloads, queues, cohorts and objects.
#include <algorithm>
#include <utility>

#include "engine/cycle/engine_state.h"
#include "engine/cycle/view_of.h"
#include "engine/model/amount.h"
#include "engine/quota/dominant_share.h"
#include "engine/state/whole_workload.h"

namespace muster {
namespace {

/// Idle nominal quota of a queue that others of its tree use: what they borrow beyond what the rest
/// of the tree could give them without this queue.
Amount Lent(const QuotaTree& tree, NodeIndex n, Column c) {
  if (!tree.HasParent(n)) return 0;
  const QuotaCell& cell = tree.cell(n, c);
  const Amount idle = std::max<Amount>(
      0, Sub(Sub(cell.subtree, cell.local), std::max<Amount>(0, Sub(cell.usage, cell.local))));
  const NodeIndex parent = tree.node(n).parent;
  const QuotaCell& above = tree.cell(parent, c);
  const Amount others_quota = Sub(above.subtree, Sub(cell.subtree, cell.local));
  const Amount others_use = Sub(above.usage, std::max<Amount>(0, Sub(cell.usage, cell.local)));
  return std::clamp<Amount>(Sub(others_use, others_quota), 0, idle);
}

std::vector<QuotaView> QuotasOf(const World& world, const QuotaTree& tree, NodeIndex n) {
  std::vector<QuotaView> views;
  const bool is_queue = tree.node(n).queue.valid();
  for (Column c = 0; c < tree.columns(); ++c) {
    const QuotaCell& cell = tree.cell(n, c);
    const FlavorResourceId pair = tree.ColumnPair(c);
    QuotaView view;
    view.flavor = world.names.FlavorName(world.names.FlavorOf(pair));
    view.resource = world.names.ResourceName(world.names.ResourceOf(pair));
    view.nominal = is_queue ? cell.nominal : cell.subtree;
    if (cell.borrowing_limit != kNoLimit) view.borrowing_limit = cell.borrowing_limit;
    if (cell.lending_limit != kNoLimit) view.lending_limit = cell.lending_limit;
    view.usage = cell.usage;
    view.borrowed = std::max<Amount>(0, Sub(cell.usage, cell.subtree));
    view.lent = Lent(tree, n, c);
    view.available = std::max<Amount>(0, tree.Available(n, c));
    views.push_back(std::move(view));
  }
  return views;
}

/// Only what the queue itself declares: the tree knows pairs of others too.
void KeepDeclared(const ClusterQueue& spec, std::vector<QuotaView>& views) {
  std::vector<QuotaView> kept;
  for (const ResourceGroup& group : spec.resource_groups) {
    for (const FlavorQuotas& flavor : group.flavors) {
      for (const ResourceQuota& quota : flavor.resources) {
        for (const QuotaView& view : views) {
          if (view.flavor == flavor.name && view.resource == quota.name) kept.push_back(view);
        }
      }
    }
  }
  views = std::move(kept);
}

bool IsAdmitted(const WorkloadRecord& workload) {
  return IsTrue(workload.spec.status, condition::kAdmitted);
}

template <typename Table>
std::vector<Object> ValuesOf(const Table& table) {
  std::vector<Object> objects;
  for (const auto& [name, value] : table) objects.emplace_back(value);
  return objects;
}

}  // namespace

std::vector<PendingWorkload> Engine::State::Pending() const {
  std::vector<PendingWorkload> pending;
  for (const WorkloadId id : world.WorkloadsByName()) {
    const WorkloadRecord& workload = world.workload(id);
    if (!workload.queued()) continue;
    pending.push_back({workload.spec.key, world.queue(workload.queue).name(),
                       PlaceOf(world, workload) == QueuePlace::kParked, workload.reason,
                       workload.message()});
  }
  return pending;
}

WorkloadView ViewOf(const World& world, const WorkloadRecord& workload) {
  WorkloadView view;
  view.spec = WholeWorkload(workload);
  if (workload.queue.valid()) view.cluster_queue = world.queue(workload.queue).name();
  view.phase = PhaseOf(workload);
  view.priority = workload.priority();
  view.parked = PlaceOf(world, workload) == QueuePlace::kParked;
  view.reason = workload.reason;
  view.message = workload.message();
  view.pending_since = workload.pending_since();
  return view;
}

std::vector<WorkloadView> Engine::State::Workloads(std::string_view ns) const {
  std::vector<WorkloadView> views;
  for (const WorkloadId id : world.WorkloadsByName()) {
    const WorkloadRecord& workload = world.workload(id);
    if (!ns.empty() && workload.spec.key.ns != ns) continue;
    views.push_back(ViewOf(world, workload));
  }
  return views;
}

Result<WorkloadView> Engine::State::GetWorkload(const Key& key) const {
  const WorkloadRecord* workload = world.FindWorkload(key);
  if (workload == nullptr) {
    return Status(StatusCode::kNotFound, "there is no workload " + key.ToString());
  }
  return ViewOf(world, *workload);
}

std::vector<ClusterQueueView> Engine::State::ClusterQueues() const {
  std::vector<ClusterQueueView> views;
  for (const auto& [name, id] : world.queue_ids) {
    const ClusterQueueState& queue = world.queue(id);
    ClusterQueueView view;
    view.spec = queue.spec;
    view.active = queue.active;
    view.inactive_reason = queue.inactive_reason;
    view.inactive_message = queue.inactive_message;
    view.quotas = QuotasOf(world, world.tree_of(queue), queue.node);
    KeepDeclared(queue.spec, view.quotas);
    view.weighted_share = ShareOf(world.tree_of(queue), queue.node).Value();
    view.pending = static_cast<std::int64_t>(queue.pending.heap_size());
    view.parked = static_cast<std::int64_t>(queue.pending.parked_size());
    view.reserving = static_cast<std::int64_t>(queue.holders.size());
    queue.holders.ForEach(
        [&](const WorkloadRecord& holder) { view.admitted += IsAdmitted(holder); });
    views.push_back(std::move(view));
  }
  return views;
}

std::vector<CohortView> Engine::State::Cohorts() const {
  std::vector<CohortView> views;
  for (const QuotaTree& tree : world.trees) {
    for (NodeIndex n = 0; n < tree.size(); ++n) {
      const QuotaNode& node = tree.node(n);
      if (node.queue.valid()) continue;
      CohortView view;
      const auto declared = world.catalog.cohorts.find(node.name);
      view.implicit = declared == world.catalog.cohorts.end();
      view.spec = view.implicit ? Cohort{node.name, "", {}, 1.0} : declared->second;
      for (const NodeIndex child : node.child_cohorts) {
        view.child_cohorts.push_back(tree.node(child).name);
      }
      for (const NodeIndex child : node.child_queues) {
        view.cluster_queues.push_back(tree.node(child).name);
      }
      view.quotas = QuotasOf(world, tree, n);
      view.weighted_share = ShareOf(tree, n).Value();
      views.push_back(std::move(view));
    }
  }
  std::sort(views.begin(), views.end(),
            [](const CohortView& a, const CohortView& b) { return a.spec.name < b.spec.name; });
  return views;
}

std::vector<LocalQueueView> Engine::State::LocalQueues(std::string_view ns) const {
  std::vector<LocalQueueView> views;
  for (const auto& [key, id] : world.local_queue_ids) {
    if (!ns.empty() && key.ns != ns) continue;
    const LocalQueueState& queue = world.local_queue(id);
    LocalQueueView view;
    view.spec = queue.spec;
    for (const WorkloadId workload_id : world.WorkloadsOf(queue)) {
      const WorkloadRecord& workload = world.workload(workload_id);
      view.pending += workload.queued();
      view.reserving += workload.holds();
      view.admitted += workload.holds() && IsAdmitted(workload);
    }
    if (const auto& config = world.catalog.config.admission_fair_sharing) {
      view.fair_sharing_usage = queue.fair_usage.Value(*config, queue.spec.fair_weight);
    }
    views.push_back(std::move(view));
  }
  return views;
}

std::vector<Object> Engine::State::Objects(ObjectKind kind) const {
  const Catalog& catalog = world.catalog;
  switch (kind) {
    case ObjectKind::kResourceFlavor:
      return ValuesOf(catalog.flavors);
    case ObjectKind::kCohort:
      return ValuesOf(catalog.cohorts);
    case ObjectKind::kWorkloadPriorityClass:
      return ValuesOf(catalog.workload_priority_classes);
    case ObjectKind::kPriorityClass:
      return ValuesOf(catalog.priority_classes);
    case ObjectKind::kNamespace:
      return ValuesOf(catalog.namespaces);
    case ObjectKind::kLimitRange:
      return ValuesOf(catalog.limit_ranges);
    case ObjectKind::kRuntimeClass:
      return ValuesOf(catalog.runtime_classes);
    case ObjectKind::kAdmissionCheck:
      return ValuesOf(catalog.admission_checks);
    case ObjectKind::kTopology:
      return ValuesOf(catalog.topologies);
    case ObjectKind::kNode:
      return ValuesOf(catalog.nodes);
    case ObjectKind::kPod:
      return ValuesOf(catalog.pods);
    case ObjectKind::kPolicyBinding:
      return ValuesOf(catalog.policy_bindings);
    case ObjectKind::kConfiguration:
      return {catalog.config};
    case ObjectKind::kEngineConfiguration:
      return {catalog.engine_config};
    case ObjectKind::kClusterQueue: {
      std::vector<Object> objects;
      for (const auto& [name, id] : world.queue_ids) objects.emplace_back(world.queue(id).spec);
      return objects;
    }
    case ObjectKind::kLocalQueue: {
      std::vector<Object> objects;
      for (const auto& [key, id] : world.local_queue_ids) {
        objects.emplace_back(world.local_queue(id).spec);
      }
      return objects;
    }
    case ObjectKind::kWorkload:
      return {};
  }
  return {};
}

}  // namespace muster
