// Plays manifests and the steps of their Scenario, on the scenario's own clock.
#ifndef MUSTER_BINDINGS_LAB_SCENARIO_SCENARIO_H_
#define MUSTER_BINDINGS_LAB_SCENARIO_SCENARIO_H_

#include <functional>
#include <vector>

#include "bindings/lab/player.h"
#include "bindings/manifest/manifest.h"
#include "muster/engine.h"

namespace muster::lab {

/// When the Scenario of `manifests` begins; without one, or one that does not say, `otherwise`.
TimeNs BeginOf(const manifest::Manifests& manifests, TimeNs otherwise);

/// Creates the objects in file order, except the workloads that a step submits. Missing references
/// make objects inactive, as in Kueue, except that a missing Namespace is created. A mistake comes
/// back with its Problems.
Status CreateObjects(const manifest::Manifests& manifests, Player& player);

/// Plays the steps. A mistake comes back with the step's place in its message. `between_steps` runs
/// after every step and may put another engine behind the player's (tests reopen ledgers there).
Status PlaySteps(const manifest::Scenario& scenario, Player& player,
                 const std::function<Status(Engine&)>& between_steps = {});

struct ScenarioOutcome {
  std::vector<CycleOutcome> cycles;
  CycleTrace last_trace;  ///< filled when asked for
};

/// Both of the above; without a scenario a single cycle at `now`.
Result<ScenarioOutcome> RunScenario(Engine& engine, const manifest::Manifests& manifests,
                                    TimeNs now, bool trace_last = false,
                                    const std::function<Status(Engine&)>& between_steps = {});

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_SCENARIO_SCENARIO_H_
