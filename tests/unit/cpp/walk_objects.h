// What random walks give to the engine: objects and answers that are valid, or nearly.
#ifndef MUSTER_TESTS_UNIT_CPP_WALK_OBJECTS_H_
#define MUSTER_TESTS_UNIT_CPP_WALK_OBJECTS_H_

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "muster/engine.h"
#include "tests/testing/builders.h"
#include "tests/testing/random_choices.h"

namespace muster::testing {

class WalkObjects {
 public:
  const std::vector<std::string> queues = {"red", "blue", "green"};
  const std::vector<std::string> checks = {"prov", "budget"};
  const std::vector<std::string> jobs = {"a", "b", "c", "d", "e", "f", "g", "h"};

  explicit WalkObjects(RandomChoices& choices) : choices_(choices) {}

  ClusterQueue Queue(const std::string& name) {
    PreemptionRules rules;
    rules.within_cluster_queue = static_cast<PreemptionPolicy>(choices_.Below(3));
    if (choices_.Flip()) rules.reclaim_within_cohort = PreemptionPolicy::kAny;
    const int nominal = choices_.Below(4);
    ClusterQueue queue = MakeQueue(
        name, choices_.Below(4) > 0 ? "org" : "",
        {{.flavor = "default", .nominal = nominal}, {.flavor = "spot", .nominal = 1}}, rules);
    if (choices_.Flip()) queue.queueing_strategy = QueueingStrategy::kStrictFifo;
    if (choices_.Flip()) queue.admission_checks.push_back({"prov", {}});
    if (choices_.OneIn(3)) queue.admission_checks.push_back({"budget", {"spot"}});
    if (choices_.OneIn(5)) queue.stop_policy = static_cast<StopPolicy>(choices_.Below(3));
    if (choices_.OneIn(3)) queue.admission_mode = AdmissionMode::kUsageBased;
    if (choices_.OneIn(4)) queue.namespace_selector->match_labels = {{"team", "a"}};
    return queue;
  }

  Workload Job(const std::string& name) {
    Workload job = MakeWorkload(name, choices_.Pick(queues), Cpu(choices_.Between(1, 2)),
                                choices_.Below(3), choices_.Between(1, 3));
    job.created = kNoTime;
    if (choices_.OneIn(4)) job.priority.reset();
    if (choices_.OneIn(4)) job.max_execution_seconds = choices_.Between(1, 300);
    if (choices_.OneIn(5)) job.preemption_gates = {"gate"};
    if (choices_.OneIn(4)) job.pod_sets[0].min_count = 1;
    if (choices_.OneIn(10)) job.active = false;
    if (choices_.OneIn(6)) job.pod_sets[0].pods.runtime_class = "boxed";
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
    if (choices_.OneIn(3)) config.heads_per_cycle = 3;
    return config;
  }

  /// Something that workloads and queues refer to, or that limits what they ask for.
  Object Surroundings() {
    switch (choices_.Below(7)) {
      case 0:
        return MakeCohort("org", "", {{.nominal = choices_.Below(4)}});
      case 1: {
        ResourceFlavor flavor = MakeFlavor(choices_.Flip() ? "default" : "spot");
        if (choices_.Flip()) flavor.node_labels = {{"pool", choices_.Flip() ? "x" : "y"}};
        if (choices_.OneIn(3)) flavor.node_taints = {{"gone", "", TaintEffect::kNoSchedule}};
        return flavor;
      }
      case 2:
        return Namespace{"default", choices_.Flip() ? LabelMap{{"team", "a"}} : LabelMap{}};
      case 3: {
        LimitRange range;
        range.key = {"default", "limits"};
        range.items.emplace_back().max = Cpu(choices_.Between(1, 2));
        return range;
      }
      case 4:
        return WorkloadPriorityClass{"default", choices_.Below(3), ""};
      case 5:
        return RuntimeClass{"boxed", Cpu(choices_.Below(2))};
      default:
        return Check(choices_.Pick(checks), choices_.Below(3) > 0);
    }
  }

  CheckUpdate Answer(const Key& job) {
    CheckUpdate update;
    update.workload = job;
    update.check = choices_.Pick(checks);
    update.state = static_cast<CheckState>(choices_.Below(10) == 0 ? 3 : choices_.Below(3));
    if (choices_.Flip()) update.requeue_after_seconds = choices_.Below(120);
    if (choices_.OneIn(3)) {
      PodSetUpdate pods;
      pods.name = "main";
      pods.node_selector = {{"pool", choices_.Flip() ? "x" : "y"}};
      update.pod_set_updates.push_back(pods);
    }
    return update;
  }

  WorkloadUpdate Change(const Key& job) {
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
    return update;
  }

 private:
  RandomChoices& choices_;
};

/// Fewer pods first, or more, by its hash.
class ByPods final : public Policy {
 public:
  explicit ByPods(char digit) : sign_(digit == 'a' ? -1 : 1) {
    info_.name = "by-pods";
    info_.hash = std::string(64, digit);
    info_.hooks.emplace_back().place = "policy.lua:1";
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> keys) override {
    for (unsigned i = 0; i < batch.count; ++i) keys[i] = sign_ * batch.workloads[i].pods;
    return {};
  }

 private:
  PolicyInfo info_;
  double sign_;
};

inline std::shared_ptr<Policy> PolicyOf(std::string_view hash) {
  return std::make_shared<ByPods>(hash.front());
}

}  // namespace muster::testing

#endif  // MUSTER_TESTS_UNIT_CPP_WALK_OBJECTS_H_
