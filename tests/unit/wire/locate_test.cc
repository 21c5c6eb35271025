// What the engine says of a field of a manifest is told at the value of the command.
#include <gtest/gtest.h>

#include <string>

#include "bindings/wire/wire.h"

namespace muster::wire {
namespace {

constexpr const char* kCommands = R"([{"command":"cycle"},
{"command":"apply","objects":[
{"kind":"LocalQueue","key":{"namespace":"a","name":"b"},"clusterQueue":"none"},
{"kind":"Workload","key":{"namespace":"a","name":"w"},"queue":"b",
 "podSets":[{"name":"main","pods":{"containers":[{"name":"c",
  "requests":{"nvidia.com/gpu":"-1"}}]}}]}]}])";

std::string Told(std::size_t command, std::size_t object, const std::string& field) {
  const Problem problem{object, field, "it is wrong", "right it"};
  return Locate(kCommands, command, &problem).ToString();
}

TEST(Locate, AFieldHasThePathOfTheCommandAndItsLine) {
  EXPECT_EQ(Told(1, 0, "spec.clusterQueue"),
            "3:72: [1].objects[0].clusterQueue: it is wrong; right it");
  EXPECT_EQ(Told(1, 0, "metadata.name"), "3:52: [1].objects[0].key.name: it is wrong; right it");
  EXPECT_EQ(Told(1, 1, "spec.queueName"), "4:63: [1].objects[1].queue: it is wrong; right it");
  EXPECT_EQ(
      Told(1, 1, "spec.podSets[0].template.spec.containers[0].resources.requests[nvidia.com/gpu]"),
      "6:32: [1].objects[1].podSets[0].pods.containers[0].requests[\"nvidia.com/gpu\"]: it is "
      "wrong; right it");
}

TEST(Locate, OneThatIsNotWrittenIsToldAtWhatItBelongsTo) {
  EXPECT_EQ(Told(1, 0, "spec.fairSharing.weight"),
            "3:1: [1].objects[0]: fairWeight: it is wrong; right it");
  EXPECT_EQ(Told(1, 1, "spec.podSets[0].minCount"),
            "5:13: [1].objects[1].podSets[0]: minCount: it is wrong; right it");
  EXPECT_EQ(Told(1, 1, "spec.podSets[7].count"),
            "5:12: [1].objects[1].podSets: [7].count: it is wrong; right it");
  EXPECT_EQ(Told(1, 9, "spec.x"), "2:30: [1].objects: spec.x: it is wrong; right it");
}

TEST(Locate, ACommandAloneOrInAList) {
  EXPECT_EQ(Locate(kCommands, 1).line, 2);
  EXPECT_EQ(Locate("\n{\"command\":\"cycle\"}", 0).line, 2);
}

}  // namespace
}  // namespace muster::wire
