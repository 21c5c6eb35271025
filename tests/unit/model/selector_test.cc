// Selectors, tolerations and flavor matching, as matrices.
#include "engine/model/selector.h"

#include <gtest/gtest.h>

namespace muster {
namespace {

const LabelMap kLabels = {{"zone", "a"}, {"cores", "8"}, {"empty", ""}};

struct RequirementCase {
  SelectorRequirement requirement;
  bool matches;
};

TEST(Matches, EveryOperatorOnPresentAndMissingKeys) {
  using enum SelectorOp;
  const std::vector<RequirementCase> cases = {
      {{"zone", kIn, {"a", "b"}}, true},
      {{"zone", kIn, {"b"}}, false},
      {{"missing", kIn, {"a"}}, false},
      {{"empty", kIn, {""}}, true},
      {{"zone", kNotIn, {"b"}}, true},
      {{"zone", kNotIn, {"a"}}, false},
      {{"missing", kNotIn, {"a"}}, true},
      {{"zone", kExists, {}}, true},
      {{"missing", kExists, {}}, false},
      {{"zone", kDoesNotExist, {}}, false},
      {{"missing", kDoesNotExist, {}}, true},
      {{"cores", kGt, {"7"}}, true},
      {{"cores", kGt, {"8"}}, false},
      {{"cores", kLt, {"9"}}, true},
      {{"cores", kLt, {"8"}}, false},
      {{"cores", kGt, {"x"}}, false},
      {{"zone", kGt, {"1"}}, false},
      {{"missing", kLt, {"1"}}, false},
      {{"cores", kGt, {}}, false},
      {{"cores", kLt, {"9", "10"}}, false},
  };
  for (const RequirementCase& c : cases) {
    EXPECT_EQ(Matches(c.requirement, kLabels), c.matches)
        << c.requirement.key << " op " << static_cast<int>(c.requirement.op);
  }
}

TEST(Selects, AnEmptySelectorSelectsEverything) {
  EXPECT_TRUE(Selects({}, {}));
  EXPECT_TRUE(Selects({}, kLabels));
}

TEST(Selects, LabelsAndExpressionsMustAllHold) {
  LabelSelector selector;
  selector.match_labels = {{"zone", "a"}};
  selector.match_expressions = {{"cores", SelectorOp::kExists, {}}};
  EXPECT_TRUE(Selects(selector, kLabels));
  selector.match_expressions.push_back({"cores", SelectorOp::kIn, {"4"}});
  EXPECT_FALSE(Selects(selector, kLabels));
  selector.match_expressions.clear();
  selector.match_labels["gone"] = "x";
  EXPECT_FALSE(Selects(selector, kLabels));
}

// ---- tolerations -------------------------------------------------------------------------------

struct TolerationCase {
  Toleration toleration;
  bool tolerates;
};

TEST(Tolerates, KeyValueAndEffectMustAgree) {
  using enum TolerationOp;
  using enum TaintEffect;
  const Taint taint = {"gpu", "yes", kNoSchedule};
  const std::vector<TolerationCase> cases = {
      {{"gpu", kEqual, "yes", kNoSchedule}, true}, {{"gpu", kEqual, "yes", kNone}, true},
      {{"gpu", kEqual, "no", kNone}, false},       {{"gpu", kEqual, "", kNone}, false},
      {{"gpu", kExists, "", kNone}, true},         {{"gpu", kExists, "", kNoExecute}, false},
      {{"cpu", kExists, "", kNone}, false},        {{"", kExists, "", kNone}, true},
      {{"", kExists, "", kNoSchedule}, true},      {{"", kExists, "", kNoExecute}, false},
      {{"", kEqual, "yes", kNone}, true},          {{"", kEqual, "no", kNone}, false},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(Tolerates(std::span(&cases[i].toleration, 1), taint), cases[i].tolerates)
        << "case " << i;
  }
}

TEST(Tolerates, OneOfSeveralIsEnough) {
  const std::vector<Toleration> tolerations = {{"a", TolerationOp::kExists, "", {}},
                                               {"b", TolerationOp::kExists, "", {}}};
  EXPECT_TRUE(Tolerates(tolerations, {"b", "x", TaintEffect::kNoExecute}));
  EXPECT_FALSE(Tolerates(tolerations, {"c", "x", TaintEffect::kNoExecute}));
  EXPECT_FALSE(Tolerates({}, {"c", "x", TaintEffect::kNoExecute}));
}

TEST(Admits, OnlyNoScheduleAndNoExecuteRepel) {
  EXPECT_FALSE(Admits({}, {}, {"k", "v", TaintEffect::kNoSchedule}));
  EXPECT_FALSE(Admits({}, {}, {"k", "v", TaintEffect::kNoExecute}));
  EXPECT_TRUE(Admits({}, {}, {"k", "v", TaintEffect::kPreferNoSchedule}));
}

TEST(Admits, PodAndFlavorTolerateTogether) {
  const std::vector<Toleration> tolerations = {{"k", TolerationOp::kExists, "", {}}};
  const Taint taint = {"k", "v", TaintEffect::kNoSchedule};
  EXPECT_TRUE(Admits(tolerations, {}, taint));
  EXPECT_TRUE(Admits({}, tolerations, taint));
}

// ---- flavors -----------------------------------------------------------------------------------

ResourceFlavor Spot() {
  ResourceFlavor flavor;
  flavor.name = "spot";
  flavor.node_labels = {{"type", "spot"}, {"zone", "a"}};
  return flavor;
}

PodTemplate WithAffinity(std::vector<NodeSelectorTerm> terms) {
  PodTemplate pods;
  pods.required_node_affinity = std::move(terms);
  return pods;
}

NodeSelectorTerm Term(std::vector<SelectorRequirement> requirements) {
  return {std::move(requirements), {}};
}

const SelectorRequirement kSpot = {"type", SelectorOp::kIn, {"spot"}};
const SelectorRequirement kOnDemand = {"type", SelectorOp::kIn, {"on-demand"}};
const SelectorRequirement kForeign = {"rack", SelectorOp::kIn, {"r1"}};

TEST(FlavorMismatch, APodThatAsksForNothingMatches) {
  EXPECT_EQ(FlavorMismatch({}, Spot()), std::nullopt);
  EXPECT_EQ(FlavorMismatch({}, ResourceFlavor{}), std::nullopt);
}

TEST(FlavorMismatch, AnUntoleratedTaintIsNamed) {
  ResourceFlavor flavor = Spot();
  flavor.node_taints = {{"soft", "", TaintEffect::kPreferNoSchedule},
                        {"spot", "y", TaintEffect::kNoExecute}};
  EXPECT_EQ(FlavorMismatch({}, flavor), "untolerated taint spot=y:NoExecute in flavor spot");
  PodTemplate pods;
  pods.tolerations = {{"spot", TolerationOp::kExists, "", {}}};
  EXPECT_EQ(FlavorMismatch(pods, flavor), std::nullopt);
  flavor.tolerations = pods.tolerations;
  EXPECT_EQ(FlavorMismatch({}, flavor), std::nullopt);
}

TEST(FlavorMismatch, NodeSelectorCountsOnlyForKeysOfTheFlavor) {
  PodTemplate pods;
  pods.node_selector = {{"type", "spot"}, {"rack", "r1"}};
  EXPECT_EQ(FlavorMismatch(pods, Spot()), std::nullopt);
  pods.node_selector["zone"] = "b";
  EXPECT_EQ(FlavorMismatch(pods, Spot()), "flavor spot doesn't match node affinity");
  EXPECT_EQ(FlavorMismatch(pods, ResourceFlavor{}), std::nullopt);
}

TEST(FlavorMismatch, RequirementsOfATermAreAnded) {
  EXPECT_EQ(FlavorMismatch(WithAffinity({Term({kSpot, {"zone", SelectorOp::kIn, {"a"}}})}), Spot()),
            std::nullopt);
  EXPECT_NE(FlavorMismatch(WithAffinity({Term({kSpot, {"zone", SelectorOp::kIn, {"b"}}})}), Spot()),
            std::nullopt);
}

TEST(FlavorMismatch, TermsAreOred) {
  EXPECT_EQ(FlavorMismatch(WithAffinity({Term({kOnDemand}), Term({kSpot})}), Spot()), std::nullopt);
  EXPECT_NE(FlavorMismatch(WithAffinity({Term({kOnDemand}), Term({kOnDemand})}), Spot()),
            std::nullopt);
}

TEST(FlavorMismatch, ATermThatLosesAllExpressionsMatchesEverything) {
  EXPECT_EQ(FlavorMismatch(WithAffinity({Term({kOnDemand}), Term({kForeign})}), Spot()),
            std::nullopt);
  EXPECT_NE(FlavorMismatch(WithAffinity({Term({kOnDemand, kForeign})}), Spot()), std::nullopt);
}

TEST(FlavorMismatch, EmptyTermsAndMatchFieldsNeverExclude) {
  EXPECT_EQ(FlavorMismatch(WithAffinity({}), Spot()), std::nullopt);
  EXPECT_EQ(FlavorMismatch(WithAffinity({Term({})}), Spot()), std::nullopt);
  NodeSelectorTerm fields;
  fields.match_fields = {{"metadata.name", SelectorOp::kIn, {"node-1"}}};
  EXPECT_EQ(FlavorMismatch(WithAffinity({fields}), Spot()), std::nullopt);
  fields.match_expressions = {kOnDemand};
  EXPECT_NE(FlavorMismatch(WithAffinity({fields}), Spot()), std::nullopt);
}

TEST(FlavorMismatch, NodeSelectorAndAffinityMustBothMatch) {
  PodTemplate pods = WithAffinity({Term({kForeign})});
  pods.node_selector = {{"type", "on-demand"}};
  EXPECT_NE(FlavorMismatch(pods, Spot()), std::nullopt);
}

TEST(FlavorMismatch, WiderKeysMakeMoreRequirementsCount) {
  const PodTemplate pods = WithAffinity({Term({kForeign})});
  EXPECT_EQ(FlavorMismatch(pods, Spot(), {"type"}), std::nullopt);
  EXPECT_NE(FlavorMismatch(pods, Spot(), {"type", "rack"}), std::nullopt);
}

TEST(LabelKeys, AreThoseOfTheNodeLabels) {
  EXPECT_EQ(LabelKeys(Spot()), (std::set<std::string>{"type", "zone"}));
}

}  // namespace
}  // namespace muster
