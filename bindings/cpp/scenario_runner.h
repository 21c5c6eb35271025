// Runs the steps of a Scenario against an engine on the scenario's own clock.
#ifndef MUSTER_BINDINGS_CPP_SCENARIO_RUNNER_H_
#define MUSTER_BINDINGS_CPP_SCENARIO_RUNNER_H_

#include <functional>
#include <string>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "muster/engine.h"

namespace muster {

/// What one cycle of a scenario left behind: one entry of the `steps` of the JSON contract.
struct CycleOutcome {
  CycleResult result;
  std::vector<PendingWorkload> pending;
  std::size_t step = 0;                      ///< index of the scenario step that ran it
  std::vector<WorkloadView> workloads = {};  ///< all of them, when the step expects some
  /// Workloads submitted since the cycle before that were taken as they came: hook submit failed.
  std::vector<PolicyFailure> submit_failures = {};
};

struct ScenarioOutcome {
  std::vector<CycleOutcome> cycles;
  CycleTrace last_trace;  ///< filled when asked for
};

/// Takes each cycle as it ends. What is not OK ends the run and is its Status.
using CycleSink = std::function<Status(CycleOutcome)>;
/// Keeps them all in `cycles`.
CycleSink KeepIn(std::vector<CycleOutcome>* cycles);

/// One cycle at `now` and what is pending after it.
Result<CycleOutcome> RunOneCycle(Engine& engine, TimeNs now, CycleTrace* trace = nullptr);

/// Applies the manifests and runs the scenario (without one: a single cycle at `now`). Objects are
/// created in file order, except the workloads that a `submit` step brings. Missing references make
/// objects inactive, as in Kueue, except that a missing Namespace is created. A mistake in the
/// objects comes back with its Problems, one in a step with the step's place in its message.
/// `between_steps` runs after every step and may replace the engine (tests reopen ledgers there).
/// With a `sink` the outcome holds no cycle: memory does not grow with their number.
Result<ScenarioOutcome> RunScenario(Engine& engine, const manifest::Manifests& manifests,
                                    TimeNs now, bool trace_last = false,
                                    const std::function<Status(Engine&)>& between_steps = {},
                                    const CycleSink& sink = {});

}  // namespace muster

#endif  // MUSTER_BINDINGS_CPP_SCENARIO_RUNNER_H_
