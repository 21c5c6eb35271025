// Engine::Do: a command as data is the call of its name.
#include <utility>

#include "engine/api/engine_run.h"

namespace muster {
namespace {

Result<Answer> AnswerFor(const Status& status, Answer answer = answer::Done{}) {
  if (!status.ok()) return status;
  return answer;
}

Result<Answer> CursorFor(Result<answer::Cursor> cursor) {
  if (!cursor.ok()) return cursor.status();
  return Answer(std::move(*cursor));
}

}  // namespace

Result<std::shared_ptr<Policy>> Engine::State::FindPolicy(const std::string& hash) {
  if (policy_loader) return policy_loader(hash);
  return Status(StatusCode::kFailedPrecondition,
                "SetPolicyLoader was not called, so there is no policy " + hash);
}

/// Calls what each command is named after.
struct Engine::State::Doer {
  State& state;
  TimeNs now;
  CycleTrace* trace;

  Result<Answer> operator()(const command::Apply& c) const {
    answer::Applied answer;
    const Status status =
        state.Apply(c.objects, now, c.missing, &answer.objects, c.submission, &answer.failures);
    return AnswerFor(status, std::move(answer));
  }
  Result<Answer> operator()(const command::Submit& c) const {
    answer::Applied answer;
    const Status status =
        state.Submit(c.workloads, now, &answer.objects, c.submission, &answer.failures);
    return AnswerFor(status, std::move(answer));
  }
  Result<Answer> operator()(const command::Delete& c) const {
    return AnswerFor(state.Delete(c.kind, c.key, now, c.force));
  }
  Result<Answer> operator()(const command::Update& c) const {
    return AnswerFor(state.Update(c, now));
  }
  Result<Answer> operator()(const command::AnswerCheck& c) const {
    const Result<WorkloadPhase> phase = state.UpdateCheck(c, now);
    if (!phase.ok()) return phase.status();
    return Answer(answer::Phase{*phase});
  }
  Result<Answer> operator()(const command::Ready& c) const {
    return AnswerFor(state.Ready(c.workloads, now, c.ready, c.uids));
  }
  Result<Answer> operator()(const command::Finish& c) const {
    return AnswerFor(state.Finish(c.workloads, c.failed, now, c.uids, c.reason, c.message));
  }
  Result<Answer> operator()(const command::Cancel& c) const {
    return AnswerFor(state.Cancel(c.workloads, now, c.uids));
  }
  Result<Answer> operator()(const command::Evict& c) const {
    return AnswerFor(state.Evict(c.workload, c.reason, now, c.uid));
  }
  Result<Answer> operator()(const command::Evicted& c) const {
    return AnswerFor(state.Evicted(c.workloads, now, c.uids));
  }
  Result<Answer> operator()(const command::Advance&) const { return AnswerFor(state.Advance(now)); }
  Result<Answer> operator()(const command::Cycle&) const {
    Result<CycleResult> result = state.RunCycle(now, trace);
    if (!result.ok()) return result.status();
    return Answer(std::move(*result));
  }
  Result<Answer> operator()(const command::ActivatePolicy& c) const {
    Result<std::shared_ptr<Policy>> policy = state.FindPolicy(c.hash);
    if (!policy.ok()) return policy.status();
    answer::Activated answer;
    const Status status = state.ActivatePolicy(std::move(*policy), now, c.change, &answer.stopped);
    return AnswerFor(status, std::move(answer));
  }
  Result<Answer> operator()(const command::RollBackPolicy& c) const {
    std::vector<std::shared_ptr<Policy>> before;
    for (const std::string& hash : c.before) {
      Result<std::shared_ptr<Policy>> policy = state.FindPolicy(hash);
      if (!policy.ok()) return policy.status();
      before.push_back(std::move(*policy));
    }
    return AnswerFor(state.RollBackPolicy(c.package, std::move(before), now, c.change));
  }
  Result<Answer> operator()(const command::NoteStaged& c) const {
    return AnswerFor(state.NoteStaged(c.package, c.hash, c.refused, c.change, now));
  }
  Result<Answer> operator()(const command::RegisterConsumer& c) const {
    return CursorFor(state.RegisterConsumer(c.consumer, now, c.after));
  }
  Result<Answer> operator()(const command::Acknowledge& c) const {
    return CursorFor(state.Acknowledge(c.consumer, c.upto, now));
  }
  Result<Answer> operator()(const command::RemoveConsumer& c) const {
    return AnswerFor(state.RemoveConsumer(c.consumer, now));
  }
};

Result<Answer> Engine::State::Do(const Command& command, TimeNs now, CycleTrace* trace) {
  return std::visit(Doer{*this, now, trace}, command);
}

}  // namespace muster
