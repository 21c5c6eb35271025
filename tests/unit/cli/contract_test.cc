// The JSON contract of `schedule -o json`, to the letter.
#include "bindings/lab/contract.h"

#include <gtest/gtest.h>

#include <sstream>

#include "bindings/cli/json.h"

namespace muster::cli {
namespace {

lab::CycleOutcome OneOfEverything() {
  lab::CycleOutcome cycle;
  cycle.result.at = 1767268800 * kSecond;
  PodSetAssignment workers;
  workers.name = "workers";
  workers.count = 2;
  workers.flavors = {{"nvidia.com/gpu", "a100"}, {"cpu", "default"}};
  workers.topology = TopologyAssignment{{"rack", "host"}, {{{"r1", "h1"}, 2}}};
  cycle.result.admitted = {{{"ns", "z"}, {"cq", {workers}}}, {{"ns", "a"}, {"cq", {}}}};
  cycle.result.preempted = {{{"ns", "old"}, PreemptionReason::kInCohortReclamation, {"ns", "new"}}};
  cycle.result.admitted[0].admitted = false;
  cycle.result.evicted = {{{"ns", "late"}, "cq", "PodsReadyTimeout", false}};
  cycle.pending = {
      {{"ns", "seen"},
       "cq",
       true,
       PendingReason::kWaitingForQuota,
       "no room",
       PendingReason::kNone,
       ""},
      {{"ns", "unseen"}, "cq", false, PendingReason::kNone, "", PendingReason::kNone, ""}};
  return cycle;
}

TEST(Contract, PrintsEveryKeyInOrder) {
  std::ostringstream out;
  const lab::CycleOutcome cycle = OneOfEverything();
  JsonListStream steps(out, "steps");
  steps.Add(lab::StepJson(cycle));
  steps.End();
  EXPECT_EQ(out.str(), R"({
  "steps": [
    {
      "at": "2026-01-01T12:00:00Z",
      "admitted": {
        "ns/a": {
          "clusterQueue": "cq",
          "phase": "Admitted",
          "podSets": []
        },
        "ns/z": {
          "clusterQueue": "cq",
          "phase": "QuotaReserved",
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
      "evicted": {
        "ns/late": {
          "clusterQueue": "cq",
          "reason": "PodsReadyTimeout",
          "quotaFree": false
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

TEST(Contract, AListThatIsPrintedStepByStepReadsAsTheWholeObjectWould) {
  const Json step = lab::StepJson(OneOfEverything());
  const Json empty = Json::object();
  for (const Json& steps : {Json::array(), Json::array({step}), Json::array({step, empty, step})}) {
    for (const bool beside : {false, true}) {
      std::ostringstream out;
      JsonListStream stream(out, "steps");
      for (const Json& each : steps) stream.Add(each);
      Json whole = {{"steps", steps}};
      if (beside) {
        stream.AddMember("shadow", step);
        whole["shadow"] = step;
      }
      stream.End();
      std::ostringstream expected;
      PrintJson(expected, whole);
      EXPECT_EQ(out.str(), expected.str());
    }
  }
}

TEST(Contract, AnEmptyCycleHasAllItsKeys) {
  lab::CycleOutcome cycle;
  cycle.result.at = 0;
  EXPECT_EQ(
      lab::StepJson(cycle).dump(),
      R"({"at":"1970-01-01T00:00:00Z","admitted":{},"preempted":{},"evicted":{},"pending":{}})");
}

TEST(Json, BytesThatAreNotUtf8DoNotBreakTheOutput) {
  std::ostringstream out;
  PrintJson(out, Json("caf\xE9"));
  EXPECT_EQ(out.str(), "\"caf\xEF\xBF\xBD\"\n");
}

}  // namespace
}  // namespace muster::cli
