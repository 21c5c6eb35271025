// See kept_room.h. What is kept now: what it wants, less what its victims still hold.
#include "engine/cycle/kept_room.h"

#include <algorithm>

#include "engine/model/amount.h"

namespace muster {
namespace {

Amount AmountOf(const UsageList& usage, FlavorResourceId fr) {
  for (const Usage& each : usage) {
    if (each.fr == fr) return each.amount;
  }
  return 0;
}

Amount HeldBy(const World& world, const std::set<WorkloadId>& victims, FlavorResourceId fr) {
  Amount held = 0;
  for (const WorkloadId id : victims) held = Add(held, AmountOf(world.workload(id).usage, fr));
  return held;
}

std::vector<Usage> KeptNow(const World& world, const WorkloadRecord& preemptor) {
  std::vector<Usage> kept;
  if (!preemptor.queue.valid() || !world.queue(preemptor.queue).active) return kept;
  const QuotaTree& tree = world.tree_of(world.queue(preemptor.queue));
  for (const Usage& wanted : preemptor.room.wanted) {
    const Amount held = HeldBy(world, preemptor.room.victims, wanted.fr);
    const Amount amount = std::max<Amount>(0, Sub(wanted.amount, held));
    // A pair that the tree has lost since then is nobody's room.
    if (amount > 0 && tree.ColumnOf(wanted.fr) != kNoColumn) kept.push_back({wanted.fr, amount});
  }
  return kept;
}

}  // namespace

void KeepRoom(World& world, WorkloadRecord& preemptor, const Assignment& assignment,
              const std::vector<Victim>& victims) {
  KeptRoom room;
  for (const Victim& victim : victims) room.victims.insert(victim.workload);
  for (const Usage& needed : assignment.usage) {
    if (needed.amount > 0) room.wanted.push_back(needed);
  }
  if (room.empty()) return;
  preemptor.room = std::move(room);
  world.kept_room.insert(preemptor.id);
  world.changes.Touch(preemptor.id);
}

void ForgetRoom(World& world, WorkloadRecord& preemptor) {
  if (preemptor.room.empty()) return;
  preemptor.room = {};
  world.kept_room.erase(preemptor.id);
  world.changes.Touch(preemptor.id);
}

void ForgetVictim(World& world, const WorkloadRecord& victim) {
  for (const WorkloadId id : world.kept_room) {
    if (world.workload(id).room.victims.erase(victim.id) > 0) world.changes.Touch(id);
  }
}

void ChargeKeptRoom(World& world, std::span<const std::uint32_t> trees) {
  for (const WorkloadId id : world.kept_room) {
    const WorkloadRecord& preemptor = world.workload(id);
    if (!preemptor.queue.valid()) continue;
    const ClusterQueueState& queue = world.queue(preemptor.queue);
    if (!std::binary_search(trees.begin(), trees.end(), queue.tree)) continue;
    world.tree_of(queue).AddUsage(queue.node, KeptNow(world, preemptor));
  }
}

bool KeepsRoomIn(const World& world, std::uint32_t tree) {
  return std::any_of(world.kept_room.begin(), world.kept_room.end(), [&](WorkloadId id) {
    const WorkloadRecord& preemptor = world.workload(id);
    return preemptor.queue.valid() && world.queue(preemptor.queue).tree == tree;
  });
}

std::unique_ptr<UsageMark> SetRoomAside(World& world, const WorkloadRecord& workload) {
  if (workload.room.empty()) return nullptr;
  auto mark = std::make_unique<UsageMark>(world.tree_of(world.queue(workload.queue)));
  UseRoom(world, workload);
  return mark;
}

void UseRoom(World& world, const WorkloadRecord& workload) {
  if (workload.room.empty()) return;
  const ClusterQueueState& queue = world.queue(workload.queue);
  world.tree_of(queue).RemoveUsage(queue.node, KeptNow(world, workload));
}

}  // namespace muster
