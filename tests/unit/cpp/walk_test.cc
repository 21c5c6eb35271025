// Random walks over every call of the engine, in any order: each call is accepted or refused with a
// reason, the invariants hold after each, and an engine closed and opened again, or one that does
// everything again, is in the same state.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bindings/cpp/replay.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"
#include "tests/testing/random_choices.h"

namespace muster {
namespace {

using testing::DefaultKey;
using testing::kNoon;

constexpr int kCallsPerWorld = 250;

const std::vector<std::string> kQueues = {"red", "blue", "green"};
const std::vector<std::string> kChecks = {"prov", "budget"};
const std::vector<std::string> kJobs = {"a", "b", "c", "d", "e", "f", "g", "h"};

class Walk {
 public:
  explicit Walk(std::uint64_t seed) : choices_(seed) {
    std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default"),
                                   testing::MakeFlavor("spot"), Config(), Switches()};
    for (const std::string& check : kChecks) objects.push_back(Check(check, true));
    for (const std::string& queue : kQueues) {
      objects.push_back(Queue(queue));
      objects.push_back(testing::MakeLocalQueue(queue));
    }
    Accept(engine_.Apply(objects, now_), "the first apply");
  }

  /// One call; false when something is wrong, which is reported.
  bool Step() {
    now_ += choices_.Below(4) * 10 * kSecond;
    ++calls_;
    Call(choices_.Below(20));
    const Status invariants = engine_.CheckInvariants();
    if (!invariants.ok()) {
      ADD_FAILURE() << "after " << last_ << ": " << invariants.message();
    } else if (choices_.OneIn(10)) {
      Reopen();
    }
    return !::testing::Test::HasFailure();
  }

  /// Everything once more, from what was recorded.
  void Replay() {
    Replayer replayer([](std::string_view) { return Status(StatusCode::kNotFound, "no policy"); });
    for (const Commit& commit : journal_.commits()) {
      const Status status = replayer.Redo(commit.command, commit.at, commit.events);
      ASSERT_TRUE(status.ok()) << CommandName(commit.command) << ": " << status.message();
    }
    EXPECT_EQ(replayer.engine().StateHash(), engine_.StateHash());
  }

  int accepted() const { return accepted_; }

 private:
  void Call(int which) {
    const Key job = DefaultKey(choices_.Pick(kJobs));
    switch (which) {
      case 0:
      case 1:
      case 2:
        return Apply(Job(job.name), "submit");
      case 3:
        return Accept(engine_.Finish({&job, 1}, choices_.Flip(), now_), "finish");
      case 4:
        return Accept(engine_.Cancel({&job, 1}, now_), "cancel");
      case 5:
        return Accept(engine_.Evict(job, "NodeFailures", now_), "evict");
      case 6:
      case 7: {
        const std::vector<Key> leaving = engine_.Evicting();
        return Accept(engine_.Evicted(leaving, now_), "evicted");
      }
      case 8:
        return Accept(engine_.Ready({&job, 1}, now_, choices_.Below(3) > 0), "ready");
      case 9:
      case 10:
        return Answer(job);
      case 11:
        return Update(job);
      case 12:
        return Accept(engine_.Advance(now_ += choices_.Below(600) * kSecond), "advance");
      case 13:
        return Apply(Queue(choices_.Pick(kQueues)), "apply a queue");
      case 14:
        return Apply(choices_.Flip() ? Object(Config()) : Object(Switches()), "configure");
      case 15:
        return Apply(Check(choices_.Pick(kChecks), choices_.Below(3) > 0), "apply a check");
      case 16:
        return ChangeObject();
      default:
        return Accept(engine_.RunCycle(now_).status(), "cycle");
    }
  }

  void ChangeObject() {
    LocalQueue queue = testing::MakeLocalQueue(choices_.Pick(kQueues));
    const Key key = queue.key;
    switch (choices_.Below(4)) {
      case 0:
        queue.stop_policy = static_cast<StopPolicy>(choices_.Below(3));
        return Apply(queue, "apply a local queue");
      case 1:
        return Accept(engine_.Delete(ObjectKind::kLocalQueue, key, now_, choices_.Flip()),
                      "delete a local queue");
      case 2:
        return Accept(engine_.Delete(ObjectKind::kClusterQueue, {"", choices_.Pick(kQueues)}, now_,
                                     choices_.OneIn(3)),
                      "delete a queue");
      default:
        return Apply(Job(choices_.Pick(kJobs)), "submit");
    }
  }

  void Answer(const Key& job) {
    CheckUpdate update;
    update.workload = job;
    update.check = choices_.Pick(kChecks);
    update.state = static_cast<CheckState>(choices_.Below(10) == 0 ? 3 : choices_.Below(3));
    if (choices_.Flip()) update.requeue_after_seconds = choices_.Below(120);
    if (choices_.OneIn(3)) {
      PodSetUpdate pods;
      pods.name = "main";
      pods.node_selector = {{"pool", choices_.Flip() ? "x" : "y"}};
      update.pod_set_updates.push_back(pods);
    }
    Accept(engine_.UpdateCheck(update, now_).status(), "check");
  }

  void Update(const Key& job) {
    WorkloadUpdate update;
    update.workload = job;
    switch (choices_.Below(5)) {
      case 0:
        update.priority = choices_.Below(3);
        break;
      case 1:
        update.active = choices_.Flip();
        break;
      case 2:
        update.reclaimable_pods = {{"main", choices_.Below(3)}};
        break;
      case 3:
        update.counts = {{"main", choices_.Below(4)}};
        break;
      default:
        update.open_gates = {"gate"};
    }
    Accept(engine_.Update(update, now_), "update");
  }

  void Apply(const Object& object, std::string what) {
    const auto missing = choices_.Flip() ? MissingReference::kAccept : MissingReference::kRefuse;
    Accept(engine_.Apply({&object, 1}, now_, missing), std::move(what));
  }

  void Accept(const Status& status, std::string what) {
    last_ = std::move(what);
    accepted_ += status.ok();
    if (status.ok()) return;
    const bool explained = !status.message().empty() || !status.problems().empty();
    EXPECT_TRUE(explained) << last_ << " was refused without a reason";
    EXPECT_NE(status.code(), StatusCode::kInternal) << last_ << ": " << status.message();
  }

  void Reopen() {
    const std::string before = engine_.StateHash();
    const Status status = journal_.Reopen(engine_);
    ASSERT_TRUE(status.ok()) << "after " << last_ << ": " << status.message();
    EXPECT_EQ(engine_.StateHash(), before) << "after " << last_;
  }

  // ---- what the calls are given ----------------------------------------------------------------

  ClusterQueue Queue(const std::string& name) {
    PreemptionRules rules;
    rules.within_cluster_queue = static_cast<PreemptionPolicy>(choices_.Below(3));
    if (choices_.Flip()) rules.reclaim_within_cohort = PreemptionPolicy::kAny;
    const int nominal = choices_.Below(4);
    ClusterQueue queue = testing::MakeQueue(
        name, choices_.Below(4) > 0 ? "org" : "",
        {{.flavor = "default", .nominal = nominal}, {.flavor = "spot", .nominal = 1}}, rules);
    if (choices_.Flip()) queue.queueing_strategy = QueueingStrategy::kStrictFifo;
    if (choices_.Flip()) queue.admission_checks.push_back({"prov", {}});
    if (choices_.OneIn(3)) queue.admission_checks.push_back({"budget", {"spot"}});
    if (choices_.OneIn(5)) queue.stop_policy = static_cast<StopPolicy>(choices_.Below(3));
    if (choices_.OneIn(3)) queue.admission_mode = AdmissionMode::kUsageBased;
    return queue;
  }

  Workload Job(const std::string& name) {
    Workload job =
        testing::MakeWorkload(name, choices_.Pick(kQueues), testing::Cpu(choices_.Between(1, 2)),
                              choices_.Below(3), choices_.Between(1, 3));
    job.created = kNoTime;
    if (choices_.OneIn(4)) job.max_execution_seconds = choices_.Between(1, 300);
    if (choices_.OneIn(5)) job.preemption_gates = {"gate"};
    if (choices_.OneIn(4)) job.pod_sets[0].min_count = 1;
    if (choices_.OneIn(10)) job.active = false;
    return job;
  }

  static AdmissionCheck Check(const std::string& name, bool active) {
    AdmissionCheck check;
    check.name = name;
    check.controller = "example.com/" + name;
    check.active = active;
    return check;
  }

  Configuration Config() {
    Configuration config;
    if (choices_.Flip()) {
      WaitForPodsReadyConfig& ready = config.wait_for_pods_ready.emplace();
      ready.timeout = choices_.Between(1, 10) * 30 * kSecond;
      ready.block_admission = choices_.Flip();
      if (choices_.OneIn(3)) ready.requeuing_timestamp = RequeuingTimestamp::kCreation;
      if (choices_.Flip()) ready.backoff_limit_count = choices_.Below(3);
      if (choices_.Flip()) ready.recovery_timeout = 30 * kSecond;
    }
    if (choices_.OneIn(3)) config.fair_sharing.emplace();
    if (choices_.OneIn(3)) config.admission_fair_sharing.emplace().usage_half_life = 60 * kSecond;
    return config;
  }

  EngineConfiguration Switches() {
    EngineConfiguration config;
    config.preemptor_hold = choices_.Flip();
    config.sticky_cure = choices_.Flip();
    return config;
  }

  testing::RandomChoices choices_;
  testing::MemoryJournal journal_;
  Engine engine_{&journal_};
  TimeNs now_ = kNoon;
  std::string last_;
  int calls_ = 0;
  int accepted_ = 0;
};

void WalkWorlds(std::uint64_t first_seed, int worlds) {
  int accepted = 0;
  for (int i = 0; i < worlds; ++i) {
    const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("seed " + std::to_string(seed));
    Walk walk(seed);
    for (int call = 0; call < kCallsPerWorld; ++call) {
      if (!walk.Step()) return;
    }
    ASSERT_NO_FATAL_FAILURE(walk.Replay());
    if (::testing::Test::HasFailure()) return;
    accepted += walk.accepted();
  }
  EXPECT_GT(accepted, worlds * kCallsPerWorld / 3) << "too few calls did anything";
}

TEST(Walks, EveryCallIsTakenOrRefusedAndNothingIsForgotten) { WalkWorlds(1, 30); }

TEST(LongWalks, EveryCallIsTakenOrRefusedAndNothingIsForgotten) { WalkWorlds(1000, 600); }

}  // namespace
}  // namespace muster
