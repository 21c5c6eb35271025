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
  std::size_t step = 0;  ///< index of the scenario step that ran it
};

struct ScenarioOutcome {
  std::vector<CycleOutcome> cycles;
  CycleTrace last_trace;  ///< filled when asked for
};

/// Applies the manifests and runs the scenario (without one: a single cycle at `now`). Objects are
/// created in file order, except the workloads that a `submit` step brings. Missing references make
/// objects inactive, as in Kueue. `between_steps` runs after every step (tests reopen ledgers there).
Result<ScenarioOutcome> RunScenario(Engine& engine, const manifest::Manifests& manifests, TimeNs now,
                                    bool trace_last = false,
                                    const std::function<Status(Engine&)>& between_steps = {});

}  // namespace muster

#endif  // MUSTER_BINDINGS_CPP_SCENARIO_RUNNER_H_
