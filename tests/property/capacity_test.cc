// A member of capacity that refuses nothing changes no decision, in random worlds; and after every
// cycle it has heard of exactly what is held. With it the engine takes back, keeps and searches as
// it must where more than quota limits.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/command/applier.h"
#include "engine/cycle/cycle.h"
#include "engine/cycle/invariants.h"
#include "engine/life/lifecycle.h"
#include "engine/life/queueing.h"
#include "tests/property/crowded_tree.h"
#include "tests/property/for_each_world.h"
#include "tests/testing/booked_member.h"

namespace muster::testing {
namespace {

class Cluster {
 public:
  Cluster(const std::vector<Object>& objects, std::unique_ptr<BookedMember> member)
      : member_(member.get()) {
    if (member != nullptr) world_.capacity.Add(std::move(member));
    world_.now = kNow;
    Applier applier(world_);
    for (const Object& object : objects) applier.Apply(object);
    applier.Finish();
  }

  /// One cycle, and the end of the evictions it ordered, in one line.
  std::string Cycle() {
    FlushWakes(world_);
    const CycleResult result = RunSchedulingCycle(world_, policies_, memory_, nullptr);
    std::string text;
    for (const AdmittedWorkload& admitted : result.admitted) {
      text += "+" + admitted.workload.name;
      for (const PodSetAssignment& pod_set : std::as_const(admitted.admission).pod_sets) {
        text += " " + std::to_string(pod_set.count);
        for (const auto& [resource, flavor] : pod_set.flavors) text += " " + flavor;
      }
    }
    ExpectBooked();
    for (const auto& preempted : result.preempted) {
      text += "-" + preempted.workload.name + " for " + preempted.by.name;
      CompleteEviction(world_, *world_.FindWorkload(preempted.workload));
    }
    CheckEverything(world_);
    ExpectBooked();
    return text;
  }

 private:
  void ExpectBooked() const {
    if (member_ == nullptr) return;
    BookedMember::Book held;
    for (const auto& workload : world_.workloads) {
      if (workload == nullptr || !workload->holds()) continue;
      for (const Usage& usage : std::as_const(*workload).usage) {
        if (usage.amount != 0) held[{workload->holds_in, usage.fr}] += usage.amount;
      }
    }
    EXPECT_EQ(member_->book(), held);
  }

  muster::World world_;
  PolicyTable policies_;
  CycleMemory memory_;
  const BookedMember* member_;
};

void Check(const std::vector<Object>& objects, int* decided) {
  Cluster alone(objects, nullptr);
  Cluster watched(objects, Bystander());
  for (int cycle = 0; cycle < 6; ++cycle) {
    const std::string text = alone.Cycle();
    EXPECT_EQ(watched.Cycle(), text) << "cycle " << cycle;
    *decided += !text.empty();
  }
}

void CheckAll(World (*draw)(Choices&), int count, Seeds seeds) {
  int decided = 0;
  ForEach(draw, count, seeds,
          [&](const std::vector<Object>& objects, Choices&) { Check(objects, &decided); });
  if (std::getenv("MUSTER_SEED") == nullptr) {
    EXPECT_GT(decided, count);
  }
}

TEST(CapacityMembers, ThatRefuseNothingChangeNoDecision) {
  CheckAll(MakeRandomWorld, 500, Seeds::kFixed);
}
TEST(CapacityMembers, ThatRefuseNothingChangeNoPreemption) {
  CheckAll(MakeCrowdedTree, 100, Seeds::kFixed);
}
TEST(LongCapacityMembers, ThatRefuseNothingChangeNoDecision) {
  CheckAll(MakeRandomWorld, 20'000, Seeds::kFresh);
}

}  // namespace
}  // namespace muster::testing
