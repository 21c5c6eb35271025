// See invariants.h; each check names the invariant it stands for.
#include "engine/cycle/invariants.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "engine/base/amount.h"
#include "engine/base/check.h"
#include "engine/base/sort_once.h"
#include "engine/kin/variants.h"
#include "engine/life/deadlines.h"
#include "engine/life/lifecycle.h"
#include "engine/life/queueing.h"
#include "engine/preempt/candidates.h"
#include "engine/state/records.h"

namespace muster {
namespace {

/// So many turns ahead the memory is asked for a workload, and for where its name leads.
constexpr std::size_t kWorkloadsAhead = 8;
constexpr std::size_t kNamesAhead = 4;
constexpr int kHoldersAhead = 4;

const WorkloadRecord* WorkloadAt(const World& world, std::size_t id) {
  return id < world.workloads.size() ? world.workloads[id].get() : nullptr;
}

void SendForWorkloads(const World& world, std::size_t id) {
  if (const WorkloadRecord* later = WorkloadAt(world, id + kWorkloadsAhead)) later->PrefetchHot();
  if (const WorkloadRecord* soon = WorkloadAt(world, id + kNamesAhead)) {
    world.workload_index.PrefetchFor(soon->spec.key);
  }
}

/// I1: usage of a cohort is what its children could not keep to themselves. Sums of usage stay far
/// from the ends of int64 (I18), and neither it nor quota is negative.
void CheckUsage(const QuotaTree& tree, NodeIndex n) {
  const QuotaNode& node = tree.node(n);
  for (Column c = 0; c < tree.columns(); ++c) {
    Amount usage = 0;
    for (const auto* children : {&node.child_cohorts, &node.child_queues}) {
      for (const NodeIndex child : *children) {
        const QuotaCell& below = tree.cell(child, c);
        usage += std::max<Amount>(0, below.usage - below.local);
      }
    }
    MUSTER_CHECK(tree.cell(n, c).usage == usage && "I1 conservation");
  }
}

/// So many children of a cohort are looked at for one start, on average.
constexpr std::size_t kChildrenForAStart = 16;

/// Whether this cycle, in which `starts` started, is one of those that look at the cohort: where a
/// few of many children start, one in several does.
bool IsCohortsTurn(const World& world, const QuotaNode& cohort, std::size_t starts) {
  const std::size_t children = cohort.child_cohorts.size() + cohort.child_queues.size();
  const std::size_t turns = 1 + children / (kChildrenForAStart * starts);
  return static_cast<std::size_t>(world.cycle) % turns == 0;
}

/// I2: subtree quota of a cohort follows from the children.
void CheckSubtree(const QuotaTree& tree, NodeIndex n) {
  const QuotaNode& node = tree.node(n);
  for (Column c = 0; c < tree.columns(); ++c) {
    const QuotaCell& cell = tree.cell(n, c);
    Amount subtree = cell.nominal;
    for (const auto* children : {&node.child_cohorts, &node.child_queues}) {
      for (const NodeIndex child : *children) {
        const QuotaCell& below = tree.cell(child, c);
        subtree = Add(subtree, Sub(below.subtree, below.local));
      }
    }
    MUSTER_CHECK(cell.subtree == subtree && "I2 subtree quota");
  }
}

/// Charged to `queue` for one pair, with or without workloads that are on their way out.
Amount ChargedTo(const ClusterQueueState& queue, FlavorResourceId fr, bool with_evicted) {
  Amount usage = 0;
  queue.holders.ForEach([&](const WorkloadRecord& holder) {
    if (holder.evicted && !with_evicted) return;
    for (const Usage& held : holder.usage) {
      if (held.fr == fr) usage = Add(usage, held.amount);
    }
  });
  return usage;
}

/// I21: what is admitted fits its hosts beside all that stays.
void CheckHosts(const World& world, const WorkloadRecord& workload) {
  const TopologyForest& places = world.capacity.places();
  if (places.empty() || places.follows_kueue()) return;
  // Room beside all is room beside those that stay, and holders are many.
  if (places.HasRoomFor(workload.id(), {})) return;
  std::set<WorkloadId> leaving;
  for (const auto& [holder, placed] : places.holders()) {
    if (world.workload(holder).evicted) leaving.insert(holder);
  }
  MUSTER_CHECK(places.HasRoomFor(workload.id(), leaving) && "I21 hosts");
}

/// I4: every podset of the workload got its pods, and no more. I5: the queue stays within nominal
/// quota plus borrowing limit, not counting those that must leave.
void CheckAdmitted(const World& world, const Entry& entry) {
  const WorkloadRecord& workload = world.workload(entry.workload);
  const ClusterQueueState& queue = world.queue(entry.queue);
  const QuotaTree& tree = world.tree_of(queue);
  MUSTER_CHECK(workload.holds_in == queue.id && "I3 one place");
  const auto& pod_sets = workload.spec.status.admission->pod_sets;
  MUSTER_CHECK(pod_sets.size() == workload.pod_sets.size() && "I4 gangs are whole");
  for (std::size_t i = 0; i < pod_sets.size(); ++i) {
    const PodSetRequests& wanted = workload.pod_sets[i];
    const bool whole = pod_sets[i].count == wanted.effective_count;
    const bool reduced = wanted.min_count > 0 && pod_sets[i].count >= wanted.min_count &&
                         pod_sets[i].count <= wanted.count;
    MUSTER_CHECK((whole || reduced) && "I4 gangs are whole");
  }
  CheckHosts(world, workload);
  if (world.catalog.engine_config.overcommit_as_kueue) return;
  for (const Usage& usage : entry.assignment().usage) {
    const QuotaCell& cell = tree.cell(queue.node, tree.ColumnOf(usage.fr));
    if (usage.amount == 0 || cell.borrowing_limit == kNoLimit) continue;
    const Amount limit = Add(cell.nominal, cell.borrowing_limit);
    const bool within = cell.usage <= limit || ChargedTo(queue, usage.fr, false) <= limit;
    MUSTER_CHECK(within && "I5 borrowing limit");
  }
}

/// I11: a victim is a holder that the preemptor's rules allow to evict.
void CheckVictims(const World& world, const Entry& entry) {
  const WorkloadRecord& preemptor = world.workload(entry.workload);
  const ClusterQueueState& queue = world.queue(entry.queue);
  for (const Victim& victim : entry.victims) {
    const WorkloadRecord& holder = world.workload(victim.workload);
    MUSTER_CHECK(holder.holds() && holder.evicted && "I11 victims by the rules");
    const PreemptionRules& rules = queue.spec.preemption;
    const PreemptionPolicy policy =
        holder.holds_in == queue.id ? rules.within_cluster_queue : rules.reclaim_within_cohort;
    MUSTER_CHECK(PolicyAllows(policy, preemptor, holder) && "I11 victims by the rules");
  }
}

/// I3: a workload is in exactly one place. I4: gangs are whole.
void CheckWorkload(const World& world, const WorkloadRecord& workload) {
  MUSTER_CHECK((!workload.holds() || !workload.queued()) && "I3 one place");
  MUSTER_CHECK((!workload.queued() || MayQueue(world, workload)) && "I3 one place");
  MUSTER_CHECK(workload.holds() == ShouldHold(world, workload) && "I3 one place");
  MUSTER_CHECK(workload.deadline() == DeadlineOf(world, workload) && "I12 deadlines");
  if (workload.keeps_room()) {
    const auto kept = world.kept_room.find(workload.queue);
    MUSTER_CHECK(kept != world.kept_room.end() && kept->second == workload.id() && "I13 kept room");
    MUSTER_CHECK(world.queue(workload.queue).pending.InHeap(workload.key) && "I13 kept room");
  }
  const PolicyHold& hold = workload.hold();
  MUSTER_CHECK(hold.policy.empty() == !PendingQueue::IsOnHold(workload.key) && "I3 one place");
  MUSTER_CHECK((hold.until == kNoTime || hold.until <= world.now ||
                world.hold_ends.contains({hold.until, workload.id()})) &&
               "I12 deadlines");
  MUSTER_CHECK(workload.unready == IsUnready(workload) && "I14 readiness");
  MUSTER_CHECK((!MayBeUnsettled(world, workload) || world.unsettled.contains(workload.id())) &&
               "I15 unsettled");
  if (!workload.holds()) return;
  const auto& pod_sets = workload.spec.status.admission->pod_sets;
  MUSTER_CHECK(pod_sets.size() == workload.series().pod_sets.size() && "I4 gangs are whole");
}

/// I22: a job is charged for one variant. It is never charged itself, nor queued. It runs on what a
/// variant holds; another one that is admitted too is on its way out, or the job is to move to it.
void CheckJob(const World& world, const WorkloadRecord& job) {
  const KeptStatus& status = job.spec.status;
  MUSTER_CHECK(!job.holds() && !job.queued() && job.usage.empty() && "I22 jobs are not charged");
  std::size_t staying = 0;
  for (const WorkloadId id : world.jobs.find(job.id())->second) {
    const WorkloadRecord& variant = world.workload(id);
    MUSTER_CHECK(variant.of_job && JobOf(world, variant) == &job && "I22 variants of a job");
    const bool admitted = IsTrue(variant.spec.status, condition::kAdmitted);
    staying += variant.holds() && admitted && !variant.evicted;
  }
  MUSTER_CHECK(staying <= 1 && "I22 jobs are charged once");
  const bool runs = IsTrue(status, condition::kAdmitted) && !job.evicted && job.active &&
                    !IsTrue(status, condition::kFinished);
  MUSTER_CHECK((!runs || RunnerOf(world, job).of_job) && "I22 jobs run as a variant");
}

/// I17: what waits for a queue that does not exist is found by that queue's name.
void CheckWaitsForQueues(const World& world, const WorkloadRecord& workload) {
  const auto waiting = world.without_local_queue.find({workload.spec.key.ns, workload.spec.queue});
  const bool listed =
      waiting != world.without_local_queue.end() && waiting->second.contains(workload.id());
  MUSTER_CHECK(listed == !workload.local_queue.valid() && "I17 waits for queues");
}

TimeNs NewestOf(const HolderIndex& holders, std::int64_t priority, FlavorResourceId pair) {
  for (const HolderIndex::Total& total : holders.TotalsOf(priority)) {
    if (total.fr == pair) return total.newest;
  }
  return kNoTime;
}

/// I3: `order` has holders of the queue, each at the rank that it should have. They are all
/// different, because each comes before the next. Adds what they charge.
void CheckHolders(const ClusterQueueState& queue, const HolderIndex::Order& order, bool leaving,
                  const QuotaTree& tree, std::vector<Amount>& charged) {
  const HolderIndex::Entry* last = nullptr;
  auto ahead = order.begin();
  for (int i = 0; i < kHoldersAhead && ahead != order.end(); ++i) ++ahead;
  for (const HolderIndex::Entry& entry : order) {
    if (ahead != order.end()) (ahead++)->workload->PrefetchHot();
    const WorkloadRecord& holder = *entry.workload;
    const HolderRank rank = {holder.reserved_at, holder.priority(), true, true, leaving};
    MUSTER_CHECK(holder.holds_in == queue.id && "I3 one place");
    MUSTER_CHECK(holder.evicted == leaving && holder.rank == rank && "I3 one place");
    const bool as_ranked = entry.priority == rank.priority && entry.reserved_at == rank.reserved_at;
    const bool in_order = last == nullptr || HolderIndex::Before()(*last, entry);
    MUSTER_CHECK(as_ranked && in_order && "I3 one place");
    last = &entry;
    for (const Usage& held : holder.usage) {
      const Column c = tree.ColumnOf(held.fr);
      MUSTER_CHECK(NewestOf(queue.holders, rank.priority, held.fr) >= holder.key.timestamp &&
                   "I3 one place");
      if (c != kNoColumn) charged[c] = Add(charged[c], held.amount);
    }
  }
}

/// I1 for a queue: its usage is what its holders charge. I3: none is missing among them, because
/// there are as many as say that they hold quota here.
void CheckQueue(const World& world, const QuotaTree& tree, NodeIndex n, std::size_t holders) {
  const ClusterQueueState& queue = world.queue(tree.node(n).queue);
  MUSTER_CHECK(queue.holders.size() == holders && "I3 one place");
  MUSTER_CHECK(queue.pending.HeadIsRight(world.UsageOrder(queue)) && "I16 heads");
  MUSTER_CHECK((queue.has_parked || !HasParked(queue)) && "I16 heads");
  std::vector<Amount> charged(tree.columns(), 0);
  CheckHolders(queue, queue.holders.leaving(), true, tree, charged);
  CheckHolders(queue, queue.holders.staying(), false, tree, charged);
  for (Column c = 0; c < tree.columns(); ++c) {
    MUSTER_CHECK(tree.cell(n, c).usage == charged[c] && "I1 conservation");
    MUSTER_CHECK(tree.cell(n, c).subtree == tree.cell(n, c).nominal && "I2 subtree quota");
  }
}

/// `holders`: how many say that they hold quota in a queue, by its id. Those that were counted are
/// taken out.
void CheckTree(const World& world, const QuotaTree& tree, std::vector<std::size_t>& holders) {
  for (NodeIndex n = 0; n < tree.size(); ++n) {
    const QueueId queue = tree.node(n).queue;
    if (queue.valid()) {
      CheckQueue(world, tree, n, std::exchange(holders[queue.value], 0));
    } else {
      CheckUsage(tree, n);
      CheckSubtree(tree, n);
    }
  }
}

}  // namespace

void CheckDecision(const World& world, const Entry& entry) {
  if (entry.outcome == Outcome::kPreempting) CheckVictims(world, entry);
  if (entry.outcome == Outcome::kAdmitted) CheckAdmitted(world, entry);
}

void CheckCohorts(const World& world, std::span<const Entry> entries) {
  using Place = std::pair<std::uint32_t, NodeIndex>;
  std::vector<Place> places;  // each cohort once, whatever is below it
  std::size_t starts = 0;
  Place last = {0, kNoNode};  // the cohort of the entry before: mostly the same
  for (const Entry& entry : entries) {
    if (entry.outcome != Outcome::kAdmitted) continue;
    ++starts;
    const ClusterQueueState& queue = world.queue(entry.queue);
    const QuotaTree& tree = world.tree_of(queue);
    const Place place = {queue.tree, tree.ParentOf(queue.node)};
    if (std::exchange(last, place) == place) continue;
    for (NodeIndex n = place.second; n != kNoNode; n = tree.ParentOf(n)) {
      places.emplace_back(queue.tree, n);
    }
  }
  SortOnce(places);
  for (const auto& [index, node] : places) {
    const QuotaTree& tree = world.capacity.tree(index);
    if (IsCohortsTurn(world, tree.node(node), starts)) CheckUsage(tree, node);
  }
}

namespace {

void CheckCounted(const World& world, const WorkloadRecord& workload) {
  const bool admitted = workload.holds() && IsTrue(workload.spec.status, condition::kAdmitted);
  MUSTER_CHECK(workload.counted_admitted == admitted && "I19 admitted usage");
  const bool counts = world.catalog.config.admission_fair_sharing.has_value() &&
                      workload.roster.valid() && admitted;
  MUSTER_CHECK(workload.counted == counts && "I19 admitted usage");
}

}  // namespace

void CheckEverything(const World& world) {
  for (const auto& [at, id] : world.deadlines) {
    MUSTER_CHECK(world.Knows(id) && "I12 deadlines");
    MUSTER_CHECK(world.workload(id).deadline() == at && "I12 deadlines");
  }
  for (const auto& [queue, id] : world.kept_room) {
    MUSTER_CHECK(world.Knows(id) && "I13 kept room");
    MUSTER_CHECK(world.workload(id).keeps_room() && "I13 kept room");
    for (const WorkloadId victim : world.workload(id).room().victims) {
      MUSTER_CHECK(world.Knows(victim) && "I13 kept room");
    }
  }
  std::int64_t unready = 0;
  HeldAmounts held;
  std::vector<std::size_t> holders(world.queues.size(), 0);
  std::vector<std::int64_t> admitted_holders(world.queues.size(), 0);
  std::vector<AdmittedUsage> admitted(world.local_queues.size());
  for (std::size_t i = 0; i < world.workloads.size(); ++i) {
    SendForWorkloads(world, i);
    const WorkloadRecord* const workload = world.workloads[i].get();
    if (workload == nullptr) continue;
    unready += workload->unready;
    MUSTER_CHECK(world.FindWorkload(workload->spec.key) == workload && "I3 one place");
    CheckWorkload(world, *workload);
    CheckWaitsForQueues(world, *workload);
    MUSTER_CHECK(world.dormant.contains(workload->id()) == IsDormant(world, *workload) &&
                 "I18 held amounts");
    MUSTER_CHECK(workload->is_job == world.jobs.contains(workload->id()) && "I22 jobs");
    if (workload->is_job) CheckJob(world, *workload);
    held.Add(world.names, workload->usage);
    CheckCounted(world, *workload);
    if (workload->counted) admitted[workload->roster.value].Add(world.names, workload->usage);
    if (workload->holds()) ++holders[workload->holds_in.value];
    if (workload->counted_admitted) ++admitted_holders[workload->holds_in.value];
  }
  for (std::size_t i = 0; i < world.queues.size(); ++i) {
    if (world.queues[i] == nullptr) continue;
    MUSTER_CHECK(world.queues[i]->admitted_holders == admitted_holders[i] && "I19 admitted usage");
  }
  MUSTER_CHECK(world.unready == unready && "I14 readiness");
  for (std::size_t i = 0; i < world.local_queues.size(); ++i) {
    if (world.local_queues[i] == nullptr) continue;
    MUSTER_CHECK(world.local_queues[i]->admitted.List(world.names) ==
                     admitted[i].List(world.names) &&
                 "I19 admitted usage");
  }
  for (const auto& [id, usage] : world.dormant) {
    MUSTER_CHECK(world.Knows(id) && "I18 held amounts");
    held.Add(world.names, usage);
  }
  MUSTER_CHECK(held == world.held && "I18 held amounts");
  const TopologyForest& places = world.capacity.places();
  MUSTER_CHECK(places.AddsUp() && "I21 hosts");
  MUSTER_CHECK(places.IsAsBuilt(world.catalog.nodes, world.catalog.pods) && "I21 hosts");
  for (const auto& [at, id] : world.second_passes) {
    MUSTER_CHECK(world.Knows(id) && world.workload(id).aside->second_pass == at && "I12 deadlines");
  }
  for (const QuotaTree& tree : world.capacity.trees()) CheckTree(world, tree, holders);
  const bool all_counted =
      std::all_of(holders.begin(), holders.end(), [](std::size_t rest) { return rest == 0; });
  MUSTER_CHECK(all_counted && "I3 one place");
}

}  // namespace muster
