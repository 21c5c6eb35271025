// The JSON contract of `schedule -o json`, to the letter.
#include "bindings/cli/world/contract.h"

#include <gtest/gtest.h>

#include <sstream>

namespace muster::cli {
namespace {

CycleOutcome OneOfEverything() {
  CycleOutcome cycle;
  cycle.result.at = 1767268800 * kSecond;
  PodSetAssignment workers;
  workers.name = "workers";
  workers.count = 2;
  workers.flavors = {{"nvidia.com/gpu", "a100"}, {"cpu", "default"}};
  workers.topology = TopologyAssignment{{"rack", "host"}, {{{"r1", "h1"}, 2}}};
  cycle.result.admitted = {{{"ns", "z"}, {"cq", {workers}}}, {{"ns", "a"}, {"cq", {}}}};
  cycle.result.preempted = {{{"ns", "old"}, PreemptionReason::kInCohortReclamation, {"ns", "new"}}};
  cycle.pending = {{{"ns", "seen"}, "cq", true, PendingReason::kWaitingForQuota, "no room"},
                   {{"ns", "unseen"}, "cq", false, PendingReason::kNone, ""}};
  return cycle;
}

TEST(Contract, PrintsEveryKeyInOrder) {
  std::ostringstream out;
  const CycleOutcome cycle = OneOfEverything();
  PrintJson(out, OutcomeJson(std::span(&cycle, 1)));
  EXPECT_EQ(out.str(), R"({
  "steps": [
    {
      "at": "2026-01-01T12:00:00Z",
      "admitted": {
        "ns/a": {
          "clusterQueue": "cq",
          "podSets": []
        },
        "ns/z": {
          "clusterQueue": "cq",
          "podSets": [
            {
              "name": "workers",
              "count": 2,
              "flavors": {
                "cpu": "default",
                "nvidia.com/gpu": "a100"
              },
              "topology": {
                "levels": [
                  "rack",
                  "host"
                ],
                "domains": [
                  {
                    "values": [
                      "r1",
                      "h1"
                    ],
                    "count": 2
                  }
                ]
              }
            }
          ]
        }
      },
      "preempted": {
        "ns/old": {
          "reason": "InCohortReclamation",
          "by": "ns/new"
        }
      },
      "pending": {
        "ns/seen": {
          "clusterQueue": "cq",
          "parked": true,
          "reason": "WaitingForQuota",
          "message": "no room"
        },
        "ns/unseen": {
          "clusterQueue": "cq",
          "parked": false
        }
      }
    }
  ]
}
)");
}

TEST(Contract, NoCycleIsAnEmptyList) { EXPECT_EQ(OutcomeJson({}).dump(), R"({"steps":[]})"); }

TEST(Contract, AnEmptyCycleHasAllItsKeys) {
  CycleOutcome cycle;
  cycle.result.at = 0;
  EXPECT_EQ(StepJson(cycle).dump(),
            R"({"at":"1970-01-01T00:00:00Z","admitted":{},"preempted":{},"pending":{}})");
}

TEST(Json, BytesThatAreNotUtf8DoNotBreakTheOutput) {
  std::ostringstream out;
  PrintJson(out, Json("caf\xE9"));
  EXPECT_EQ(out.str(), "\"caf\xEF\xBF\xBD\"\n");
}

}  // namespace
}  // namespace muster::cli
