// See foresee.h. What stands in the way is found by leaving it out: the workload then starts.
#include "engine/explain/foresee.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/cycle/cycle.h"
#include "engine/cycle/cycle_memory.h"
#include "engine/policy/own_order.h"
#include "engine/policy/policy_calls.h"
#include "engine/policy/queue_order.h"

namespace muster {
namespace {

constexpr std::size_t kMostLeftOut = 16;  ///< one after the other

struct Rival {
  WorkloadId workload;
  QueueId queue;
};

/// How a head came out, in the order in which they were decided.
struct Foretold {
  WorkloadId workload;
  Outcome outcome = Outcome::kNotNominated;
  std::int64_t victims = 0;
  std::vector<FlavorResourceId> uses;
};

/// Whether a head with this outcome leaves less to those behind it.
bool Takes(Outcome outcome) {
  return outcome == Outcome::kAdmitted || outcome == Outcome::kPreempting ||
         outcome == Outcome::kMigrating || outcome == Outcome::kDeferredFit ||
         outcome == Outcome::kNoCandidates;
}

std::vector<Rival> HeadsBeside(World& world, PolicyTable& policies,
                               const WorkloadRecord& workload) {
  const QuotaTree& tree = world.tree_of(world.queue(workload.queue));
  std::vector<QueueId> queues;
  for (NodeIndex n = 0; n < tree.size(); ++n) {
    const QueueId id = tree.node(n).queue;
    if (!id.valid()) continue;
    const ClusterQueueState& queue = world.queue(id);
    if (queue.active && queue.pending.heap_size() > 0) queues.push_back(id);
  }
  std::sort(queues.begin(), queues.end(), [&](QueueId a, QueueId b) {
    return world.queue(a).position < world.queue(b).position;
  });
  std::vector<PolicyFailure> failures;  // the cycle will tell of them
  OrderQueues(world, policies, queues, &failures);
  std::vector<Rival> heads;
  for (const QueueId id : queues) {
    ClusterQueueState& queue = world.queue(id);
    const PendingKey& head = *queue.pending.Head(world.UsageOrder(queue));
    heads.push_back({FirstByOwner(world, policies, queue, head, nullptr), id});
  }
  return heads;
}

std::vector<Foretold> DecideAmong(World& world, PolicyTable& policies,
                                  const std::vector<Rival>& heads) {
  std::vector<Foretold> decisions;
  CycleMemory memory;
  memory.entries.resize(heads.size());
  ++world.cycle;
  PolicyCalls calls(world, policies, world.cycle, PolicyCalls::Record::kForget);
  do {  // again without a hook that failed
    decisions.clear();
    for (std::size_t i = 0; i < heads.size(); ++i) {
      memory.entries[i].Begin(heads[i].workload, heads[i].queue);
    }
    for (const Entry* entry : DecideHeads(world, calls, memory)) {
      Foretold& decision = decisions.emplace_back();
      decision.workload = entry->workload;
      decision.outcome = entry->outcome;
      decision.victims = static_cast<std::int64_t>(entry->victims.size());
      for (const Usage& usage : entry->assignment().usage) {
        if (usage.amount > 0) decision.uses.push_back(usage.fr);
      }
    }
  } while (calls.TakeFailed());
  --world.cycle;
  return decisions;
}

using Foretelling = std::vector<Foretold>::const_iterator;

Foretelling AboutOf(const std::vector<Foretold>& decisions, WorkloadId workload) {
  return std::find_if(decisions.begin(), decisions.end(), [workload](const Foretold& decision) {
    return decision.workload == workload;
  });
}

bool StartsIn(const std::vector<Foretold>& decisions, WorkloadId workload) {
  const Foretelling own = AboutOf(decisions, workload);
  return own != decisions.end() && own->outcome == Outcome::kAdmitted;
}

bool ShareAPair(const Foretold& a, const Foretold& b) {
  return std::find_first_of(a.uses.begin(), a.uses.end(), b.uses.begin(), b.uses.end()) !=
         a.uses.end();
}

}  // namespace

Foreseen Foresee(World& world, PolicyTable& policies, const WorkloadRecord& workload) {
  const std::vector<Rival> heads = HeadsBeside(world, policies, workload);
  const std::vector<Foretold> decisions = DecideAmong(world, policies, heads);
  const Foretelling own = AboutOf(decisions, workload.id());
  if (own == decisions.end() || own->outcome == Outcome::kAdmitted) return {};
  // Nearest first: of several that each would do, it is the one that left too little.
  const Foretold* blamed = nullptr;
  std::size_t left_out = 0;
  for (Foretelling each = own; each != decisions.begin() && left_out < kMostLeftOut;) {
    --each;
    if (!Takes(each->outcome) || !ShareAPair(*each, *own)) continue;
    if (blamed == nullptr) blamed = &*each;
    ++left_out;
    std::vector<Rival> others = heads;
    std::erase_if(others, [&](const Rival& head) { return head.workload == each->workload; });
    if (!StartsIn(DecideAmong(world, policies, others), workload.id())) continue;
    blamed = &*each;
    break;
  }
  if (blamed == nullptr) return {};
  return {&world.workload(blamed->workload), blamed->outcome, blamed->victims};
}

}  // namespace muster
