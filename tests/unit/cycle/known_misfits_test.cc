// What a head found out that could not start is no answer where it would not come out the same:
// other usage, victims that came or went, other quota.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"

namespace muster {
namespace {

using testing::Cpu;
using testing::DefaultKey;
using testing::kNoon;
using testing::MakeWorkload;

class KnownMisfits : public ::testing::Test {
 protected:
  KnownMisfits() {
    Apply({testing::MakeNamespace(), testing::MakeFlavor("default")});
    for (const char* name : {"a", "b"}) {
      ClusterQueue queue = testing::MakeQueue(name, "team", {{"default", "cpu", 4}});
      queue.preemption.reclaim_within_cohort = PreemptionPolicy::kAny;
      queue.preemption.within_cluster_queue = PreemptionPolicy::kLowerPriority;
      Apply({queue, testing::MakeLocalQueue(name)});
    }
  }
  void Apply(const std::vector<Object>& objects) {
    const Status status = engine_.Apply(objects, kNoon);
    ASSERT_TRUE(status.ok()) << status.message();
  }
  void Submit(const std::string& name, const std::string& queue, std::int64_t cpu,
              std::int32_t priority = 0) {
    const Workload workload = MakeWorkload(name, queue, Cpu(cpu), priority);
    ASSERT_TRUE(engine_.Submit(std::span(&workload, 1), kNoon).ok());
  }
  void Finish(const std::string& name) {
    const Key key = DefaultKey(name);
    ASSERT_TRUE(engine_.Finish(std::span(&key, 1), false, kNoon).ok());
  }
  /// What cycles decide until they decide nothing more.
  std::string Run() {
    std::string decided;
    for (int cycle = 0; cycle < 10; ++cycle) {
      const Result<CycleResult> result = engine_.RunCycle(kNoon);
      EXPECT_TRUE(result.ok());
      for (const AdmittedWorkload& each : result->admitted) decided += "+" + each.workload.name;
      for (const PreemptedWorkload& each : result->preempted) decided += "-" + each.workload.name;
    }
    EXPECT_TRUE(engine_.CheckInvariants().ok());
    return decided;
  }
  /// How much more it says that it needs.
  std::string Needs(const std::string& name) {
    const Result<WorkloadView> view = engine_.GetWorkload(DefaultKey(name));
    EXPECT_TRUE(view.ok());
    const std::string message(view->message);
    const std::size_t comma = message.rfind(", ");
    return comma == std::string::npos ? message : message.substr(comma + 2);
  }

  Engine engine_;
};

TEST_F(KnownMisfits, SayWhatIsLackingNow) {
  for (const char* name : {"a1", "a2", "a3", "a4"}) Submit(name, "a", 2);
  EXPECT_EQ(Run(), "+a1+a2+a3+a4");
  Submit("large", "a", 6);
  EXPECT_EQ(Run(), "");
  EXPECT_EQ(Needs("large"), "6 more needed");
  Finish("a1");
  EXPECT_EQ(Run(), "");
  EXPECT_EQ(Needs("large"), "4 more needed");
  Submit("a5", "a", 2);
  EXPECT_EQ(Run(), "+a5");
  Finish("a2");
  EXPECT_EQ(Run(), "");
  EXPECT_EQ(Needs("large"), "4 more needed") << "as before";
  Finish("a3");
  Finish("a4");
  EXPECT_EQ(Run(), "+large");
}

TEST_F(KnownMisfits, GiveWayWhereVictimsHaveCome) {
  Submit("b1", "b", 4);
  Submit("a1", "a", 2);
  Submit("a2", "a", 2);
  EXPECT_EQ(Run(), "+a1+b1+a2");
  Submit("head", "a", 2, 5);
  Submit("same", "b", 2);
  EXPECT_EQ(Run(), "-a1") << "of its own queue, with less priority";
}

TEST_F(KnownMisfits, GiveWayWhereAnotherQueueBorrows) {
  Submit("b1", "b", 4);
  Submit("a1", "a", 4);
  EXPECT_EQ(Run(), "+a1+b1");
  Submit("b2", "b", 2);
  EXPECT_EQ(Run(), "");
  Submit("a2", "a", 2);
  EXPECT_EQ(Run(), "");
  EXPECT_EQ(Needs("a2"), "2 more needed");
  EXPECT_EQ(Needs("b2"), "2 more needed");
  // Room of a, which b2 borrows; then one of the same form as a2 may reclaim it.
  const Key waiting = DefaultKey("a2");
  ASSERT_TRUE(engine_.Cancel(std::span(&waiting, 1), kNoon).ok());
  Finish("a1");
  EXPECT_EQ(Run(), "+b2");
  Submit("a3", "a", 2);
  EXPECT_EQ(Run(), "+a3");
  Submit("a4", "a", 2);
  EXPECT_EQ(Run(), "-b1");
}

TEST_F(KnownMisfits, AreForgottenWhenQuotaChanges) {
  Submit("a1", "a", 8);
  EXPECT_EQ(Run(), "+a1");
  Submit("a2", "a", 2);
  EXPECT_EQ(Run(), "");
  ClusterQueue more = testing::MakeQueue("b", "team", {{"default", "cpu", 6}});
  Apply({more});
  EXPECT_EQ(Run(), "+a2");
}

}  // namespace
}  // namespace muster
