// See memory_story.h.
#include "tests/fault/engine/memory_story.h"

#include <span>
#include <utility>

#include "tests/testing/builders.h"

namespace muster::testing {
namespace {

/// Largest first; makes a string for every answer.
class WordyPolicy : public Policy {
 public:
  WordyPolicy() {
    info_.name = "wordy";
    info_.hash = std::string(64, 'a');
    for (const Hook hook : {Hook::kQueueOrder, Hook::kVictim, Hook::kSubmit}) {
      info_.hooks.emplace_back().hook = hook;
    }
    info_.hooks.front().reads = {"now"};
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch&, std::span<double> answers) override {
    HookOutcome outcome;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      answers[i] = static_cast<double>(std::string(40 + i, 'x').size());
    }
    outcome.fuel = 1;
    return outcome;
  }
  HookOutcome Submit(const muster_batch&, SubmitAnswer* answer) override {
    answer->labels["policy.example.com/a-label-of-some-length"] = "a-value-that-is-not-short";
    return {};
  }

 private:
  PolicyInfo info_;
};

std::vector<Object> CheckedCluster() {
  PreemptionRules reclaim;
  reclaim.reclaim_within_cohort = PreemptionPolicy::kAny;
  reclaim.within_cluster_queue = PreemptionPolicy::kLowerPriority;
  AdmissionCheck check;
  check.name = "a-check-with-a-long-name";
  check.controller = "example.com/controller";
  ClusterQueue checked = MakeQueue("c", "all", {{.nominal = 2}}, reclaim);
  checked.admission_checks = {{check.name, {}}};
  return {MakeNamespace(),
          MakeFlavor("default"),
          check,
          MakeQueue("a", "all", {{.nominal = 4}}, reclaim),
          MakeQueue("b", "all", {{.nominal = 4}}, reclaim),
          checked,
          MakeLocalQueue("a"),
          MakeLocalQueue("b"),
          MakeLocalQueue("c")};
}

/// Two racks of a host each, and a queue whose jobs are placed there.
std::vector<Object> PlacedCluster() {
  ResourceFlavor flavor = MakeFlavor("a-flavor-with-places");
  flavor.node_labels = {{"pool", "a"}};
  flavor.topology_name = "racks";
  PreemptionRules rules;
  rules.within_cluster_queue = PreemptionPolicy::kLowerPriority;
  ClusterQueue queue = MakeQueue("p", "", {{flavor.name, "cpu", 9}}, rules);
  std::vector<Object> objects = {
      Topology{.name = "racks", .levels = {"example.com/rack", "kubernetes.io/hostname"}}, flavor,
      queue, MakeLocalQueue("p")};
  for (const std::string name : {"a-host-with-a-name", "another-host-with-a-name"}) {
    Node node;
    node.name = name;
    node.labels = {{"pool", "a"}, {"example.com/rack", name}, {"kubernetes.io/hostname", name}};
    node.allocatable = {{"cpu", Quantity::Units(2)}, {"pods", Quantity::Units(9)}};
    objects.emplace_back(node);
  }
  return objects;
}

Status StatusOf(const Status& status) { return status; }
template <typename T>
Status StatusOf(const Result<T>& result) {
  return result.status();
}

class Teller {
 public:
  template <typename Call>
  void Tell(std::string name, Call call) {
    const TimeNs now = kNoon + static_cast<TimeNs>(steps_.size()) * kSecond;
    steps_.push_back({std::move(name), [call = std::move(call), now](Engine& engine) {
                        return StatusOf(call(engine, now));
                      }});
  }
  void Submit(std::vector<Workload> jobs) {
    Tell("submit", [jobs = std::move(jobs)](Engine& e, TimeNs now) { return e.Submit(jobs, now); });
  }
  void Cycle() {
    Tell("cycle", [](Engine& e, TimeNs now) { return e.RunCycle(now).status(); });
  }
  std::vector<MemoryStep> Take() { return std::move(steps_); }

 private:
  std::vector<MemoryStep> steps_;
};

Workload Job(const std::string& name, const std::string& queue, std::int64_t cores,
             std::int32_t priority = 0, std::int32_t pods = 1) {
  return MakeWorkload("a-job-of-a-name-too-long-for-a-word-" + name, queue, Cpu(cores), priority,
                      pods);
}
Workload PlacedJob(const std::string& name, std::int32_t pods, std::int32_t priority) {
  Workload job = Job(name, "p", 1, priority, pods);
  job.pod_sets.at(0).topology.emplace().preferred = "example.com/rack";
  return job;
}
Key KeyOfJob(const std::string& name) { return Job(name, "a", 1).key; }

}  // namespace

std::vector<MemoryStep> MemoryStory(std::shared_ptr<Policy> lua) {
  Teller t;
  t.Tell("apply",
         [objects = CheckedCluster()](Engine& e, TimeNs now) { return e.Apply(objects, now); });
  t.Submit({Job("1", "a", 3), Job("2", "a", 4, 1), Job("3", "c", 2)});
  t.Cycle();
  t.Cycle();
  CheckUpdate ready;
  ready.workload = KeyOfJob("3");
  ready.check = "a-check-with-a-long-name";
  ready.state = CheckState::kReady;
  ready.message = "a message that is not short at all";
  t.Tell("check", [ready](Engine& e, TimeNs now) { return e.UpdateCheck(ready, now); });
  t.Tell("ready", [key = KeyOfJob("1")](Engine& e, TimeNs now) { return e.Ready({&key, 1}, now); });
  t.Tell("activate", [policy = std::shared_ptr<Policy>(std::make_shared<WordyPolicy>())](
                         Engine& e, TimeNs now) { return e.ActivatePolicy(policy, now); });
  t.Submit({Job("4", "b", 4, 2), Job("5", "b", 2, 0, 2), Job("6", "a", 8)});
  t.Tell("shadow", [policy = std::shared_ptr<Policy>(std::make_shared<WordyPolicy>())](
                       Engine& e, TimeNs) { return e.ShadowPolicy(policy); });
  t.Cycle();
  t.Cycle();
  for (const char* job : {"4", "5", "6"}) {
    t.Tell("explain", [key = KeyOfJob(job)](Engine& e, TimeNs) { return e.Explain(key); });
  }
  t.Tell("evicted", [](Engine& e, TimeNs now) {
    const Result<std::vector<Key>> leaving = e.Evicting();
    return leaving.ok() ? e.Evicted(*leaving, now) : leaving.status();
  });
  t.Cycle();
  WorkloadUpdate urgent;
  urgent.workload = KeyOfJob("5");
  urgent.priority = 3;
  t.Tell("update", [urgent](Engine& e, TimeNs now) { return e.Update(urgent, now); });
  t.Tell("evict", [key = KeyOfJob("3")](Engine& e, TimeNs now) {
    return e.Evict(key, "AReasonThatIsNotShort", now);
  });
  t.Tell("evicted", [key = KeyOfJob("3")](Engine& e, TimeNs now) {
    return e.Evicted({&key, 1}, now);
  });
  t.Tell("advance", [](Engine& e, TimeNs now) { return e.Advance(now); });
  if (lua != nullptr) {
    t.Tell("activate", [lua](Engine& e, TimeNs now) { return e.ActivatePolicy(lua, now); });
    t.Submit({Job("7", "b", 1), Job("8", "b", 1)});
    t.Cycle();
  }
  t.Tell("apply places",
         [objects = PlacedCluster()](Engine& e, TimeNs now) { return e.Apply(objects, now); });
  t.Submit({PlacedJob("p1", 2, 0), PlacedJob("p2", 1, 0)});
  t.Cycle();
  t.Submit({PlacedJob("p3", 2, 1)});
  t.Cycle();
  t.Tell("explain", [key = KeyOfJob("p3")](Engine& e, TimeNs) { return e.Explain(key); });
  t.Tell("finish", [key = KeyOfJob("4")](Engine& e, TimeNs now) {
    return e.Finish({&key, 1}, false, now);
  });
  t.Cycle();
  t.Tell("cancel", [key = KeyOfJob("6")](Engine& e, TimeNs now) {
    return e.Cancel({&key, 1}, now);
  });
  t.Tell("roll back", [](Engine& e, TimeNs now) { return e.RollBackPolicy("wordy", {}, now); });
  t.Tell("staged", [](Engine& e, TimeNs now) {
    return e.NoteStaged("wordy", "abc", "it was refused for a reason", {"author", "why"}, now);
  });
  t.Tell("delete", [](Engine& e, TimeNs now) {
    return e.Delete(ObjectKind::kClusterQueue, {"", "c"}, now, true);
  });
  t.Cycle();
  t.Tell("validate",
         [objects = CheckedCluster()](Engine& e, TimeNs) { return e.Validate(objects); });
  t.Tell("live batches",
         [info = WordyPolicy().info()](Engine& e, TimeNs) { return e.LiveBatches(info, 100); });
  t.Tell("pending", [](Engine& e, TimeNs) { return e.Pending(); });
  t.Tell("workloads", [](Engine& e, TimeNs) { return e.Workloads(); });
  t.Tell("queues", [](Engine& e, TimeNs) { return e.ClusterQueues(); });
  t.Tell("cohorts", [](Engine& e, TimeNs) { return e.Cohorts(); });
  t.Tell("local queues", [](Engine& e, TimeNs) { return e.LocalQueues(); });
  t.Tell("objects", [](Engine& e, TimeNs) { return e.Objects(ObjectKind::kClusterQueue); });
  t.Tell("hash", [](Engine& e, TimeNs) { return e.StateHash(); });
  t.Tell("invariants", [](Engine& e, TimeNs) { return e.CheckInvariants(); });
  return t.Take();
}

}  // namespace muster::testing
