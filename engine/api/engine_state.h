// Engine::State: what the public Engine hides, and what its calls do once they are let in.
#ifndef MUSTER_ENGINE_API_ENGINE_STATE_H_
#define MUSTER_ENGINE_API_ENGINE_STATE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/api/meant_job.h"
#include "engine/cycle/cycle_memory.h"
#include "engine/cycle/shadow.h"
#include "engine/policy/policy_table.h"
#include "engine/record/stored_state.h"
#include "engine/state/world.h"
#include "muster/engine.h"

namespace muster {

class Restorer;

struct Engine::State {
  Journal* journal = nullptr;
  World world;
  PolicyTable policies;
  CycleMemory memory;
  std::optional<muster::Shadow> shadow;  ///< of a candidate that is compared, if there is one
  StoredEngine stored;                   ///< as restored; names the policies to attach
  PolicyLoader policy_loader;            ///< null: there is none

  Status closed;                ///< why no call is let in any more; ok: they are
  bool entered = false;         ///< a call is running
  bool touched = false;         ///< and it may have changed something
  bool used = false;            ///< one of the calls before may have
  DurationNs longest_jump = 0;  ///< 0: no limit
  TimeNs first_time = kNoTime;  ///< what the first call's time is compared with

  /// Carries out `input`, a command or a view of one, at `now`: by `command`, which changes the
  /// world. Makes what it changed durable. From its beginning on, what is thrown closes the engine.
  template <typename Input, typename Function>
  Status Run(const Input& input, TimeNs now, Function command);
  /// Hands what the running call changed to the journal and waits until it is stored. A failure
  /// closes the engine.
  Status MakeDurable(CommandKind kind, std::string input);
  /// What the engine's own row says.
  StoredEngine ToStore() const;
  /// Whether `now` lies further ahead than LimitTimeJumps allows.
  bool JumpsTooFar(TimeNs now) const {
    const TimeNs last = world.now != kNoTime ? world.now : first_time;
    if (longest_jump == 0 || last == kNoTime || now <= last) return false;
    return static_cast<std::uint64_t>(now) - static_cast<std::uint64_t>(last) >
           static_cast<std::uint64_t>(longest_jump);
  }
  /// Lets no call in any more; returns what they are told. Never throws.
  Status Close(const Status& cause) noexcept;
  /// Gives the memory of a closed engine back. Never throws.
  void Drop() noexcept;
  /// Time never goes back.
  void AdvanceTo(TimeNs now) {
    if (world.now == kNoTime || now > world.now) world.now = now;
  }

  struct Doer;
  Result<std::shared_ptr<Policy>> FindPolicy(const std::string& hash);

  // The public calls, as in muster/engine.h. They may throw.
  Result<Answer> Do(const Command& command, TimeNs now, CycleTrace* trace);
  void LimitTimeJumps(DurationNs longest, TimeNs first) {
    longest_jump = longest;
    first_time = first;
  }
  Status CheckTime(TimeNs now) const;
  Status Restore(const std::function<Status(const RowSink&)>& load);
  /// `copy` becomes the same, in the memory of `spare` as far as that goes. Precondition: it has
  /// done nothing yet.
  Status CopyTo(State& copy, SpareRecords spare) const;
  /// Becomes what `fill` hands over. Precondition: it has done nothing yet.
  Status TakeState(const std::function<Status(Restorer&)>& fill);
  std::vector<std::string> StoredPolicyHashes() const;
  Status AttachPolicy(std::shared_ptr<Policy> policy);
  std::vector<Problem> Validate(std::span<const Object> objects, MissingReference missing,
                                Submission submission = Submission::kAsk) const;
  Status Apply(std::span<const Object> objects, TimeNs now, MissingReference missing,
               std::vector<Applied>* applied, Submission submission,
               std::vector<PolicyFailure>* failures, std::vector<Warning>* warnings);
  Status Delete(ObjectKind kind, const Key& key, TimeNs now, bool force);
  Status Submit(std::span<const Workload> workloads, TimeNs now, std::vector<Applied>* applied,
                Submission submission, std::vector<PolicyFailure>* failures,
                std::vector<Warning>* warnings);
  Status Update(const WorkloadUpdate& update, TimeNs now);
  Result<WorkloadPhase> UpdateCheck(const CheckUpdate& update, TimeNs now);
  Status Ready(std::span<const Key> workloads, TimeNs now, bool ready, MeantJobs meant);
  Status Finish(std::span<const Key> workloads, bool failed, TimeNs now, MeantJobs meant,
                const std::string& reason = {}, const std::string& message = {});
  Status Cancel(std::span<const Key> workloads, TimeNs now, MeantJobs meant);
  Status Evict(const Key& key, std::string_view reason, TimeNs now, std::string_view uid,
               std::int64_t run);
  Status Evicted(std::span<const Key> workloads, TimeNs now, MeantJobs meant);
  std::vector<Key> Evicting() const;
  Status Advance(TimeNs now);
  TimeNs NextDeadline() const;
  bool AtRest(TimeNs now) const;
  Result<CycleResult> RunCycle(TimeNs now, CycleTrace* trace);
  Status ActivatePolicy(std::shared_ptr<Policy> policy, TimeNs now, const PolicyChange& change,
                        std::vector<StoppedHook>* stopped);
  Status RollBackPolicy(std::string_view package, std::vector<std::shared_ptr<Policy>> before,
                        TimeNs now, const PolicyChange& change);
  Status NoteStaged(std::string_view package, std::string_view hash, std::string_view refused,
                    const PolicyChange& change, TimeNs now);
  Result<answer::Cursor> RegisterConsumer(std::string_view consumer, TimeNs now,
                                          std::optional<std::int64_t> after);
  Result<answer::Cursor> Acknowledge(std::string_view consumer, std::int64_t upto, TimeNs now);
  Status RemoveConsumer(std::string_view consumer, TimeNs now);
  std::vector<LiveBatch> LiveBatches(const PolicyInfo& info, std::size_t most);
  void ShadowPolicy(std::shared_ptr<Policy> candidate);
  ShadowReport Shadow() const;
  Result<WorkloadView> GetWorkload(const Key& key) const;
  Result<std::vector<PodSetUpdate>> PodSetUpdates(const Key& key) const;
  Result<std::vector<ResourceList>> PodRequests(const Key& key) const;
  Result<Explanation> Explain(const Key& workload);
  std::vector<PolicyInfo> Policies() const;
  std::vector<PolicyUse> PolicyUses() const { return policies.AllUses(); }
  std::vector<PolicyBindingView> PolicyBindings() const;
  std::vector<Hook> DecidingHooks(std::string_view package) const;
  std::string StateHash() const;
  void CheckInvariants() const;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_API_ENGINE_STATE_H_
