// See invariants.h; each check names the invariant it stands for.
#include "engine/cycle/invariants.h"

#include <algorithm>
#include <map>

#include "engine/cycle/queueing.h"
#include "engine/model/amount.h"
#include "engine/model/check.h"
#include "engine/state/records.h"

namespace muster {
namespace {

/// I1: usage of a cohort is what its children could not keep to themselves; that of a queue is what
/// its holders charge. I2: subtree quota follows from the children.
void CheckTree(const World& world, const QuotaTree& tree) {
  for (NodeIndex n = 0; n < tree.size(); ++n) {
    const QuotaNode& node = tree.node(n);
    for (Column c = 0; c < tree.columns(); ++c) {
      const QuotaCell& cell = tree.cell(n, c);
      Amount usage = 0;
      Amount subtree = cell.nominal;
      if (node.queue.valid()) {
        for (const WorkloadId id : world.queue(node.queue).holders) {
          for (const Usage& held : world.workload(id).usage) {
            if (held.fr == tree.ColumnPair(c)) usage = Add(usage, held.amount);
          }
        }
      }
      for (const auto* children : {&node.child_cohorts, &node.child_queues}) {
        for (const NodeIndex child : *children) {
          const QuotaCell& below = tree.cell(child, c);
          usage = Add(usage, std::max<Amount>(0, Sub(below.usage, below.local)));
          subtree = Add(subtree, Sub(below.subtree, below.local));
        }
      }
      MUSTER_CHECK(cell.usage == usage && "I1 conservation");
      MUSTER_CHECK(cell.subtree == subtree && "I2 subtree quota");
    }
  }
}

/// I3: a workload is in exactly one place. I4: gangs are whole.
void CheckWorkload(const World& world, const WorkloadRecord& workload) {
  const bool in_heap =
      workload.queue.valid() && world.queue(workload.queue).pending.InHeap(workload.key);
  const bool parked =
      workload.queue.valid() && world.queue(workload.queue).pending.IsParked(workload.key);
  MUSTER_CHECK(in_heap == (workload.place == QueuePlace::kHeap) && "I3 one place");
  MUSTER_CHECK(parked == (workload.place == QueuePlace::kParked) && "I3 one place");
  MUSTER_CHECK((!workload.holds() || workload.place == QueuePlace::kNone) && "I3 one place");
  MUSTER_CHECK((workload.place == QueuePlace::kNone || MayQueue(world, workload)) &&
               "I3 one place");
  MUSTER_CHECK(workload.holds() == ShouldHold(world, workload) && "I3 one place");
  if (!workload.holds()) return;
  MUSTER_CHECK(world.queue(workload.holds_in).holders.contains(workload.id) && "I3 one place");
  const auto& pod_sets = workload.spec.status.admission->pod_sets;
  MUSTER_CHECK(pod_sets.size() == workload.spec.pod_sets.size() && "I4 gangs are whole");
}

}  // namespace

void CheckEverything(const World& world) {
  for (const QuotaTree& tree : world.trees) CheckTree(world, tree);
  for (const auto& [key, id] : world.workload_ids) CheckWorkload(world, world.workload(id));
  for (const auto& [name, id] : world.queue_ids) {
    for (const WorkloadId holder : world.queue(id).holders) {
      MUSTER_CHECK(world.workload(holder).holds_in == id && "I3 one place");
    }
  }
}

}  // namespace muster
