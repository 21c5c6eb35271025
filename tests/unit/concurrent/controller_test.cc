// What the controller of concurrent admission does for a job, step by step; after each step every
// invariant holds, and an engine that is opened again is the same. The rules as they are seen by
// users are in tests/scenarios/variants, too.
#include "engine/concurrent/controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "engine/model/concurrent.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"

namespace muster {
namespace {

using testing::AdmittedNames;
using testing::Cpu;
using testing::DefaultKey;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kNoon;
using testing::PreemptedNames;
using ::testing::StartsWith;

class JobTest : public ::testing::Test {
 protected:
  JobTest() : engine_(&journal_) {
    config_.feature_gates[std::string(kConcurrentAdmissionGate)] = true;
    queue_ = testing::MakeQueue("a", "", {{"reserved", "cpu", 2}, {"spot", "cpu", 4}});
    queue_.concurrent_admission.emplace();
    queue_.preemption.within_cluster_queue = PreemptionPolicy::kLowerPriority;
    EXPECT_TRUE(engine_.RegisterConsumer("gateway", kNoon).ok());
    Apply({config_, testing::MakeNamespace(), testing::MakeFlavor("reserved"),
           testing::MakeFlavor("spot"), testing::MakeFlavor("far"), queue_,
           testing::MakeLocalQueue("a")});
  }
  void Apply(const std::vector<Object>& objects) {
    const Status status = engine_.Apply(objects, now_);
    ASSERT_TRUE(status.ok()) << status.message();
    Settle();
  }
  void Submit(const std::string& name, std::int64_t cores = 2, std::int32_t priority = 0) {
    Workload workload = testing::MakeWorkload(name, "a", Cpu(cores), priority);
    workload.created = now_;
    ASSERT_TRUE(engine_.Submit(std::span(&workload, 1), now_).ok());
    Settle();
  }
  void Do(const Status& status) {
    ASSERT_TRUE(status.ok()) << status.message();
    Settle();
  }
  void Finish(const std::string& name) {
    const Key key = DefaultKey(name);
    Do(engine_.Finish(std::span(&key, 1), false, now_));
  }
  void Gone(const std::string& name) {
    const Key key = DefaultKey(name);
    Do(engine_.Evicted(std::span(&key, 1), now_));
  }
  void Cancel(const std::string& name) {
    const Key key = DefaultKey(name);
    Do(engine_.Cancel(std::span(&key, 1), now_));
  }
  CycleResult Cycle() {
    CycleResult result = *engine_.RunCycle(now_);
    Settle();
    return result;
  }
  /// Cycles until nothing is decided any more: what was, in all.
  CycleResult Cycles() {
    CycleResult all;
    for (int i = 0; i < 20; ++i) {
      CycleResult next = Cycle();
      all.admitted.insert(all.admitted.end(), next.admitted.begin(), next.admitted.end());
      all.preempted.insert(all.preempted.end(), next.preempted.begin(), next.preempted.end());
      if (next.at_rest) return all;
    }
    ADD_FAILURE() << "the cycles come to no rest";
    return all;
  }
  void Settle() {
    const Status status = engine_.CheckInvariants();
    ASSERT_TRUE(status.ok()) << status.message();
    const std::string hash = *engine_.StateHash();
    ASSERT_TRUE(journal_.Reopen(engine_).ok());
    ASSERT_EQ(*engine_.StateHash(), hash);
  }

  WorkloadView View(const std::string& name) { return *engine_.GetWorkload(DefaultKey(name)); }
  WorkloadPhase Phase(const std::string& name) { return View(name).phase; }
  /// The name of the variant of that flavor; empty: there is none.
  std::string Variant(const std::string& job, const std::string& flavor) {
    const std::vector<WorkloadView> views = *engine_.Workloads("default");
    for (const WorkloadView& view : views) {
      const bool of_job = view.spec.variant_of && view.spec.variant_of->name == job;
      if (of_job && *AllowedFlavors(view.spec.annotations) == flavor) return view.spec.key.name;
    }
    return {};
  }
  WorkloadPhase PhaseOf(const std::string& job, const std::string& flavor) {
    return Phase(Variant(job, flavor));
  }
  std::string FlavorOf(const std::string& name) {
    const auto admission = View(name).spec.status.admission;
    return admission ? admission->pod_sets[0].flavors.at("cpu") : "";
  }
  /// "start job", ... since the last call.
  std::vector<std::string> Decisions() {
    std::vector<std::string> told;
    const auto decisions = engine_.Decisions("gateway", 100)->decisions;
    for (const Decision& each : decisions) {
      told.push_back(std::string(DecisionName(each.kind)) + " " + each.workload.name);
    }
    if (!decisions.empty()) {
      EXPECT_TRUE(engine_.Acknowledge("gateway", decisions.back().number, now_).ok());
    }
    return told;
  }
  Condition FindCondition(const std::string& name, const std::string& type) {
    const WorkloadView view = View(name);
    for (const Condition& condition : view.spec.status.conditions) {
      if (condition.type == type) return condition;
    }
    return {};
  }
  /// How many events of that kind there were.
  int Count(EventKind kind) {
    int count = 0;
    for (const Commit& commit : journal_.commits()) {
      for (const Event& event : commit.events) count += event.kind == kind;
    }
    return count;
  }
  std::int64_t Used(const std::string& flavor) {
    const ClusterQueueView queue = engine_.ClusterQueues()->front();
    for (const QuotaView& quota : queue.quotas) {
      if (quota.flavor == flavor) return quota.usage / 1000;
    }
    return -1;
  }

  TimeNs now_ = kNoon;
  Configuration config_;
  ClusterQueue queue_;
  testing::MemoryJournal journal_;
  Engine engine_;
};

TEST_F(JobTest, StandsInItsQueueAsOneVariantForEachFlavor) {
  Submit("job-5e0ab");
  EXPECT_EQ(Phase("job-5e0ab"), WorkloadPhase::kPending);
  EXPECT_FALSE(View("job-5e0ab").held);
  for (const std::string flavor : {"reserved", "spot"}) {
    const std::string name = Variant("job-5e0ab", flavor);
    EXPECT_THAT(name, StartsWith("job-variant-" + flavor + "-"));
    EXPECT_THAT(View(name).spec.preemption_gates, ElementsAre(kVariantGate));
    EXPECT_THAT(View(name).spec.status.open_preemption_gates, IsEmpty());
  }
  EXPECT_EQ(engine_.Workloads("default")->size(), 3u);
}

TEST_F(JobTest, RunsAsTheVariantThatIsAdmittedAndIsChargedOnce) {
  Submit("job");
  const CycleResult started = Cycle();
  EXPECT_THAT(AdmittedNames(started), ElementsAre("job"));
  EXPECT_THAT(Decisions(), ElementsAre("start job"));
  EXPECT_EQ(FlavorOf("job"), "reserved");
  EXPECT_EQ(Phase("job"), WorkloadPhase::kAdmitted);
  EXPECT_EQ(PhaseOf("job", "spot"), WorkloadPhase::kInactive);
  EXPECT_EQ(Used("reserved"), 2);
  EXPECT_EQ(Used("spot"), 0);
  EXPECT_TRUE(engine_.PodSetUpdates(DefaultKey("job")).ok());
  const Key key = DefaultKey("job");
  Do(engine_.Ready(std::span(&key, 1), now_));
  Finish("job");
  EXPECT_EQ(PhaseOf("job", "reserved"), WorkloadPhase::kFinished);
  EXPECT_EQ(PhaseOf("job", "spot"), WorkloadPhase::kFinished);
  EXPECT_EQ(Used("reserved"), 0);
  EXPECT_THAT(AdmittedNames(Cycles()), IsEmpty());
  Cancel("job");
  EXPECT_THAT(*engine_.Workloads("default"), IsEmpty());
}

TEST_F(JobTest, MovesToAFlavorThatItPrefersOnceItsPodsAreGone) {
  Submit("first");
  Submit("job");
  EXPECT_THAT(AdmittedNames(Cycles()), ElementsAre("first", "job"));
  EXPECT_EQ(FlavorOf("job"), "spot");
  Decisions();
  Finish("first");
  const CycleResult moving = Cycle();
  EXPECT_THAT(PreemptedNames(moving), ElementsAre("job"));
  EXPECT_EQ(moving.preempted[0].reason, PreemptionReason::kFlavorMigration);
  EXPECT_THAT(Decisions(), ElementsAre("evict job"));
  EXPECT_EQ(Phase("job"), WorkloadPhase::kEvicting);
  EXPECT_EQ(*engine_.Evicting(), std::vector<Key>{DefaultKey("job")});
  EXPECT_THAT(AdmittedNames(Cycle()), IsEmpty());
  EXPECT_EQ(Used("spot"), 2) << "charged until the pods are gone";
  Gone("job");
  EXPECT_EQ(Used("spot"), 0);
  EXPECT_THAT(AdmittedNames(Cycle()), ElementsAre("job"));
  EXPECT_THAT(Decisions(), ElementsAre("start-again job"));
  EXPECT_EQ(FlavorOf("job"), "reserved");
  EXPECT_EQ(PhaseOf("job", "spot"), WorkloadPhase::kInactive);
}

TEST_F(JobTest, MayHaveItsFlavorAgainWhenAMigrationComesToNothing) {
  Submit("first");
  Submit("job");
  Cycles();
  Finish("first");
  EXPECT_THAT(PreemptedNames(Cycle()), ElementsAre("job"));
  queue_.resource_groups = testing::MakeGroups({{"reserved", "cpu", 1}, {"spot", "cpu", 4}});
  Apply({queue_});
  Gone("job");
  EXPECT_THAT(AdmittedNames(Cycles()), ElementsAre("job"));
  EXPECT_EQ(FlavorOf("job"), "spot");
}

TEST_F(JobTest, IsPreemptedAsOneAndWaitsAsAllItsVariants) {
  Submit("low", 2, -1);
  Submit("filler", 4, 5);
  Cycles();
  Decisions();
  Submit("high", 2, 3);
  const CycleResult preempting = Cycles();
  EXPECT_THAT(PreemptedNames(preempting), ElementsAre("low"));
  EXPECT_EQ(preempting.preempted[0].by, DefaultKey("high"));
  EXPECT_THAT(Decisions(), ElementsAre("evict low"));
  EXPECT_EQ(FindCondition("low", "Evicted").reason, "VariantEvicted");
  Gone("low");
  EXPECT_EQ(PhaseOf("low", "reserved"), WorkloadPhase::kPending);
  EXPECT_EQ(PhaseOf("low", "spot"), WorkloadPhase::kPending);
  EXPECT_THAT(AdmittedNames(Cycles()), ElementsAre("high"));
  EXPECT_THAT(Decisions(), ElementsAre("start high"));
}

TEST_F(JobTest, StaysWhereItWasAdmittedFirstIfThatIsAskedFor) {
  ClusterQueue retains = queue_;
  retains.name = "b";
  retains.concurrent_admission->mode = MigrationMode::kRetainFirstAdmission;
  Apply({retains, testing::MakeLocalQueue("b")});
  for (const std::string name : {"first", "job"}) {
    Workload workload = testing::MakeWorkload(name, "b", Cpu(2));
    Do(engine_.Submit(std::span(&workload, 1), now_));
  }
  Cycles();
  EXPECT_EQ(FlavorOf("job"), "spot");
  EXPECT_EQ(PhaseOf("job", "reserved"), WorkloadPhase::kInactive);
  Finish("first");
  EXPECT_THAT(PreemptedNames(Cycles()), IsEmpty());
}

TEST_F(JobTest, LeavesNoFlavorForOneBehindTheLastAcceptable) {
  ClusterQueue queue =
      testing::MakeQueue("b", "", {{"reserved", "cpu", 2}, {"spot", "cpu", 2}, {"far", "cpu", 4}});
  queue.concurrent_admission.emplace();
  queue.concurrent_admission->last_acceptable_flavor = "reserved";
  Apply({queue, testing::MakeLocalQueue("b")});
  for (const std::string name : {"first", "second", "job"}) {
    Workload workload = testing::MakeWorkload(name, "b", Cpu(2));
    workload.created = now_ += kSecond;
    Do(engine_.Submit(std::span(&workload, 1), now_));
  }
  Cycles();
  EXPECT_EQ(FlavorOf("job"), "far");
  EXPECT_EQ(PhaseOf("job", "spot"), WorkloadPhase::kInactive);
  EXPECT_EQ(PhaseOf("job", "reserved"), WorkloadPhase::kPending);
  Finish("second");
  EXPECT_THAT(PreemptedNames(Cycles()), IsEmpty());
  Finish("first");
  EXPECT_THAT(PreemptedNames(Cycles()), ElementsAre("job"));
}

TEST_F(JobTest, OpensAGateAtATimeAndFiveMinutesApart) {
  for (const std::string name : {"low-1", "low-2", "low-3"}) Submit(name, 2, -1);
  EXPECT_THAT(AdmittedNames(Cycles()), ElementsAre("low-1", "low-2", "low-3"));
  Submit("job");
  const CycleResult first = Cycles();
  EXPECT_THAT(PreemptedNames(first), ElementsAre("low-1"));
  EXPECT_EQ(first.preempted[0].by, DefaultKey("job"));
  EXPECT_THAT(View(Variant("job", "reserved")).spec.status.open_preemption_gates,
              ElementsAre(kVariantGate));
  EXPECT_THAT(View(Variant("job", "spot")).spec.status.open_preemption_gates, IsEmpty());
  EXPECT_EQ(Phase("low-1"), WorkloadPhase::kEvicting);
  Gone("low-1");
  EXPECT_THAT(AdmittedNames(Cycles()), ElementsAre("job"));
  EXPECT_EQ(FlavorOf("job"), "reserved");
}

TEST_F(JobTest, TellsWhenTheNextGateOpens) {
  for (const std::string name : {"low-1", "low-2", "low-3"}) Submit(name, 2, -1);
  Cycles();
  Submit("job");
  EXPECT_THAT(PreemptedNames(Cycles()), ElementsAre("low-1"));
  queue_.resource_groups = testing::MakeGroups({{"reserved", "cpu", 1}, {"spot", "cpu", 4}});
  Apply({queue_});
  EXPECT_THAT(PreemptedNames(Cycles()), IsEmpty());
  constexpr DurationNs kFiveMinutes = 300 * kSecond;
  EXPECT_EQ(*engine_.NextDeadline(), now_ + kFiveMinutes);
  now_ += kFiveMinutes - kSecond;
  EXPECT_THAT(PreemptedNames(Cycles()), IsEmpty());
  now_ += kSecond;
  EXPECT_EQ(PreemptedNames(Cycles()).size(), 1u);
  EXPECT_EQ(Count(EventKind::kPreemptionUngatedVariant), 2);
}

TEST_F(JobTest, LosesItsQuotaWithTheVariantAndTheVariantWithIt) {
  Submit("job");
  Cycles();
  Decisions();
  Do(engine_.Evict(DefaultKey("job"), "ByGateway", now_));
  EXPECT_THAT(Decisions(), ElementsAre("evict job"));
  EXPECT_EQ(PhaseOf("job", "reserved"), WorkloadPhase::kEvicting);
  Gone("job");
  EXPECT_EQ(Used("reserved"), 0);
  EXPECT_EQ(PhaseOf("job", "spot"), WorkloadPhase::kPending) << "all are active again";
  EXPECT_THAT(AdmittedNames(Cycles()), ElementsAre("job"));
  Do(engine_.Evict(DefaultKey(Variant("job", "reserved")), "ByAdmin", now_));
  EXPECT_EQ(Phase("job"), WorkloadPhase::kEvicting);
  EXPECT_EQ(View("job").spec.status.evictions.size(), 2u);
  Gone("job");
  EXPECT_THAT(AdmittedNames(Cycles()), ElementsAre("job"));
}

TEST_F(JobTest, OfNoVariantAnythingIsReported) {
  Submit("job");
  Cycles();
  const Key variant = DefaultKey(Variant("job", "reserved"));
  EXPECT_THAT(engine_.Finish(std::span(&variant, 1), false, now_).message(),
              HasSubstr("is a variant of default/job; name that"));
  EXPECT_FALSE(engine_.Cancel(std::span(&variant, 1), now_).ok());
  EXPECT_FALSE(engine_.Ready(std::span(&variant, 1), now_).ok());
  EXPECT_FALSE(engine_.Evicted(std::span(&variant, 1), now_).ok());
}

TEST_F(JobTest, IsDeactivatedWithAllItsVariants) {
  Submit("job");
  Cycles();
  WorkloadUpdate update;
  update.workload = DefaultKey("job");
  update.active = false;
  Do(engine_.Update(update, now_));
  EXPECT_EQ(PhaseOf("job", "spot"), WorkloadPhase::kInactive);
  EXPECT_EQ(Used("reserved"), 0);
  Gone("job");
  EXPECT_THAT(AdmittedNames(Cycles()), IsEmpty());
  update.active = true;
  Do(engine_.Update(update, now_));
  EXPECT_THAT(AdmittedNames(Cycles()), ElementsAre("job"));
}

TEST_F(JobTest, OutOfTimeWaitsForItsBackoffWithAllItsVariants) {
  config_.wait_for_pods_ready.emplace();
  config_.wait_for_pods_ready->timeout = 60 * kSecond;
  Apply({config_});
  Submit("job");
  Cycles();
  EXPECT_EQ(*engine_.NextDeadline(), now_ + 60 * kSecond);
  now_ += 60 * kSecond;
  const CycleResult late = Cycle();
  ASSERT_EQ(late.evicted.size(), 1u);
  EXPECT_EQ(late.evicted[0].workload, DefaultKey("job"));
  Gone("job");
  EXPECT_EQ(PhaseOf("job", "reserved"), WorkloadPhase::kInactive);
  EXPECT_EQ(PhaseOf("job", "spot"), WorkloadPhase::kInactive);
  const TimeNs over = *engine_.NextDeadline();
  EXPECT_GT(over, now_);
  now_ = over;
  EXPECT_THAT(AdmittedNames(Cycles()), ElementsAre("job"));
}

TEST_F(JobTest, FollowsTheFlavorsOfItsQueue) {
  Submit("job", 4);
  EXPECT_THAT(AdmittedNames(Cycles()), ElementsAre("job"));
  EXPECT_EQ(FlavorOf("job"), "spot");
  queue_.resource_groups = testing::MakeGroups({{"reserved", "cpu", 2}, {"far", "cpu", 4}});
  Apply({queue_});
  EXPECT_EQ(Phase("job"), WorkloadPhase::kEvicting);
  EXPECT_NE(Variant("job", "far"), "");
  EXPECT_NE(Variant("job", "spot"), "") << "charged until the pods are gone";
  Gone("job");
  EXPECT_EQ(Variant("job", "spot"), "");
  EXPECT_THAT(AdmittedNames(Cycles()), ElementsAre("job"));
  EXPECT_EQ(FlavorOf("job"), "far");
}

TEST_F(JobTest, ItsVariantsSayWhatItSays) {
  Submit("first", 2);
  Submit("job", 8);
  Cycles();
  WorkloadUpdate update;
  update.workload = DefaultKey("job");
  update.priority = 7;
  Do(engine_.Update(update, now_));
  EXPECT_EQ(View(Variant("job", "spot")).priority, 7);
  Workload smaller = testing::MakeWorkload("job", "a", Cpu(4), 7);
  smaller.created = now_;
  Do(engine_.Submit(std::span(&smaller, 1), now_));
  EXPECT_THAT(AdmittedNames(Cycles()), ElementsAre("job"));
  EXPECT_EQ(FlavorOf("job"), "spot");
}

TEST_F(JobTest, IsChargedItselfOnceTheGateIsClosed) {
  Submit("job");
  Submit("waits", 4);
  Submit("also-waits", 4);
  Cycles();
  config_.feature_gates.clear();
  Apply({config_});
  EXPECT_EQ(engine_.Workloads("default")->size(), 3u);
  EXPECT_EQ(Used("reserved"), 2);
  EXPECT_EQ(Used("spot"), 4);
  Finish("job");
  EXPECT_EQ(Used("reserved"), 0);
  config_.feature_gates[std::string(kConcurrentAdmissionGate)] = true;
  Apply({config_});
  EXPECT_EQ(Used("spot"), 4) << "what runs on quota of its own goes on";
  EXPECT_NE(Variant("also-waits", "spot"), "");
  Finish("waits");
  EXPECT_THAT(AdmittedNames(Cycles()), ElementsAre("also-waits"));
}

TEST_F(JobTest, ByHandIsLeftToItsMaker) {
  Workload parent = testing::MakeWorkload("job", "a", Cpu(2));
  parent.labels[std::string(kVariantsParentLabel)] = "true";
  Do(engine_.Submit(std::span(&parent, 1), now_));
  EXPECT_THAT(AdmittedNames(Cycles()), IsEmpty());
  EXPECT_EQ(engine_.Workloads("default")->size(), 1u);
}

TEST_F(JobTest, MovesWhenThePreferredVariantIsAdmittedBesideIt) {
  AdmissionCheck check;
  check.name = "budget";
  check.controller = "x";
  queue_.admission_checks.push_back({"budget", {}});
  queue_.resource_groups =
      testing::MakeGroups({{"reserved", "cpu", 2}, {"spot", "cpu", 4}, {"far", "cpu", 4}});
  Apply({check, queue_});
  Submit("job");
  Cycles();
  EXPECT_EQ(Phase("job"), WorkloadPhase::kPending);
  const auto answer = [&](const std::string& flavor) {
    CheckUpdate update;
    update.workload = DefaultKey(Variant("job", flavor));
    update.check = "budget";
    update.state = CheckState::kReady;
    Do(engine_.UpdateCheck(update, now_).status());
  };
  answer("far");
  EXPECT_EQ(FlavorOf("job"), "far");
  answer("reserved");
  EXPECT_EQ(Phase("job"), WorkloadPhase::kEvicting);
  EXPECT_EQ(PhaseOf("job", "spot"), WorkloadPhase::kInactive) << "it is behind what is admitted";
  EXPECT_EQ(Used("spot"), 0);
  Gone("job");
  EXPECT_EQ(Phase("job"), WorkloadPhase::kAdmitted);
  EXPECT_EQ(FlavorOf("job"), "reserved");
  EXPECT_EQ(Used("far"), 0);
}

TEST_F(JobTest, IsExplainedByItsVariants) {
  Submit("first", 2);
  Submit("second", 4);
  Submit("job", 2);
  Cycles();
  const Explanation why = *engine_.Explain(DefaultKey("job"));
  EXPECT_THAT(why.verdict, HasSubstr(Variant("job", "spot") + " of flavor spot is Pending"));
  EXPECT_THAT(why.cure, HasSubstr("explain default/job-variant-reserved-"));
  EXPECT_EQ(View("job").reason, PendingReason::kWaitingForQuota);
}

}  // namespace
}  // namespace muster
