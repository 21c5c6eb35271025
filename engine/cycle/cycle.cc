// One scheduling cycle in six steps. What is tried on the quota trees is under marks, and gone
// before the decisions are carried out, but for trees in which nothing was tried except what
// starts: there it stays, and is not charged again. When a policy fails on the way, the steps are
// taken back and done again without it.
#include "engine/cycle/cycle.h"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/sort_once.h"
#include "engine/cycle/entry.h"
#include "engine/cycle/entry_order.h"
#include "engine/cycle/hold_back.h"
#include "engine/cycle/invariants.h"
#include "engine/cycle/look_ahead.h"
#include "engine/cycle/nominate.h"
#include "engine/cycle/process.h"
#include "engine/cycle/shadow.h"
#include "engine/flavors/flavors_ahead.h"
#include "engine/life/boosts.h"
#include "engine/life/kept_room.h"
#include "engine/life/lifecycle.h"
#include "engine/life/queueing.h"
#include "engine/life/slices.h"
#include "engine/life/variants.h"
#include "engine/nodes/second_passes.h"
#include "engine/policy/boost_rule.h"
#include "engine/policy/own_order.h"
#include "engine/policy/policy_calls.h"
#include "engine/policy/policy_changes.h"
#include "engine/policy/queue_order.h"

namespace muster {
namespace {

void SortByName(const World& world, std::vector<QueueId>& queues) {
  const auto by_name = [&](QueueId a, QueueId b) {
    return world.queue(a).position < world.queue(b).position;
  };
  // They mostly are in order: newcomers alone come out of it.
  if (std::is_sorted(queues.begin(), queues.end(), by_name)) return;
  // Position and id side by side: no comparison looks at a queue.
  std::vector<std::uint64_t> places;
  places.reserve(queues.size());
  for (const QueueId id : queues) {
    places.push_back(std::uint64_t{world.queue(id).position} << 32 | id.value);
  }
  // One run of newcomers behind those that were here is the rule.
  const auto newcomers = std::is_sorted_until(places.begin(), places.end());
  if (std::is_sorted(newcomers, places.end())) {
    std::inplace_merge(places.begin(), newcomers, places.end());
  } else {
    std::sort(places.begin(), places.end());
  }
  for (std::size_t i = 0; i < queues.size(); ++i) {
    queues[i] = QueueId{static_cast<std::uint32_t>(places[i])};
  }
}

/// The queues whose heap has something, in name order. Those that have run empty leave the list,
/// so that a cycle costs what there is to do and not how many queues exist.
const std::vector<QueueId>& QueuesWithHeads(World& world) {
  std::vector<QueueId>& queues = world.with_heads;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < queues.size(); ++i) {
    if (world.queues[queues[i].value] == nullptr) continue;
    ClusterQueueState& queue = world.queue(queues[i]);
    queue.expected = queue.pending.heap_size() > 0;
    if (queue.expected) queues[kept++] = queue.id;
  }
  queues.resize(kept);
  SortByName(world, queues);
  return queues;
}

/// Asks for the boosts that are due, before anything is compared by priority.
void TakeBoosts(World& world, PolicyTable& policies, CycleResult& result) {
  const std::vector<GivenBoost> boosts = AskBoosts(world, policies, &result.policy_failures);
  if (boosts.empty()) return;
  for (const GivenBoost& given : boosts) {
    SetBoost(world, world.workload(given.workload), given.boost, /*wake=*/!given.newcomer);
  }
  FlushWakes(world);
}

/// One head per active ClusterQueue, in name order. They stay in their heaps until requeued.
void TakeHeads(World& world, PolicyTable& policies, PolicyCalls& calls, std::vector<Entry>& entries,
               CycleResult& result) {
  TakeBoosts(world, policies, result);
  HoldBack(world, calls);
  std::vector<QueueId> queues = QueuesWithHeads(world);
  std::erase_if(queues, [&](QueueId id) { return !world.queue(id).active; });
  OrderQueues(world, policies, queues, &result.policy_failures);
  entries.resize(queues.size());
  for (std::size_t i = 0; i < queues.size(); ++i) {
    ClusterQueueState& queue = world.queue(queues[i]);
    const PendingKey& head = *queue.pending.Head(world.UsageOrder(queue));
    const WorkloadId first =
        policies.AnyOwnOrder() ? FirstByOwner(world, policies, queue, head, &result.policy_failures)
                               : head.workload;
    entries[i].Begin(first, queue.id);
  }
}

/// LocalQueue usage as it is before the cycle's own admissions: those are carried out when nothing
/// is searched any more. Each is computed once, when it is asked for.
FrozenUsage FreezeUsage(const World& world) {
  if (!world.catalog.config.admission_fair_sharing) return {};
  auto values = std::make_shared<std::unordered_map<std::uint32_t, double>>();
  return [&world, values](LocalQueueId id) {
    const auto [value, is_new] = values->try_emplace(id.value);
    if (is_new) {
      const LocalQueueState& queue = world.local_queue(id);
      value->second = queue.fair_usage.Value(*world.catalog.config.admission_fair_sharing,
                                             queue.spec.fair_weight);
    }
    return value->second;
  };
}

/// The trees that the entries are in, ascending.
std::vector<std::uint32_t> TreesOf(const World& world, const std::vector<Entry>& entries) {
  std::vector<std::uint32_t> trees;
  for (const Entry& entry : entries) {  // neighbours mostly share a tree
    const std::uint32_t tree = world.queue(entry.queue).tree;
    if (trees.empty() || trees.back() != tree) trees.push_back(tree);
  }
  SortOnce(trees);
  return trees;
}

/// Events from `first` on name the policy that put this entry in front of its queue.
void NamePolicy(World& world, const PolicyTable& policies, const Entry& entry, std::size_t first) {
  if (world.changes.events.size() == first) return;
  const ClusterQueueState& queue = world.queue(entry.queue);
  const Policy* policy = policies.PolicyFor(world, queue, Hook::kQueueOrder);
  if (policy == nullptr || !queue.pending.scripted()) return;
  for (std::size_t i = first; i < world.changes.events.size(); ++i) {
    world.changes.events[i].policy_hash = policy->info().hash;
  }
}

/// Condition BlockedOnPreemptionGates says whether nothing but a closed gate keeps it from
/// evicting.
void MarkGated(World& world, WorkloadRecord& workload, const Entry& entry) {
  KeptStatus& status = workload.spec.status;
  const bool gated = entry.outcome == Outcome::kGated;
  if (gated == IsTrue(status, condition::kBlockedOnPreemptionGates)) return;
  SetCondition(status, condition::kBlockedOnPreemptionGates, gated,
               gated ? "PreemptionGated" : ReasonName(entry.reason), entry.message, world.now);
}

/// Carries out an entry's decision: the admission, or the evictions.
/// `charged`: what it starts with is charged already.
void CarryOut(World& world, Entry& entry, bool charged, CycleResult& result) {
  WorkloadRecord& workload = world.workload(entry.workload);
  const bool keeps = world.catalog.engine_config.preemptor_hold;
  const bool preempts = entry.outcome == Outcome::kPreempting;
  if (entry.outcome == Outcome::kAdmitted) TakeUpRoom(world, workload);
  if (!entry.room_stays && !(keeps && preempts)) ForgetRoomOf(world, entry.queue);
  if (entry.outcome == Outcome::kAdmitted) {
    Admit(world, workload, entry.assignment(), charged);
    const KeptStatus& status = workload.spec.status;
    AdmittedWorkload& admitted = result.admitted.emplace_back();
    admitted.workload = workload.spec.key;
    admitted.admission = *status.admission;
    admitted.admitted = IsTrue(status, condition::kAdmitted);
    EndReplaced(world, workload, entry.replaces);
    return;
  }
  if (entry.starts_over) {
    workload.ForgetProgress();
  } else if (entry.nominated) {
    FlavorProgress progress = entry.assignment().progress;  // of when it was known first
    progress.cycle = world.cycle;
    progress.generation = entry.generation;
    workload.aside.Mutable().progress.Mutable() = progress;  // in the memory of the last one
  }
  SetPending(world, workload, entry.reason, entry.message);
  MarkGated(world, workload, entry);
  if (entry.outcome == Outcome::kMigrating) {
    WorkloadRecord& sibling = world.workload(entry.migrates);
    if (!OrderMigration(world, sibling, workload)) return;
    result.preempted.push_back(
        {sibling.spec.key, PreemptionReason::kFlavorMigration, workload.spec.key});
  }
  if (!preempts) return;
  for (const Victim& victim : entry.victims) {
    if (!Preempt(world, victim, workload)) continue;  // its eviction is under way already
    result.preempted.push_back(
        {world.workload(victim.workload).spec.key, victim.reason, workload.spec.key});
  }
  if (keeps) KeepRoom(world, workload, entry.assignment(), entry.victims);
}

/// What steps 2 to 5 come to. The trees are charged as the entries left them until SettleTrees, or
/// until it goes; then they are as before.
struct Decided {
  std::vector<Entry*> processed;         ///< the entries that were, in this order
  std::vector<std::uint32_t> trees;      ///< that the entries are in, ascending
  ForestMark mark;                       ///< of them
  std::vector<std::uint32_t> tentative;  ///< of them, those that may not stay as charged, ascending
  std::map<WorkloadId, PolicyHold> holds;  ///< what holds entries back

  bool Stays(std::uint32_t tree) const {
    return !std::binary_search(tentative.begin(), tentative.end(), tree);
  }
  /// Whether the charge of an entry that starts is the tree's for good.
  bool IsCharged(const World& world, const Entry& entry) const {
    return tentative.empty() || Stays(world.queue(entry.queue).tree);
  }
};

/// Of trees in which nothing but starts was charged the charges stay; the others are as before.
void SettleTrees(const World& world, Decided& decided) {
  for (std::size_t i = 0; i < decided.trees.size(); ++i) {
    if (decided.Stays(decided.trees[i])) decided.mark.Keep(i);
  }
  decided.mark.TakeBack();
  MUSTER_CHECK(world.capacity.NothingIsTriedIn(decided.trees) && "I6 taken back");
}

/// Asks about the flavors of all heads, before they are nominated.
void AskFlavorsToNominate(const World& world, PolicyCalls& calls, std::span<const Entry> entries,
                          FlavorsAhead& flavors) {
  if (calls.none(Hook::kFlavorOrder)) return;
  for (const Entry& entry : entries) {
    flavors.Expect(world.workload(entry.workload), world.queue(entry.queue));
  }
  flavors.Ask();
}

/// The same before they are processed, in the trees as they will be if each of `planned` starts, or
/// is charged as a preemptor is. The trees stay as they are.
void AskFlavorsToProcess(World& world, PolicyCalls& calls, std::span<Entry* const> planned,
                         std::span<const std::uint32_t> trees, FlavorsAhead& flavors) {
  if (calls.none(Hook::kFlavorOrder) || planned.size() < 2) return;
  const ForestMark mark(world.capacity, trees);
  HeldAmounts starting;
  for (const Entry* entry : planned) {
    const UsageList& usage = entry->assignment().usage;
    if (entry->assignment().mode == AssignmentMode::kNoFit) continue;
    const ClusterQueueState& queue = world.queue(entry->queue);
    if (OrderMayChange(calls, queue)) flavors.Expect(world.workload(entry->workload), queue);
    if (starting.AddWithin(world.names, usage, world.held).valid()) continue;
    world.capacity.Charge(queue.place(), usage);
  }
  flavors.Ask();
}

/// Steps 2 to 5: decides about every head.
Decided Decide(World& world, PolicyCalls& calls, CycleMemory& memory, SecondPasses& again,
               bool traced) {
  std::vector<Entry>& entries = memory.entries;
  PreemptionSearch search(world, FreezeUsage(world), &calls, &memory.searches);
  Decided decided;
  decided.processed.reserve(entries.size());
  // 2 mark
  decided.trees = TreesOf(world, entries);
  decided.mark = ForestMark(world.capacity, decided.trees);
  ChargeKeptRoom(world, decided.trees);
  // 3 nominate: all against the same usage
  memory.fits.Begin(world);
  memory.misfits.Begin(world);
  again.Nominate(calls);
  FlavorsAhead flavors(world, calls);
  AskFlavorsToNominate(world, calls, entries, flavors);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    LookAheadToNominate(world, entries, i);
    Entry& entry = entries[i];
    const auto aside = SetRoomAside(world, entry.queue);
    Nominate(world, search, entry, &memory, traced);
    if (!entry.nominated) KeepOrGiveUpRoom(world, entry, {});
  }
  // 4 order
  const std::unique_ptr<EntryOrder> order = MakeEntryOrder(world, calls, entries);
  // 5 process, each on the usage that the entries before it left
  again.Process(calls);
  AskFlavorsToProcess(world, calls, order->Planned(), decided.trees, flavors);
  EntryProcessor processor(world, search, calls, traced);
  while (Entry* entry = order->Next()) {
    const std::vector<Usage> room = TakeRoom(world, entry->queue);
    processor.Process(*entry);
    KeepOrGiveUpRoom(world, *entry, room);
    if (entry->room_stays) world.capacity.Charge(world.queue(entry->queue).place(), room);
    decided.processed.push_back(entry);
  }
  const bool may_stay = world.kept_room.empty() && world.capacity.FollowsFromQuota();
  decided.tentative = may_stay ? processor.TentativeTrees() : decided.trees;
  decided.holds = processor.TakeHolds();
  return decided;
}

/// Decides until no policy fails any more; each failure takes a hook out, so this ends. What a
/// policy has held back that fails now, with `take_heads` others may be heads.
template <typename TakeHeads>
Decided DecideWithoutFailures(World& world, PolicyCalls& calls, CycleMemory& memory,
                              SecondPasses& again, bool traced, const TakeHeads& take_heads) {
  while (true) {
    const std::int64_t failed = calls.CountFailed(Hook::kHold);
    {
      Decided decided = Decide(world, calls, memory, again, traced);
      if (!calls.TakeFailed()) return decided;
    }  // the trees are as before
    if (calls.CountFailed(Hook::kHold) != failed) take_heads();
    for (Entry& entry : memory.entries) entry.Begin(entry.workload, entry.queue);
  }
}

void Trace(const World& world, Entry& entry, const Entry* before, CycleTrace& trace) {
  WorkloadTrace& line = trace.workloads.emplace_back();
  line.workload = world.workload(entry.workload).spec.key;
  line.cluster_queue = world.queue(entry.queue).name();
  line.position = static_cast<std::int32_t>(trace.workloads.size());
  line.outcome = OutcomeName(entry.outcome);
  line.reason = entry.reason;
  line.message = entry.message;
  line.flavors = std::move(entry.attempts);
  if (entry.report != nullptr) {
    line.candidates = std::move(entry.report->candidates);
    line.more_candidates = entry.report->more_candidates;
  }
  if (before == nullptr) return;
  line.behind = world.workload(before->workload).spec.key;
  line.behind_by =
      world.catalog.FairSharing() ? "fair share" : ClassicalDifference(world, *before, entry);
}

void NoteRest(const World& world, const PolicyTable& policies, CycleMemory& memory,
              Movement movement, CycleResult& result) {
  result.at_rest = memory.rest.After(world, policies, memory.entries, result, movement);
  if (!memory.rest_of_call) return;
  memory.call_rests = memory.rest_of_call->After(world, policies, memory.entries, result, movement);
}

}  // namespace

std::vector<const Entry*> DecideHeads(World& world, PolicyCalls& calls, CycleMemory& memory) {
  SecondPasses none;
  const Decided decided = Decide(world, calls, memory, none, /*traced=*/false);
  return {decided.processed.begin(), decided.processed.end()};
}

CycleResult RunSchedulingCycle(World& world, PolicyTable& policies, CycleMemory& memory,
                               CycleTrace* trace, Shadow* shadow) {
  CycleResult result;
  result.at = world.now;
  // 1 heads
  std::vector<Entry>& entries = memory.entries;
  PolicyCalls calls(world, policies, world.cycle + 1);
  const auto take_heads = [&] { TakeHeads(world, policies, calls, entries, result); };
  take_heads();
  (void)calls.TakeFailed();  // nothing was decided yet
  SecondPasses again(world);
  const bool idle = entries.empty() && again.empty();
  if (!idle) ++world.cycle;
  result.cycle = world.cycle;
  if (idle) {
    result.policy_failures.insert(result.policy_failures.end(), calls.failures().begin(),
                                  calls.failures().end());
    NoteRest(world, policies, memory, {}, result);
    if (trace != nullptr) *trace = CycleTrace{world.cycle, world.now, {}};
    return result;
  }
  if (shadow != nullptr) shadow->Foresee(world, policies, entries);
  Decided decided = DecideWithoutFailures(world, calls, memory, again, trace != nullptr, [&] {
    take_heads();
    if (shadow != nullptr) shadow->Foresee(world, policies, entries);
  });
  const std::vector<Entry*>& processed = decided.processed;
  result.policy_failures.insert(result.policy_failures.end(), calls.failures().begin(),
                                calls.failures().end());
  if (shadow != nullptr) shadow->Compare(world, entries);
  // 6 commit and requeue
  SettleTrees(world, decided);
  result.admitted.reserve(static_cast<std::size_t>(
      std::count_if(processed.begin(), processed.end(),
                    [](const Entry* entry) { return entry->outcome == Outcome::kAdmitted; })));
  again.CarryOut(result);
  Movement movement;
  for (std::size_t i = 0; i < processed.size(); ++i) {
    LookAheadToCarryOut(world, processed, i);
    Entry* const entry = processed[i];
    if (entry->outcome != Outcome::kAdmitted) {
      movement.walked_on |= WalksOn(world, world.workload(entry->workload), *entry);
    }
    const std::size_t first = world.changes.events.size();
    CarryOut(world, *entry, decided.IsCharged(world, *entry), result);
    CheckDecision(world, *entry);
    NamePolicy(world, policies, *entry, first);
  }
  for (Entry& entry : entries) {
    if (!entry.nominated) CarryOut(world, entry, /*charged=*/false, result);
    if (entry.outcome == Outcome::kAdmitted) continue;
    if (entry.outcome == Outcome::kOnHold) {
      PutOnHold(world, world.workload(entry.workload), std::move(decided.holds[entry.workload]));
      movement.left = true;
      continue;
    }
    if (entry.outcome != Outcome::kNotNominated && entry.requeue == RequeueReason::kGeneric) {
      entry.requeue = RequeueReason::kFailedAfterNomination;
    }
    const bool stays = RequeueHead(world, world.workload(entry.workload), entry.requeue,
                                   calls.HadSay(world.queue(entry.queue)));
    movement.left |= !stays;
  }
  CheckCohorts(world, entries);
  RollBackFailing(world, policies, result);
  NoteRest(world, policies, memory, movement, result);
  if (trace != nullptr) {
    *trace = CycleTrace{world.cycle, world.now, {}};
    for (std::size_t i = 0; i < processed.size(); ++i) {
      Trace(world, *processed[i], i == 0 ? nullptr : processed[i - 1], *trace);
    }
    for (Entry& entry : entries) {
      if (!entry.nominated) Trace(world, entry, nullptr, *trace);
    }
  }
  return result;
}

}  // namespace muster
