// What an unquoted scalar means.
#include <gtest/gtest.h>

#include "bindings/manifest/yaml_node.h"

namespace muster::manifest {
namespace {

TEST(PlainScalar, TypesFollowYaml11AsKubernetesReadsIt) {
  const auto expect = [](PlainType type, std::initializer_list<const char*> texts) {
    for (const char* text : texts) EXPECT_EQ(PlainTypeOf(text), type) << text;
  };
  expect(PlainType::kNull, {"", "~", "null", "Null", "NULL"});
  expect(PlainType::kBool, {"true", "True", "no", "on", "OFF", "Yes"});
  expect(PlainType::kInt, {"0", "-7", "+3", "0x1F", "0b101", "0o17", "1_000"});
  expect(PlainType::kFloat, {"1.5", ".5", "1.", "1e3", "-2.5E-3", ".inf", "-.Inf", ".nan"});
  expect(PlainType::kText, {"a", "y", "n", "nULL", "500m", "1Gi", "1.2.3", "-", "+", ".", "1e",
                            "2026-01-01T12:00:00Z", "0xZZ", "--1", "tRue", "e3"});
}

TEST(PlainScalar, TruthValues) {
  for (const char* text : {"true", "TRUE", "yes", "On"}) EXPECT_TRUE(PlainBool(text)) << text;
  for (const char* text : {"false", "No", "off"}) EXPECT_FALSE(PlainBool(text)) << text;
}

}  // namespace
}  // namespace muster::manifest
