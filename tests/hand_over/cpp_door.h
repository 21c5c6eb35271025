// A durable engine as a door for the cases: calls come as commands in JSON.
#ifndef MUSTER_TESTS_HAND_OVER_CPP_DOOR_H_
#define MUSTER_TESTS_HAND_OVER_CPP_DOOR_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "bindings/wire/wire.h"
#include "muster/durable_engine.h"
#include "tests/hand_over/cases.h"

namespace muster::testing {

inline std::string CodeTextOf(StatusCode code) {
  switch (code) {
    case StatusCode::kInvalidArgument:
      return "InvalidArgument";
    case StatusCode::kNotFound:
      return "NotFound";
    case StatusCode::kFailedPrecondition:
      return "FailedPrecondition";
    default:
      return "another code";
  }
}

inline Said Refused(const Status& status) { return {CodeTextOf(status.code()), status.message()}; }

/// Plays commands as data.
class CppDoor : public Door {
 public:
  explicit CppDoor(std::string path) : path_(std::move(path)) { Open(); }

  Said Do(const std::string& json, std::int64_t at) override {
    const Result<Command> command = wire::CommandFromJson(json);
    if (!command.ok()) return Refused(command.status());
    const Result<Answer> answer = engine_->engine().Do(*command, at);
    return answer.ok() ? Said{"", wire::ToJson(*answer)} : Refused(answer.status());
  }
  Said DecisionsOf(const std::string& consumer, std::size_t most) override {
    return Told(engine_->engine().Decisions(consumer, most));
  }
  Said DecisionsAfter(std::int64_t number, std::size_t most) override {
    return Told(engine_->engine().Decisions(number, most));
  }
  Said Phase(const std::string& name) override {
    const Result<WorkloadView> view = engine_->engine().GetWorkload({"team", name});
    return view.ok() ? Said{"", std::string(PhaseName(view->phase))} : Refused(view.status());
  }
  void Restart() override {
    const std::string before = *engine_->engine().StateHash();
    EXPECT_TRUE(engine_->Close().ok());
    engine_.reset();
    Open();
    EXPECT_EQ(*engine_->engine().StateHash(), before);
  }
  Engine& engine() { return engine_->engine(); }

 private:
  void Open() {
    Result<std::unique_ptr<DurableEngine>> opened =
        DurableEngine::Open(path_, {.allow_time_jump = true, .relaxed = true});
    if (!opened.ok()) throw std::runtime_error(opened.status().message());
    engine_ = *std::move(opened);
  }
  static Said Told(const Result<answer::Decisions>& told) {
    return told.ok() ? Said{"", wire::ToJson(Answer(*told))} : Refused(told.status());
  }

  std::string path_;
  std::unique_ptr<DurableEngine> engine_;
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_HAND_OVER_CPP_DOOR_H_
