// The cases through C++ by the function of Engine for each call.
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "bindings/wire/wire.h"
#include "tests/hand_over/cases.h"
#include "tests/hand_over/cpp_door.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

Result<Answer> DoneOr(const Status& status) {
  return status.ok() ? Result<Answer>(answer::Done()) : Result<Answer>(status);
}

template <typename Given>
Result<Answer> AnswerOr(Result<Given> given) {
  return given.ok() ? Result<Answer>(Answer(*std::move(given))) : Result<Answer>(given.status());
}

/// Calls the function that does what a command says.
class TypedCalls {
 public:
  TypedCalls(Engine& engine, TimeNs now) : engine_(engine), now_(now) {}

  Result<Answer> operator()(const command::Apply& c) const {
    answer::Applied applied;
    const Status status = engine_.Apply(c.objects, now_, c.missing, &applied.objects);
    return status.ok() ? Result<Answer>(applied) : Result<Answer>(status);
  }
  Result<Answer> operator()(const command::Submit& c) const {
    answer::Applied applied;
    const Status status = engine_.Submit(c.workloads, now_, &applied.objects);
    return status.ok() ? Result<Answer>(applied) : Result<Answer>(status);
  }
  Result<Answer> operator()(const command::Update& c) const {
    return DoneOr(engine_.Update(c, now_));
  }
  Result<Answer> operator()(const command::AnswerCheck& c) const {
    const Result<WorkloadPhase> phase = engine_.UpdateCheck(c, now_);
    return phase.ok() ? Result<Answer>(answer::Phase{*phase}) : Result<Answer>(phase.status());
  }
  Result<Answer> operator()(const command::Ready& c) const {
    return DoneOr(engine_.Ready(c.workloads, now_, c.ready, c.uids, c.runs));
  }
  Result<Answer> operator()(const command::Finish& c) const {
    return DoneOr(engine_.Finish(c.workloads, c.failed, now_, c.uids, c.runs));
  }
  Result<Answer> operator()(const command::Cancel& c) const {
    return DoneOr(engine_.Cancel(c.workloads, now_, c.uids, c.runs));
  }
  Result<Answer> operator()(const command::Evict& c) const {
    return DoneOr(engine_.Evict(c.workload, c.reason, now_, c.uid, c.run));
  }
  Result<Answer> operator()(const command::Evicted& c) const {
    return DoneOr(engine_.Evicted(c.workloads, now_, c.uids, c.runs));
  }
  Result<Answer> operator()(const command::Cycle&) const {
    return AnswerOr(engine_.RunCycle(now_));
  }
  Result<Answer> operator()(const command::RegisterConsumer& c) const {
    return AnswerOr(engine_.RegisterConsumer(c.consumer, now_, c.after));
  }
  Result<Answer> operator()(const command::Acknowledge& c) const {
    return AnswerOr(engine_.Acknowledge(c.consumer, c.upto, now_));
  }
  Result<Answer> operator()(const command::RemoveConsumer& c) const {
    return DoneOr(engine_.RemoveConsumer(c.consumer, now_));
  }
  /// No case has others.
  template <typename Other>
  Result<Answer> operator()(const Other&) const {
    return Status(StatusCode::kInternal, "no case has such a command");
  }

 private:
  Engine& engine_;
  TimeNs now_;
};

class TypedCppDoor : public CppDoor {
 public:
  using CppDoor::CppDoor;

  Said Do(const std::string& json, std::int64_t at) override {
    const Result<Command> command = wire::CommandFromJson(json);
    if (!command.ok()) return Refused(command.status());
    const Result<Answer> answer = std::visit(TypedCalls(engine(), at), *command);
    return answer.ok() ? Said{"", wire::ToJson(*answer)} : Refused(answer.status());
  }
};

TEST(LongHandOverCases, ComeOutThroughTheTypedCallsOfCpp) {
  const nlohmann::json file = HandOverCases();
  for (const auto& one : file["cases"]) {
    SCOPED_TRACE(NameOf(one));
    const TemporaryDirectory directory;
    TypedCppDoor door((directory.path() / "ledger").string());
    Play(file, one, door);
    EXPECT_TRUE(door.engine().CheckInvariants().ok());
  }
}

}  // namespace
}  // namespace muster::testing
