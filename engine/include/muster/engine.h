// Engine: the admission engine. Start here.
//
// A deterministic state machine without I/O: commands and a time go in, decisions come out. The
// caller owns the thread and the clock; an engine is used by one thread at a time. Time never goes
// back: a call with an earlier `now` than the last one is taken at the last one.
//
//   muster::Engine engine;
//   engine.Apply(objects, now);            // flavors, queues, cohorts, ...
//   engine.Submit(jobs, now);
//   auto result = engine.RunCycle(now);    // what starts, what has to make room
//   engine.Evicted(keys, now);             // the pods of a preempted job are gone
//   engine.Finish(keys, false, now);
//
// Every call is all or nothing: when it returns an error, nothing changed. With a Journal attached
// a call returns only after what it did is durable.
//
// No call throws. Where one cannot be undone - a commit that cannot be stored, no memory in the
// middle of a change, a broken invariant - the engine closes: it drops its state, and every call,
// reading ones too, answers why. An engine that was moved from is closed as well. A Journal or a
// Policy must not call the engine that is calling it; such a call is kFailedPrecondition.
#ifndef MUSTER_ENGINE_H_
#define MUSTER_ENGINE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "muster/command.h"
#include "muster/decision.h"
#include "muster/journal.h"
#include "muster/live_batch.h"
#include "muster/object.h"
#include "muster/policy.h"
#include "muster/status.h"
#include "muster/trace.h"
#include "muster/types.h"
#include "muster/views.h"

namespace muster {

class Engine {
 public:
  /// `journal` may be null (nothing is kept); otherwise it must outlive the engine.
  explicit Engine(Journal* journal = nullptr) noexcept;
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  /// Takes over the state that a journal kept. `load` calls its argument once per stored row.
  /// Policies are not part of it: attach those that StoredPolicyHashes names. kDataLoss when the
  /// rows do not fit together; that closes the engine. kFailedPrecondition, and nothing is changed,
  /// on an engine that has taken a call which changes something. O(rows).
  using RowSink =
      std::function<Status(StateRow::Table, std::string_view key, std::string_view value)>;
  Status Restore(const std::function<Status(const RowSink&)>& load);
  /// Hashes of the generations that were active when the state was stored, then of those that they
  /// may go back to.
  Result<std::vector<std::string>> StoredPolicyHashes() const;
  /// Puts a stored generation back to work after Restore; changes nothing that is stored.
  Status AttachPolicy(std::shared_ptr<Policy> policy);

  /// Another engine with this state and these policies, without what ShadowPolicy compares: what is
  /// done to one is not seen in the other, and the same calls come to the same. `journal`, when
  /// given, is told of the calls of the fork, and must outlive it. For questions that begin with
  /// "what if". `used`, another fork that is needed no longer, gives its memory: mostly what the
  /// new one needs. O(state).
  Result<Engine> Fork(Journal* journal = nullptr) const;
  Result<Engine> Fork(Journal* journal, Engine used) const;

  /// Why the engine is closed; OK while it is open. Every other call begins with this.
  Status Closed() const;

  /// From now on a call whose `now` lies more than `longest` after the last call's is refused.
  /// Before the first call with a time, more than `longest` after `first`. kNoTime as `first`: the
  /// first call may be at any time. Without this call there is no limit, for simulations.
  ///
  /// Why: time never goes back, so one wrong clock would pin the engine's for ever.
  Status LimitTimeJumps(DurationNs longest, TimeNs first);
  /// kInvalidArgument, with both times, when a call at `now` would be refused for that.
  Status CheckTime(TimeNs now) const;

  // ---- commands as data ------------------------------------------------------------------------

  /// Carries out a command at `now`: what the function of its name below does. `trace` is that of
  /// a Cycle.
  Result<Answer> Do(const Command& command, TimeNs now, CycleTrace* trace = nullptr);
  /// Where Do gets the policies from that commands name by hash; without one, such commands are
  /// kFailedPrecondition. Must not call the engine.
  using PolicyLoader = std::function<Result<std::shared_ptr<Policy>>(std::string_view hash)>;
  Status SetPolicyLoader(PolicyLoader loader);

  // ---- objects ---------------------------------------------------------------------------------

  /// Every mistake in `objects`, looked at together with what the engine holds; changes nothing.
  Result<std::vector<Problem>> Validate(std::span<const Object> objects,
                                        MissingReference missing = MissingReference::kRefuse) const;

  /// Why the workload could never start, even alone: its queue does not select its namespace, no
  /// flavor takes its pods or has as much, a limit is broken. Empty where it might, or where its
  /// queue does not exist. Not a mistake: queues change. O(what it asks for x flavors).
  Result<std::vector<Problem>> Misfits(const Workload& workload) const;

  /// Creates or replaces objects, in order; workloads among them are submitted. An equal spec is no
  /// change. `applied`, when given, receives one entry per object; `failures` each workload that
  /// was taken as it came because hook submit failed; `warnings` what may not have been meant: a
  /// workload that was created in the future, or another spec for one that has ended. A uid that a
  /// live workload of another name has is a mistake. O(objects + affected trees).
  Status Apply(std::span<const Object> objects, TimeNs now,
               MissingReference missing = MissingReference::kRefuse,
               std::vector<Applied>* applied = nullptr, Submission submission = Submission::kAsk,
               std::vector<PolicyFailure>* failures = nullptr,
               std::vector<Warning>* warnings = nullptr);

  /// Removes one object. kNotFound. kFailedPrecondition while something refers to it, is in it or
  /// holds its quota, unless `force`: then that waits for its return, and holders keep running
  /// uncharged. A workload is cancelled. O(objects).
  Status Delete(ObjectKind kind, const Key& key, TimeNs now, bool force = false);

  // ---- workloads -------------------------------------------------------------------------------
  // `uids`, or `uid`, say which job of the name is meant, `runs`, or `run`, which run of it, as in
  // muster/command.h.

  /// Queues new workloads; one that exists with the same spec is left alone (kUnchanged).
  /// `applied`, `failures` and `warnings` as for Apply.
  Status Submit(std::span<const Workload> workloads, TimeNs now,
                std::vector<Applied>* applied = nullptr, Submission submission = Submission::kAsk,
                std::vector<PolicyFailure>* failures = nullptr,
                std::vector<Warning>* warnings = nullptr);
  Status Update(const WorkloadUpdate& update, TimeNs now);
  /// An admission check has an answer; returns what the workload is now: kAdmitted (start its
  /// pods), kEvicting (kRetry: it goes, then waits for its backoff), kInactive (kRejected).
  /// kNotFound when it does not wait for this check, kFailedPrecondition while it is being evicted,
  /// inactive or finished, kInvalidArgument when podSetUpdates contradict each other or the
  /// flavors.
  Result<WorkloadPhase> UpdateCheck(const CheckUpdate& update, TimeNs now);
  /// The job's pods are all ready or, with `ready` false, no longer all of them.
  /// kFailedPrecondition for one that is not admitted.
  Status Ready(std::span<const Key> workloads, TimeNs now, bool ready = true,
               std::span<const std::string> uids = {}, std::span<const std::int64_t> runs = {});
  /// The job ended: releases what it holds. A workload that has ended already is left alone.
  Status Finish(std::span<const Key> workloads, bool failed, TimeNs now,
                std::span<const std::string> uids = {}, std::span<const std::int64_t> runs = {});
  /// The job was withdrawn: forgets the workload.
  Status Cancel(std::span<const Key> workloads, TimeNs now, std::span<const std::string> uids = {},
                std::span<const std::int64_t> runs = {});
  /// Orders an eviction; the quota stays charged until Evicted.
  Status Evict(const Key& workload, std::string_view reason, TimeNs now, std::string_view uid = {},
               std::int64_t run = 0);
  /// The pods of these evicted workloads are gone: their quota is free and they queue again.
  Status Evicted(std::span<const Key> workloads, TimeNs now, std::span<const std::string> uids = {},
                 std::span<const std::int64_t> runs = {});
  /// Workloads whose eviction was ordered and not reported done, in key order.
  Result<std::vector<Key>> Evicting() const;

  // ---- time and decisions ----------------------------------------------------------------------

  /// Does what is due at `now` without deciding: usage samples, expired backoffs and time limits.
  Status Advance(TimeNs now);
  /// When the next backoff or time limit of a workload expires; kNoTime when none runs. O(1).
  Result<TimeNs> NextDeadline() const;
  /// Whether RunCycle(now) would find nothing to look at, so that it need not be called: it would
  /// decide nothing and change nothing. It may be false where that is so. O(queues that had a head
  /// in the last cycle).
  Result<bool> AtRest(TimeNs now) const;
  /// One scheduling cycle: at most one head per active ClusterQueue.
  Result<CycleResult> RunCycle(TimeNs now, CycleTrace* trace = nullptr);

  // ---- handing decisions over ------------------------------------------------------------------

  /// From now on every decision is numbered and kept for `consumer`, behind number `after` or,
  /// unset, behind the newest. One that is known is left where it is. kInvalidArgument for a name
  /// other than 1 to 63 letters, digits, '.', '-' and '_', and for an `after` whose decisions are
  /// not kept or not made yet.
  Result<answer::Cursor> RegisterConsumer(std::string_view consumer, TimeNs now,
                                          std::optional<std::int64_t> after = std::nullopt);
  /// `consumer` has acted on everything up to number `upto`. A cursor never goes back: a number
  /// that was acknowledged before changes nothing. What all consumers have acknowledged is
  /// forgotten. kNotFound; kInvalidArgument for a number that was not given yet.
  Result<answer::Cursor> Acknowledge(std::string_view consumer, std::int64_t upto, TimeNs now);
  /// kNotFound.
  Status RemoveConsumer(std::string_view consumer, TimeNs now);
  /// By name, with how far each is behind.
  Result<std::vector<ConsumerView>> Consumers() const;
  /// Decisions behind number `after`, at most `most`; none when there is no newer one.
  /// kInvalidArgument when some of them are not kept any more. O(their number).
  Result<answer::Decisions> Decisions(std::int64_t after, std::size_t most) const;
  /// The same behind the cursor of `consumer`. kNotFound.
  Result<answer::Decisions> Decisions(std::string_view consumer, std::size_t most) const;

  // ---- policies --------------------------------------------------------------------------------

  /// Makes `policy` the active generation of its package, between two cycles. Without any
  /// PolicyBinding its hooks decide for every queue, and other packages go on with those that it
  /// lacks; with one, only what is bound decides. `stopped`, when given, receives the hooks that
  /// decided and do not any more. kInvalidArgument when a binding of its package asks for what it
  /// does not have, or an account counts a resource that no ClusterQueue has.
  Status ActivatePolicy(std::shared_ptr<Policy> policy, TimeNs now, const PolicyChange& change = {},
                        std::vector<StoppedHook>* stopped = nullptr);
  /// Undoes the activation of `package`: exactly `before` are active again, as if activated in this
  /// order. Empty: the built-in rules decide. kFailedPrecondition when one
  /// of them was rolled back for failing. A package that fails in `rollbackAfter` cycles in a row
  /// goes back by itself to the generation before, which is kept loaded for that.
  Status RollBackPolicy(std::string_view package, std::vector<std::shared_ptr<Policy>> before,
                        TimeNs now, const PolicyChange& change = {});
  /// Notes that a candidate was staged, and with what result; empty: it may be activated.
  Status NoteStaged(std::string_view package, std::string_view hash, std::string_view refused,
                    const PolicyChange& change, TimeNs now);
  /// Copies of what hooks of a package with this `info` would be asked about now, at most `most`
  /// items for each hook.
  Result<std::vector<LiveBatch>> LiveBatches(const PolicyInfo& info, std::size_t most) const;
  /// Compares what `candidate` would decide with what is decided, from the next cycle on, without
  /// any effect; null ends it. Not part of the state. Costs about as much as the cycle itself.
  Status ShadowPolicy(std::shared_ptr<Policy> candidate);
  Result<ShadowReport> Shadow() const;

  // ---- reading ---------------------------------------------------------------------------------

  /// Queued workloads in key order, parked ones included.
  Result<std::vector<PendingWorkload>> Pending() const;
  /// Those that wait in no queue, in key order; `closed` says why.
  Result<std::vector<PendingWorkload>> Held() const;
  /// Of one namespace; empty: of all.
  Result<std::vector<WorkloadView>> Workloads(std::string_view ns = {}) const;
  /// How many Workloads() has. O(1).
  Result<std::size_t> WorkloadCount() const;
  Result<WorkloadView> GetWorkload(const Key& key) const;
  /// What the pods of a workload with quota get at start, per podset: labels of its flavors as node
  /// selector, their tolerations, and what its admission checks add. kFailedPrecondition without
  /// quota, or when two of them contradict each other.
  Result<std::vector<PodSetUpdate>> PodSetUpdates(const Key& workload) const;
  /// What one pod of each podset is charged for: with the defaults of LimitRanges, the overhead of
  /// its RuntimeClass and the configured transformations.
  Result<std::vector<ResourceList>> PodRequests(const Key& workload) const;
  Result<std::vector<ClusterQueueView>> ClusterQueues() const;
  Result<std::vector<CohortView>> Cohorts() const;
  Result<std::vector<LocalQueueView>> LocalQueues(std::string_view ns = {}) const;
  /// Applied objects of one kind, in name order; workloads are not listed here.
  Result<std::vector<Object>> Objects(ObjectKind kind) const;
  Result<Explanation> Explain(const Key& workload) const;
  /// What packages asked to remember, by rule and key, as it is at the time of the last call.
  Result<std::vector<AccountView>> Accounts() const;
  Result<std::vector<PolicyInfo>> Policies() const;  ///< active generations, by name
  /// What each generation was asked and used since the engine began or was opened, by hash. Not
  /// part of the state.
  Result<std::vector<PolicyUse>> PolicyUses() const;
  /// Applied PolicyBindings by name, with what they decide, or why they do not. O(queues).
  Result<std::vector<PolicyBindingView>> PolicyBindings() const;
  /// Hooks of the package that decide somewhere. O(queues).
  Result<std::vector<Hook>> DecidingHooks(std::string_view package) const;

  /// 128 bits in hex over everything that decides what the engine does next, computed from memory:
  /// equal hashes mean equal futures. O(state).
  Result<std::string> StateHash() const;

  /// Checks every invariant of engine/README.md; kInternal names the first that is broken, which
  /// closes the engine.
  /// O(state).
  Status CheckInvariants() const;

 private:
  struct State;
  /// The only way to the state. Lets a call in, or says why not, and lets no exception out.
  class Gate {
   public:
    explicit Gate(Journal* journal) noexcept;
    ~Gate();
    Gate(Gate&&) noexcept;
    Gate& operator=(Gate&&) noexcept;

    /// `call(State&)` as a Status, when it returns that or nothing, else as a Result.
    template <typename Call>
    auto Enter(const Call& call) const noexcept;

   private:
    std::unique_ptr<State> state_;  ///< null: moved from, or there was no memory for one
  };

  Gate gate_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_H_
