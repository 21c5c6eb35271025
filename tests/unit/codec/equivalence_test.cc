// Which workloads count as equivalent.
#include "engine/codec/equivalence.h"

#include <gtest/gtest.h>

#include "engine/model/requests.h"
#include "tests/testing/short_names.h"

namespace muster {
namespace {

PodSet Sample() {
  PodSet p;
  p.name = "main";
  p.count = 4;
  p.pods.containers = {{"c", {{"cpu", Q("2")}, {"memory", Q("1Gi")}}, {{"cpu", Q("4")}}, false}};
  p.pods.node_selector = {{"zone", "a"}};
  p.pods.tolerations = {{"t", TolerationOp::kExists, "", TaintEffect::kNone}};
  return p;
}

std::string Form(const PodSet& p, std::int64_t priority = 0, std::int64_t count = 4) {
  const EffectivePodSet effective[] = {{p, p.pods, count}};
  return EquivalenceForm(priority, PodSetsForm(effective));
}

TEST(EquivalenceForm, SpellingOfQuantitiesDoesNotMatter) {
  PodSet p = Sample();
  p.pods.containers[0].requests = {{"cpu", Q("2000m")}, {"memory", Q("1024Mi")}};
  EXPECT_EQ(Form(p), Form(Sample()));
}

TEST(EquivalenceForm, NamesAndLimitsOfContainersDoNotMatter) {
  PodSet p = Sample();
  p.pods.containers[0].name = "other";
  p.pods.containers[0].limits = {{"memory", Q("9Gi")}};
  EXPECT_EQ(Form(p), Form(Sample()));
}

TEST(EquivalenceForm, TheWrittenCountDoesNotMatterTheEffectiveOneDoes) {
  PodSet p = Sample();
  p.count = 9;
  EXPECT_EQ(Form(p), Form(Sample()));
  EXPECT_NE(Form(Sample(), 0, 3), Form(Sample(), 0, 4));
}

TEST(EquivalenceForm, PriorityMatters) { EXPECT_NE(Form(Sample(), 1), Form(Sample(), 2)); }

TEST(EquivalenceForm, EverySchedulingPartMatters) {
  const std::vector<std::function<void(PodSet&)>> changes = {
      [](PodSet& p) { p.name = "x"; },
      [](PodSet& p) { p.min_count = 2; },
      [](PodSet& p) { p.topology.emplace(); },
      [](PodSet& p) {
        p.topology = TopologyRequest{"rack", "", false, {}, ""};
      },
      [](PodSet& p) { p.pods.containers[0].requests["cpu"] = Q("3"); },
      [](PodSet& p) { p.pods.containers.push_back({}); },
      [](PodSet& p) {
        p.pods.init_containers.push_back({"i", {{"cpu", Q("1")}}, {}, false});
      },
      [](PodSet& p) {
        p.pods.pod_requests = {{"cpu", Q("1")}};
      },
      [](PodSet& p) {
        p.pods.overhead = ResourceList{{"cpu", Q("1m")}};
      },
      [](PodSet& p) { p.pods.runtime_class = "kata"; },
      [](PodSet& p) { p.pods.node_selector["zone"] = "b"; },
      [](PodSet& p) { p.pods.required_node_affinity.emplace(); },
      [](PodSet& p) { p.pods.tolerations.clear(); },
  };
  std::set<std::string> forms = {Form(Sample())};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    PodSet p = Sample();
    changes[i](p);
    EXPECT_TRUE(forms.insert(Form(p)).second) << "change " << i;
  }
}

TEST(EquivalenceForm, DefaultsCountAsIfWrittenDown) {
  PodSet explicit_request = Sample();
  explicit_request.pods.containers[0].requests = {{"cpu", Q("4")}};
  PodSet from_limit = Sample();
  from_limit.pods.containers[0].requests = {};
  const Configuration config;
  const std::map<std::string, RuntimeClass> classes;
  const PodTemplate filled = FillDefaults(from_limit.pods, {config, classes, {}});
  const EffectivePodSet effective[] = {{from_limit, filled, 4}};
  EXPECT_EQ(EquivalenceForm(0, PodSetsForm(effective)), Form(explicit_request));
}

TEST(EquivalenceForm, NamesCannotImitateStructure) {
  PodSet p = Sample();
  p.pods.node_selector = {{"a", "x\",\"b\":\"y"}};
  PodSet q = Sample();
  q.pods.node_selector = {{"a", "x"}, {"b", "y"}};
  EXPECT_NE(Form(p), Form(q));
}

}  // namespace
}  // namespace muster
