// Decisions say all: a gateway that knows nothing but them knows of every workload whether it runs,
// has to leave or is to be checked, whatever happens in a story.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "tests/property/for_each_world.h"
#include "tests/property/random_story.h"

namespace muster::testing {
namespace {

/// What a gateway knows of one workload, from the newest decision about it.
class Gateway {
 public:
  explicit Gateway(const Engine& engine) {
    for (const WorkloadView& view : *engine.Workloads()) {
      if (view.phase != WorkloadPhase::kPending) older_.insert(view.spec.uid);
    }
  }

  void TakeOver(Engine& engine, TimeNs now) {
    const answer::Decisions told = *engine.Decisions("gateway", 3);  // in small bites
    for (const Decision& decision : told.decisions) {
      EXPECT_EQ(decision.number, ++last_) << "numbers have no gaps";
      older_.erase(decision.uid);
      CheckRun(decision);
      newest_[decision.uid] = decision;
    }
    EXPECT_TRUE(engine.Acknowledge("gateway", last_, now).ok());
    if (last_ < told.last) TakeOver(engine, now);
  }

  void Compare(const Engine& engine) {
    std::set<std::string> there;
    for (const WorkloadView& view : *engine.Workloads()) {
      SCOPED_TRACE(view.spec.key.ToString() + " is " + std::string(PhaseName(view.phase)));
      there.insert(view.spec.uid);
      if (view.phase == WorkloadPhase::kFinished) over_.insert(view.spec.uid);
      EXPECT_TRUE(older_.contains(view.spec.uid) || Fits(view)) << Shown(view.spec.uid);
    }
    for (const auto& [uid, decision] : newest_) {
      const bool holds = decision.admission || decision.stop;
      if (!holds || there.contains(uid) || over_.contains(uid)) continue;
      EXPECT_TRUE(decision.kind == DecisionKind::kWithdraw || decision.stop)
          << decision.workload.ToString() << " is gone, and it was not said: " << Shown(uid);
    }
  }

 private:
  /// The run is the same until the workload is told to leave, and higher when it is back.
  void CheckRun(const Decision& decision) const {
    SCOPED_TRACE(std::to_string(decision.number) + " about run " + std::to_string(decision.run));
    const bool about_one = decision.admission || decision.stop;
    EXPECT_EQ(decision.run > 0, about_one);
    const auto before = newest_.find(decision.uid);
    if (!about_one || before == newest_.end() || before->second.run == 0) return;
    if (decision.admission && before->second.stop) {
      EXPECT_GT(decision.run, before->second.run);
    } else {
      EXPECT_EQ(decision.run, before->second.run) << Shown(decision.uid);
    }
  }
  bool Fits(const WorkloadView& view) {
    const auto found = newest_.find(view.spec.uid);
    const bool told = found != newest_.end();
    const auto is = [&](DecisionKind kind) { return told && found->second.kind == kind; };
    const bool starts = is(DecisionKind::kStart) || is(DecisionKind::kStartAgain);
    switch (view.phase) {
      case WorkloadPhase::kAdmitted:
        return starts &&
               found->second.admission->cluster_queue == view.spec.status.admission->cluster_queue;
      case WorkloadPhase::kReserved:
        return is(DecisionKind::kReserve);
      case WorkloadPhase::kEvicting:
        return told && found->second.stop;
      case WorkloadPhase::kPending:
      case WorkloadPhase::kInactive:
        return !starts && !is(DecisionKind::kReserve) && !is(DecisionKind::kWithdraw);
      case WorkloadPhase::kFinished:
        return true;
    }
    return false;
  }
  std::string Shown(const std::string& uid) const {
    const auto found = newest_.find(uid);
    if (found == newest_.end()) return "no decision about it";
    return std::to_string(found->second.number) + " " +
           std::string(DecisionName(found->second.kind)) + (found->second.stop ? ", stop" : "");
  }

  std::set<std::string> older_;  ///< held something before it listened, and were not told of since
  std::set<std::string> over_;
  std::map<std::string, Decision> newest_;
  std::int64_t last_ = 0;
};

void PlayHandOver(const Story& story, Choices&) {
  EngineTeller teller(story);
  Engine& engine = teller.engine();
  TimeNs now = story.now;
  ASSERT_TRUE(engine.RegisterConsumer("gateway", now).ok());
  Gateway gateway(engine);
  for (const oracle::Step& step : story.steps) {
    if (const auto* pass = std::get_if<oracle::Pass>(&step)) now += pass->time;
    teller.Tell(step);
    gateway.TakeOver(engine, now);
    gateway.Compare(engine);
    if (!::testing::Test::HasFailure()) continue;
    Story shown = story;
    shown.steps.resize(static_cast<std::size_t>(&step - story.steps.data()) + 1);
    ADD_FAILURE() << ToCase(shown);
    return;
  }
}

/// Numbering decides nothing.
void PlayWithAndWithout(const Story& story, Choices&) {
  EngineTeller plain(story);
  EngineTeller numbered(story);
  ASSERT_TRUE(numbered.engine().RegisterConsumer("gateway", story.now).ok());
  for (const oracle::Step& step : story.steps) {
    ASSERT_EQ(plain.Tell(step), numbered.Tell(step)) << ToCase(story);
  }
}

TEST(HandedOver, TellsAGatewayOfEveryChange) {
  ForEach(MakeRandomStory, 400, Seeds::kFixed, PlayHandOver);
}
TEST(HandedOver, ChangesNoDecision) {
  ForEach(MakeRandomStory, 100, Seeds::kFixed, PlayWithAndWithout);
}
TEST(LongHandedOver, TellsAGatewayOfEveryChange) {
  ForEach(MakeRandomStory, 5'000, Seeds::kFresh, PlayHandOver);
}
TEST(NightHandedOver, TellsAGatewayOfEveryChange) {
  ForEach(MakeRandomStory, 20'000, Seeds::kFresh, PlayHandOver);
}

}  // namespace
}  // namespace muster::testing
