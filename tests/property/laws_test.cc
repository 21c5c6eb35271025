// Laws: what must not change a decision, and what must be conserved. No second opinion is needed.
#include <gtest/gtest.h>

#include "muster/engine.h"
#include "tests/property/for_each_world.h"
#include "tests/property/judge.h"
#include "tests/property/transform.h"

namespace muster::testing {
namespace {

// Expects both worlds to come to `want`; shows the changed world when they do not.
void ExpectSame(const oracle::Outcome& want, const oracle::Outcome& got, const World& changed) {
  EXPECT_TRUE(want == got) << ToCase(changed) << "# expected\n"
                           << Describe(want) << "# got\n"
                           << Describe(got);
}

// Usage of every queue and cohort that is not zero.
using UsagePicture = std::map<std::string, Amount>;

UsagePicture ReadUsage(const Engine& engine) {
  UsagePicture picture;
  const auto read = [&](const std::string& owner, const std::vector<QuotaView>& quotas) {
    for (const QuotaView& quota : quotas) {
      if (quota.usage != 0)
        picture[owner + " " + quota.flavor + " " + quota.resource] = quota.usage;
    }
  };
  for (const ClusterQueueView& queue : *engine.ClusterQueues()) {
    read("queue " + queue.spec.name, queue.quotas);
  }
  for (const CohortView& cohort : *engine.Cohorts()) {
    read("cohort " + cohort.spec.name, cohort.quotas);
  }
  return picture;
}

// Total of what admitted workloads hold, by resource, whatever the queue and the flavor.
std::map<std::string, Quantity> SumHeld(const Engine& engine) {
  std::map<std::string, Quantity> sum;
  for (const WorkloadView& workload : *engine.Workloads()) {
    if (!workload.spec.status.admission) continue;
    for (const PodSetAssignment& pod_set : workload.spec.status.admission->pod_sets) {
      for (const auto& [resource, amount] : pod_set.resource_usage) {
        sum[resource] = sum[resource] + amount;
      }
    }
  }
  return sum;
}

std::vector<Key> KeysOf(const CycleResult& cycle) {
  std::vector<Key> keys;
  for (const AdmittedWorkload& admitted : cycle.admitted) keys.push_back(admitted.workload);
  return keys;
}

TEST(Law, OrderOfObjectsInAFileDoesNotMatter) {
  ForEachWorld(1500, Seeds::kFixed, [](const World& world, Choices& choices) {
    const World changed = ShuffleObjects(choices, world);
    ExpectSame(Decide(world), Decide(changed), changed);
  });
}

TEST(Law, NamesMatterByTheirOrderOnly) {
  ForEachWorld(1500, Seeds::kFixed, [](const World& world, Choices& choices) {
    const Renaming renaming(choices, world);
    const World changed = renaming.Apply(world);
    ExpectSame(renaming.Apply(Decide(world)), Decide(changed), changed);
  });
}

TEST(Law, ScalingEveryQuantityDoesNotMatter) {
  ForEachWorld(1500, Seeds::kFixed, [](const World& world, Choices& choices) {
    const int factor = choices.Pick<int>({2, 3, 10, 999, 1000});
    const World changed = Scale(world, factor);
    ExpectSame(Scale(Decide(world), factor), Decide(changed), changed);
  });
}

TEST(Law, AnIdleQueueOfZeroQuotaChangesNothing) {
  ForEachWorld(1500, Seeds::kFixed, [](const World& world, Choices& choices) {
    const World changed = AddIdleQueue(choices, world);
    ExpectSame(Decide(world), Decide(changed), changed);
  });
}

TEST(Law, FinishingWhatACycleAdmittedRestoresUsage) {
  int admissions = 0;
  ForEachWorld(1500, Seeds::kFixed, [&](const World& world, Choices&) {
    Engine engine;
    ASSERT_TRUE(engine.Apply(world, kNow, MissingReference::kAccept).ok());
    const UsagePicture before = ReadUsage(engine);
    const Result<CycleResult> cycle = engine.RunCycle(kNow);
    ASSERT_TRUE(cycle.ok()) << cycle.status().message();
    const std::vector<Key> admitted = KeysOf(*cycle);
    admissions += static_cast<int>(admitted.size());
    ASSERT_TRUE(engine.Finish(admitted, /*failed=*/false, kNow).ok());
    EXPECT_EQ(ReadUsage(engine), before) << ToCase(world);
    EXPECT_TRUE(engine.CheckInvariants().ok()) << engine.CheckInvariants().message();
  });
  EXPECT_TRUE(admissions > 0 || std::getenv("MUSTER_SEED"));
}

// The evicted one is taken back into a world where no other waits: what all hold together is
// what they held before. While its pods still run its quota stays charged.
TEST(Law, EvictingAndAdmittingAgainConservesUsage) {
  int readmitted = 0;
  ForEachWorld(1500, Seeds::kFixed, [&](World world, Choices& choices) {
    std::erase_if(world, [](const Object& object) {
      const auto* workload = std::get_if<Workload>(&object);
      return workload && (!workload->status.admission || workload->status.conditions.size() > 2);
    });
    Engine engine;
    ASSERT_TRUE(engine.Apply(world, kNow, MissingReference::kAccept).ok());
    const std::vector<WorkloadView> holders = *engine.Workloads();
    if (holders.empty()) return;
    const Key key = choices.Pick(holders).spec.key;
    const UsagePicture usage = ReadUsage(engine);
    const std::map<std::string, Quantity> held = SumHeld(engine);
    ASSERT_TRUE(engine.Evict(key, "Preempted", kNow).ok());
    EXPECT_EQ(ReadUsage(engine), usage) << ToCase(world);
    ASSERT_TRUE(engine.Evicted(std::vector<Key>{key}, kNow).ok());
    const Result<CycleResult> cycle = engine.RunCycle(kNow);
    ASSERT_TRUE(cycle.ok()) << cycle.status().message();
    EXPECT_TRUE(engine.CheckInvariants().ok()) << engine.CheckInvariants().message();
    if (KeysOf(*cycle) != std::vector<Key>{key}) return;
    ++readmitted;
    EXPECT_EQ(SumHeld(engine), held) << ToCase(world);
    const auto again = engine.GetWorkload(key);
    for (const Object& object : world) {
      const auto* workload = std::get_if<Workload>(&object);
      if (!workload || workload->key != key) continue;
      if (again->spec.status.admission == workload->status.admission) {
        EXPECT_EQ(ReadUsage(engine), usage) << ToCase(world);
      }
    }
  });
  EXPECT_TRUE(readmitted > 0 || std::getenv("MUSTER_SEED"));
}

}  // namespace
}  // namespace muster::testing
