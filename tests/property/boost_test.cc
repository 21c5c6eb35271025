// Boosts in random stories: a priority of which a part is a boost decides what the whole priority
// decides, be the boost an annotation or a policy's answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/property/for_each_world.h"
#include "tests/property/random_story.h"
#include "tests/testing/memory_journal.h"

namespace muster::testing {
namespace {

constexpr char kLabel[] = "boost";
constexpr int kZero = 10;  ///< no label begins with a minus

/// The boost of a workload: always the same for the same name.
std::int32_t BoostOf(const Key& key) {
  std::int32_t sum = 0;
  for (const char c : key.name) sum = sum * 31 % 1009 + c;
  return sum % 7 - 3;
}

enum class Boosts { kByAnnotation, kByLabel };

/// The story with a part of each written priority moved into a boost.
class Boosted {
 public:
  Boosted(const Story& story, Boosts boosts) : boosts_(boosts), told_(story) {
    bool configured = false;
    for (Object& object : told_.world) {
      Move(object);
      configured |= std::holds_alternative<Configuration>(object);
    }
    if (!configured) {
      Object configuration = Configuration{};
      Move(configuration);
      told_.world.push_back(std::move(configuration));
    }
    for (oracle::Step& step : told_.steps) {
      if (auto* submit = std::get_if<oracle::Submit>(&step)) {
        for (Workload& workload : submit->workloads) Move(workload);
      } else if (auto* apply = std::get_if<oracle::Apply>(&step)) {
        Move(apply->object);
      } else if (auto* update = std::get_if<WorkloadUpdate>(&step)) {
        if (update->priority && moved_[update->workload]) {
          *update->priority -= BoostOf(update->workload);
        }
      }
    }
  }
  const Story& told() const { return told_; }

 private:
  void Move(Object& object) {
    if (auto* workload = std::get_if<Workload>(&object)) Move(*workload);
    auto* configuration = std::get_if<Configuration>(&object);
    if (configuration == nullptr || boosts_ != Boosts::kByAnnotation) return;
    configuration->feature_gates["PriorityBoost"] = true;
  }
  void Move(Workload& workload) {
    moved_[workload.key] = workload.priority.has_value();
    if (!workload.priority) return;
    const std::int32_t boost = BoostOf(workload.key);
    *workload.priority -= boost;
    if (boosts_ == Boosts::kByLabel) {
      workload.labels[kLabel] = std::to_string(kZero + boost);
    } else {
      workload.annotations["kueue.x-k8s.io/priority-boost"] = std::to_string(boost);
    }
  }

  Boosts boosts_;
  Story told_;
  std::map<Key, bool> moved_;  ///< whether a part of its priority is
};

/// Answers the label.
class LabelBoosts final : public Policy {
 public:
  explicit LabelBoosts(bool each_cycle) {
    info_.name = "label-boosts";
    info_.hash = std::string(64, 'b');
    info_.labels = {kLabel};
    HookInfo& hook = info_.hooks.emplace_back();
    hook.hook = Hook::kBoost;
    if (each_cycle) hook.reads = {"usage"};
  }
  const PolicyInfo& info() const override { return info_; }
  HookOutcome Call(Hook, const muster_batch& batch, std::span<double> answers) override {
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const muster_string& text = batch.strings[batch.workloads[i].label[0]];
      answers[i] =
          text.size == 0 ? 0 : std::atoi(std::string(text.data, text.size).c_str()) - kZero;
      given += answers[i] != 0;
    }
    return {};
  }
  int given = 0;

 private:
  PolicyInfo info_;
};

/// Of a policy's boosts nothing is known before the next cycle, and nothing of what no cycle asks
/// about: what is compared is what was decided, and where the others are. One that waits may have
/// been of a class that nothing wakes when it came, and still say so after a wake; of one whose
/// boost was not known yet that is not said.
Picture Comparable(Picture picture) {
  for (std::string& line : picture) {
    if (const std::size_t waits = line.find(" waits"); waits != std::string::npos) {
      line.resize(waits + std::string(" waits").size());
    }
    const std::size_t at = line.find(" priority ");
    if (at == std::string::npos) continue;
    const std::size_t end = line.find(' ', at + 10);
    line.erase(at, end == std::string::npos ? end : end - at);
  }
  return picture;
}

bool IsCycle(const oracle::Step& step) { return std::holds_alternative<oracle::Cycle>(step); }

void CheckAnnotations(const Story& story, Choices&) {
  const Boosted boosted(story, Boosts::kByAnnotation);
  EngineTeller whole(story), parts(boosted.told());
  for (std::size_t i = 0; i < story.steps.size(); ++i) {
    ASSERT_EQ(parts.Tell(boosted.told().steps[i]), whole.Tell(story.steps[i]))
        << "step " << i << " of\n"
        << ToCase(boosted.told());
  }
}

/// One that came in a backoff is tried again when its boost is known, whatever it is then.
bool ComesInBackoff(const Workload& workload) {
  bool waits = workload.status.requeue_state.has_value();
  for (const Condition& each : workload.status.conditions) {
    waits |= each.type == "Requeued" && !each.status;
  }
  return waits;
}

bool SomeComeInBackoff(const Story& story) {
  bool some = false;
  for (const Object& object : story.world) {
    const auto* workload = std::get_if<Workload>(&object);
    some |= workload != nullptr && ComesInBackoff(*workload);
  }
  for (const oracle::Step& step : story.steps) {
    const auto* submit = std::get_if<oracle::Submit>(&step);
    if (submit == nullptr) continue;
    some |= std::ranges::any_of(submit->workloads, ComesInBackoff);
  }
  return some;
}

/// What a picture says of a workload's priority; empty: nothing.
std::string PriorityIn(const Picture& picture, const Key& workload) {
  const std::string name = workload.ns + "/" + workload.name + " ";
  for (const std::string& line : picture) {
    if (!line.starts_with(name)) continue;
    const std::size_t at = line.find(" priority ");
    return at == std::string::npos ? std::string() : line.substr(at, line.find(' ', at + 10) - at);
  }
  return {};
}

/// Whether the step changes a workload whose boost no cycle has asked about yet: its priority is
/// not the same in both. Where it waits already, a change does not ask what is known of its class;
/// with the boost, it is looked at as one that comes.
bool ChangesBeforeTheBoost(const oracle::Step& step, const Picture& whole, const Picture& parts) {
  const auto* update = std::get_if<WorkloadUpdate>(&step);
  return update != nullptr &&
         PriorityIn(whole, update->workload) != PriorityIn(parts, update->workload);
}

// The same again with a journal, reopened after every step.
struct BoostCounts {
  int given = 0, compared = 0;
};

void CheckLabels(const Story& story, Choices& choices, BoostCounts& counts) {
  const Boosted boosted(story, Boosts::kByLabel);
  const auto policy = std::make_shared<LabelBoosts>(choices.OneIn(2));
  const auto reopened_policy =
      std::make_shared<LabelBoosts>(!policy->info().hooks[0].reads.empty());
  bool comparable = !SomeComeInBackoff(story);
  MemoryJournal journal;
  EngineTeller whole(story), parts(boosted.told(), policy);
  EngineTeller reopened(boosted.told(), reopened_policy, &journal);
  Picture expected, got;
  for (std::size_t i = 0; i < story.steps.size(); ++i) {
    const oracle::Step& step = boosted.told().steps[i];
    comparable = comparable && !ChangesBeforeTheBoost(step, expected, got);
    expected = whole.Tell(story.steps[i]);
    got = parts.Tell(step);
    if (comparable && IsCycle(step)) {
      ASSERT_EQ(Comparable(got), Comparable(expected)) << "step " << i << " of\n"
                                                       << ToCase(boosted.told());
    }
    ASSERT_EQ(reopened.Tell(step), got) << "step " << i;
    ASSERT_EQ(*reopened.engine().StateHash(), *parts.engine().StateHash()) << "step " << i;
    ASSERT_TRUE(journal.Reopen(reopened.engine()).ok());
    ASSERT_TRUE(reopened.engine().AttachPolicy(reopened_policy).ok());
    ASSERT_EQ(*reopened.engine().StateHash(), *parts.engine().StateHash()) << "reopened, " << i;
  }
  counts.given += policy->given;
  counts.compared += comparable;
}

void CheckLabelsInStories(int count, Seeds seeds) {
  BoostCounts counts;
  ForEach(MakeRandomStory, count, seeds,
          [&counts](const Story& story, Choices& choices) { CheckLabels(story, choices, counts); });
  if (std::getenv("MUSTER_SEED") != nullptr) return;
  EXPECT_GT(counts.given, count);
  EXPECT_GT(counts.compared, count / 3);
}

TEST(Boosts, OfAnAnnotationAreAsIfThePriorityWereWrittenSo) {
  ForEach(MakeRandomStory, 300, Seeds::kFixed, CheckAnnotations);
}
TEST(LongBoosts, OfAnAnnotationAreAsIfThePriorityWereWrittenSo) {
  ForEach(MakeRandomStory, 800, Seeds::kFresh, CheckAnnotations);
}
TEST(NightBoosts, OfAnAnnotationAreAsIfThePriorityWereWrittenSo) {
  ForEach(MakeRandomStory, 10'000, Seeds::kFresh, CheckAnnotations);
}

TEST(Boosts, OfAPolicyAreAsIfThePriorityWereWrittenSo) { CheckLabelsInStories(100, Seeds::kFixed); }
// Found by a night's random stories: it changed in its queue before a cycle had asked about its
// boost, and then was of a class that is parked.
TEST(Boosts, OfWhatChangesBeforeItIsAskedAboutMakeItOneThatComes) {
  RandomChoices choices(1'832'032'968);
  BoostCounts counts;
  CheckLabels(MakeRandomStory(choices), choices, counts);
  EXPECT_EQ(counts.compared, 0) << "the seed gives a story that changes before its boost";
}
// Its class was looked at before its boost made it one of that class.
TEST(Boosts, OfWhatIsParkedAtOnceTellWhy) {
  RandomChoices choices(937'568'025);
  BoostCounts counts;
  CheckLabels(MakeRandomStory(choices), choices, counts);
}
TEST(LongBoosts, OfAPolicyAreAsIfThePriorityWereWrittenSo) {
  CheckLabelsInStories(500, Seeds::kFresh);
}
TEST(NightBoosts, OfAPolicyAreAsIfThePriorityWereWrittenSo) {
  CheckLabelsInStories(10'000, Seeds::kFresh);
}

}  // namespace
}  // namespace muster::testing
