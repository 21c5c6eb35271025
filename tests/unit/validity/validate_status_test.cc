// Rules of a workload's status, and of what may change between two versions of an object.
#include "engine/model/limits.h"
#include "tests/testing/short_names.h"
#include "tests/unit/validity/rule_table.h"

namespace muster {
namespace {

using W = Workload;

W Reserved() {
  W w;
  w.key = {"team-a", "job-1"};
  w.queue = "jobs";
  w.pod_sets.resize(1);
  w.pod_sets[0].name = "main";
  w.pod_sets[0].count = 4;
  w.status.conditions = {{"QuotaReserved", true, "QuotaReserved", "", 0}};
  w.status.admission.emplace();
  w.status.admission->cluster_queue = "cq";
  w.status.admission->pod_sets = {{"main", 4, {{"cpu", "spot"}}, {{"cpu", Q("2")}}, std::nullopt}};
  w.status.reclaimable_pods = {{"main", 1}};
  w.status.admission_checks = {
      {"prov", CheckState::kReady, "", 0, 0, 5, {{"main", {}, {}, {}, {}}}}};
  w.status.requeue_state = RequeueState{1, 0};
  return w;
}

PodSetAssignment& First(W& w) { return w.status.admission->pod_sets[0]; }
AdmissionCheckStatus& CheckOf(W& w) { return w.status.admission_checks[0]; }

TEST(ValidateStatus, Admission) {
  const char* const list = "status.admission.podSetAssignments";
  const std::string first = std::string(list) + "[0]";
  const std::string name = first + ".name";
  const std::string usage = first + ".resourceUsage[cpu]";
  const std::string flavor = first + ".flavors[cpu]";
  const std::string count = first + ".count";
  const std::string second = std::string(list) + "[1].name";
  const auto topology = [](TopologyAssignment assignment) {
    return [assignment](W& w) { First(w).topology = assignment; };
  };
  const std::string values = first + ".topologyAssignment.domains[0].values";
  const std::string pods = first + ".topologyAssignment.domains[0].count";
  const std::string levels = first + ".topologyAssignment.levels";
  ExpectRules<W>(
      Reserved(),
      {{"missing", [](W& w) { w.status.admission.reset(); }, "status.admission",
        [](W& w) {
          w.status.admission.reset();
          w.status.conditions[0].status = false;
        }},
       {"cluster queue", [](W& w) { w.status.admission->cluster_queue = ""; },
        "status.admission.clusterQueue"},
       {"unknown podset", [](W& w) { First(w).name = "other"; }, name},
       {"podset twice", [](W& w) { w.status.admission->pod_sets.push_back(First(w)); }, second},
       {"podset missing", [](W& w) { w.pod_sets.emplace_back().name = "more"; }, list},
       {"no podset", [](W& w) { w.status.admission->pod_sets.clear(); }, list},
       {"count", [](W& w) { First(w).count = -1; }, count, [](W& w) { First(w).count = 2; }},
       {"no pod", [](W& w) { First(w).count = 0; }, count,
        [](W& w) {
          First(w).count = 0;
          w.status.reclaimable_pods[0].count = 4;
        }},
       {"usage without a flavor", [](W& w) { First(w).resource_usage["memory"] = Q("4Mi"); },
        first + ".resourceUsage[memory]", [](W& w) { First(w).resource_usage["memory"] = Q("0"); }},
       {"multiple", [](W& w) { First(w).resource_usage["cpu"] = Q("2001m"); }, usage,
        [](W& w) { First(w).resource_usage["cpu"] = Q("2004m"); }},
       {"negative usage", [](W& w) { First(w).resource_usage["cpu"] = Q("-4"); }, usage},
       {"flavor", [](W& w) { First(w).flavors["cpu"] = ""; }, flavor},
       {"topology levels", topology({{}, {}}), levels},
       {"topology values", topology({{"rack"}, {{{}, 1}}}), values,
        topology({{"rack"}, {{{"r1"}, 1}}})},
       {"topology count", topology({{"rack"}, {{{"r1"}, 0}}}), pods}});
}

TEST(ValidateStatus, TheRest) {
  const auto conditions = [](std::size_t n) {
    return [n](W& w) {
      for (std::size_t i = w.status.conditions.size(); i < n; ++i) {
        w.status.conditions.push_back({"C" + std::to_string(i), true, "", "", 0});
      }
    };
  };
  const auto checks = [](std::size_t n) {
    return [n](W& w) {
      w.status.admission_checks.clear();
      for (const std::string& name : Numbered("c", n)) {
        w.status.admission_checks.emplace_back().name = name;
      }
    };
  };
  ExpectRules<W>(
      Reserved(),
      {{"conditions", conditions(kMaxConditions + 1), "status.conditions",
        conditions(kMaxConditions)},
       {"condition type",
        [](W& w) {
          w.status.conditions.push_back({"", true, "", "", 0});
        },
        "status.conditions[1].type"},
       {"condition twice",
        [](W& w) {
          w.status.conditions.push_back({"QuotaReserved", false, "", "", 0});
        },
        "status.conditions[1].type"},
       {"reclaimable unknown", [](W& w) { w.status.reclaimable_pods[0].pod_set = "x"; },
        "status.reclaimablePods[0].name"},
       {"reclaimable twice",
        [](W& w) {
          w.status.reclaimable_pods.push_back({"main", 1});
        },
        "status.reclaimablePods[1].name"},
       {"reclaimable negative", [](W& w) { w.status.reclaimable_pods[0].count = -1; },
        "status.reclaimablePods[0].count"},
       {"reclaimable above count", [](W& w) { w.status.reclaimable_pods[0].count = 5; },
        "status.reclaimablePods[0].count", [](W& w) { w.status.reclaimable_pods[0].count = 4; }},
       {"checks", checks(kMaxCheckStates + 1), "status.admissionChecks", checks(kMaxCheckStates)},
       {"check name", [](W& w) { CheckOf(w).name = ""; }, "status.admissionChecks[0].name"},
       {"check twice", [](W& w) { w.status.admission_checks.push_back(CheckOf(w)); },
        "status.admissionChecks[1].name"},
       {"retries", [](W& w) { CheckOf(w).retry_count = -1; },
        "status.admissionChecks[0].retryCount"},
       {"requeue after", [](W& w) { CheckOf(w).requeue_after_seconds = -1; },
        "status.admissionChecks[0].requeueAfterSeconds"},
       {"update podset", [](W& w) { CheckOf(w).pod_set_updates[0].name = "x"; },
        "status.admissionChecks[0].podSetUpdates[0].name"},
       {"update labels",
        [](W& w) {
          CheckOf(w).pod_set_updates[0].labels = {{"a", " "}};
        },
        "status.admissionChecks[0].podSetUpdates[0].labels[a]"},
       {"update selector",
        [](W& w) {
          CheckOf(w).pod_set_updates[0].node_selector = {{"", "a"}};
        },
        "status.admissionChecks[0].podSetUpdates[0].nodeSelector[]"},
       {"update toleration", [](W& w) { CheckOf(w).pod_set_updates[0].tolerations = {{}}; },
        "status.admissionChecks[0].podSetUpdates[0].tolerations[0].operator"},
       {"requeue count", [](W& w) { w.status.requeue_state->count = -1; },
        "status.requeueState.count"},
       {"past execution", [](W& w) { w.status.past_execution_seconds = -1; },
        "status.accumulatedPastExecutionTimeSeconds"},
       {"unhealthy nodes",
        [](W& w) { w.status.unhealthy_nodes = Numbered("n", kMaxUnhealthyNodes + 1); },
        "status.unhealthyNodes",
        [](W& w) { w.status.unhealthy_nodes = Numbered("n", kMaxUnhealthyNodes); }}});
}

// ---- changes -----------------------------------------------------------------------------------

std::vector<std::string> Changed(const Object& before, const Object& after) {
  std::vector<Problem> problems;
  ValidateChange(before, after, 3, problems);
  std::vector<std::string> fields;
  for (const Problem& p : problems) {
    EXPECT_EQ(p.object, 3u);
    EXPECT_FALSE(p.what.empty());
    EXPECT_FALSE(p.cure.empty());
    fields.push_back(p.field);
  }
  return fields;
}

using Fields = std::vector<std::string>;

TEST(ValidateChange, AFlavorWithATopologyKeepsItAndItsLabels) {
  ResourceFlavor plain;
  plain.name = "f";
  plain.node_labels = {{"a", "1"}};
  ResourceFlavor topology = plain;
  topology.topology_name = "t";
  EXPECT_EQ(Changed(plain, topology), Fields{});
  EXPECT_EQ(Changed(topology, plain), Fields{"spec.topologyName"});
  ResourceFlavor other = topology;
  other.node_labels["a"] = "2";
  EXPECT_EQ(Changed(topology, other), Fields{"spec.nodeLabels"});
  other.topology_name = "u";
  EXPECT_EQ(Changed(topology, other), (Fields{"spec.topologyName", "spec.nodeLabels"}));
  other = plain;
  other.node_labels["a"] = "2";
  EXPECT_EQ(Changed(plain, other), Fields{});
}

TEST(ValidateChange, ALocalQueueKeepsItsClusterQueue) {
  LocalQueue before;
  before.cluster_queue = "a";
  LocalQueue after = before;
  after.stop_policy = StopPolicy::kHold;
  EXPECT_EQ(Changed(before, after), Fields{});
  after.cluster_queue = "b";
  EXPECT_EQ(Changed(before, after), Fields{"spec.clusterQueue"});
}

TEST(ValidateChange, ATopologyKeepsItsLevelsAndACheckItsController) {
  EXPECT_EQ(Changed(Topology{"t", {"a"}}, Topology{"t", {"b"}}), Fields{"spec.levels"});
  EXPECT_EQ(Changed(Topology{"t", {"a"}}, Topology{"t", {"a"}}), Fields{});
  EXPECT_EQ(Changed(AdmissionCheck{"c", "x", true}, AdmissionCheck{"c", "y", true}),
            Fields{"spec.controllerName"});
  EXPECT_EQ(Changed(AdmissionCheck{"c", "x", true}, AdmissionCheck{"c", "x", false}), Fields{});
}

TEST(ValidateChange, OtherKindsMayChangeFreely) {
  ClusterQueue before;
  before.name = "a";
  ClusterQueue after = before;
  after.queueing_strategy = QueueingStrategy::kStrictFifo;
  after.cohort = "c";
  EXPECT_EQ(Changed(before, after), Fields{});
}

TEST(ValidateChange, APendingWorkloadMayChange) {
  W before = Reserved();
  before.status = {};
  W after = before;
  after.queue = "other";
  after.pod_sets[0].count = 9;
  EXPECT_EQ(Changed(before, after), Fields{});
}

TEST(ValidateChange, AReservedWorkloadKeepsQueuePodSetsAndTimeLimit) {
  W after = Reserved();
  after.priority = 7;
  after.active = false;
  EXPECT_EQ(Changed(Reserved(), after), Fields{});
  after.queue = "other";
  EXPECT_EQ(Changed(Reserved(), after), Fields{"spec.queueName"});
  after = Reserved();
  after.pod_sets[0].count = 3;
  EXPECT_EQ(Changed(Reserved(), after), Fields{"spec.podSets[0].count"});
  after = Reserved();
  after.max_execution_seconds = 60;
  EXPECT_EQ(Changed(Reserved(), after), Fields{"spec.maximumExecutionTimeSeconds"});
}

TEST(ValidateChange, OfPodSetsThatDifferItIsSaidWhereAndHow) {
  const auto said = [](const W& after) {
    W before = Reserved();
    before.pod_sets[0].pods.containers = {{"c", {{"cpu", Q("1")}}, {}}};
    std::vector<Problem> problems;
    ValidateChange(before, after, 0, problems);
    std::string text;
    for (const Problem& each : problems) text += each.field + ": " + each.what + "\n";
    return text;
  };
  W same = Reserved();
  same.pod_sets[0].pods.containers = {{"c", {{"cpu", Q("1")}}, {}}};
  EXPECT_EQ(said(same), "");
  const std::string held =
      " may not change while quota is reserved: workload team-a/job-1 holds it with ";
  W after = same;
  after.pod_sets[0].count = 3;
  EXPECT_EQ(said(after), "spec.podSets[0].count:" + held + "4 pods in podset \"main\", not 3\n");
  after = same;
  after.pod_sets[0].min_count = 2;
  EXPECT_EQ(said(after),
            "spec.podSets[0].minCount:" + held + "another minimum in podset \"main\"\n");
  after = same;
  after.pod_sets[0].topology.emplace().required = "rack";
  EXPECT_EQ(said(after), "spec.podSets[0].topologyRequest:" + held +
                             "another topology request in podset \"main\"\n");
  after = same;
  after.pod_sets[0].name = "m";
  EXPECT_EQ(said(after), "spec.podSets[0].name:" + held + "a podset \"main\", not \"m\"\n");
  after = same;
  after.pod_sets.push_back(after.pod_sets[0]);
  EXPECT_EQ(said(after), "spec.podSets:" + held + "1 podset, not 2\n");
  const auto pods = [&](const auto& change) {
    W changed = same;
    change(changed.pod_sets[0].pods);
    const std::string text = said(changed);
    const std::string begin = "spec.podSets[0].template:" + held;
    const std::string end = " in podset \"main\"\n";
    EXPECT_TRUE(text.starts_with(begin) && text.ends_with(end)) << text;
    return text.size() < begin.size() + end.size()
               ? text
               : text.substr(begin.size(), text.size() - begin.size() - end.size());
  };
  EXPECT_EQ(pods([](PodTemplate& t) { t.containers[0].requests["cpu"] = Q("2"); }),
            "1 of cpu, not 2 in container \"c\"");
  EXPECT_EQ(pods([](PodTemplate& t) { t.containers[0].limits["cpu"] = Q("2"); }),
            "none of cpu as limit, not 2 in container \"c\"");
  EXPECT_EQ(pods([](PodTemplate& t) { t.containers[0].name = "d"; }), "container \"c\", not \"d\"");
  EXPECT_EQ(pods([](PodTemplate& t) { t.init_containers.resize(1); }), "0 init containers, not 1");
  EXPECT_EQ(pods([](PodTemplate& t) { t.pod_requests["cpu"] = Q("2"); }),
            "none of cpu, not 2 for the whole pod");
  EXPECT_EQ(pods([](PodTemplate& t) { t.node_selector["a"] = "b"; }), "another nodeSelector");
  EXPECT_EQ(pods([](PodTemplate& t) { t.tolerations.resize(1); }), "other tolerations");
  EXPECT_EQ(pods([](PodTemplate& t) { t.runtime_class = "r"; }), "another template");
}

TEST(ValidateChange, ReclaimablePodsNeverFallWhileReserved) {
  W after = Reserved();
  after.status.reclaimable_pods[0].count = 2;
  EXPECT_EQ(Changed(Reserved(), after), Fields{});
  after.status.reclaimable_pods[0].count = 0;
  EXPECT_EQ(Changed(Reserved(), after), Fields{"status.reclaimablePods[main]"});
  after.status.reclaimable_pods.clear();
  EXPECT_EQ(Changed(Reserved(), after), Fields{"status.reclaimablePods[main]"});
  after.status.conditions.clear();
  EXPECT_EQ(Changed(Reserved(), after), Fields{});
}

TEST(ValidateChange, AnAdmissionStaysWhatItIs) {
  W after = Reserved();
  First(after).flavors["cpu"] = "on-demand";
  EXPECT_EQ(Changed(Reserved(), after), Fields{"status.admission"});
  after.status.admission.reset();
  EXPECT_EQ(Changed(Reserved(), after), Fields{});
}

}  // namespace
}  // namespace muster
