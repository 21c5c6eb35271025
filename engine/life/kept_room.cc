// See kept_room.h. What is kept now: what it wants, less what its victims still hold.
#include "engine/life/kept_room.h"

#include <algorithm>

#include "engine/base/amount.h"
#include "engine/life/queueing.h"

namespace muster {
namespace {

Amount AmountOf(std::span<const Usage> usage, FlavorResourceId fr) {
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
  if (!world.queue(preemptor.queue).active) return kept;
  const QuotaTree& tree = world.tree_of(world.queue(preemptor.queue));
  for (const Usage& wanted : preemptor.room().wanted) {
    const Amount held = HeldBy(world, preemptor.room().victims, wanted.fr);
    const Amount amount = std::max<Amount>(0, Sub(wanted.amount, held));
    // A pair that the tree has lost since then is no room any more.
    if (amount > 0 && tree.ColumnOf(wanted.fr) != kNoColumn) kept.push_back({wanted.fr, amount});
  }
  return kept;
}

void Drop(World& world, WorkloadRecord& preemptor) {
  preemptor.aside.Mutable().room.Reset();
  world.kept_room.erase(preemptor.queue);
  world.changes.Touch(preemptor.id());
}

}  // namespace

const WorkloadRecord* KeeperOf(const World& world, QueueId queue) {
  const auto kept = world.kept_room.find(queue);
  return kept == world.kept_room.end() ? nullptr : &world.workload(kept->second);
}

void KeepRoom(World& world, WorkloadRecord& preemptor, const Assignment& assignment,
              const std::vector<Victim>& victims) {
  KeptRoom room;
  for (const Victim& victim : victims) room.victims.insert(victim.workload);
  for (const Usage& needed : assignment.usage) {
    if (needed.amount > 0) room.wanted.push_back(needed);
  }
  if (room.empty()) return ForgetRoomOf(world, preemptor.queue);
  if (const WorkloadRecord* before = KeeperOf(world, preemptor.queue)) {
    Drop(world, world.workload(before->id()));
  }
  preemptor.aside.Mutable().room = std::move(room);
  world.kept_room[preemptor.queue] = preemptor.id();
  world.changes.Touch(preemptor.id());
}

void TakeUpRoom(World& world, WorkloadRecord& preemptor) {
  if (preemptor.keeps_room()) Drop(world, preemptor);
}

void ForgetRoom(World& world, WorkloadRecord& preemptor) {
  if (!preemptor.keeps_room()) return;
  Drop(world, preemptor);
  WakeTreeOf(world, preemptor.queue);
}

void ForgetRoomOf(World& world, QueueId queue) {
  const auto kept = world.kept_room.find(queue);
  if (kept != world.kept_room.end()) ForgetRoom(world, world.workload(kept->second));
}

void ForgetVictim(World& world, const WorkloadRecord& victim) {
  for (const auto& [queue, id] : world.kept_room) {
    if (world.workload(id).aside.Mutable().room.Mutable().victims.erase(victim.id()) > 0)
      world.changes.Touch(id);
  }
}

void ChargeKeptRoom(World& world, std::span<const std::uint32_t> trees) {
  for (const auto& [id, keeper] : world.kept_room) {
    const ClusterQueueState& queue = world.queue(id);
    if (!std::binary_search(trees.begin(), trees.end(), queue.tree)) continue;
    world.capacity.Charge(queue.place(), KeptNow(world, world.workload(keeper)));
  }
}

bool KeepsRoomIn(const World& world, std::uint32_t tree) {
  return std::any_of(world.kept_room.begin(), world.kept_room.end(),
                     [&](const auto& kept) { return world.queue(kept.first).tree == tree; });
}

std::unique_ptr<CapacityMark> SetRoomAside(World& world, QueueId queue) {
  if (KeeperOf(world, queue) == nullptr) return nullptr;
  auto mark = std::make_unique<CapacityMark>(world.capacity, world.queue(queue).tree);
  TakeRoom(world, queue);
  return mark;
}

std::vector<Usage> TakeRoom(World& world, QueueId queue) {
  const WorkloadRecord* keeper = KeeperOf(world, queue);
  if (keeper == nullptr) return {};
  std::vector<Usage> room = KeptNow(world, *keeper);
  world.capacity.Release(world.queue(queue).place(), room);
  return room;
}

}  // namespace muster
