// See player.h.
#include "bindings/lab/player.h"

#include <iterator>
#include <utility>
#include <variant>

namespace muster::lab {

CycleSink KeepIn(std::vector<CycleOutcome>* cycles) {
  return [cycles](CycleOutcome cycle) {
    cycles->push_back(std::move(cycle));
    return Status::Ok();
  };
}

std::size_t CycleLimit(std::size_t objects) { return 1000 + 10 * objects; }

Player::Player(Engine& engine, TimeNs now, CycleSink sink, Detail detail)
    : engine_(engine), now_(now), sink_(std::move(sink)), detail_(detail) {}

void Player::BeginStep(std::size_t step, Detail detail) {
  step_ = step;
  detail_ = detail;
}

Status Player::Do(const Command& command) {
  if (std::holds_alternative<command::Cycle>(command)) return RunCycle();
  Result<Answer> answer = engine_.Do(command, now_);
  if (!answer.ok()) return answer.status();
  if (auto* applied = std::get_if<answer::Applied>(&*answer)) NoteFailures(applied->failures);
  return Status::Ok();
}

Status Player::Submit(std::span<const Workload> workloads) {
  std::vector<PolicyFailure> failures;
  Status status = engine_.Submit(workloads, now_, nullptr, Submission::kAsk, &failures);
  NoteFailures(failures);
  return status;
}

Status Player::Finish(std::span<const Key> workloads) {
  return engine_.Finish(workloads, /*failed=*/false, now_);
}

Status Player::Apply(std::span<const Object> objects, MissingReference missing) {
  std::vector<PolicyFailure> failures;
  Status status = engine_.Apply(objects, now_, missing, nullptr, Submission::kAsk, &failures);
  NoteFailures(failures);
  return status;
}

void Player::NoteFailures(std::vector<PolicyFailure>& failures) {
  submit_failures_.insert(submit_failures_.end(), std::make_move_iterator(failures.begin()),
                          std::make_move_iterator(failures.end()));
}

std::vector<PolicyFailure> Player::TakeSubmitFailures() {
  return std::exchange(submit_failures_, {});
}

Status Player::RunCycle() {
  Result<CycleResult> result = engine_.RunCycle(now_, trace_);
  if (!result.ok()) return result.status();
  ++cycles_;
  idle_ = result->idle();
  CycleOutcome outcome{*std::move(result), {}, step_, {}, TakeSubmitFailures()};
  if (detail_ != Detail::kDecisions) {
    Result<std::vector<PendingWorkload>> pending = engine_.Pending();
    if (!pending.ok()) return pending.status();
    outcome.pending = *std::move(pending);
  }
  if (detail_ == Detail::kWorkloads) {
    Result<std::vector<WorkloadView>> workloads = engine_.Workloads();
    if (!workloads.ok()) return workloads.status();
    outcome.workloads = *std::move(workloads);
  }
  return sink_(std::move(outcome));
}

Result<bool> Player::CompleteEvictions() {
  Result<std::vector<Key>> evicting = engine_.Evicting();
  if (!evicting.ok()) return evicting.status();
  if (evicting->empty()) return false;
  const Status status = engine_.Evicted(*evicting, now_);
  if (!status.ok()) return status;
  return true;
}

Result<bool> Player::RunUntilIdle(std::size_t limit, Evictions evictions, EmptyCycles empty) {
  for (std::size_t ran = 0; ran < limit; ++ran) {
    const Result<bool> rests = empty == EmptyCycles::kCount ? engine_.AtRest(now_) : false;
    if (!rests.ok()) return rests.status();
    if (*rests) {
      ++cycles_;
      idle_ = true;
      if (ran > 0) return true;  // what the cycles before told to leave is gone
    } else if (Status status = RunCycle(); !status.ok()) {
      return status;
    }
    Result<bool> freed = false;
    if (evictions == Evictions::kComplete) freed = CompleteEvictions();
    if (!freed.ok()) return freed.status();
    if (idle_ && !*freed) return true;
  }
  return false;
}

}  // namespace muster::lab
