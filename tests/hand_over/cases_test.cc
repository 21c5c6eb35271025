// The cases through C++; every ledger that they leave is repeated (tests/testing/audit).
#include "tests/hand_over/cases.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>

#include "bindings/wire/wire.h"
#include "muster/durable_engine.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

std::string CodeText(StatusCode code) {
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

Said Refused(const Status& status) { return {CodeText(status.code()), status.message()}; }

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

TEST(HandOverCases, AreDefinedForEveryCallAndMoment) {
  const nlohmann::json file = HandOverCases();
  std::map<std::string, std::set<std::string>> moments;
  for (const auto& one : file["cases"]) {
    EXPECT_TRUE(moments[one["call"]].insert(one["when"]).second) << NameOf(one) << " stands twice";
    EXPECT_FALSE(one["steps"].empty()) << NameOf(one) << " checks nothing";
  }
  const std::set<std::string> all = {"twice", "late", "out of order", "after a restart",
                                     "job is gone"};
  EXPECT_EQ(moments.size(), 13u);
  for (const auto& [call, whens] : moments) EXPECT_EQ(whens, all) << call;
}

TEST(HandOverCases, ComeOutThroughCpp) {
  const nlohmann::json file = HandOverCases();
  for (const auto& one : file["cases"]) {
    SCOPED_TRACE(NameOf(one));
    const TemporaryDirectory directory;
    CppDoor door((directory.path() / "ledger").string());
    Play(file, one, door);
    EXPECT_TRUE(door.engine().CheckInvariants().ok());
    door.Restart();
  }
}

}  // namespace
}  // namespace muster::testing
