// What a head found out that could not start is no answer where it would not come out the same:
// other usage, victims that came or went, other quota.
#include <gtest/gtest.h>

#include <string>
#include <utility>
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
    for (const auto& [name, cpu] : {std::pair{"a", 4}, std::pair{"b", 4}, std::pair{"tick", 1}}) {
      ClusterQueue queue = testing::MakeQueue(name, "team", {{"default", "cpu", cpu}});
      queue.preemption.reclaim_within_cohort = PreemptionPolicy::kAny;
      queue.preemption.within_cluster_queue = PreemptionPolicy::kLowerPriority;
      Apply({queue, testing::MakeLocalQueue(name)});
    }
    Submit("tick0", "tick", 1);
    EXPECT_EQ(Run(), "");
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
  /// All that wait are heads once more, while 1 is free: then the next of queue `tick` takes it.
  void Wake() {
    Finish("tick" + std::to_string(ticks_));
    Submit("tick" + std::to_string(++ticks_), "tick", 1);
  }
  /// A job comes, fails four times and goes. The first time less is free than later, at the third a
  /// failure that came out before is kept, and the fourth takes it over.
  void FailAgain(const std::string& queue, std::int64_t cpu, std::int32_t priority,
                 const std::string& needs) {
    Submit("failing", queue, cpu, priority);
    EXPECT_EQ(Run(), "");
    for (int time = 2; time <= 4; ++time) {
      Wake();
      EXPECT_EQ(Run(), "") << time;
      EXPECT_EQ(Needs("failing"), needs) << time;
    }
    const Key key = DefaultKey("failing");
    ASSERT_TRUE(engine_.Cancel(std::span(&key, 1), kNoon).ok());
  }
  /// What cycles decide about others than queue `tick` until they decide nothing more.
  std::string Run() {
    std::string decided;
    for (int cycle = 0; cycle < 10; ++cycle) {
      const Result<CycleResult> result = engine_.RunCycle(kNoon);
      EXPECT_TRUE(result.ok());
      for (const AdmittedWorkload& each : result->admitted) {
        if (!each.workload.name.starts_with("tick")) decided += "+" + each.workload.name;
      }
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
  int ticks_ = 0;
};

TEST_F(KnownMisfits, SayWhatIsLackingNow) {
  for (const char* name : {"a1", "a2", "a3", "a4"}) Submit(name, "a", 2);
  EXPECT_EQ(Run(), "+a1+a2+a3+a4");
  FailAgain("a", 6, 0, "5 more needed");
  Finish("a1");
  FailAgain("a", 6, 0, "3 more needed");
  Submit("a5", "a", 2);
  EXPECT_EQ(Run(), "+a5");
  FailAgain("a", 6, 0, "5 more needed");
  Submit("large", "a", 6);
  for (const char* name : {"a2", "a3"}) Finish(name);
  Wake();
  EXPECT_EQ(Run(), "");
  EXPECT_EQ(Needs("large"), "1 more needed");
  Finish("a4");
  EXPECT_EQ(Run(), "+large");
}

TEST_F(KnownMisfits, GiveWayWhereVictimsHaveCome) {
  Submit("b1", "b", 4);
  for (const char* name : {"a1", "a2"}) Submit(name, "a", 2, 5);
  EXPECT_EQ(Run(), "+a1+b1+a2");
  FailAgain("a", 2, 5, "1 more needed");
  Finish("a1");
  Submit("low", "a", 2);
  EXPECT_EQ(Run(), "+low") << "as much is used as before";
  Submit("last", "a", 2, 5);
  Wake();
  EXPECT_EQ(Run(), "-low");
}

TEST_F(KnownMisfits, GiveWayWhereAnotherQueueBorrows) {
  Submit("b1", "b", 4);
  for (const char* name : {"a1", "a2"}) Submit(name, "a", 2);
  EXPECT_EQ(Run(), "+a1+b1+a2");
  FailAgain("a", 2, 0, "1 more needed");
  Finish("a1");
  Submit("b2", "b", 2);
  EXPECT_EQ(Run(), "+b2") << "as little is free as before";
  Submit("last", "a", 2);
  Wake();
  EXPECT_EQ(Run(), "-b1") << "b has what is a's";
}

TEST_F(KnownMisfits, AreOfOnePriority) {
  for (const char* name : {"a1", "a2"}) Submit(name, "a", 2, 5);
  Submit("b1", "b", 4);
  EXPECT_EQ(Run(), "+a1+b1+a2");
  FailAgain("a", 2, 5, "1 more needed");
  Submit("higher", "a", 2, 6);
  Wake();
  EXPECT_EQ(Run(), "-a1");
}

TEST_F(KnownMisfits, AreForgottenWhenQuotaChanges) {
  Submit("a1", "a", 8);
  EXPECT_EQ(Run(), "+a1");
  FailAgain("a", 2, 0, "1 more needed");
  Submit("last", "a", 2);
  Wake();
  EXPECT_EQ(Run(), "");
  ClusterQueue more = testing::MakeQueue("b", "team", {{"default", "cpu", 6}});
  Apply({more});
  EXPECT_EQ(Run(), "+last");
}

}  // namespace
}  // namespace muster
