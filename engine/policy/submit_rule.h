// Hook submit: what a policy says about jobs that arrive, before anything is stored.
//
// It changes only what the submitter could have written: priority, LocalQueue of the same
// namespace, labels. One that fails accepts the job as it came, unless its package says it rejects
// then.
#ifndef MUSTER_ENGINE_POLICY_SUBMIT_RULE_H_
#define MUSTER_ENGINE_POLICY_SUBMIT_RULE_H_

#include <vector>

#include "engine/policy/policy_table.h"
#include "engine/state/world.h"
#include "muster/decision.h"
#include "muster/object.h"

namespace muster {

/// Asks about each workload among `objects` that holds nothing and whose LocalQueue exists, and
/// changes it as its policy says. Rejections are appended to `problems`, failures to `failures`.
void AskSubmit(World& world, PolicyTable& table, std::vector<Object>& objects,
               std::vector<Problem>& problems, std::vector<PolicyFailure>& failures);

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_SUBMIT_RULE_H_
