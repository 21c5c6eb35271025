// BoostRule: what policies add to the priority of what waits and of what holds quota - hook boost.
//
// An answer holds until the workload changes or an input that the hook declared does: the time at
// each multiple of `every`, all others in each cycle. Answers and what is still to be asked about
// are part of the state, so a reopened engine asks what the first one would have asked.
//
// A call that fails leaves every queue in which the package gives boosts to the native rule for
// that cycle; the next one asks about all of them again.
#ifndef MUSTER_ENGINE_POLICY_BOOST_RULE_H_
#define MUSTER_ENGINE_POLICY_BOOST_RULE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/policy/policy_table.h"
#include "engine/state/world.h"
#include "muster/decision.h"

namespace muster {

/// What one workload gets from now on.
struct GivenBoost {
  WorkloadId workload;
  std::optional<std::int32_t> boost;  ///< unset: what the native rule says
  bool newcomer = false;              ///< it has changed; else an input has
};

/// Asks about all that is to be asked about now, a call for each queue, and notes that it was.
/// Failures are appended to `failures`. The workloads stay as they are. O(queues) where a policy
/// has the hook, and what is asked about.
std::vector<GivenBoost> AskBoosts(World& world, PolicyTable& table,
                                  std::vector<PolicyFailure>* failures);

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_BOOST_RULE_H_
