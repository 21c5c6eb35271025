// One scenario file as a test: played in an engine of its own, every `expect` compared.
#ifndef MUSTER_BINDINGS_LAB_SCENARIO_SCENARIO_TEST_H_
#define MUSTER_BINDINGS_LAB_SCENARIO_SCENARIO_TEST_H_

#include <cstddef>
#include <string>
#include <vector>

#include "bindings/lab/json.h"
#include "bindings/lab/scenario/expect.h"
#include "bindings/manifest/manifest.h"

namespace muster::lab {

/// An `expect` and what happened in the last cycle of its step.
struct Check {
  manifest::Place place;  ///< of the key `expect`
  std::size_t step = 0;   ///< from 0
  Json expected;
  Json got;  ///< an entry of the JSON contract
  std::vector<Mismatch> mismatches;
};

enum class Verdict {
  kPassed,
  kFailed,   ///< some expectation did not hold
  kBroken,   ///< it could not be played, or not to its end; `checks` are of the cycles before
  kSkipped,  ///< no scenario in it, or one that expects nothing
};

struct TestResult {
  std::string file;
  Verdict verdict = Verdict::kPassed;
  std::vector<Check> checks;
  std::string message;  ///< why it is broken or skipped
};

/// Plays `source`, with the policy packages in `policies` active.
TestResult RunScenarioTest(const manifest::Source& source,
                           const std::vector<std::string>& policies);

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_SCENARIO_SCENARIO_TEST_H_
