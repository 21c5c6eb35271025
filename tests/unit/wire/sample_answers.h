// One answer of every kind with something in every field.
#ifndef MUSTER_TESTS_UNIT_WIRE_SAMPLE_ANSWERS_H_
#define MUSTER_TESTS_UNIT_WIRE_SAMPLE_ANSWERS_H_

#include <vector>

#include "muster/command.h"
#include "tests/unit/model/sample_objects.h"

namespace muster {

inline std::vector<Answer> SampleAnswers() {
  const Key key = {"team-a", "train"};
  const PolicyFailure failure = {"p", "submit", "cq", "policy.lua:3: it fails", 7, 8, 9, key};
  CycleResult cycle;
  cycle.cycle = 9'007'199'254'740'993;  // no double
  cycle.at = 1'767'268'800 * kSecond;
  cycle.admitted = {{key, *SampleWorkload().status.admission, false}};
  cycle.preempted = {{key, PreemptionReason::kInCohortReclamation, {"team-b", "x"}}};
  cycle.evicted = {{key, "cq", "PodsReadyTimeout", true}};
  cycle.policy_failures = {failure};
  cycle.rolled_back = {{"p", "old", "new", "it failed"}};
  cycle.at_rest = true;
  Decision start;
  start.number = 12;
  start.kind = DecisionKind::kStartAgain;
  start.at = 1'767'268'800 * kSecond;
  start.cycle = 4;
  start.workload = key;
  start.uid = "0007";
  start.run = 2;
  start.admission = *SampleWorkload().status.admission;
  Decision stop = start;
  stop.number = 13;
  stop.kind = DecisionKind::kMakeRoom;
  stop.reason = "Preempted";
  stop.by = {"team-b", "x"};
  stop.stop = true;
  stop.admission.reset();
  return {answer::Done{},
          answer::Applied{{Applied::kCreated, Applied::kUnchanged},
                          {failure},
                          {{1, "metadata.name", "it has ended", "cancel it"}}},
          answer::Phase{WorkloadPhase::kEvicting},
          answer::Activated{{{"p", Hook::kVictim}}},
          cycle,
          answer::Cursor{"gateway", 9, 13},
          answer::Decisions{{start, stop}, 13}};
}

}  // namespace muster

#endif  // MUSTER_TESTS_UNIT_WIRE_SAMPLE_ANSWERS_H_
