// Entries of one cycle decide one after the other, each on what those before it left.
#include "engine/cycle/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Cpu;
using testing::Holding;
using testing::kNoon;
using testing::MakeWorkload;

/// Queues x and y of one cohort, whose `lent` cpu are quota of neither.
class Processed : public ::testing::Test {
 protected:
  void Build(Amount lent, PreemptionRules rules, std::vector<Object> more) {
    std::vector<Object> objects{testing::MakeNamespace(),
                                testing::MakeFlavor("default"),
                                testing::MakeCohort("co", "", {{.nominal = lent}}),
                                testing::MakeQueue("x", "co", {{.nominal = 2}}, rules),
                                testing::MakeQueue("y", "co", {{.nominal = 2}}, rules),
                                testing::MakeQueue("z", "co", {{.nominal = 0}}),
                                testing::MakeLocalQueue("x"),
                                testing::MakeLocalQueue("y"),
                                testing::MakeLocalQueue("z")};
    objects.insert(objects.end(), more.begin(), more.end());
    const Status status = engine_.Apply(objects, kNoon);
    ASSERT_TRUE(status.ok()) << status.message();
  }

  CycleResult Decide() {
    const Result<CycleResult> result = engine_.RunCycle(kNoon);
    EXPECT_TRUE(result.ok()) << result.status().message();
    EXPECT_TRUE(engine_.CheckInvariants().ok());
    return result.ok() ? *result : CycleResult{};
  }

  Engine engine_;
};

TEST_F(Processed, TwoDoNotBorrowTheSameQuota) {
  Build(1, {}, {MakeWorkload("first", "x", Cpu(3), 1), MakeWorkload("second", "y", Cpu(3))});
  EXPECT_THAT(testing::AdmittedNames(Decide()), ElementsAre("first"));
  EXPECT_THAT(testing::AdmittedNames(Decide()), IsEmpty());
}

TEST_F(Processed, TwoDoNotEvictTheSameVictim) {
  const PreemptionRules reclaims{PreemptionPolicy::kNever, PreemptionPolicy::kAny,
                                 PreemptionPolicy::kNever, std::nullopt};
  Build(0, reclaims,
        {Holding(MakeWorkload("borrower", "z", Cpu(4)), "z"),
         MakeWorkload("first", "x", Cpu(2), 1), MakeWorkload("second", "y", Cpu(2))});
  const CycleResult result = Decide();
  ASSERT_THAT(testing::PreemptedNames(result), ElementsAre("borrower"));
  EXPECT_EQ(result.preempted[0].by.name, "first");
  const std::vector<PendingWorkload> pending = *engine_.Pending();
  const auto second = std::find_if(pending.begin(), pending.end(), [](const PendingWorkload& each) {
    return each.workload.name == "second";
  });
  ASSERT_NE(second, pending.end());
  EXPECT_THAT(second->message, HasSubstr("that an earlier entry of this cycle preempted"));
}

}  // namespace
}  // namespace muster
