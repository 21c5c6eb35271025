// The usage of random stories, told by their events, against adding up what the engine says it
// holds after every step.
#include "bindings/cpp/usage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "tests/property/for_each_world.h"
#include "tests/property/random_story.h"

namespace muster::testing {
namespace {

using UsagePlace = std::tuple<std::string, std::string, std::string>;  ///< group, flavor, resource
struct UsageSum {
  QuotaTime nominal = 0;
  QuotaTime borrowed = 0;
  bool operator==(const UsageSum&) const = default;
};
using UsageSums = std::map<UsagePlace, UsageSum>;

class Kept final : public Journal {
 public:
  Result<Ticket> Append(muster::Commit commit) override {
    commits.push_back(std::move(commit));
    return static_cast<Ticket>(commits.size());
  }
  Status Durable(Ticket) override { return Status::Ok(); }
  std::vector<muster::Commit> commits;
};

/// What is held from one commit to the next.
struct HeldMoment {
  TimeNs at = kNoTime;
  std::vector<ClusterQueueView> queues;
};

/// A story told to an engine: its commits, and what the engine held after each step.
struct Told {
  Kept kept;
  std::vector<HeldMoment> moments;
};

void TellUsage(const Story& story, Told* told) {
  EngineTeller teller(story, nullptr, &told->kept);
  const auto look = [&] {
    if (told->kept.commits.empty()) return;
    told->moments.push_back({told->kept.commits.back().at, *teller.engine().ClusterQueues()});
  };
  look();
  for (const oracle::Step& step : story.steps) {
    teller.Tell(step);
    look();
  }
}

UsageSums Measured(const Told& told, UsageGroup group, TimeNs since, TimeNs until) {
  UsageMeter meter(std::move(group), since, until);
  for (const muster::Commit& commit : told.kept.commits) {
    EXPECT_TRUE(meter.Add(commit.at, commit.events).ok());
  }
  UsageSums sums;
  for (const UsageRow& row : meter.Finish()) {
    EXPECT_LE(row.preempted, row.nominal + row.borrowed);
    sums[{row.group, row.flavor, row.resource}] = {row.nominal, row.borrowed};
  }
  EXPECT_EQ(meter.unmeasured(), 0);
  return sums;
}

/// The same from what the engine showed.
UsageSums Looked(const Told& told, TimeNs since, TimeNs until) {
  UsageSums sums;
  for (std::size_t i = 0; i < told.moments.size(); ++i) {
    const TimeNs next = i + 1 < told.moments.size() ? told.moments[i + 1].at : until;
    const TimeNs from = std::max(told.moments[i].at, since);
    const TimeNs to = std::min(next, until);
    if (from >= to) continue;
    for (const ClusterQueueView& queue : told.moments[i].queues) {
      for (const QuotaView& quota : queue.quotas) {
        UsageSum& sum = sums[{queue.spec.name, quota.flavor, quota.resource}];
        sum.nominal += static_cast<QuotaTime>(std::min(quota.usage, quota.nominal)) * (to - from);
        sum.borrowed +=
            static_cast<QuotaTime>(std::max<Amount>(quota.usage - quota.nominal, 0)) * (to - from);
      }
    }
  }
  std::erase_if(sums, [](const auto& entry) { return entry.second == UsageSum{}; });
  return sums;
}

std::string ShownSums(const UsageSums& sums) {
  std::string text;
  for (const auto& [place, sum] : sums) {
    text += std::get<0>(place) + " " + std::get<1>(place) + " " + std::get<2>(place) + " " +
            std::to_string(static_cast<double>(sum.nominal) / 1e9) + " + " +
            std::to_string(static_cast<double>(sum.borrowed) / 1e9) + "\n";
  }
  return text;
}

/// Leaves what the queue declared all the time: the engine shows nothing else, though a workload
/// that came with its admission may hold it.
void KeepDeclared(const Told& told, UsageSums& sums) {
  std::erase_if(sums, [&told](const auto& entry) {
    const auto& [queue_name, flavor, resource] = entry.first;
    for (const HeldMoment& moment : told.moments) {
      bool declared = false;
      for (const ClusterQueueView& queue : moment.queues) {
        for (const QuotaView& quota : queue.quotas) {
          declared = declared || (queue.spec.name == queue_name && quota.flavor == flavor &&
                                  quota.resource == resource);
        }
      }
      if (!declared) return true;
    }
    return false;
  });
}

void CheckUsageIn(const Story& story, Choices& choices) {
  Told told;
  TellUsage(story, &told);
  if (told.moments.empty()) return;
  const TimeNs begin = told.moments.front().at;
  const TimeNs end = told.moments.back().at + 10 * kSecond;
  const UsageGroup by_queue;
  const UsageSums all = Measured(told, by_queue, begin, end);
  UsageSums declared = all;
  KeepDeclared(told, declared);
  UsageSums looked = Looked(told, begin, end);
  KeepDeclared(told, looked);
  EXPECT_TRUE(declared == looked) << "told by events:\n"
                                  << ShownSums(declared) << "seen:\n"
                                  << ShownSums(looked) << ToCase(story);
  // A part of it, and the two parts of a whole.
  const TimeNs cut = begin + (end - begin) / 7 * choices.Below(8);
  const UsageSums before = Measured(told, by_queue, begin, cut);
  UsageSums declared_before = before;
  KeepDeclared(told, declared_before);
  UsageSums looked_before = Looked(told, begin, cut);
  KeepDeclared(told, looked_before);
  EXPECT_TRUE(declared_before == looked_before);
  UsageSums both = before;
  for (const auto& [place, sum] : Measured(told, by_queue, cut, end)) {
    both[place].nominal += sum.nominal;
    both[place].borrowed += sum.borrowed;
  }
  EXPECT_TRUE(both == all) << "the parts add up";
  // However it is grouped, it is the same in all.
  for (const UsageGroup& group :
       {UsageGroup{UsageGroup::By::kNamespace, ""}, UsageGroup{UsageGroup::By::kLabel, "user"}}) {
    UsageSums one, other;
    for (const auto& [place, sum] : all) {
      UsageSum& total = one[{"", std::get<1>(place), std::get<2>(place)}];
      total = {total.nominal + sum.nominal, total.borrowed + sum.borrowed};
    }
    for (const auto& [place, sum] : Measured(told, group, begin, end)) {
      UsageSum& total = other[{"", std::get<1>(place), std::get<2>(place)}];
      total = {total.nominal + sum.nominal, total.borrowed + sum.borrowed};
    }
    EXPECT_TRUE(one == other) << "by " << group.label;
  }
}

TEST(Usage, OfRandomStoriesIsWhatTheEngineHeldFromStepToStep) {
  ForEach(MakeRandomStory, 300, Seeds::kFixed, CheckUsageIn);
}

TEST(LongUsage, OfRandomStoriesIsWhatTheEngineHeldFromStepToStep) {
  ForEach(MakeRandomStory, 1'500, Seeds::kFresh, CheckUsageIn);
}
TEST(NightUsage, OfRandomStoriesIsWhatTheEngineHeldFromStepToStep) {
  ForEach(MakeRandomStory, 20'000, Seeds::kFresh, CheckUsageIn);
}

// Without these the comparison would be between two empty lists.
TEST(Usage, OfRandomStoriesIsEventful) {
  int borrowing = 0, nominal = 0, preempted = 0;
  ForEach(MakeRandomStory, 300, Seeds::kFixed, [&](const Story& story, Choices&) {
    Told told;
    TellUsage(story, &told);
    if (told.moments.empty()) return;
    UsageMeter meter({}, told.moments.front().at, told.moments.back().at + kSecond);
    for (const muster::Commit& commit : told.kept.commits) {
      ASSERT_TRUE(meter.Add(commit.at, commit.events).ok());
    }
    for (const UsageRow& row : meter.Finish()) {
      nominal += row.nominal > 0;
      borrowing += row.borrowed > 0;
      preempted += row.preempted > 0;
    }
  });
  EXPECT_GT(nominal, 100);
  EXPECT_GT(borrowing, 50);
  EXPECT_GT(preempted, 10);
}

}  // namespace
}  // namespace muster::testing
