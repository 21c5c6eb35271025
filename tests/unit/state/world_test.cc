// Slots and ids of the world: used again, and never taken for one another.
#include "engine/state/world.h"

#include <gtest/gtest.h>

#include "engine/base/check.h"

namespace muster {
namespace {

WorkloadRecord& Add(World& world, const std::string& name) {
  const World::Listed listed = world.ListNext({"default", name});
  EXPECT_TRUE(listed.is_new);
  listed.record->spec.key = {"default", name};
  return *listed.record;
}

TEST(World, SlotsAreUsedAgainAndArrivalsAreNot) {
  World world;
  Add(world, "stays");
  const WorkloadId first = Add(world, "goes").id();
  world.Forget(world.workload(first));
  const WorkloadId second = Add(world, "comes").id();
  EXPECT_EQ(second.slot(), first.slot());
  EXPECT_LT(first, second) << "ids are ordered by arrival, whatever the slot";
  EXPECT_EQ(world.workloads.size(), 2u);
}

TEST(World, AnIdOfOneThatIsGoneIsNotThatOfTheNextInItsSlot) {
  World world;
  const WorkloadId gone = Add(world, "goes").id();
  world.Forget(world.workload(gone));
  EXPECT_FALSE(world.Knows(gone));
  EXPECT_THROW(world.workload(gone), InvariantBroken) << "its slot is free";
  Add(world, "comes");
  EXPECT_FALSE(world.Knows(gone));
  EXPECT_THROW(world.workload(gone), InvariantBroken) << "another one has its slot";
}

TEST(World, ListsByNameWhatCameIntoTheSlotOfAnother) {
  World world;
  for (const char* name : {"b", "d", "f"}) Add(world, name);
  EXPECT_EQ(world.WorkloadsByName().size(), 3u);
  world.Forget(*world.FindWorkload({"default", "d"}));
  Add(world, "a");
  std::string names;
  for (const WorkloadId id : world.WorkloadsByName()) names += world.workload(id).spec.key.name;
  EXPECT_EQ(names, "abf");
}

TEST(World, ArrivalsBeyondThirtyTwoBitsStayInOrder) {
  World world;
  world.next_sequence = (std::int64_t{1} << 32) - 1;
  const WorkloadId before = Add(world, "a").id();
  const WorkloadId after = Add(world, "b").id();
  EXPECT_LT(before, after);
  EXPECT_EQ(after.arrival(), std::int64_t{1} << 32);
}

TEST(World, QueuesTakeTheIdsOfThoseThatWereDeleted) {
  World world;
  for (int i = 0; i < 1000; ++i) {
    ClusterQueue spec;
    spec.name = "q" + std::to_string(i);
    ClusterQueueState& queue = world.MakeQueue(spec);
    world.ExpectHead(queue);
    world.wake_trees.push_back(queue.id);
    LocalQueue local_spec;
    local_spec.key = {"default", spec.name};
    LocalQueueState& local_queue = world.MakeLocalQueue(local_spec);
    world.queue_ids.erase(spec.name);
    world.Forget(queue);
    world.UnlistLocalQueue(local_queue);
    world.Forget(local_queue);
  }
  EXPECT_EQ(world.queues.size(), 1u);
  EXPECT_EQ(world.local_queues.size(), 1u);
  EXPECT_TRUE(world.with_heads.empty() && world.wake_trees.empty()) << "nothing has their ids";
}

}  // namespace
}  // namespace muster
