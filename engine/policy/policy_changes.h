// What becomes of policies between two cycles: those that keep failing go back, candidates are
// shown what they would be asked.
#ifndef MUSTER_ENGINE_POLICY_POLICY_CHANGES_H_
#define MUSTER_ENGINE_POLICY_POLICY_CHANGES_H_

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/policy/policy_table.h"
#include "engine/state/world.h"
#include "muster/decision.h"
#include "muster/live_batch.h"

namespace muster {

/// Takes packages back to their generation before that failed in as many cycles in a row as the
/// configuration allows; `result` is of the cycle just run and receives what was done.
void RollBackFailing(World& world, PolicyTable& policies, CycleResult& result);

/// Whether some ClusterQueue has quota for what the accounts of a package count, so that they do
/// not stay 0 for ever; as long as there is no ClusterQueue, anything may come. O(queues).
Status CheckAccountResources(const World& world, const PolicyInfo& info);

/// What is in `before` and not in `now`; see PolicyTable::Deciding.
std::vector<StoppedHook> Stopped(const std::set<std::pair<std::string, Hook>>& before,
                                 const std::set<std::pair<std::string, Hook>>& now);

/// What hooks of a package with this `info` would be asked about now, at most `most` items of a
/// batch and in all of a hook. The world stays as it is.
std::vector<LiveBatch> ExportBatches(World& world, const PolicyInfo& info, std::size_t most);

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_POLICY_CHANGES_H_
