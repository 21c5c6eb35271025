// Rules of the configuration kinds and of what surrounds the queues.
#include <cmath>

#include "engine/model/limits.h"
#include "tests/testing/short_names.h"
#include "tests/unit/validity/rule_table.h"

namespace muster {
namespace {

TEST(ValidateConfiguration, EveryRule) {
  Configuration valid;
  valid.fair_sharing.emplace();
  valid.admission_fair_sharing.emplace();
  valid.wait_for_pods_ready.emplace();
  valid.exclude_resource_prefixes = {"example.com/"};
  valid.transformations = {{"gpu", {}, {{"credits", Q("-2")}}, "cpu"}};
  using C = Configuration;
  using enum PreemptionStrategy;
  const auto strategies = [](std::vector<PreemptionStrategy> list) {
    return [list](C& c) { c.fair_sharing->preemption_strategies = list; };
  };
  ExpectRules<C>(
      valid,
      {{"strategies reversed", strategies({kLessThanInitialShare, kLessThanOrEqualToFinalShare}),
        "fairSharing.preemptionStrategies", strategies({kLessThanInitialShare})},
       {"strategy twice", strategies({kLessThanInitialShare, kLessThanInitialShare}),
        "fairSharing.preemptionStrategies", strategies({})},
       {"half life", [](C& c) { c.admission_fair_sharing->usage_half_life = -1; },
        "admissionFairSharing.usageHalfLifeTime",
        [](C& c) { c.admission_fair_sharing->usage_half_life = 0; }},
       {"interval", [](C& c) { c.admission_fair_sharing->usage_sampling_interval = 0; },
        "admissionFairSharing.usageSamplingInterval",
        [](C& c) { c.admission_fair_sharing->usage_sampling_interval = kSecond; }},
       {"resource weight", [](C& c) { c.admission_fair_sharing->resource_weights["cpu"] = -1; },
        "admissionFairSharing.resourceWeights[cpu]",
        [](C& c) { c.admission_fair_sharing->resource_weights["cpu"] = 0; }},
       {"resource weight not a number",
        [](C& c) { c.admission_fair_sharing->resource_weights["cpu"] = std::nan(""); },
        "admissionFairSharing.resourceWeights[cpu]"},
       {"timeout", [](C& c) { c.wait_for_pods_ready->timeout = -1; }, "waitForPodsReady.timeout",
        [](C& c) { c.wait_for_pods_ready->timeout = 0; }},
       {"recovery", [](C& c) { c.wait_for_pods_ready->recovery_timeout = -1; },
        "waitForPodsReady.recoveryTimeout"},
       {"base", [](C& c) { c.wait_for_pods_ready->backoff_base_seconds = -1; },
        "waitForPodsReady.requeuingStrategy.backoffBaseSeconds"},
       {"max", [](C& c) { c.wait_for_pods_ready->backoff_max_seconds = -1; },
        "waitForPodsReady.requeuingStrategy.backoffMaxSeconds"},
       {"limit", [](C& c) { c.wait_for_pods_ready->backoff_limit_count = -1; },
        "waitForPodsReady.requeuingStrategy.backoffLimitCount",
        [](C& c) { c.wait_for_pods_ready->backoff_limit_count = 0; }},
       {"empty prefix", [](C& c) { c.exclude_resource_prefixes = {""}; },
        "resources.excludeResourcePrefixes[0]"},
       {"input", [](C& c) { c.transformations[0].input = ""; },
        "resources.transformations[0].input"},
       {"input twice", [](C& c) { c.transformations.push_back(c.transformations[0]); },
        "resources.transformations[1].input"},
       {"multiplyBy", [](C& c) { c.transformations[0].multiply_by = "a b"; },
        "resources.transformations[0].multiplyBy",
        [](C& c) { c.transformations[0].multiply_by = ""; }},
       {"output", [](C& c) { c.transformations[0].outputs["a b"]; },
        "resources.transformations[0].outputs[a b]"}});
}

TEST(ValidateEngineConfiguration, EveryRule) {
  using E = EngineConfiguration;
  ExpectRules<E>({}, {{"no heads", [](E& e) { e.heads_per_cycle = 0; }, "headsPerCycle"},
                      {"heads", [](E& e) { e.heads_per_cycle = kMaxHeadsPerCycle + 1; },
                       "headsPerCycle", [](E& e) { e.heads_per_cycle = kMaxHeadsPerCycle; }},
                      {"rollback", [](E& e) { e.rollback_after = 0; }, "rollbackAfter",
                       [](E& e) { e.rollback_after = 1; }}});
}

TEST(ValidatePolicyBinding, EveryRule) {
  PolicyBinding valid;
  valid.name = "research";
  valid.policy = "small-first";
  valid.hooks = {"victim"};
  valid.cluster_queues = {"a"};
  using B = PolicyBinding;
  ExpectRules<B>(valid, {{"name", [](B& b) { b.name = ""; }, "metadata.name"},
                         {"policy", [](B& b) { b.policy = ""; }, "spec.policy"},
                         {"hook", [](B& b) { b.hooks = {"victims"}; }, "spec.hooks[0]",
                          [](B& b) { b.hooks = {}; }},
                         {"hook twice",
                          [](B& b) {
                            b.hooks = {"victim", "victim"};
                          },
                          "spec.hooks[1]"},
                         {"share spans queues", [](B& b) { b.hooks = {"share"}; }, "spec.hooks[0]",
                          [](B& b) {
                            b.hooks = {"share", "cycle_order"};
                            b.cluster_queues = {};
                            b.cohorts = {"org"};
                          }},
                         {"queue twice",
                          [](B& b) {
                            b.cluster_queues = {"a", "a"};
                          },
                          "spec.clusterQueues[1]"},
                         {"cohort twice",
                          [](B& b) {
                            b.cohorts = {"a", "a"};
                          },
                          "spec.cohorts[1]"}});
}

TEST(ValidateSurroundings, PriorityClasses) {
  using W = WorkloadPriorityClass;
  ExpectRules<W>(
      {"high", 100, "urgent"},
      {{"name", [](W& w) { w.name = "high!"; }, "metadata.name"},
       {"description", [](W& w) { w.description = std::string(kMaxDescriptionLength + 1, 'x'); },
        "description", [](W& w) { w.description = std::string(kMaxDescriptionLength, 'x'); }}});
  using P = PriorityClass;
  ExpectRules<P>({"high", 100, false}, {{"name", [](P& p) { p.name = ""; }, "metadata.name"}});
}

TEST(ValidateSurroundings, NamespaceRuntimeClassAndCheck) {
  using N = Namespace;
  ExpectRules<N>({"team-a", {{"team", "a"}}},
                 {{"name", [](N& n) { n.name = "a.b"; }, "metadata.name"},
                  {"label",
                   [](N& n) {
                     n.labels = {{"a", "-"}};
                   },
                   "metadata.labels[a]"}});
  using R = RuntimeClass;
  ExpectRules<R>(
      {"kata", {{"cpu", Q("1m")}}},
      {{"name", [](R& r) { r.name = ""; }, "metadata.name"},
       {"negative", [](R& r) { r.overhead["cpu"] = Q("-1m"); }, "overhead.podFixed[cpu]"}});
  using A = AdmissionCheck;
  ExpectRules<A>({"prov", "kueue.x-k8s.io/provisioning", true},
                 {{"name", [](A& a) { a.name = ""; }, "metadata.name"},
                  {"controller", [](A& a) { a.controller = ""; }, "spec.controllerName"}});
}

TEST(ValidateSurroundings, LimitRange) {
  LimitRange valid;
  valid.key = {"ns", "limits"};
  valid.items.resize(1);
  valid.items[0] = {LimitRangeType::kContainer, {{"cpu", Q("1")}}, {{"cpu", Q("2")}},
                    {{"cpu", Q("500m")}},       {{"cpu", Q("4")}}, {{"cpu", Q("2")}}};
  using L = LimitRange;
  ExpectRules<L>(
      valid,
      {{"name", [](L& l) { l.key.name = ""; }, "metadata.name"},
       {"namespace", [](L& l) { l.key.ns = ""; }, "metadata.namespace"},
       {"negative", [](L& l) { l.items[0].min["memory"] = Q("-1"); }, "spec.limits[0].min[memory]"},
       {"min above max",
        [](L& l) {
          l.items[0].min["memory"] = Q("2");
          l.items[0].max["memory"] = Q("1");
        },
        "spec.limits[0].min[memory]"},
       {"default above max", [](L& l) { l.items[0].default_limits["cpu"] = Q("5"); },
        "spec.limits[0].default[cpu]", [](L& l) { l.items[0].default_limits["cpu"] = Q("4"); }},
       {"request above default", [](L& l) { l.items[0].default_requests["cpu"] = Q("3"); },
        "spec.limits[0].defaultRequest[cpu]",
        [](L& l) { l.items[0].default_requests["cpu"] = Q("2"); }},
       {"request above max",
        [](L& l) {
          l.items[0].default_limits.clear();
          l.items[0].default_requests["cpu"] = Q("5");
        },
        "spec.limits[0].defaultRequest[cpu]"},
       {"min above default",
        [](L& l) {
          l.items[0].default_requests.clear();
          l.items[0].min["cpu"] = Q("3");
        },
        "spec.limits[0].min[cpu]"},
       {"min above default request",
        [](L& l) {
          l.items[0].default_limits.clear();
          l.items[0].min["cpu"] = Q("2");
        },
        "spec.limits[0].min[cpu]"},
       {"ratio", [](L& l) { l.items[0].max_limit_request_ratio["cpu"] = Q("0.5"); },
        "spec.limits[0].maxLimitRequestRatio[cpu]",
        [](L& l) { l.items[0].max_limit_request_ratio["cpu"] = Q("1"); }}});
}

}  // namespace
}  // namespace muster
