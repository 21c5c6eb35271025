// Hook hold: which workloads must wait, whatever quota there is. Asking, and what is answered; what
// is done about it is in cycle/hold_back.h.
//
// Answers depend on the workload and on inputs that the hook declares. They are asked for once, and
// again when one of these has changed since or a time that the policy named is over: so what is on
// hold follows from the state, and an engine that was opened again comes to the same.
#ifndef MUSTER_ENGINE_POLICY_HOLD_RULE_H_
#define MUSTER_ENGINE_POLICY_HOLD_RULE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/policy/policy_calls.h"
#include "engine/state/accounts_ahead.h"
#include "engine/state/world.h"

namespace muster {

/// "held by policy NAME: REASON, until TIME".
std::string HoldMessage(const PolicyHold& hold);

/// Whether answers of then may be others now, beside those about a workload that has changed.
/// Answers of now depend on `now`.
bool MayAnswerOtherwise(const Policy& policy, const HoldInputs& then, const HoldInputs& now);
/// What the answers of the policy depend on now. O(accounts of the package).
HoldInputs HoldInputsOf(const World& world, const Policy& policy);

/// Workloads that wait in one queue.
struct HoldQuestion {
  ClusterQueueState* queue = nullptr;
  std::vector<WorkloadId> ids;
};

/// The answers of one call.
class HoldAnswers {
 public:
  /// So many questions and workloads of a call fit into the fastest caches.
  static constexpr std::size_t kMostQuestions = 32, kMostWorkloads = 64;

  /// Asks about all of `ids`, which wait in `queue`. False when the call failed, which is noted.
  bool Ask(const World& world, PolicyCalls& calls, Policy& policy, const ClusterQueueState& queue,
           std::span<const WorkloadId> ids, const AccountsAhead* ahead = nullptr);
  /// Asks about all in one call; their answers stand behind each other. False: some would fail, or
  /// nothing is known; ask one by one. An answer that is used is to be noted: NoteUsed.
  bool AskTogether(const World& world, PolicyCalls& calls, Policy& policy,
                   std::span<const HoldQuestion> questions);
  /// Whether none of the `count` from the i-th on is held back. What holds them back Ask says.
  bool HoldsNone(std::size_t i, std::size_t count) const;
  /// The answers about the q-th question of AskTogether are used.
  void NoteUsed(PolicyCalls& calls, const HoldQuestion& question, std::size_t q) const;
  /// What holds the i-th of them back; nothing where the time that the policy named is over.
  std::optional<PolicyHold> Of(const World& world, std::size_t i) const;

 private:
  void Begin(PolicyCalls& calls, const Policy& policy);
  void AddAll(const World& world, std::span<const WorkloadId> ids);

  const Policy* policy_ = nullptr;
  std::vector<double> answers_;
  std::vector<std::int64_t> fuel_;
  std::vector<std::string> reasons_;
  std::optional<PolicyBatch> batch_;  ///< of the policy; its memory is used again
};

/// What would hold the workload back now, which waits in `queue`, if `calls` decided; nothing where
/// no policy does. With `ahead`, accounts are read there. One call.
std::optional<PolicyHold> AskHold(const World& world, PolicyCalls& calls,
                                  const WorkloadRecord& workload, const ClusterQueueState& queue,
                                  const AccountsAhead* ahead = nullptr);

/// The next time at which something may be let go because time passes; kNoTime: none is known.
/// O(queues with something on hold).
TimeNs NextHoldEnd(const World& world, const PolicyTable& policies);

/// Asks again on the way through a cycle: what earlier entries have taken counts for those behind
/// them, so that no more of them start than if each had a cycle of its own. Not asked about is one
/// for which nothing that the hook reads has changed by that: it is a head, so it is not held.
class HoldAgain {
 public:
  HoldAgain(const World& world, PolicyCalls& calls) : world_(world), calls_(calls), ahead_(world) {}
  /// An earlier entry starts with `usage`.
  void NoteStart(const WorkloadRecord& workload, std::span<const Usage> usage);
  /// What holds this entry back, given that.
  std::optional<PolicyHold> Ask(const WorkloadRecord& workload, const ClusterQueueState& queue);

 private:
  const World& world_;
  PolicyCalls& calls_;
  AccountsAhead ahead_;
  bool started_ = false;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_HOLD_RULE_H_
