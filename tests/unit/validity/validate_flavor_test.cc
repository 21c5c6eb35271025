// Rules of ResourceFlavor, Topology, Node and Pod.
#include "engine/model/limits.h"
#include "tests/unit/validity/rule_table.h"

namespace muster {
namespace {

LabelMap ManyLabels(std::size_t count) {
  LabelMap labels;
  for (const std::string& name : Numbered("l", count)) labels[name] = "v";
  return labels;
}

std::vector<Taint> Taints(std::size_t count) {
  std::vector<Taint> taints;
  for (const std::string& name : Numbered("t", count)) {
    taints.push_back({name, "v", TaintEffect::kNoSchedule});
  }
  return taints;
}

TEST(ValidateResourceFlavor, EveryRule) {
  ResourceFlavor valid;
  valid.name = "spot";
  valid.node_labels = {{"type", "spot"}};
  valid.node_taints = {{"spot", "y", TaintEffect::kNoSchedule}};
  valid.tolerations = {{"spot", TolerationOp::kEqual, "y", TaintEffect::kNone}};
  using F = ResourceFlavor;
  ExpectRules<F>(
      valid,
      {{"name", [](F& f) { f.name = "spot-"; }, "metadata.name"},
       {"label count", [](F& f) { f.node_labels = ManyLabels(kMaxNodeLabels + 1); },
        "spec.nodeLabels", [](F& f) { f.node_labels = ManyLabels(kMaxNodeLabels); }},
       {"label key",
        [](F& f) {
          f.node_labels = {{"a b", "x"}};
        },
        "spec.nodeLabels[a b]"},
       {"label value",
        [](F& f) {
          f.node_labels = {{"a", "x y"}};
        },
        "spec.nodeLabels[a]"},
       {"taint count", [](F& f) { f.node_taints = Taints(kMaxNodeTaints + 1); }, "spec.nodeTaints",
        [](F& f) { f.node_taints = Taints(kMaxNodeTaints); }},
       {"taint key", [](F& f) { f.node_taints[0].key = ""; }, "spec.nodeTaints[0].key"},
       {"taint value", [](F& f) { f.node_taints[0].value = "-"; }, "spec.nodeTaints[0].value"},
       {"taint effect", [](F& f) { f.node_taints[0].effect = TaintEffect::kNone; },
        "spec.nodeTaints[0].effect"},
       {"taint unique",
        [](F& f) {
          f.node_taints.push_back({"spot", "n", TaintEffect::kNoSchedule});
        },
        "spec.nodeTaints[1]",
        [](F& f) {
          f.node_taints.push_back({"spot", "y", TaintEffect::kNoExecute});
        }},
       {"toleration count",
        [](F& f) { f.tolerations.resize(kMaxFlavorTolerations + 1, f.tolerations[0]); },
        "spec.tolerations",
        [](F& f) { f.tolerations.resize(kMaxFlavorTolerations, f.tolerations[0]); }},
       {"toleration key", [](F& f) { f.tolerations[0].key = "a b"; }, "spec.tolerations[0].key"},
       {"toleration without key", [](F& f) { f.tolerations[0].key = ""; },
        "spec.tolerations[0].operator",
        [](F& f) {
          f.tolerations[0] = {"", TolerationOp::kExists, "", TaintEffect::kNone};
        }},
       {"toleration Exists with value", [](F& f) { f.tolerations[0].op = TolerationOp::kExists; },
        "spec.tolerations[0].value"},
       {"toleration value", [](F& f) { f.tolerations[0].value = "a b"; },
        "spec.tolerations[0].value"},
       {"topology name", [](F& f) { f.topology_name = "-A"; }, "spec.topologyName",
        [](F& f) { f.topology_name = "rack"; }},
       {"topology needs a label",
        [](F& f) {
          f.topology_name = "rack";
          f.node_labels.clear();
        },
        "spec.nodeLabels", [](F& f) { f.node_labels.clear(); }}});
}

TEST(ValidateTopology, EveryRule) {
  const Topology valid = {"default", {"block", "rack", "kubernetes.io/hostname"}};
  using T = Topology;
  ExpectRules<T>(
      valid, {{"name", [](T& t) { t.name = ""; }, "metadata.name"},
              {"no levels", [](T& t) { t.levels.clear(); }, "spec.levels"},
              {"too many levels", [](T& t) { t.levels = Numbered("l", kMaxTopologyLevels + 1); },
               "spec.levels", [](T& t) { t.levels = Numbered("l", kMaxTopologyLevels); }},
              {"unique",
               [](T& t) {
                 t.levels = {"rack", "rack"};
               },
               "spec.levels[1]"},
              {"label", [](T& t) { t.levels[0] = "a b"; }, "spec.levels[0].nodeLabel"},
              {"hostname last",
               [](T& t) {
                 t.levels = {"kubernetes.io/hostname", "rack"};
               },
               "spec.levels[0].nodeLabel", [](T& t) { t.levels = {"kubernetes.io/hostname"}; }}});
}

TEST(ValidateNode, EveryRule) {
  Node valid;
  valid.name = "n1";
  valid.labels = {{"zone", "a"}};
  valid.allocatable = {{"cpu", Quantity::Units(4)}};
  using N = Node;
  ExpectRules<N>(
      valid, {{"name", [](N& n) { n.name = "n1-"; }, "metadata.name"},
              {"labels",
               [](N& n) {
                 n.labels = {{"zone", "a b"}};
               },
               "metadata.labels[zone]"},
              {"taints",
               [](N& n) {
                 n.taints = {{"", "", TaintEffect::kNoSchedule}};
               },
               "spec.taints[0].key"},
              {"negative", [](N& n) { n.allocatable["cpu"] = Quantity::Units(-1); },
               "status.allocatable[cpu]", [](N& n) { n.allocatable["cpu"] = Quantity(); }},
              {"resource name", [](N& n) { n.allocatable["a b"]; }, "status.allocatable[a b]"}});
}

TEST(ValidatePod, EveryRule) {
  const Pod valid = {{"ns", "p"}, "n1", {{"cpu", Quantity::Units(1)}}};
  using P = Pod;
  ExpectRules<P>(valid,
                 {{"name", [](P& p) { p.key.name = "-P"; }, "metadata.name"},
                  {"namespace", [](P& p) { p.key.ns = ""; }, "metadata.namespace"},
                  {"node", [](P& p) { p.node = "-N"; }, "spec.nodeName", [](P& p) { p.node = ""; }},
                  {"negative", [](P& p) { p.requests["cpu"] = Quantity::Units(-1); },
                   "spec.containers[cpu]"}});
}

}  // namespace
}  // namespace muster
