// PolicyCalls: the policies of one cycle, once its heads are taken.
//
// Scripted and native answers never mix: when a call fails, the caller goes on with the native
// rule, TakeFailed says so, and the cycle is decided anew without that hook of that package,
// wherever it is bound and with whatever parameters.
#ifndef MUSTER_ENGINE_POLICY_POLICY_CALLS_H_
#define MUSTER_ENGINE_POLICY_POLICY_CALLS_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/policy/policy_table.h"
#include "engine/state/world.h"
#include "muster/decision.h"

namespace muster {

class FlavorsAhead;

class PolicyCalls {
 public:
  /// What becomes of calls and fuel: those of a cycle are part of the record, those of a caller
  /// that only wonders are not.
  enum class Record { kCount, kForget };

  /// For the `cycle`-th cycle. `table` must outlive it; calls and fuel are counted there.
  PolicyCalls(const World& world, PolicyTable& table, std::int64_t cycle,
              Record record = Record::kCount)
      : world_(world), table_(table), cycle_(cycle), record_(record) {}
  ~PolicyCalls() { CountAll(); }
  PolicyCalls(const PolicyCalls&) = delete;
  PolicyCalls& operator=(const PolicyCalls&) = delete;

  /// Whether no policy is active at all.
  bool none() const { return table_.empty(); }
  /// Whether no active policy defines `hook`.
  bool none(Hook hook) const { return !table_.Defines(hook); }
  /// The policy that decides `hook` for `queue` in this cycle; null: the native rule.
  Policy* For(const ClusterQueueState& queue, Hook hook) const;
  /// It, and those that are asked after it; empty: the native rule, as where one of them failed.
  std::vector<Policy*> AllFor(const ClusterQueueState& queue, Hook hook) const;
  /// One call over the batch. False when it failed, which is noted for `queue`.
  bool Ask(Policy& policy, Hook hook, const ClusterQueueState& queue, PolicyBatch& batch,
           std::span<double> answers) {
    return Settle(policy, hook, queue, Try(policy, hook, batch, answers));
  }
  /// The two halves of Ask, for callers that may try otherwise before a failure counts.
  HookOutcome Try(Policy& policy, Hook hook, PolicyBatch& batch, std::span<double> answers);
  bool Settle(const Policy& policy, Hook hook, const ClusterQueueState& queue, HookOutcome outcome);
  /// Asks about all parts of the batch in one call, which counts for nothing yet: each answer that
  /// is used does, by NoteUsed. False: some part would fail, or nothing is known; ask one by one.
  static bool TryEach(Policy& policy, Hook hook, PolicyBatch& batch, std::span<double> answers,
                      std::vector<std::int64_t>* fuel);
  /// What a part was answered is used, as if it had been asked about alone and now.
  void NoteUsed(const Policy& policy, Hook hook, const ClusterQueueState& queue, std::int64_t fuel);
  /// Notes a failure that the caller found, such as a batch that cannot be built.
  void Fail(const Policy& policy, Hook hook, const ClusterQueueState& queue, HookOutcome outcome);
  /// What the workload has of the parts of a key; see AccountKey.
  std::string KeyOf(const WorkloadRecord& workload, std::span<const AccountKeyPart> parts) const {
    return AccountKey(world_, workload, parts);
  }
  /// What the rows of all batches have columns for.
  const ResourceColumns& columns() const { return table_.columns(); }
  /// An empty batch for a call of `policy`.
  void NewBatch(const Policy& policy, Hook hook, std::optional<PolicyBatch>* batch,
                PolicyBatch::Texts texts = PolicyBatch::Texts::kAll) const {
    batch->emplace(world_, table_.columns(), policy.info(), hook, cycle_, texts);
  }
  /// Where what is said about flavors is looked up before a policy is asked; null: nowhere. It must
  /// outlive the calls in between.
  void SetFlavorsAhead(FlavorsAhead* ahead) { flavors_ahead_ = ahead; }
  FlavorsAhead* flavors_ahead() const { return flavors_ahead_; }

  /// Whether an answer may have changed which flavors or victims the head of `queue` found.
  bool HadSay(const ClusterQueueState& queue) const {
    return queue.id.value < had_say_.size() && had_say_[queue.id.value];
  }

  /// Whether an answer of one of these hooks for `queue` depends on what evictions have cost so
  /// far.
  bool CountsEvictions(const ClusterQueueState& queue, std::initializer_list<Hook> hooks) const;
  /// The policy that decides what may be evicted for its head, if it keeps budgets; else null.
  const Policy* BudgetsOf(const ClusterQueueState& queue) const;

  /// How many packages have no say in `hook` any more, for they failed.
  std::int64_t CountFailed(Hook hook) const;

  /// Whether a call failed since the last TakeFailed, which makes the cycle start again.
  bool TakeFailed();
  const std::vector<PolicyFailure>& failures() const { return failures_; }

 private:
  void NoteSay(const ClusterQueueState& queue);
  /// Tells the table what was used and is not counted there yet.
  void CountAll();

  const World& world_;
  PolicyTable& table_;
  std::int64_t cycle_;
  Record record_;
  std::set<std::pair<std::string, Hook>> out_;  ///< by package: failed in this cycle
  std::vector<bool> had_say_;                   ///< by queue
  const Policy* used_ = nullptr;                ///< of which `used_calls_` are not counted yet
  std::int64_t used_calls_ = 0, used_fuel_ = 0;
  FlavorsAhead* flavors_ahead_ = nullptr;
  bool failed_ = false;
  std::vector<PolicyFailure> failures_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_POLICY_POLICY_CALLS_H_
