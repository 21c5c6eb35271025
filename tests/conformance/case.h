// One conformance case: an input, what the reference scheduler decided on it, and what we do.
#ifndef MUSTER_TESTS_CONFORMANCE_CASE_H_
#define MUSTER_TESTS_CONFORMANCE_CASE_H_

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bindings/lab/player.h"
#include "muster/engine.h"

namespace muster::conformance {

/// Inputs (NAME.yaml with NAME.json beside it) by family, the name before its last dash: those of
/// both folders below `shared`, but for families of the later one that are refused as yet; see
/// floors.txt.
std::map<std::string, std::vector<std::filesystem::path>> FindCases(
    const std::filesystem::path& shared);

struct CaseResult {
  bool decisions = false;  ///< what was admitted where, preempted for what, left pending how
  bool reasons = false;    ///< and every pending reason
  std::string difference;  ///< the first one; empty when both hold
  std::size_t policy_failures = 0;
  std::string first_failure = {};  ///< what the first of them says
};

/// Plays the input and compares every cycle. `between_steps` as in RunScenario; `journal`, if
/// given, is the engine's; each of `policies` is active and bound to everything it defines.
CaseResult RunCase(const std::filesystem::path& input,
                   const std::function<Status(Engine&)>& between_steps = {},
                   Journal* journal = nullptr,
                   const std::vector<std::shared_ptr<Policy>>& policies = {});

/// Whether the recording was made with the lifecycle controller. Where nothing but workloads come
/// and go, it was not; then a workload that was evicted keeps the reason PendingEvaluation until a
/// cycle looks at it, while the controller gives it the reason of its class.
enum class Recorded { kWithController, kWithout };

/// Compares `cycles`, whatever decided them, with what was recorded for `input`. Reasons that only
/// the controller changes are left out with kWithout.
CaseResult CompareWithRecorded(const std::filesystem::path& input,
                               const std::vector<lab::CycleOutcome>& cycles, Recorded recorded);

}  // namespace muster::conformance

#endif  // MUSTER_TESTS_CONFORMANCE_CASE_H_
