// Rules of a workload's spec.
#include "engine/model/limits.h"
#include "tests/testing/short_names.h"
#include "tests/unit/validity/rule_table.h"

namespace muster {
namespace {

using W = Workload;

W Valid() {
  W w;
  w.key = {"team-a", "job-1"};
  w.queue = "jobs";
  w.pod_sets.resize(2);
  w.pod_sets[0].name = "main";
  w.pod_sets[0].count = 4;
  w.pod_sets[0].pods.containers = {{"c", {{"cpu", Q("1")}}, {{"cpu", Q("2")}}, false}};
  w.pod_sets[1].name = "worker";
  return w;
}

PodTemplate& Pods(W& w) { return w.pod_sets[0].pods; }
TopologyRequest& TopologyOf(W& w, std::size_t pod_set = 0) {
  auto& topology = w.pod_sets[pod_set].topology;
  return topology ? *topology : topology.emplace();
}

TEST(ValidateWorkload, Spec) {
  ExpectRules<W>(
      Valid(),
      {{"name", [](W& w) { w.key.name = "job "; }, "metadata.name"},
       {"namespace", [](W& w) { w.key.ns = ""; }, "metadata.namespace"},
       {"labels",
        [](W& w) {
          w.labels = {{"a", "b c"}};
        },
        "metadata.labels[a]"},
       {"queue", [](W& w) { w.queue = "-A"; }, "spec.queueName", [](W& w) { w.queue = ""; }},
       {"class name", [](W& w) { w.priority_class = "-A"; }, "spec.priorityClassRef.name"},
       {"class missing",
        [](W& w) { w.priority_source = PriorityClassSource::kWorkloadPriorityClass; },
        "spec.priorityClassRef.name",
        [](W& w) {
          w.priority_source = PriorityClassSource::kWorkloadPriorityClass;
          w.priority_class = "high";
        }},
       {"execution time", [](W& w) { w.max_execution_seconds = 0; },
        "spec.maximumExecutionTimeSeconds", [](W& w) { w.max_execution_seconds = 1; }},
       {"gates", [](W& w) { w.preemption_gates = Numbered("g", kMaxPreemptionGates + 1); },
        "spec.preemptionGates",
        [](W& w) { w.preemption_gates = Numbered("g", kMaxPreemptionGates); }},
       {"gate twice",
        [](W& w) {
          w.preemption_gates = {"g", "g"};
        },
        "spec.preemptionGates[1]"}});
}

TEST(ValidateWorkload, Slices) {
  const auto annotated = [](std::string name, std::string value) {
    return [name = "kueue.x-k8s.io/" + std::move(name), value = std::move(value)](W& w) {
      w.annotations[name] = value;
    };
  };
  const auto elastic = [annotated](bool min_count) {
    return [=](W& w) {
      annotated("elastic-job", "true")(w);
      if (min_count) w.pod_sets[0].min_count = 1;
    };
  };
  ExpectRules<W>(Valid(), {{"replaces nothing", annotated("workload-slice-replacement-for", "job"),
                            "metadata.annotations[kueue.x-k8s.io/workload-slice-replacement-for]",
                            annotated("workload-slice-replacement-for", "lab/job")},
                           {"elastic with a minimum", elastic(true),
                            "metadata.annotations[kueue.x-k8s.io/elastic-job]", elastic(false)}});
}

TEST(ValidateWorkload, PodSets) {
  const auto count = [](std::size_t n) {
    return [n](W& w) {
      w.pod_sets.resize(n);
      for (std::size_t i = 0; i < n; ++i) w.pod_sets[i].name = "p" + std::to_string(i);
    };
  };
  ExpectRules<W>(Valid(),
                 {{"none", [](W& w) { w.pod_sets.clear(); }, "spec.podSets"},
                  {"too many", count(kMaxPodSets + 1), "spec.podSets", count(kMaxPodSets)},
                  {"name", [](W& w) { w.pod_sets[1].name = ""; }, "spec.podSets[1].name"},
                  {"name twice", [](W& w) { w.pod_sets[1].name = "main"; }, "spec.podSets[1].name"},
                  {"count", [](W& w) { w.pod_sets[1].count = -1; }, "spec.podSets[1].count",
                   [](W& w) { w.pod_sets[1].count = 0; }},
                  {"min count 0", [](W& w) { w.pod_sets[0].min_count = 0; },
                   "spec.podSets[0].minCount", [](W& w) { w.pod_sets[0].min_count = 1; }},
                  {"min count above count", [](W& w) { w.pod_sets[0].min_count = 5; },
                   "spec.podSets[0].minCount", [](W& w) { w.pod_sets[0].min_count = 4; }},
                  {"two min counts",
                   [](W& w) {
                     w.pod_sets[0].min_count = 1;
                     w.pod_sets[1].min_count = 1;
                   },
                   "spec.podSets[1].minCount"}});
}

TEST(ValidateWorkload, Containers) {
  ExpectRules<W>(Valid(),
                 {{"negative", [](W& w) { Pods(w).containers[0].requests["cpu"] = Q("-1"); },
                   "spec.podSets[0].template.spec.containers[0].resources.requests[cpu]",
                   [](W& w) { Pods(w).containers[0].requests["cpu"] = Q("0"); }},
                  {"pods", [](W& w) { Pods(w).containers[0].requests["pods"] = Q("1"); },
                   "spec.podSets[0].template.spec.containers[0].resources.requests[pods]"},
                  {"resource name", [](W& w) { Pods(w).containers[0].requests["a b"]; },
                   "spec.podSets[0].template.spec.containers[0].resources.requests[a b]"},
                  {"limit", [](W& w) { Pods(w).containers[0].limits["cpu"] = Q("-1"); },
                   "spec.podSets[0].template.spec.containers[0].resources.limits[cpu]"},
                  {"init container",
                   [](W& w) {
                     Pods(w).init_containers = {{"i", {{"pods", Q("1")}}, {}, false}};
                   },
                   "spec.podSets[0].template.spec.initContainers[0].resources.requests[pods]"},
                  {"pod level",
                   [](W& w) {
                     Pods(w).pod_requests = {{"pods", Q("1")}};
                   },
                   "spec.podSets[0].template.spec.resources.requests[pods]",
                   [](W& w) {
                     Pods(w).pod_requests = {{"cpu", Q("1")}};
                   }},
                  {"pod level limit",
                   [](W& w) {
                     Pods(w).pod_limits = {{"cpu", Q("-1")}};
                   },
                   "spec.podSets[0].template.spec.resources.limits[cpu]"},
                  {"overhead",
                   [](W& w) {
                     Pods(w).overhead = ResourceList{{"cpu", Q("-1")}};
                   },
                   "spec.podSets[0].template.spec.overhead[cpu]"},
                  {"runtime class", [](W& w) { Pods(w).runtime_class = "-A"; },
                   "spec.podSets[0].template.spec.runtimeClassName"},
                  {"priority class", [](W& w) { Pods(w).priority_class = "-A"; },
                   "spec.podSets[0].template.spec.priorityClassName"}});
}

TEST(ValidateWorkload, Placement) {
  using enum SelectorOp;
  const auto require = [](SelectorRequirement requirement) {
    return [requirement](W& w) {
      NodeSelectorTerm term;
      term.match_expressions = {requirement};
      Pods(w).required_node_affinity = {term};
    };
  };
  const std::string term =
      "spec.podSets[0].template.spec.affinity.nodeAffinity."
      "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]";
  const std::string values = term + ".matchExpressions[0].values";
  const std::string field = term + ".matchFields[0].key";
  ExpectRules<W>(Valid(), {{"node selector",
                            [](W& w) {
                              Pods(w).node_selector = {{"a", "b c"}};
                            },
                            "spec.podSets[0].template.spec.nodeSelector[a]"},
                           {"toleration", [](W& w) { Pods(w).tolerations = {{}}; },
                            "spec.podSets[0].template.spec.tolerations[0].operator"},
                           {"Gt without number", require({"cores", kGt, {"x"}}), values,
                            require({"cores", kGt, {"4"}})},
                           {"Lt with two", require({"cores", kLt, {"4", "5"}}), values,
                            require({"cores", kLt, {"-4"}})},
                           {"In without values", require({"zone", kIn, {}}), values,
                            require({"zone", kIn, {"a"}})},
                           {"field",
                            [](W& w) {
                              NodeSelectorTerm fields;
                              fields.match_fields = {{"metadata.uid", kIn, {"x"}}};
                              Pods(w).required_node_affinity = {fields};
                            },
                            field,
                            [](W& w) {
                              NodeSelectorTerm fields;
                              fields.match_fields = {{"metadata.name", kIn, {"node-1"}}};
                              Pods(w).required_node_affinity = {fields};
                            }}});
}

TEST(ValidateWorkload, TopologyRequests) {
  const auto slices = [](std::vector<SliceLayer> layers) {
    return [layers](W& w) { TopologyOf(w).slices = layers; };
  };
  const auto segments = [](std::vector<SliceLayer> layers) {
    return [layers](W& w) { TopologyOf(w).segments = layers; };
  };
  const char* const request = "spec.podSets[0].topologyRequest";
  const char* const segment = "spec.podSets[0].topologyRequest.segments";
  ExpectRules<W>(
      Valid(), {{"two levels",
                 [](W& w) {
                   TopologyOf(w).required = "rack";
                   TopologyOf(w).preferred = "rack";
                 },
                 request, [](W& w) { TopologyOf(w).required = "rack"; }},
                {"required and unconstrained",
                 [](W& w) {
                   TopologyOf(w).required = "rack";
                   TopologyOf(w).unconstrained = true;
                 },
                 request, [](W& w) { TopologyOf(w).unconstrained = true; }},
                {"slice size", slices({{"rack", 0}}), request, slices({{"rack", 1}})},
                {"slice level", slices({{"", 2}}), request},
                {"slices divide", slices({{"block", 4}, {"rack", 3}}), request,
                 slices({{"block", 4}, {"rack", 2}})},
                {"layers", slices({{"a", 8}, {"b", 4}, {"c", 2}, {"d", 1}}), request,
                 slices({{"a", 8}, {"b", 4}, {"c", 2}})},
                {"segment size", segments({{"rack", 0}}), segment, segments({{"rack", 1}})},
                {"segment level", segments({{"", 2}}), segment},
                {"segments divide", segments({{"block", 4}, {"rack", 3}}), segment,
                 segments({{"block", 4}, {"rack", 2}})},
                {"segments of all pods", segments({{"rack", 3}}), segment, segments({{"rack", 4}})},
                {"segments and slices",
                 [](W& w) {
                   TopologyOf(w).slices = {{"rack", 2}};
                   TopologyOf(w).segments = {{"rack", 2}};
                 },
                 segment,
                 [](W& w) {
                   TopologyOf(w).segments = {{"rack", 2}};
                 }},
                {"segments with fewer pods",
                 [](W& w) {
                   TopologyOf(w).segments = {{"rack", 2}};
                   w.pod_sets[0].min_count = 2;
                 },
                 segment},
                {"segments of a group",
                 [](W& w) {
                   TopologyOf(w, 0) = {"rack", "", false, {}, "g", {{"host", 2}}};
                   TopologyOf(w, 1) = {"rack", "", false, {}, "g"};
                 },
                 segment},
                {"lonely group", [](W& w) { TopologyOf(w).pod_set_group = "g"; },
                 "spec.podSets[0].topologyRequest.podSetGroupName",
                 [](W& w) {
                   TopologyOf(w, 0).pod_set_group = "g";
                   TopologyOf(w, 1).pod_set_group = "g";
                 }},
                {"group of different levels",
                 [](W& w) {
                   TopologyOf(w, 0) = {"rack", "", false, {}, "g"};
                   TopologyOf(w, 1) = {"block", "", false, {}, "g"};
                 },
                 "spec.podSets[1].topologyRequest",
                 [](W& w) {
                   TopologyOf(w, 0) = {"rack", "", false, {}, "g"};
                   TopologyOf(w, 1) = {"rack", "", false, {}, "g"};
                 }}});
}

}  // namespace
}  // namespace muster
