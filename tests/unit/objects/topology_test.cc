// Topology annotations of a template, condition by condition: what the podset's request becomes of
// them, and which field is refused for which reason.
#include "bindings/objects/topology.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/objects/kind.h"
#include "bindings/objects/value.h"
#include "tests/unit/objects/json.h"

namespace muster::objects {
namespace {

constexpr const char* kPrefix = "kueue.x-k8s.io/podset-";

/// {"required-topology": "rack"} with the full names of Kueue.
Value TemplateWith(const std::string& marks) {
  Value annotations = Value::Map();
  for (const auto& [name, text] : Json(marks).entries) {
    annotations.Set(kPrefix + name, text);
  }
  Value pods = Value::Map();
  pods.Make("metadata").Set("annotations", annotations);
  return pods;
}

// ---- what becomes of them ----------------------------------------------------------------------

struct Request {
  const char* rule;
  const char* marks;
  const char* request;  ///< empty: none; "!": podsets fail
};

std::string RequestOf(const std::string& marks, const Setting& setting = {},
                      const char* kind_part = "{}") {
  JobPodSet set;
  set.pod_template = TemplateWith(marks);
  set.topology_labels = Json(kind_part);
  if (!ReadTopology(&set, setting).empty()) return "!";
  return set.topology.IsNull() ? "" : ToJson(set.topology);
}

class TopologyRequest : public ::testing::TestWithParam<Request> {};

TEST_P(TopologyRequest, IsReadFromTheAnnotations) {
  EXPECT_EQ(RequestOf(GetParam().marks), GetParam().request) << GetParam().marks;
}

constexpr const char* kSizeTwo = R"({"podSetSliceRequiredTopology":"rack","podSetSliceSize":2})";
const std::vector<Request>& Requests() {
  static const std::vector<Request> kRequests = {
      {"Nothing", "{}", ""},
      {"Required", R"({"required-topology": "rack"})", R"({"required":"rack"})"},
      {"Preferred", R"({"preferred-topology": "rack"})", R"({"preferred":"rack"})"},
      {"RequiredFirst", R"({"preferred-topology": "a", "required-topology": "b"})",
       R"({"required":"b"})"},
      {"PreferredSecond", R"({"unconstrained-topology": "true", "preferred-topology": "a"})",
       R"({"preferred":"a"})"},
      {"BadBoolUnread", R"({"unconstrained-topology": "maybe", "preferred-topology": "a"})",
       R"({"preferred":"a"})"},
      {"BoolOne", R"({"unconstrained-topology": "1"})", R"({"unconstrained":true})"},
      {"BoolSmallT", R"({"unconstrained-topology": "t"})", R"({"unconstrained":true})"},
      {"BoolLargeT", R"({"unconstrained-topology": "T"})", R"({"unconstrained":true})"},
      {"BoolTRUE", R"({"unconstrained-topology": "TRUE"})", R"({"unconstrained":true})"},
      {"BoolTrue", R"({"unconstrained-topology": "True"})", R"({"unconstrained":true})"},
      {"BoolZero", R"({"unconstrained-topology": "0"})", R"({"unconstrained":false})"},
      {"BoolF", R"({"unconstrained-topology": "F"})", R"({"unconstrained":false})"},
      {"BoolFALSE", R"({"unconstrained-topology": "FALSE"})", R"({"unconstrained":false})"},
      {"BoolOther", R"({"unconstrained-topology": "tRUE"})", "!"},
      {"BoolYes", R"({"unconstrained-topology": "yes"})", "!"},
      {"BoolEmpty", R"({"unconstrained-topology": ""})", "!"},
      {"BoolBlank", R"({"unconstrained-topology": " true"})", "!"},
      {"Slice", R"({"slice-required-topology": "rack", "slice-size": "2"})", kSizeTwo},
      {"SliceSign", R"({"slice-required-topology": "rack", "slice-size": "+2"})", kSizeTwo},
      {"SliceZeros", R"({"slice-required-topology": "rack", "slice-size": "0002"})", kSizeTwo},
      {"SliceNegative", R"({"slice-required-topology": "rack", "slice-size": "-2"})",
       R"({"podSetSliceRequiredTopology":"rack","podSetSliceSize":-2})"},
      {"SliceTwoSigns", R"({"slice-required-topology": "rack", "slice-size": "+-2"})", "!"},
      {"SliceHex", R"({"slice-required-topology": "rack", "slice-size": "0x2"})", "!"},
      {"SliceGrouped", R"({"slice-required-topology": "rack", "slice-size": "1_0"})", "!"},
      {"SliceBlank", R"({"slice-required-topology": "rack", "slice-size": "2 "})", "!"},
      {"SliceEmpty", R"({"slice-required-topology": "rack", "slice-size": ""})", "!"},
      {"SliceMost", R"({"slice-required-topology": "rack", "slice-size": "2147483647"})",
       R"({"podSetSliceRequiredTopology":"rack","podSetSliceSize":2147483647})"},
      {"SliceOverflow", R"({"slice-required-topology": "rack", "slice-size": "2147483648"})", "!"},
      {"SliceSizeAlone", R"({"slice-size": "2"})", ""},
      {"SliceLevelAlone", R"({"slice-required-topology": "rack"})", ""},
      {"Group", R"({"required-topology": "rack", "group-name": "g"})",
       R"({"required":"rack","podSetGroupName":"g"})"},
      {"GroupPreferred", R"({"preferred-topology": "rack", "group-name": "g"})",
       R"({"preferred":"rack","podSetGroupName":"g"})"},
      {"GroupUnconstrained", R"({"unconstrained-topology": "true", "group-name": "g"})",
       R"({"unconstrained":true})"},
      {"GroupAlone", R"({"group-name": "g"})", ""},
  };
  return kRequests;
}
INSTANTIATE_TEST_SUITE_P(Rules, TopologyRequest, ::testing::ValuesIn(Requests()),
                         [](const auto& param) { return param.param.rule; });

TEST(TopologyRequests, TheKindsPartStandsAlsoWithoutAnyAnnotation) {
  EXPECT_EQ(RequestOf("{}", {}, R"({"podIndexLabel": "i"})"), R"({"podIndexLabel":"i"})");
  EXPECT_EQ(RequestOf(R"({"group-name": "g"})", {}, R"({"podIndexLabel": "i"})"),
            R"({"podIndexLabel":"i"})");
}

TEST(TopologyRequests, WithoutTheGateThereIsNone) {
  Setting setting;
  setting.gates["TopologyAwareScheduling"] = false;
  EXPECT_EQ(RequestOf(R"({"required-topology": "rack"})", setting, R"({"podIndexLabel": "i"})"),
            "");
  EXPECT_EQ(RequestOf(R"({"unconstrained-topology": "maybe"})", setting), "");
}

// ---- layers ------------------------------------------------------------------------------------

/// The request of an annotation that is this JSON.
std::string LayersOf(const std::string& json, bool gate = true) {
  Setting setting;
  setting.gates["TASMultiLayerTopology"] = gate;
  JobPodSet set;
  set.pod_template.Make("metadata")
      .Make("annotations")
      .Set(std::string(kPrefix) + "slice-required-topology-constraints", Value::Text(json));
  if (!ReadTopology(&set, setting).empty()) return "!";
  return ToJson(set.topology.At("podsetSliceRequiredTopologyConstraints"));
}

TEST(TopologyLayers, AreReadAsGoReadsJson) {
  const std::string one = R"([{"topology":"rack","size":2}])";
  EXPECT_EQ(LayersOf(one), one);
  EXPECT_EQ(LayersOf(one, /*gate=*/false), "null");
  EXPECT_EQ(LayersOf(R"([{"topology": "rack", "size": 2, "weight": {"a": [1]}}])"), one)
      << "unknown keys are passed by";
  EXPECT_EQ(LayersOf(R"([{"Topology": "rack", "SIZE": 2}])"), one) << "whatever the case";
  EXPECT_EQ(LayersOf(R"([{"topology": "a", "size": 9, "topology": "rack", "size": 2}])"), one)
      << "the last one counts";
  EXPECT_EQ(LayersOf(R"([{"topology": "rack", "size": 2, "size": null}])"), one);
  EXPECT_EQ(LayersOf(R"([{"topology": "r\u0061ck", "size": 2}])"), one);
  EXPECT_EQ(LayersOf("[null]"), "[{}]");
  EXPECT_EQ(LayersOf("[{}]"), "[{}]");
  EXPECT_EQ(LayersOf("[{},{},{}]"), "[{},{},{}]");
  EXPECT_EQ(LayersOf(R"([{"size": -1}])"), R"([{"size":-1}])");
}

TEST(TopologyLayers, ThatAreNoneMakePodSetsFail) {
  for (const char* json : {"",
                           "null",
                           "[]",
                           "[{},{},{},{}]",
                           "{}",
                           "2",
                           "[",
                           "[{}",
                           "[{}],",
                           "[{}] x",
                           "[1]",
                           "['a']",
                           R"([{"topology": 1}])",
                           R"([{"size": "2"}])",
                           R"([{"size": 2.0}])",
                           R"([{"size": 2e0}])",
                           R"([{"size": 02}])",
                           R"([{"size": +2}])",
                           R"([{"size": 2.}])",
                           R"([{"size": .5}])",
                           R"([{"size": 2147483648}])",
                           R"([{"size": -2147483649}])",
                           R"([{"size": -}])",
                           R"([{"topology": "a\x"}])",
                           "[{\"topology\": \"a\nb\"}]",
                           R"([{"topology": "a", }])"}) {
    EXPECT_EQ(LayersOf(json), "!") << json;
  }
}

// ---- what is refused ---------------------------------------------------------------------------

struct Refusal {
  const char* rule;
  const char* marks;
  std::vector<std::string> errors;  ///< "Type key", "" for the annotations themselves
};

std::vector<std::string> ErrorsOf(const std::string& marks, std::int64_t count = 4) {
  Setting setting;
  setting.gates["TASMultiLayerTopology"] = true;
  FieldErrors errors;
  CheckTopology(TemplateWith(marks), "T", count, setting, &errors);
  std::vector<std::string> out;
  for (const FieldError& error : errors) {
    EXPECT_FALSE(error.what.empty());
    EXPECT_FALSE(error.cure.empty());
    std::string field = error.field;
    for (const std::string& part : {std::string("T.annotations"), "[" + std::string(kPrefix)}) {
      const std::size_t at = field.find(part);
      if (at != field.npos) field.erase(at, part.size());
    }
    constexpr std::string_view kAll = "FieldValue";
    EXPECT_TRUE(error.type.starts_with(kAll)) << error.type;
    out.push_back(error.type.substr(kAll.size()) + " " + field);
  }
  std::sort(out.begin(), out.end());
  return out;
}

class TopologyRules : public ::testing::TestWithParam<Refusal> {};

TEST_P(TopologyRules, RefuseOneField) {
  std::vector<std::string> expected = GetParam().errors;
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(ErrorsOf(GetParam().marks), expected) << GetParam().marks;
}

constexpr const char* kLayers = "slice-required-topology-constraints]";
/// Layers, as an annotation in JSON.
#define MUSTER_LAYERS(json) R"({"slice-required-topology-constraints": ")" json R"("})"

const std::vector<Refusal>& Refusals() {
  const std::string size = "slice-size]";
  const std::string group = "group-name]";
  static const std::vector<Refusal> kRefusals = {
      {"Nothing", "{}", {}},
      {"OneMode", R"({"required-topology": "a.b/c"})", {}},
      {"TwoModes", R"({"required-topology": "a", "preferred-topology": "a"})", {"Invalid "}},
      {"ThreeModes",
       R"({"required-topology": "a", "preferred-topology": "a", "unconstrained-topology": "true"})",
       {"Invalid "}},
      {"UnconstrainedBeside",
       R"({"unconstrained-topology": "false", "preferred-topology": "a"})",
       {"Invalid "}},
      {"RequiredName", R"({"required-topology": "a b"})", {"Invalid required-topology]"}},
      {"RequiredEmpty", R"({"required-topology": ""})", {"Invalid required-topology]"}},
      {"RequiredTwoSlashes", R"({"required-topology": "a/b/c"})", {"Invalid required-topology]"}},
      {"RequiredPrefix", R"({"required-topology": "A/b"})", {"Invalid required-topology]"}},
      {"PreferredName", R"({"preferred-topology": "-a"})", {"Invalid preferred-topology]"}},
      {"Bool", R"({"unconstrained-topology": "on"})", {"Invalid unconstrained-topology]"}},
      {"SliceName",
       R"({"slice-required-topology": "a b", "slice-size": "2"})",
       {"Invalid slice-required-topology]"}},
      {"SliceZero", R"({"slice-required-topology": "a", "slice-size": "0"})", {"Invalid " + size}},
      {"SliceMinus",
       R"({"slice-required-topology": "a", "slice-size": "-1"})",
       {"Invalid " + size}},
      {"SliceText",
       R"({"slice-required-topology": "a", "slice-size": "two"})",
       {"Invalid " + size}},
      {"SliceOverflow",
       R"({"slice-required-topology": "a", "slice-size": "4294967297"})",
       {"Invalid " + size}},
      {"SliceWhole", R"({"slice-required-topology": "a", "slice-size": "4"})", {}},
      {"SliceTooLarge",
       R"({"slice-required-topology": "a", "slice-size": "5"})",
       {"Invalid " + size}},
      {"SliceNoSize", R"({"slice-required-topology": "a"})", {"Required " + size}},
      {"SliceNoLevel", R"({"slice-size": "2"})", {"Forbidden " + size}},
      {"GroupNumber", R"({"required-topology": "a", "group-name": "12"})", {"Invalid " + group}},
      {"GroupDigitsFirst", R"({"required-topology": "a", "group-name": "12a"})", {}},
      {"GroupWithoutMode", R"({"group-name": "g"})", {"Forbidden " + group}},
      {"GroupUnconstrained",
       R"({"unconstrained-topology": "true", "group-name": "g"})",
       {"Forbidden " + group}},
      {"GroupAndSlices",
       R"({"required-topology": "a", "group-name": "g", "slice-required-topology": "a",
           "slice-size": "2"})",
       {"Forbidden " + group, "Forbidden " + group}},
      {"GroupAndLayers",
       R"({"required-topology": "a", "group-name": "g",
           "slice-required-topology-constraints": "[{\"topology\":\"a\",\"size\":2}]"})",
       {"Forbidden " + group}},
      {"LayersAndSlices",
       R"({"slice-required-topology": "a", "slice-size": "2",
           "slice-required-topology-constraints": "[{\"topology\":\"a\",\"size\":2}]"})",
       {std::string("Forbidden ") + kLayers, std::string("Forbidden ") + kLayers}},
      {"LayersBad", MUSTER_LAYERS("[{]"), {std::string("Invalid ") + kLayers}},
      {"LayersNone", MUSTER_LAYERS("[]"), {std::string("Invalid ") + kLayers}},
      {"LayersFour", MUSTER_LAYERS("[{},{},{},{}]"), {std::string("Invalid ") + kLayers}},
      {"LayerEmpty",
       MUSTER_LAYERS("[null]"),
       {std::string("Invalid ") + kLayers + "[0].topology",
        std::string("Invalid ") + kLayers + "[0].size"}},
      {"LayerName",
       MUSTER_LAYERS(R"([{\"topology\":\"a b\",\"size\":2}])"),
       {std::string("Invalid ") + kLayers + "[0].topology"}},
      {"LayerTwice",
       MUSTER_LAYERS(R"([{\"topology\":\"a\",\"size\":2},{\"topology\":\"a\",\"size\":1}])"),
       {std::string("Duplicate ") + kLayers + "[1].topology"}},
      {"LayerNoDivisor",
       MUSTER_LAYERS(R"([{\"topology\":\"a\",\"size\":4},{\"topology\":\"b\",\"size\":3}])"),
       {std::string("Invalid ") + kLayers + "[1].size"}},
      {"LayerTooLarge",
       MUSTER_LAYERS(R"([{\"topology\":\"a\",\"size\":5}])"),
       {std::string("Invalid ") + kLayers}},
  };
  return kRefusals;
}
INSTANTIATE_TEST_SUITE_P(Rules, TopologyRules, ::testing::ValuesIn(Refusals()),
                         [](const auto& param) { return param.param.rule; });

TEST(TopologyRules, APodHasNoCountThatBindsItsSlices) {
  EXPECT_TRUE(ErrorsOf(R"({"slice-required-topology": "a", "slice-size": "99"})", -1).empty());
}

// ---- groups ------------------------------------------------------------------------------------

JobPodSet MemberOf(const std::string& marks, std::int64_t count) {
  JobPodSet set;
  set.pod_template = TemplateWith(marks);
  set.count = count;
  set.field = "T";
  EXPECT_EQ(ReadTopology(&set, Setting()), "");
  return set;
}

std::size_t GroupErrors(std::vector<JobPodSet> members) {
  FieldErrors errors;
  CheckPodSetGroups({std::move(members), ""}, &errors);
  return errors.size();
}

TEST(TopologyGroups, AreOfTwoPodSetsOneOfThemASinglePodWithOneMode) {
  const std::string group = R"({"required-topology": "a", "group-name": "g"})";
  EXPECT_EQ(GroupErrors({MemberOf(group, 1), MemberOf(group, 4)}), 0U);
  EXPECT_EQ(GroupErrors({MemberOf(group, 4)}), 1U);
  EXPECT_EQ(GroupErrors({MemberOf(group, 1), MemberOf(group, 1), MemberOf(group, 1)}), 3U);
  EXPECT_EQ(GroupErrors({MemberOf(group, 2), MemberOf(group, 4)}), 2U);
  EXPECT_EQ(GroupErrors({MemberOf(group, 1),
                         MemberOf(R"({"required-topology": "b", "group-name": "g"})", 4)}),
            2U);
  EXPECT_EQ(GroupErrors({MemberOf(group, 1),
                         MemberOf(R"({"preferred-topology": "a", "group-name": "g"})", 4)}),
            2U);
}

}  // namespace
}  // namespace muster::objects
