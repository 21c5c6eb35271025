// The public Engine: every call enters through the gate, which knows whether the engine is open.
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "engine/api/engine_state.h"
#include "engine/base/caught.h"
#include "engine/base/check.h"
#include "engine/explain/views.h"
#include "engine/hand_over/consumers.h"
#include "engine/misfits/misfits.h"
#include "engine/state/catalog_tables.h"

namespace muster {
namespace {

constexpr char kClosed[] =
    "; the engine is closed: it has dropped its state and answers nothing else; reopen the ledger "
    "to go on from what is stored";

const Status& ClosedForLackOfMemory() {
  static const Status status(StatusCode::kUnavailable, std::string("out of memory") + kClosed);
  return status;
}

const Status& WithoutState() {
  static const Status status(
      StatusCode::kUnavailable,
      "the engine is closed: it was moved from, or there was no memory to make it");
  return status;
}

const Status& InACall() {
  static const Status status(StatusCode::kFailedPrecondition,
                             "the engine is in a call; of several threads one may call it at a "
                             "time, and a Journal, a Policy or a loader must not call the engine "
                             "that is calling it");
  return status;
}

template <typename T>
struct AnswerOf {
  using Type = Result<T>;
};
template <>
struct AnswerOf<void> {
  using Type = Status;
};
template <>
struct AnswerOf<Status> {
  using Type = Status;
};
template <typename T>
struct AnswerOf<Result<T>> {
  using Type = Result<T>;
};

/// Marks that a call is running.
class Entered {
 public:
  explicit Entered(bool* entered) : entered_(*entered) { entered_ = true; }
  ~Entered() { entered_ = false; }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;

 private:
  bool& entered_;
};

}  // namespace

Status Engine::State::Close(const Status& cause) noexcept {
  try {
    closed = Status(cause.code(), cause.message() + kClosed);
  } catch (...) {
    closed = ClosedForLackOfMemory();
  }
  return closed;
}

void Engine::State::Drop() noexcept {
  shadow.reset();
  try {
    world = World{};
    policies = PolicyTable{};
    memory = CycleMemory{};
  } catch (...) {  // what could not be replaced goes with the engine
  }
}

// The messages that may have to be said without memory are made before.
Engine::Gate::Gate(Journal* journal) noexcept {
  try {
    (void)ClosedForLackOfMemory();
    (void)WithoutState();
    (void)InACall();
    state_ = std::make_unique<State>();
    state_->journal = journal;
  } catch (...) {  // without a state it says so
  }
}

Engine::Gate::~Gate() = default;
Engine::Gate::Gate(Gate&&) noexcept = default;
Engine::Gate& Engine::Gate::operator=(Gate&&) noexcept = default;

// A call that throws before it has changed anything has failed, and that is all.
template <typename Call>
auto Engine::Gate::Enter(const Call& call) const noexcept {
  using Returned = std::invoke_result_t<const Call&, State&>;
  using Told = typename AnswerOf<Returned>::Type;
  if (state_ == nullptr) return Told(WithoutState());
  State& state = *state_;
  if (!state.closed.ok()) return Told(state.closed);
  if (state.entered) return Told(InACall());
  const Entered entered(&state.entered);
  state.used |= std::exchange(state.touched, false);
  try {
    if constexpr (std::is_void_v<Returned>) {
      call(state);
      return Told();
    } else {
      Told answer = call(state);
      if (!state.closed.ok()) state.Drop();
      return answer;
    }
  } catch (const InvariantBroken&) {
    (void)state.Close(Caught());
  } catch (...) {
    const Status thrown = Caught();
    if (!state.touched) return Told(thrown);
    (void)state.Close(thrown);
  }
  state.Drop();
  return Told(state.closed);
}

Engine::Engine(Journal* journal) noexcept : gate_(journal) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

Status Engine::Restore(const std::function<Status(const RowSink&)>& load) {
  return gate_.Enter([&](State& s) { return s.Restore(load); });
}

Result<Engine> Engine::Fork(Journal* journal) const { return Fork(journal, Engine()); }

Result<Engine> Engine::Fork(Journal* journal, Engine used) const {
  SpareRecords spare;
  // One that is closed has nothing to give.
  (void)used.gate_.Enter([&spare](State& s) { spare = std::move(s.world.workloads); });
  used = Engine();
  Engine fork(journal);
  Status status = gate_.Enter([&fork, &spare](const State& s) {
    return fork.gate_.Enter([&s, &spare](State& copy) { return s.CopyTo(copy, std::move(spare)); });
  });
  if (!status.ok()) return status;
  return fork;
}

Result<std::vector<std::string>> Engine::StoredPolicyHashes() const {
  return gate_.Enter([](const State& s) { return s.StoredPolicyHashes(); });
}

Status Engine::AttachPolicy(std::shared_ptr<Policy> policy) {
  return gate_.Enter([&](State& s) { return s.AttachPolicy(std::move(policy)); });
}

Status Engine::Closed() const {
  return gate_.Enter([](const State&) {});
}

Status Engine::LimitTimeJumps(DurationNs longest, TimeNs first) {
  return gate_.Enter([&](State& s) { s.LimitTimeJumps(longest, first); });
}

Status Engine::CheckTime(TimeNs now) const {
  return gate_.Enter([&](const State& s) { return s.CheckTime(now); });
}

Result<std::vector<Problem>> Engine::Validate(std::span<const Object> objects,
                                              MissingReference missing) const {
  return gate_.Enter([&](const State& s) { return s.Validate(objects, missing); });
}

Result<std::vector<Problem>> Engine::Misfits(const Workload& workload) const {
  return gate_.Enter([&](const State& s) { return FindMisfits(s.world, workload); });
}

Result<Answer> Engine::Do(const Command& command, TimeNs now, CycleTrace* trace) {
  return gate_.Enter([&](State& s) { return s.Do(command, now, trace); });
}

Status Engine::SetPolicyLoader(PolicyLoader loader) {
  return gate_.Enter([&](State& s) { s.policy_loader = std::move(loader); });
}

Status Engine::Apply(std::span<const Object> objects, TimeNs now, MissingReference missing,
                     std::vector<Applied>* applied, Submission submission,
                     std::vector<PolicyFailure>* failures, std::vector<Warning>* warnings) {
  return gate_.Enter([&](State& s) {
    return s.Apply(objects, now, missing, applied, submission, failures, warnings);
  });
}

Status Engine::Delete(ObjectKind kind, const Key& key, TimeNs now, bool force) {
  return gate_.Enter([&](State& s) { return s.Delete(kind, key, now, force); });
}

Status Engine::Submit(std::span<const Workload> workloads, TimeNs now,
                      std::vector<Applied>* applied, Submission submission,
                      std::vector<PolicyFailure>* failures, std::vector<Warning>* warnings) {
  return gate_.Enter(
      [&](State& s) { return s.Submit(workloads, now, applied, submission, failures, warnings); });
}

Status Engine::Update(const WorkloadUpdate& update, TimeNs now) {
  return gate_.Enter([&](State& s) { return s.Update(update, now); });
}

Result<WorkloadPhase> Engine::UpdateCheck(const CheckUpdate& update, TimeNs now) {
  return gate_.Enter([&](State& s) { return s.UpdateCheck(update, now); });
}

Status Engine::Ready(std::span<const Key> workloads, TimeNs now, bool ready,
                     std::span<const std::string> uids, std::span<const std::int64_t> runs) {
  return gate_.Enter([&](State& s) { return s.Ready(workloads, now, ready, {uids, runs}); });
}

Status Engine::Finish(std::span<const Key> workloads, bool failed, TimeNs now,
                      std::span<const std::string> uids, std::span<const std::int64_t> runs) {
  return gate_.Enter([&](State& s) { return s.Finish(workloads, failed, now, {uids, runs}); });
}

Status Engine::Cancel(std::span<const Key> workloads, TimeNs now, std::span<const std::string> uids,
                      std::span<const std::int64_t> runs) {
  return gate_.Enter([&](State& s) { return s.Cancel(workloads, now, {uids, runs}); });
}

Status Engine::Evict(const Key& workload, std::string_view reason, TimeNs now, std::string_view uid,
                     std::int64_t run) {
  return gate_.Enter([&](State& s) { return s.Evict(workload, reason, now, uid, run); });
}

Status Engine::Evicted(std::span<const Key> workloads, TimeNs now,
                       std::span<const std::string> uids, std::span<const std::int64_t> runs) {
  return gate_.Enter([&](State& s) { return s.Evicted(workloads, now, {uids, runs}); });
}

Result<std::vector<Key>> Engine::Evicting() const {
  return gate_.Enter([](const State& s) { return s.Evicting(); });
}

Status Engine::Advance(TimeNs now) {
  return gate_.Enter([&](State& s) { return s.Advance(now); });
}

Result<TimeNs> Engine::NextDeadline() const {
  return gate_.Enter([](const State& s) { return s.NextDeadline(); });
}

Result<bool> Engine::AtRest(TimeNs now) const {
  return gate_.Enter([now](const State& s) { return s.AtRest(now); });
}

Result<CycleResult> Engine::RunCycle(TimeNs now, CycleTrace* trace) {
  return gate_.Enter([&](State& s) { return s.RunCycle(now, trace); });
}

Status Engine::ActivatePolicy(std::shared_ptr<Policy> policy, TimeNs now,
                              const PolicyChange& change, std::vector<StoppedHook>* stopped) {
  return gate_.Enter(
      [&](State& s) { return s.ActivatePolicy(std::move(policy), now, change, stopped); });
}

Status Engine::RollBackPolicy(std::string_view package, std::vector<std::shared_ptr<Policy>> before,
                              TimeNs now, const PolicyChange& change) {
  return gate_.Enter(
      [&](State& s) { return s.RollBackPolicy(package, std::move(before), now, change); });
}

Status Engine::NoteStaged(std::string_view package, std::string_view hash, std::string_view refused,
                          const PolicyChange& change, TimeNs now) {
  return gate_.Enter([&](State& s) { return s.NoteStaged(package, hash, refused, change, now); });
}

Result<answer::Cursor> Engine::RegisterConsumer(std::string_view consumer, TimeNs now,
                                                std::optional<std::int64_t> after) {
  return gate_.Enter([&](State& s) { return s.RegisterConsumer(consumer, now, after); });
}

Result<answer::Cursor> Engine::Acknowledge(std::string_view consumer, std::int64_t upto,
                                           TimeNs now) {
  return gate_.Enter([&](State& s) { return s.Acknowledge(consumer, upto, now); });
}

Status Engine::RemoveConsumer(std::string_view consumer, TimeNs now) {
  return gate_.Enter([&](State& s) { return s.RemoveConsumer(consumer, now); });
}

Result<std::vector<ConsumerView>> Engine::Consumers() const {
  return gate_.Enter([](const State& s) { return ViewsOf(s.world.hand_over); });
}

Result<answer::Decisions> Engine::Decisions(std::int64_t after, std::size_t most) const {
  return gate_.Enter(
      [&](const State& s) { return DecisionsBehind(s.world.hand_over, after, most); });
}

Result<answer::Decisions> Engine::Decisions(std::string_view consumer, std::size_t most) const {
  return gate_.Enter(
      [&](const State& s) { return DecisionsFor(s.world.hand_over, consumer, most); });
}

Result<std::vector<LiveBatch>> Engine::LiveBatches(const PolicyInfo& info, std::size_t most) const {
  return gate_.Enter([&](State& s) { return s.LiveBatches(info, most); });
}

Status Engine::ShadowPolicy(std::shared_ptr<Policy> candidate) {
  return gate_.Enter([&](State& s) { return s.ShadowPolicy(std::move(candidate)); });
}

Result<ShadowReport> Engine::Shadow() const {
  return gate_.Enter([](const State& s) { return s.Shadow(); });
}

Result<std::vector<PendingWorkload>> Engine::Pending() const {
  return gate_.Enter([](const State& s) { return PendingViews(s.world); });
}

Result<std::vector<PendingWorkload>> Engine::Held() const {
  return gate_.Enter([](const State& s) { return HeldViews(s.world); });
}

Result<std::vector<WorkloadView>> Engine::Workloads(std::string_view ns) const {
  return gate_.Enter([&](const State& s) { return WorkloadViews(s.world, ns); });
}

Result<std::size_t> Engine::WorkloadCount() const {
  return gate_.Enter([](const State& s) { return s.world.workload_index.size(); });
}

Result<WorkloadView> Engine::GetWorkload(const Key& key) const {
  return gate_.Enter([&](const State& s) { return s.GetWorkload(key); });
}

Result<std::vector<PodSetUpdate>> Engine::PodSetUpdates(const Key& workload) const {
  return gate_.Enter([&](const State& s) { return s.PodSetUpdates(workload); });
}

Result<std::vector<ResourceList>> Engine::PodRequests(const Key& workload) const {
  return gate_.Enter([&](const State& s) { return s.PodRequests(workload); });
}

Result<std::vector<ClusterQueueView>> Engine::ClusterQueues() const {
  return gate_.Enter([](const State& s) { return ClusterQueueViews(s.world); });
}

Result<std::vector<CohortView>> Engine::Cohorts() const {
  return gate_.Enter([](const State& s) { return CohortViews(s.world); });
}

Result<std::vector<LocalQueueView>> Engine::LocalQueues(std::string_view ns) const {
  return gate_.Enter([&](const State& s) { return LocalQueueViews(s.world, ns); });
}

Result<std::vector<Object>> Engine::Objects(ObjectKind kind) const {
  return gate_.Enter([&](const State& s) { return ObjectsOf(s.world, kind); });
}

Result<Explanation> Engine::Explain(const Key& workload) const {
  return gate_.Enter([&](State& s) { return s.Explain(workload); });
}

Result<std::vector<AccountView>> Engine::Accounts() const {
  return gate_.Enter([](const State& s) { return AccountViews(s.world); });
}

Result<std::vector<PolicyBindingView>> Engine::PolicyBindings() const {
  return gate_.Enter([](const State& s) { return s.PolicyBindings(); });
}

Result<std::vector<Hook>> Engine::DecidingHooks(std::string_view package) const {
  return gate_.Enter([&](const State& s) { return s.DecidingHooks(package); });
}

Result<std::vector<PolicyInfo>> Engine::Policies() const {
  return gate_.Enter([](const State& s) { return s.Policies(); });
}

Result<std::vector<PolicyUse>> Engine::PolicyUses() const {
  return gate_.Enter([](const State& s) { return s.PolicyUses(); });
}

Result<std::string> Engine::StateHash() const {
  return gate_.Enter([](const State& s) { return s.StateHash(); });
}

Status Engine::CheckInvariants() const {
  return gate_.Enter([](const State& s) { return s.CheckInvariants(); });
}

}  // namespace muster
