// See views.h.
#include "engine/explain/views.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/amount.h"
#include "engine/explain/kin_words.h"
#include "engine/life/queueing.h"
#include "engine/quota/dominant_share.h"
#include "engine/state/catalog_tables.h"
#include "engine/state/records.h"
#include "engine/state/whole_workload.h"

namespace muster {
namespace {

/// What a node lets those above see of its quota.
Amount Offered(const QuotaTree& tree, NodeIndex n, Column c) {
  const QuotaCell& cell = tree.cell(n, c);
  return tree.HasParent(n) ? Sub(cell.subtree, cell.local) : 0;
}

/// Idle quota of a node that others of its tree use: what they borrow, beside it and further up,
/// beyond what the rest could give them without it. O(depth).
Amount Lent(const QuotaTree& tree, NodeIndex n, Column c) {
  if (!tree.HasParent(n)) return 0;
  const QuotaCell& cell = tree.cell(n, c);
  const Amount taken = std::max<Amount>(0, Sub(cell.usage, cell.local));
  const Amount idle = std::max<Amount>(0, Sub(Offered(tree, n, c), taken));
  const NodeIndex parent = tree.ParentOf(n);
  const QuotaCell& above = tree.cell(parent, c);
  const Amount others_quota = Sub(above.subtree, Offered(tree, n, c));
  const Amount others_use = muster::Add(Sub(above.usage, taken), Lent(tree, parent, c));
  return std::clamp<Amount>(Sub(others_use, others_quota), 0, idle);
}

/// Of every node and column of a tree: nominal quota and use of all queues below.
class SubtreeSums {
 public:
  /// O(cells).
  explicit SubtreeSums(const QuotaTree& tree) : columns_(tree.columns()) {
    sums_.resize(tree.size() * columns_);
    for (NodeIndex n = static_cast<NodeIndex>(tree.size()); n-- > 0;) {
      for (Column c = 0; c < columns_; ++c) {
        Sum& sum = sums_[n * columns_ + c];
        sum.nominal = muster::Add(sum.nominal, tree.cell(n, c).nominal);
        if (tree.node(n).queue.valid()) sum.usage = tree.cell(n, c).usage;
        if (!tree.HasParent(n)) continue;
        Sum& above = sums_[tree.ParentOf(n) * columns_ + c];
        above.nominal = muster::Add(above.nominal, sum.nominal);
        above.usage = muster::Add(above.usage, sum.usage);
      }
    }
  }
  Amount Nominal(NodeIndex n, Column c) const { return sums_[n * columns_ + c].nominal; }
  Amount Use(NodeIndex n, Column c) const { return sums_[n * columns_ + c].usage; }

 private:
  struct Sum {
    Amount nominal = 0;
    Amount usage = 0;
  };
  std::size_t columns_;
  std::vector<Sum> sums_;
};

/// `sums` is null for a ClusterQueue, below which there is nothing.
std::vector<QuotaView> QuotasOf(const World& world, const QuotaTree& tree, NodeIndex n,
                                const SubtreeSums* sums) {
  std::vector<QuotaView> views;
  for (Column c = 0; c < tree.columns(); ++c) {
    const QuotaCell& cell = tree.cell(n, c);
    const FlavorResourceId pair = tree.ColumnPair(c);
    QuotaView view;
    view.flavor = world.names.FlavorName(world.names.FlavorOf(pair));
    view.resource = world.names.ResourceName(world.names.ResourceOf(pair));
    view.nominal = cell.nominal;
    if (cell.borrowing_limit != kNoLimit) view.borrowing_limit = cell.borrowing_limit;
    if (cell.lending_limit != kNoLimit) view.lending_limit = cell.lending_limit;
    view.total = sums == nullptr ? cell.nominal : sums->Nominal(n, c);
    view.usage = sums == nullptr ? cell.usage : sums->Use(n, c);
    view.taken = cell.usage;
    view.borrowed = std::max<Amount>(0, Sub(cell.usage, cell.subtree));
    view.lent = Lent(tree, n, c);
    view.offered = Offered(tree, n, c);
    view.available = std::max<Amount>(0, tree.Available(n, c));
    views.push_back(std::move(view));
  }
  return views;
}

/// Whether no cycle has looked at it, or none since it was evicted.
bool IsUnseen(const WorkloadRecord& workload) {
  constexpr std::string_view kEvicted = "The workload was evicted";
  return workload.reason == PendingReason::kNone ||
         (workload.reason == PendingReason::kPendingEvaluation &&
          std::string_view(workload.message()).starts_with(kEvicted));
}

/// What was found of the class that the workload is parked with, unless it was looked at itself.
PendingReason ClassReason(const World& world, const WorkloadRecord& workload) {
  if (!IsUnseen(workload) || !workload.queue.valid()) return PendingReason::kNone;
  return ReasonOfClass(world.queue(workload.queue), workload).value_or(PendingReason::kNone);
}

/// Waits, and stands in no queue: its LocalQueue or ClusterQueue is stopped or not there.
bool IsHeld(const WorkloadRecord& workload) {
  return !workload.queued() && !workload.is_job && PhaseOf(workload) == WorkloadPhase::kPending;
}

/// Why the queue of a pending workload starts nothing; empty: it is open.
std::string WhyClosed(const World& world, const WorkloadRecord& workload) {
  if (PhaseOf(workload) != WorkloadPhase::kPending) return "";
  const std::string local_queue =
      "LocalQueue " + workload.spec.key.ns + "/" + std::string(workload.spec.queue);
  if (!workload.local_queue.valid()) return local_queue + " does not exist";
  const LocalQueue& spec = world.local_queue(workload.local_queue).spec;
  if (!workload.queue.valid()) return "ClusterQueue " + spec.cluster_queue + " does not exist";
  if (spec.stop_policy != StopPolicy::kNone) return local_queue + " is stopped";
  const ClusterQueueState& queue = world.queue(workload.queue);
  if (queue.active) return "";
  if (queue.inactive_reason == "Stopped") return "ClusterQueue " + queue.name() + " is stopped";
  return "ClusterQueue " + queue.name() + " is not active: " + queue.inactive_message;
}

/// What the last look at it said; that it is deactivated is said only while it is.
std::string MessageOf(const WorkloadRecord& workload) {
  constexpr std::string_view kDeactivated = "The workload is deactivated";
  const bool stale =
      workload.active && std::string_view(workload.message()).starts_with(kDeactivated);
  return stale ? std::string() : std::string(workload.message());
}

/// By ClusterQueue, those that wait for a stopped LocalQueue. O(workloads of those).
std::map<QueueId, std::int64_t> HeldByQueue(const World& world) {
  std::map<QueueId, std::int64_t> held;
  if (world.stopped_local_queues == 0) return held;
  for (const auto& [key, id] : world.local_queue_ids) {
    const LocalQueueState& queue = world.local_queue(id);
    if (queue.spec.stop_policy == StopPolicy::kNone || !queue.queue.valid()) continue;
    for (const WorkloadId workload : world.WorkloadsOf(queue)) {
      held[queue.queue] += IsHeld(world.workload(workload));
    }
  }
  return held;
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

/// A job that waits does so for what its most preferred variant in a queue waits for.
void ShowVariant(const World& world, const WorkloadRecord& job, WorkloadView& view) {
  const WorkloadRecord* const variant = WaitingVariant(world, job);
  if (variant == nullptr) return;
  view.parked = PlaceOf(world, *variant) == QueuePlace::kParked;
  view.reason = variant->reason;
  view.message = variant->spec.key.name + ": " + MessageOf(*variant);
  view.pending_since = variant->pending_since();
  if (view.parked) view.class_reason = ClassReason(world, *variant);
}

/// Whether a job waits as one of its variants; none of those is a job.
const WorkloadRecord* WaitsAs(const World& world, const WorkloadRecord& job) {
  if (!job.is_job || PhaseOf(job) != WorkloadPhase::kPending) return nullptr;
  return WaitingVariant(world, job);
}

/// What jobs with variants make of the counts of a queue: each is one that waits.
struct JobCounts {
  std::int64_t pending = 0;
  std::int64_t parked = 0;
  std::int64_t on_hold = 0;
  void Count(QueuePlace place, std::int64_t more) {
    if (place == QueuePlace::kHeap || place == QueuePlace::kOnHold) pending += more;
    if (place == QueuePlace::kOnHold) on_hold += more;
    if (place == QueuePlace::kParked) parked += more;
  }
};

/// To be added to what stands in the queues. O(variants).
std::map<QueueId, JobCounts> CountJobs(const World& world) {
  std::map<QueueId, JobCounts> counts;
  for (const auto& [job_id, variants] : world.jobs) {
    for (const WorkloadId id : variants) {
      const WorkloadRecord& variant = world.workload(id);
      if (variant.queued()) counts[variant.queue].Count(PlaceOf(world, variant), -1);
    }
    const WorkloadRecord* const waits = WaitsAs(world, world.workload(job_id));
    if (waits != nullptr) counts[waits->queue].Count(PlaceOf(world, *waits), 1);
  }
  return counts;
}

bool IsAdmitted(const WorkloadRecord& workload) {
  return IsTrue(workload.spec.status, condition::kAdmitted);
}

}  // namespace

std::vector<PendingWorkload> PendingViews(const World& world) {
  std::vector<PendingWorkload> pending;
  for (const WorkloadId id : world.WorkloadsByName()) {
    const WorkloadRecord& workload = world.workload(id);
    if (!workload.queued()) continue;
    const bool parked = PlaceOf(world, workload) == QueuePlace::kParked;
    pending.push_back({workload.spec.key, world.queue(workload.queue).name(), parked,
                       workload.reason, MessageOf(workload),
                       parked ? ClassReason(world, workload) : PendingReason::kNone,
                       WhyClosed(world, workload)});
  }
  return pending;
}

std::vector<PendingWorkload> HeldViews(const World& world) {
  std::vector<PendingWorkload> held;
  for (const WorkloadId id : world.WorkloadsByName()) {
    const WorkloadRecord& workload = world.workload(id);
    if (!IsHeld(workload)) continue;
    PendingWorkload& view = held.emplace_back();
    view.workload = workload.spec.key;
    if (workload.queue.valid()) view.cluster_queue = world.queue(workload.queue).name();
    view.reason = workload.reason;
    view.message = MessageOf(workload);
    view.closed = WhyClosed(world, workload);
  }
  return held;
}

WorkloadView ViewOf(const World& world, const WorkloadRecord& workload) {
  WorkloadView view;
  view.spec = WholeWorkload(workload);
  if (workload.queue.valid()) view.cluster_queue = world.queue(workload.queue).name();
  view.phase = PhaseOf(workload);
  view.priority = workload.priority();
  view.boost = workload.key.boost;
  view.boosted_by = BoostedBy(world, workload);
  view.checkpointed = workload.checkpointed();
  view.parked = PlaceOf(world, workload) == QueuePlace::kParked;
  view.held = IsHeld(workload);
  view.charged = workload.holds();
  view.reason = workload.reason;
  view.message = MessageOf(workload);
  view.closed = WhyClosed(world, workload);
  if (view.parked) view.class_reason = ClassReason(world, workload);
  view.pending_since = workload.pending_since();
  if (const PolicyHold& hold = workload.hold(); !hold.policy.empty()) {
    view.hold = HoldView{hold.policy, hold.reason, hold.until};
  }
  if (workload.is_job && view.phase == WorkloadPhase::kPending) ShowVariant(world, workload, view);
  return view;
}

std::vector<WorkloadView> WorkloadViews(const World& world, std::string_view ns) {
  std::vector<WorkloadView> views;
  for (const WorkloadId id : world.WorkloadsByName()) {
    const WorkloadRecord& workload = world.workload(id);
    if (!ns.empty() && workload.spec.key.ns != ns) continue;
    views.push_back(ViewOf(world, workload));
  }
  return views;
}

std::vector<ClusterQueueView> ClusterQueueViews(const World& world) {
  std::vector<ClusterQueueView> views;
  const std::map<QueueId, std::int64_t> held = HeldByQueue(world);
  const std::map<QueueId, JobCounts> jobs = CountJobs(world);
  for (const auto& [name, id] : world.queue_ids) {
    const ClusterQueueState& queue = world.queue(id);
    ClusterQueueView view;
    view.spec = queue.spec;
    view.active = queue.active;
    view.inactive_reason = queue.inactive_reason;
    view.inactive_message = queue.inactive_message;
    view.quotas = QuotasOf(world, world.tree_of(queue), queue.node, nullptr);
    KeepDeclared(queue.spec, view.quotas);
    view.weighted_share = ShareOf(world.tree_of(queue), queue.node).Value();
    view.pending =
        static_cast<std::int64_t>(queue.pending.heap_size() + queue.pending.on_hold().size());
    view.parked = static_cast<std::int64_t>(queue.pending.parked_size());
    view.on_hold = static_cast<std::int64_t>(queue.pending.on_hold().size());
    if (const auto own = jobs.find(id); own != jobs.end()) {
      view.pending += own->second.pending;
      view.parked += own->second.parked;
      view.on_hold += own->second.on_hold;
    }
    if (const auto waiting = held.find(id); waiting != held.end()) view.held = waiting->second;
    view.reserving = static_cast<std::int64_t>(queue.holders.size());
    queue.holders.ForEach(
        [&](const WorkloadRecord& holder) { view.admitted += IsAdmitted(holder); });
    views.push_back(std::move(view));
  }
  return views;
}

std::vector<CohortView> CohortViews(const World& world) {
  std::vector<CohortView> views;
  for (const QuotaTree& tree : world.capacity.trees()) {
    const SubtreeSums sums(tree);
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
      view.quotas = QuotasOf(world, tree, n, &sums);
      view.weighted_share = ShareOf(tree, n).Value();
      views.push_back(std::move(view));
    }
  }
  std::sort(views.begin(), views.end(),
            [](const CohortView& a, const CohortView& b) { return a.spec.name < b.spec.name; });
  return views;
}

std::vector<LocalQueueView> LocalQueueViews(const World& world, std::string_view ns) {
  std::vector<LocalQueueView> views;
  for (const auto& [key, id] : world.local_queue_ids) {
    if (!ns.empty() && key.ns != ns) continue;
    const LocalQueueState& queue = world.local_queue(id);
    LocalQueueView view;
    view.spec = queue.spec;
    for (const WorkloadId workload_id : world.WorkloadsOf(queue)) {
      const WorkloadRecord& workload = world.workload(workload_id);
      view.pending += (workload.queued() && !workload.of_job) || WaitsAs(world, workload);
      view.held += IsHeld(workload);
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

std::vector<AccountView> AccountViews(const World& world) {
  std::vector<AccountView> views;
  for (const auto& [rule, account] : world.accounts.all()) {
    for (const auto& [key, balance] : account.balances) {
      views.push_back({rule, key, balance.ValueAt(rule, world.now),
                       InNaturalUnits(rule, balance.rate), account.declared});
    }
  }
  return views;
}

}  // namespace muster
