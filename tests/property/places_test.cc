// Stories of nodes that come, go and fail under jobs with a topology: every invariant holds after
// every call, the trees equal trees built from nothing among them, and an engine made of the rows
// is the same and goes on alike.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/testing/memory_journal.h"
#include "tests/testing/random_choices.h"

namespace muster::testing {
namespace {

constexpr const char* kRack = "rack";
constexpr const char* kHost = "kubernetes.io/hostname";
constexpr int kNodes = 8;
constexpr int kJobs = 14;
constexpr int kPods = 6;

/// Wants another domain in each call, none alike; fails now and then.
class AnyScores : public Policy {
 public:
  explicit AnyScores(std::uint64_t seed) : choices_(seed) {
    info_.name = "any-scores";
    info_.hash = std::string(64, 'a');
    info_.hooks.emplace_back().hook = Hook::kDomainOrder;
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> answers) override {
    EXPECT_EQ(batch.count, answers.size());
    for (unsigned i = 0; i < batch.count; ++i) EXPECT_GE(batch.domains[i].room, 1);
    for (double& answer : answers) answer = 1e9 - choices_.Below(1000);
    HookOutcome outcome;
    outcome.ok = choices_.Below(20) > 0;
    return outcome;
  }

 private:
  RandomChoices choices_;
  PolicyInfo info_;
};

enum class Wanted { kAlike, kAnyhow };

class PlaceStory {
 public:
  PlaceStory(std::uint64_t seed, Wanted wanted)
      : choices_(seed), engine_(&journal_), scores_(wanted == Wanted::kAnyhow) {
    Topology topology{.name = "racks", .levels = {kRack, kHost}};
    ResourceFlavor flavor = MakeFlavor("tree");
    flavor.node_labels = {{"pool", "a"}};
    flavor.topology_name = topology.name;
    ResourceFlavor other = flavor;
    other.name = "other";  // the same hosts
    ClusterQueue first = MakeQueue("q0", "all", {{"tree", "cpu", 12}});
    ClusterQueue second = MakeQueue("q1", "all", {{"other", "cpu", 12}});
    first.preemption.within_cluster_queue = PreemptionPolicy::kLowerPriority;
    second.preemption.within_cluster_queue = PreemptionPolicy::kLowerPriority;
    std::vector<Object> objects = {
        MakeNamespace(),     topology, flavor, other, first, second, MakeLocalQueue("q0"),
        MakeLocalQueue("q1")};
    for (int i = 0; i < kNodes; ++i) objects.emplace_back(AnyNode(i));
    EXPECT_TRUE(engine_.Apply(objects, now_).ok());
    if (!scores_) return;
    EXPECT_TRUE(engine_.ActivatePolicy(std::make_shared<AnyScores>(seed), now_).ok());
  }

  /// One call, and a look at everything; false when something is wrong.
  bool Step() {
    now_ += kSecond;
    const int node = Any(kNodes);
    switch (Any(13)) {
      case 0:
      case 1:
      case 2:
        Do(engine_.Apply(std::vector<Object>{AnyJob()}, now_));
        break;
      case 3:
        Do(engine_.Apply(std::vector<Object>{AnyNode(node)}, now_));
        break;
      case 4:
        Do(engine_.Delete(ObjectKind::kNode, {"", Name("n", node)}, now_, /*force=*/true));
        break;
      case 5:
        Do(engine_.Finish(std::vector{DefaultKey(Name("w", Any(kJobs)))}, false, now_));
        break;
      case 6:
        Do(engine_.Cancel(std::vector{DefaultKey(Name("w", Any(kJobs)))}, now_));
        break;
      case 8:
        Do(engine_.Apply(std::vector<Object>{AnyPod(Any(kPods))}, now_));
        break;
      case 9:
        Do(engine_.Delete(ObjectKind::kPod, {"default", Name("p", Any(kPods))}, now_, true));
        break;
      case 7:
        Do(engine_.Evicted(*engine_.Evicting(), now_));
        break;
      default: {
        const Result<CycleResult> cycle = engine_.RunCycle(now_);
        Do(cycle.status());
        if (cycle.ok()) Count(*cycle);
      }
    }
    const Status status = engine_.CheckInvariants();
    if (!status.ok()) ADD_FAILURE() << status.message();
    return status.ok() && ReopensAlike();
  }

  int placed() const { return placed_; }
  int moved() const { return moved_; }
  int failed() const { return failed_; }

 private:
  int Any(int below) { return choices_.Below(below); }
  static std::string Name(const char* prefix, int i) { return prefix + std::to_string(i); }

  Node AnyNode(int i) {
    Node node;
    node.name = Name("n", i);
    node.labels = {{"pool", Any(15) > 0 ? "a" : "b"},
                   {kRack, Name("r", Any(8) > 0 ? i / 3 : Any(4))},
                   {kHost, Any(20) > 0 ? node.name : Name("n", Any(kNodes))}};
    node.allocatable = {{"cpu", Quantity::Units(2 + Any(3))}, {"pods", Quantity::Units(5)}};
    if (Any(10) == 0) node.allocatable[Name("device", Any(3))] = Quantity::Units(1);
    node.ready = Any(5) > 0;
    node.unschedulable = Any(8) == 0;
    if (Any(6) == 0) node.taints.push_back({"bad", "", TaintEffect::kNoExecute});
    return node;
  }

  Pod AnyPod(int i) {
    return {DefaultKey(Name("p", i)),
            Any(10) > 0 ? Name("n", Any(kNodes)) : "",
            {{"cpu", Quantity::Milli(250 * Any(6))}}};
  }

  Workload AnyJob() {
    const std::string queue = Name("q", Any(2));
    Workload job = MakeWorkload(Name("w", Any(kJobs)), queue, Cpu(1 + Any(2)), Any(3), 1 + Any(4));
    TopologyRequest request;
    if (const int kind = Any(5); kind == 4) {
      const std::int32_t size = 1 + Any(2);
      if (Any(2) == 0) request.preferred = kRack;
      request.segments = {{kRack, size}};
      if (Any(2) == 0) request.segments.push_back({kHost, 1});
      job.pod_sets.at(0).count = size * (1 + Any(2));
    } else if (kind == 0) {
      request.required = kRack;
    } else if (kind == 1) {
      request.preferred = kRack;
    } else if (kind == 2) {
      request.required = kHost;
    } else {
      request.unconstrained = true;
    }
    job.pod_sets.at(0).topology = request;
    return job;
  }

  void Count(const CycleResult& cycle) {
    for (const AdmittedWorkload& each : cycle.admitted) {
      if (each.admission.pod_sets[0].topology) ++placed_;
    }
    for (const PreemptedWorkload& each : cycle.preempted) {
      failed_ += each.reason == PreemptionReason::kNodeFailures ? 1 : 0;
    }
    for (const Event& event : journal_.commits().back().events) {
      moved_ += event.kind == EventKind::kPlaced ? 1 : 0;
    }
  }

  bool ReopensAlike() {
    if (scores_ || Any(4) > 0) return true;  // chance is no package that could be loaded again
    const std::string before = *engine_.StateHash();
    const Status reopened = journal_.Reopen(engine_, Any(2) == 0);
    if (!reopened.ok()) ADD_FAILURE() << reopened.message();
    const bool same = reopened.ok() && *engine_.StateHash() == before;
    const Status status = engine_.CheckInvariants();
    if (!same || !status.ok()) ADD_FAILURE() << "reopened: " << status.message();
    return same && status.ok();
  }

  void Do(const Status& status) {
    if (status.code() == StatusCode::kInternal) ADD_FAILURE() << status.message();
  }

  RandomChoices choices_;
  MemoryJournal journal_;
  Engine engine_;
  bool scores_;
  TimeNs now_ = kNoon;
  int placed_ = 0;
  int moved_ = 0;
  int failed_ = 0;
};

void Play(int stories, Wanted wanted) {
  int placed = 0;
  int moved = 0;
  int failed = 0;
  for (int seed = 1; seed <= stories; ++seed) {
    PlaceStory story(static_cast<std::uint64_t>(seed), wanted);
    for (int step = 0; step < 120; ++step) {
      ASSERT_TRUE(story.Step()) << "story " << seed << ", step " << step;
    }
    placed += story.placed();
    moved += story.moved();
    failed += story.failed();
  }
  EXPECT_GT(placed, stories);
  EXPECT_GT(moved, stories / 10);
  EXPECT_GT(failed, stories / 10);
}

TEST(Placement, HostsKeepTheirPromise) { Play(60, Wanted::kAlike); }
TEST(LongPlacement, HostsKeepTheirPromise) { Play(300, Wanted::kAlike); }
TEST(NightPlacement, HostsKeepTheirPromise) { Play(3000, Wanted::kAlike); }
TEST(WantedPlacement, HostsKeepTheirPromiseUnderAnyScores) { Play(60, Wanted::kAnyhow); }
TEST(LongWantedPlacement, HostsKeepTheirPromiseUnderAnyScores) { Play(400, Wanted::kAnyhow); }
TEST(NightWantedPlacement, HostsKeepTheirPromiseUnderAnyScores) { Play(1500, Wanted::kAnyhow); }

}  // namespace
}  // namespace muster::testing
