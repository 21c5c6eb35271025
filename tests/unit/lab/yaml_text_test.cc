// YAML that reads back as the JSON it was made from.
#include "bindings/lab/yaml_text.h"

#include <gtest/gtest.h>

#include <string>

namespace muster::lab {
namespace {

TEST(FlowYaml, QuotesWhatAReaderCouldTakeForSomethingElse) {
  EXPECT_EQ(FlowYaml(Json("nvidia.com/gpu")), "nvidia.com/gpu");
  EXPECT_EQ(FlowYaml(Json("true")), "\"true\"");
  EXPECT_EQ(FlowYaml(Json("No")), "\"No\"");
  EXPECT_EQ(FlowYaml(Json("3")), "\"3\"");
  EXPECT_EQ(FlowYaml(Json("2026-01-01T12:00:00Z")), "\"2026-01-01T12:00:00Z\"");
  EXPECT_EQ(FlowYaml(Json("")), "\"\"");
  EXPECT_EQ(FlowYaml(Json("a: b")), "\"a: b\"");
  EXPECT_EQ(FlowYaml(Json("say \"x\"")), "\"say \\\"x\\\"\"");
  EXPECT_EQ(FlowYaml(Json(nullptr)), "null");
  EXPECT_EQ(FlowYaml(Json::parse(R"({"a": [1, true, "x"], "b": {}})")), "{a: [1, true, x], b: {}}");
}

TEST(BlockYaml, NestsMapsAndLists) {
  const Json json = Json::parse(R"({
    "kind": "ClusterQueue",
    "spec": {"groups": [{"covered": ["cpu", "memory"], "flavors": [{"name": "spot", "of": {}}]}]},
    "list": [[1, 2], []]})");
  EXPECT_EQ(BlockYaml(json),
            "kind: ClusterQueue\n"
            "spec:\n"
            "  groups:\n"
            "  - covered: [cpu, memory]\n"
            "    flavors:\n"
            "    - {name: spot, of: {}}\n"
            "list:\n"
            "- [1, 2]\n"
            "- []\n");
}

TEST(BlockYaml, IndentsEveryLine) {
  EXPECT_EQ(BlockYaml(Json::parse(R"({"a": {"b": {"c": 1}}})"), 4), "    a:\n      b: {c: 1}\n");
  EXPECT_EQ(BlockYaml(Json::object(), 2), "  {}\n");
}

TEST(BlockYaml, BreaksALineThatWouldBeTooLong) {
  Json json;
  for (int i = 0; i < 12; ++i) json["map"]["a-rather-long-key-" + std::to_string(i)] = i;
  const std::string text = BlockYaml(json);
  EXPECT_TRUE(text.starts_with("map:\n  a-rather-long-key-0: 0\n")) << text;
}

}  // namespace
}  // namespace muster::lab
