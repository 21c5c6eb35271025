// Hook submit: what a policy says about jobs that arrive, before anything is stored.
//
// It changes only what the submitter could have written: priority, LocalQueue of the same
// namespace, labels. One that fails, or makes a job what could not have been submitted, accepts the
// job as it came, unless its package says it rejects then.
#ifndef MUSTER_ENGINE_POLICY_SUBMIT_RULE_H_
#define MUSTER_ENGINE_POLICY_SUBMIT_RULE_H_

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/policy/policy_table.h"
#include "engine/state/world.h"
#include "muster/decision.h"
#include "muster/object.h"

namespace muster {

/// What became of one call's objects.
struct SubmitAnswers {
  /// One answer that was followed.
  struct Followed {
    std::size_t object = 0;
    const Policy* policy = nullptr;
    std::string cluster_queue;
    std::int64_t fuel = 0;
  };
  std::vector<Followed> followed;
  std::vector<Problem> rejections;
  std::vector<PolicyFailure> failures;
  /// Every call that was made, with its fuel: counted once the objects are taken, as a refused call
  /// leaves nothing behind.
  std::vector<std::pair<const Policy*, std::int64_t>> asked;
};

/// Asks about each workload among `objects` that holds nothing and whose LocalQueue exists, and
/// changes it as its policy says.
SubmitAnswers AskSubmit(World& world, const PolicyTable& table, std::vector<Object>& objects);

/// `problems` are those of the changed objects: where an answer was followed it is their cause, so
/// it is taken back from `objects`, to what came in `before`, and counts as a failure. Returns the
/// problems that have another cause.
std::vector<Problem> TakeBackAnswers(const std::vector<Problem>& problems,
                                     std::span<const Object> before, std::vector<Object>& objects,
                                     SubmitAnswers& answers);

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_SUBMIT_RULE_H_
