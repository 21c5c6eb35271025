// What the packages that say "at most", "never" and "stays free" promise, looked at after every
// cycle of random stories: bursts over several queues, preemption, engines that are reopened or die
// in the middle of a commit. Each check counts for itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "tests/promises/gateway.h"
#include "tests/property/for_each_world.h"
#include "tests/testing/paths.h"

namespace muster::testing {
namespace {

using Jobs = PromisedGateway::Jobs;
using Labels = std::map<std::string, std::string, std::less<>>;
constexpr DurationNs kMinute = 60 * kSecond, kHour = 60 * kMinute, kDay = 24 * kHour;

std::string OneOf(Choices& choices, const std::vector<std::string>& names) {
  return names[static_cast<std::size_t>(choices.Below(static_cast<int>(names.size())))];
}

/// How often in a story the promise was what decided; a check that never is proves nothing.
struct Promise {
  int tested = 0;
};

/// Those that wait when one of a call's starts is decided: all that did before the call but those
/// that started earlier in it.
class Waiting {
 public:
  explicit Waiting(const Jobs& before) {
    for (const auto& [name, job] : before) {
      if (!job.running) jobs_[name] = &job;
    }
  }
  /// The others, and `name` from then on no more.
  const std::map<std::string, const PromisedJob*>& Without(const std::string& name) {
    jobs_.erase(name);
    return jobs_;
  }

 private:
  std::map<std::string, const PromisedJob*> jobs_;
};

/// Stories under `world`, each with a promise `P` of its own.
template <typename P>
void Keep(const PromisedWorld& world, int count, Seeds seeds) {
  SCOPED_TRACE(world.package);
  const auto policy = LoadPolicy((SourceDir() / "policies" / world.package).string(), world.params);
  ASSERT_TRUE(policy.ok()) << policy.status().message();
  int tested = 0;
  const auto draw = [](Choices&) { return P(); };
  ForEach(draw, count, seeds, [&](P promise, Choices& choices) {
    PromisedGateway gateway(world, *policy, choices);
    gateway.Tell(80, [&](const PromisedGateway::Jobs& before, const CycleResult& result) {
      promise.Check(gateway, before, result);
    });
    if (::testing::Test::HasFailure()) std::cout << gateway.story();
    tested += promise.tested;
  });
  std::cout << world.package << ": decided by the promise " << tested << " times\n";
  EXPECT_TRUE(4 * tested > count || std::getenv("MUSTER_SEED") != nullptr);
}

// ---- at most three interactive jobs of a user --------------------------------------------------

class AtMostThree : public Promise {
 public:
  void Check(const PromisedGateway& gateway, const Jobs&, const CycleResult& result) {
    std::map<std::string, int> running;
    std::map<std::string, int> waiting;
    for (const auto& [name, job] : gateway.jobs()) {
      if (job.Label("kind") != "interactive" || job.gpus > 2) continue;
      ++(job.running ? running : waiting)[job.Label("muster.dev/user")];
    }
    for (const auto& [user, count] : running) {
      EXPECT_LE(count, 3) << user << " in cycle " << result.cycle;
      tested += count == 3 && waiting.contains(user);
    }
  }
};

PromisedWorld InteractiveFirst() {
  PromisedWorld world{.package = "interactive-first", .gpus = 12};
  world.labels = [](Choices& choices) {
    return Labels{{"muster.dev/user", OneOf(choices, {"ann", "ben"})},
                  {"team", OneOf(choices, {"red", "blue"})},
                  {"kind", OneOf(choices, {"interactive", "interactive", "batch"})}};
  };
  return world;
}

// ---- no old checkpoint lost, no team evicted more than a part of it an hour --------------------

class Gentle : public Promise {
 public:
  static constexpr double kPart = 0.4;  // as the world's parameter says
  void Check(const PromisedGateway& gateway, const Jobs& before, const CycleResult& result) {
    std::map<std::string, int> held;
    // What starts in a call of several cycles counts in those after it.
    for (const auto& [name, job] : gateway.heads() == 1 ? before : gateway.jobs()) {
      if (job.running) held[job.Label("team")] += job.gpus;
    }
    for (const PreemptedWorkload& preempted : result.preempted) {
      const PromisedJob& job = gateway.jobs().at(preempted.workload.name);
      EXPECT_TRUE(gateway.now() - job.started < 10 * kMinute ||
                  gateway.now() - job.saved <= 20 * kMinute)
          << job.name << " in cycle " << result.cycle;
      evicted_.push_back({gateway.now(), job.Label("team"), job.gpus});
    }
    if (result.preempted.empty()) return;
    std::map<std::string, int> lately;
    for (const auto& [at, team, gpus] : evicted_) {
      if (gateway.now() - at < kHour) lately[team] += gpus;
    }
    for (const PreemptedWorkload& preempted : result.preempted) {
      const std::string& team = before.at(preempted.workload.name).Label("team");
      EXPECT_LE(lately[team], kPart * held[team]) << team << " in cycle " << result.cycle;
      ++tested;
    }
  }

 private:
  std::deque<std::tuple<TimeNs, std::string, int>> evicted_;
};

PromisedWorld GentlePreemption() {
  PromisedWorld world{.package = "gentle-preemption", .params = {{"part", "0.4"}}, .gpus = 4};
  world.sizes = {1, 1, 2};
  world.priorities = 9;
  world.ticks = 8;
  world.labels = [](Choices& choices) { return Labels{{"team", OneOf(choices, {"red", "blue"})}}; };
  return world;
}

// ---- no job waits for more than 36 hours, but for others that do -------------------------------

class NobodyStarves : public Promise {
 public:
  void Check(const PromisedGateway& gateway, const Jobs& before, const CycleResult& result) {
    const auto waited = [&](const PromisedJob& job) { return gateway.now() - job.created; };
    Waiting waiting(before);
    for (const AdmittedWorkload& admitted : result.admitted) {
      // What was freed for a job while nothing waited for so long remains its own.
      if (gateway.world().preemption) break;
      const PromisedJob& job = before.at(admitted.workload.name);
      const auto& others = waiting.Without(job.name);
      if (waited(job) >= 36 * kHour) {
        tested += job.Label("project") != "apollo";
        continue;
      }
      for (const auto& [name, other] : others) {
        EXPECT_FALSE(waited(*other) >= 36 * kHour)
            << job.name << " got in before " << name << ", cycle " << result.cycle;
      }
    }
    for (const PreemptedWorkload& preempted : result.preempted) {
      const PromisedJob& job = before.at(preempted.workload.name);
      const PromisedJob& by = before.at(preempted.by.name);
      EXPECT_LT(Boost(job, waited(job)), Boost(by, waited(by))) << job.name << " by " << by.name;
      ++tested;
    }
  }

 private:
  static std::int64_t Boost(const PromisedJob& job, DurationNs waited) {
    if (waited >= 36 * kHour) return 1001;
    return job.Label("project") == "apollo" ? waited / kHour * 10 : 0;
  }
};

PromisedWorld ProjectBoost(bool preemption) {
  PromisedWorld world{.package = "project-boost", .params = {{"project", "apollo"}}, .queues = 1};
  world.gpus = preemption ? 2 : 4;
  world.preemption = preemption;
  world.sizes = {1};
  world.priorities = 1;
  world.tick = kHour;
  world.ticks = preemption ? 4 : 8;
  world.labels = [](Choices& choices) {
    return Labels{{"project", OneOf(choices, {"apollo", "gemini"})}};
  };
  return world;
}

// ---- eight GPUs stay free in working hours -----------------------------------------------------

class StaysFree : public Promise {
 public:
  void Check(const PromisedGateway& gateway, const Jobs& before, const CycleResult& result) {
    if (!Working(gateway.now())) return;
    int free = 20;
    for (const auto& [name, job] : before) {
      if (job.running && job.flavor == "h100") free -= job.gpus;
    }
    for (const AdmittedWorkload& admitted : result.admitted) {
      const PromisedJob& job = gateway.jobs().at(admitted.workload.name);
      if (job.flavor != "h100") continue;
      free -= job.gpus;
      EXPECT_TRUE(free >= 8 || job.gpus >= 8) << job.name << " in cycle " << result.cycle;
    }
    const bool waits = std::ranges::any_of(gateway.jobs(), [](const auto& each) {
      return !each.second.running && each.second.gpus < 8;
    });
    tested += waits && free >= 8 && free < 12;
  }

 private:
  /// Stories begin in the first week of January 2026 and last for days: winter time, UTC + 1.
  static bool Working(TimeNs now) {
    const TimeNs there = now + kHour;
    const std::int64_t weekday = (there / kDay + 3) % 7;  // 0 is Monday; the epoch was a Thursday
    const std::int64_t hour = there % kDay / kHour;
    return weekday < 5 && hour >= 8 && hour < 18;
  }
};

PromisedWorld KeepFree() {
  PromisedWorld world{.package = "keep-free", .queues = 1, .gpus = 20};
  world.flavors = {"h100", "mig-1g"};
  world.sizes = {1, 2, 3, 8};
  world.tick = 10 * kMinute;
  world.labels = [](Choices& choices) {
    return Labels{{"gpu-fraction", OneOf(choices, {"0.1", "0.5", "1"})}};
  };
  return world;
}

// ---- one draw a day ----------------------------------------------------------------------------

class OneDrawADay : public Promise {
 public:
  void Check(const PromisedGateway& gateway, const Jobs& before, const CycleResult& result) {
    const std::int64_t day = gateway.now() / kDay;
    Waiting waiting(before);
    for (const AdmittedWorkload& admitted : result.admitted) {
      const PromisedJob& job = before.at(admitted.workload.name);
      for (const auto& [name, other] : waiting.Without(job.name)) {
        if (other->Label("team") == job.Label("team")) continue;
        EXPECT_GE(job.priority, other->priority) << job.name << " before " << name;
        if (other->priority != job.priority) continue;
        won_.insert({day, job.Label("team"), other->Label("team")});
        EXPECT_FALSE(won_.contains({day, other->Label("team"), job.Label("team")}))
            << job.name << " before " << name << " on day " << day;
        ++tested;
      }
    }
  }

 private:
  std::set<std::tuple<std::int64_t, std::string, std::string>> won_;
};

PromisedWorld DailyLottery() {
  PromisedWorld world{
      .package = "daily-lottery", .params = {{"tickets", R"({"red":"3"})"}}, .queues = 1};
  world.gpus = 4;
  world.preemption = false;
  world.sizes = {1};
  world.priorities = 2;
  world.labels = [](Choices& choices) {
    return Labels{{"team", OneOf(choices, {"red", "green", "blue"})}};
  };
  return world;
}

// ---- users that cancel most stand behind; very large jobs have a label --------------------------

class BehindWhoCancels : public Promise {
 public:
  void Check(const PromisedGateway& gateway, const Jobs& before, const CycleResult& result) {
    std::map<std::string, int> balance;  // twice the cancelled of the day less the submitted
    for (const PromisedEvent& event : gateway.events()) {
      if (event.at / kDay == gateway.now() / kDay) balance[event.user] += event.cancelled ? 2 : -1;
    }
    const auto behind = [&](const PromisedJob& job) {
      return balance[job.Label("muster.dev/user")] > 0;
    };
    for (const auto& [name, job] : before) {
      EXPECT_TRUE(job.gpus <= 64 || !job.Label("large-job").empty()) << name << " came in";
      tested += job.gpus > 64;
    }
    Waiting waiting(before);
    for (const AdmittedWorkload& admitted : result.admitted) {
      const PromisedJob& job = before.at(admitted.workload.name);
      for (const auto& [name, other] : waiting.Without(job.name)) {
        tested += behind(*other);
        if (other->gpus > job.gpus || behind(*other)) continue;
        EXPECT_FALSE(behind(job))
            << job.name << " got in before " << name << ", cycle " << result.cycle;
      }
    }
  }
};

PromisedWorld CancelledBehind() {
  PromisedWorld world{.package = "cancelled-behind", .queues = 1, .gpus = 70};
  world.preemption = false;
  world.sizes = {20, 64, 65};
  world.tick = 10 * kMinute;
  world.labels = [](Choices& choices) {
    Labels labels = {{"muster.dev/user", OneOf(choices, {"ann", "ben", "cid"})}};
    if (choices.OneIn(2)) labels["large-job"] = "yes";
    return labels;
  };
  return world;
}

void KeepAll(int count, Seeds seeds) {
  Keep<AtMostThree>(InteractiveFirst(), count, seeds);
  Keep<Gentle>(GentlePreemption(), count, seeds);
  Keep<NobodyStarves>(ProjectBoost(false), count, seeds);
  Keep<NobodyStarves>(ProjectBoost(true), count, seeds);
  Keep<StaysFree>(KeepFree(), count, seeds);
  Keep<OneDrawADay>(DailyLottery(), count, seeds);
  Keep<BehindWhoCancels>(CancelledBehind(), count, seeds);
}

TEST(Promises, AreKept) { KeepAll(60, Seeds::kFixed); }
TEST(LongPromises, AreKept) { KeepAll(250, Seeds::kFresh); }
TEST(NightPromises, AreKept) { KeepAll(25'000, Seeds::kFresh); }

}  // namespace
}  // namespace muster::testing
