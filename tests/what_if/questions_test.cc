// A question answers what really doing it comes to, and leaves no trace.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bindings/lab/player.h"
#include "bindings/lab/what_if.h"
#include "bindings/lab/words.h"
#include "muster/engine.h"
#include "tests/property/for_each_world.h"
#include "tests/property/random_change.h"

namespace muster::testing {
namespace {

template <typename Spec>
std::vector<Spec> AllOf(const World& world) {
  std::vector<Spec> all;
  for (const Object& object : world) {
    if (const auto* const spec = std::get_if<Spec>(&object)) all.push_back(*spec);
  }
  return all;
}

// One to three commands about what is there, and a few about what is not.
std::vector<Command> DrawCommands(Choices& choices, const World& drawn) {
  World world = drawn;
  const auto queues = AllOf<ClusterQueue>(world);
  const auto workloads = AllOf<Workload>(world);
  std::vector<Command> commands;
  const int count = choices.Between(1, 3);
  for (int i = 0; i < count; ++i) {
    const Key key = choices.Pick(workloads).key;
    switch (choices.Below(8)) {
      case 0:
      case 1:
        commands.emplace_back(
            command::Submit{{DrawWorkload(choices, choices.Pick(queues), 20 + i)}});
        break;
      case 2:
      case 3:
        commands.emplace_back(
            command::Apply{{ChangeSomething(choices, world)}, MissingReference::kAccept});
        break;
      case 4:
        commands.emplace_back(command::Finish{{key}});
        break;
      case 5:
        commands.emplace_back(command::Cancel{{key}});
        break;
      case 6: {
        command::Update update;
        update.workload = key;
        update.priority = choices.Between(-1, 3);
        commands.emplace_back(update);
        break;
      }
      default:
        commands.emplace_back(command::Evict{key, "Maintenance"});
    }
  }
  return commands;
}

// A workload in one line, as an answer has it and as an engine does.
std::string Show(WorkloadPhase phase, const std::string& queue, const std::string& says,
                 PendingReason reason) {
  return std::string(PhaseName(phase)) + " " + queue + " " + says + " " +
         std::string(ReasonName(reason));
}

// By name: "Pending queue-0  WaitingForQuota".
using Ends = std::map<Key, std::string>;

Ends EndsOf(const std::vector<WorkloadView>& views, bool reasons) {
  Ends ends;
  for (const WorkloadView& view : views) {
    const bool holds =
        view.phase == WorkloadPhase::kReserved || view.phase == WorkloadPhase::kAdmitted;
    ends.emplace(view.spec.key, Show(view.phase, lab::ClusterQueueOf(view),
                                     holds ? lab::Assigned(*view.spec.status.admission) : "",
                                     reasons ? view.reason : PendingReason::kNone));
  }
  return ends;
}

// What neither course of `asked` speaks of is to be as it was `before`.
Ends EndsOf(const lab::Courses& asked, const lab::Course& course,
            const std::vector<WorkloadView>& before, bool reasons) {
  Ends ends = EndsOf(before, reasons);
  for (const lab::Course* each : {&asked.without, &asked.with}) {
    for (const auto& [key, fate] : each->end) ends.erase(key);
  }
  EXPECT_EQ(ends.size(), course.others);
  for (const auto& [key, fate] : course.end) {
    ends.emplace(key, Show(fate.phase, fate.cluster_queue, fate.holds ? fate.says : "",
                           reasons ? fate.reason : PendingReason::kNone));
  }
  return ends;
}

struct Reality {
  std::set<Key> told_off;
  std::size_t cycles = 0;
  bool at_rest = false;
};

// What comes of the engine when it goes on by itself, its evicted pods gone after each cycle.
Reality GoOn(Engine& engine, const std::set<Key>& held) {
  Reality reality;
  const auto leave = [&] {
    const std::vector<Key> leaving = *engine.Evicting();
    for (const Key& key : leaving) {
      if (held.contains(key)) reality.told_off.insert(key);
    }
    if (leaving.empty()) return false;  // no call: the next cycle would begin a rest anew
    EXPECT_TRUE(engine.Evicted(leaving, kNow).ok());
    return true;
  };
  leave();
  const std::size_t limit = lab::CycleLimit(engine.Workloads()->size());
  for (std::size_t ran = 0; ran < limit && !reality.at_rest; ++ran) {
    const Result<CycleResult> cycle = engine.RunCycle(kNow);
    EXPECT_TRUE(cycle.ok()) << cycle.status().message();
    if (!cycle.ok()) return reality;
    ++reality.cycles;
    for (const PreemptedWorkload& each : cycle->preempted) reality.told_off.insert(each.workload);
    reality.at_rest = !leave() && cycle->idle();
  }
  return reality;
}

std::set<Key> NamesOf(const std::map<Key, std::string>& told_off) {
  std::set<Key> names;
  for (const auto& [key, why] : told_off) names.insert(key);
  return names;
}

// An engine that was nearly at rest may come to it a cycle earlier than its fork, which has not
// seen the cycles before. Where a flavor walk goes round, what a workload waits for differs from
// one cycle to the next; so reasons are compared after as many cycles.
void ExpectSame(const lab::Courses& asked, const lab::Course& course,
                const std::vector<WorkloadView>& before, const Reality& done,
                const Engine& engine) {
  const bool reasons = course.cycles == done.cycles;
  EXPECT_EQ(EndsOf(asked, course, before, reasons), EndsOf(*engine.Workloads(), reasons));
  EXPECT_EQ(course.at_rest, done.at_rest);
  EXPECT_EQ(NamesOf(course.told_off), done.told_off);
}

std::unique_ptr<Engine> EngineWith(const World& world, int cycles) {
  auto engine = std::make_unique<Engine>();
  EXPECT_TRUE(engine->Apply(world, kNow, MissingReference::kAccept).ok());
  for (int i = 0; i < cycles; ++i) EXPECT_TRUE(engine->RunCycle(kNow).ok());
  return engine;
}

// Asks, and then really does it.
void CheckQuestions(int count, Seeds seeds) {
  int worlds = 0;
  int refused = 0;
  int changed = 0;
  int told_off = 0;
  ForEachWorld(count, seeds, [&](const World& world, Choices& choices) {
    ++worlds;
    const int cycles = choices.Below(3);
    const auto engine = EngineWith(world, cycles);
    const std::vector<Command> commands = DrawCommands(choices, world);
    const std::string state = *engine->StateHash();
    const std::vector<WorkloadView> before = *engine->Workloads();
    const std::set<Key> held = lab::Holders(*engine);
    const Result<lab::Courses> asked = lab::AskWhatIf(*engine, kNow, commands);
    ASSERT_EQ(*engine->StateHash(), state);
    if (choices.OneIn(4)) {
      const auto twin = EngineWith(world, cycles);
      const Reality nothing_done = GoOn(*twin, held);
      if (asked.ok()) {
        ExpectSame(*asked, asked->without, before, nothing_done, *twin);
      }
    }
    for (const Command& command : commands) {
      const Result<Answer> done = engine->Do(command, kNow);
      if (done.ok()) continue;
      ASSERT_FALSE(asked.ok());
      EXPECT_EQ(asked.status().message(), done.status().message());
      ++refused;
      return;
    }
    ASSERT_TRUE(asked.ok()) << asked.status().message();
    const Reality done = GoOn(*engine, held);
    ExpectSame(*asked, asked->with, before, done, *engine);
    changed += !Compare(asked->without, asked->with).changes.empty();
    told_off += !done.told_off.empty();
  });
  std::cout << refused << " refused, " << changed << " with a difference, " << told_off
            << " in which a workload has to leave\n";
  EXPECT_GT(4 * changed, worlds);
  EXPECT_GT(told_off, 0);
}

TEST(WhatIf, EqualsReallyDoingIt) { CheckQuestions(2'000, Seeds::kFixed); }

TEST(LongWhatIf, EqualsReallyDoingIt) { CheckQuestions(8'000, Seeds::kFresh); }

TEST(NightWhatIf, EqualsReallyDoingIt) { CheckQuestions(100'000, Seeds::kFresh); }

TEST(WhatIf, ACommandThatIsRefusedEndsTheQuestion) {
  const auto engine = EngineWith({Namespace{"default", {}}}, 0);
  const std::vector<Command> commands{command::Cancel{{{"default", "absent"}}}};
  const Result<lab::Courses> asked = lab::AskWhatIf(*engine, kNow, commands);
  EXPECT_EQ(asked.status().code(), StatusCode::kNotFound);
  EXPECT_TRUE(engine->Closed().ok());
}

TEST(WhatIf, AClosedEngineSaysWhy) {
  Engine engine;
  const Engine moved = std::move(engine);
  EXPECT_EQ(lab::AskWhatIf(engine, kNow, std::vector<Command>{}).status().code(),
            StatusCode::kUnavailable);
}

// Forks ------------------------------------------------------------------------------------------

// Does the same to both, and finds the same.
void ExpectSameFuture(Engine& engine, Engine& fork, const World& world, Choices& choices) {
  ASSERT_EQ(*fork.StateHash(), *engine.StateHash());
  for (int step = 0; step < 4; ++step) {
    for (const Command& command : DrawCommands(choices, world)) {
      const Result<Answer> one = engine.Do(command, kNow);
      const Result<Answer> other = fork.Do(command, kNow);
      ASSERT_EQ(one.status().message(), other.status().message());
    }
    const Result<CycleResult> one = engine.RunCycle(kNow);
    const Result<CycleResult> other = fork.RunCycle(kNow);
    ASSERT_TRUE(one.ok() && other.ok());
    EXPECT_EQ(one->admitted.size(), other->admitted.size());
    ASSERT_EQ(*fork.StateHash(), *engine.StateHash()) << "after step " << step;
  }
}

TEST(Fork, HasTheSameStateAndTheSameFuture) {
  ForEachWorld(1'000, Seeds::kFixed, [](const World& world, Choices& choices) {
    const auto engine = EngineWith(world, choices.Below(3));
    Result<Engine> fork = engine->Fork();
    ASSERT_TRUE(fork.ok()) << fork.status().message();
    ExpectSameFuture(*engine, *fork, world, choices);
  });
}

// The records of another world, after all that was done there.
TEST(Fork, InTheMemoryOfAnotherEngineIsAsANewOne) {
  Engine used;
  ForEachWorld(1'000, Seeds::kFixed, [&used](const World& world, Choices& choices) {
    const auto engine = EngineWith(world, choices.Below(3));
    Result<Engine> fork = engine->Fork(nullptr, std::move(used));
    ASSERT_TRUE(fork.ok()) << fork.status().message();
    ExpectSameFuture(*engine, *fork, world, choices);
    ASSERT_TRUE(fork->CheckInvariants().ok());
    used = std::move(*fork);
  });
}

TEST(Fork, OfAClosedEngineIsNone) {
  Engine engine;
  const Engine moved = std::move(engine);
  EXPECT_EQ(engine.Fork(nullptr, Engine()).status().code(), StatusCode::kUnavailable);
  Engine open;
  EXPECT_TRUE(open.Fork(nullptr, std::move(engine)).ok());
}

TEST(Fork, KeepsDecisionsThatNoConsumerHasTaken) {
  ForEachWorld(50, Seeds::kFixed, [](const World& world, Choices&) {
    const auto engine = EngineWith(world, 0);
    ASSERT_TRUE(engine->RegisterConsumer("gateway", kNow).ok());
    ASSERT_TRUE(engine->RunCycle(kNow).ok());
    const Result<Engine> fork = engine->Fork();
    ASSERT_TRUE(fork.ok());
    EXPECT_EQ(*fork->StateHash(), *engine->StateHash());
    EXPECT_EQ(*fork->Decisions("gateway", 100), *engine->Decisions("gateway", 100));
    ASSERT_TRUE(engine->RemoveConsumer("gateway", kNow).ok());
    EXPECT_EQ(*engine->Fork()->StateHash(), *engine->StateHash());
  });
}

TEST(Fork, WhatIsDoneToOneIsNotSeenInTheOther) {
  const auto engine = EngineWith({Namespace{"default", {}}}, 0);
  Engine fork = *engine->Fork();
  ResourceFlavor only_there;
  only_there.name = "only-there";
  const Object flavor = only_there;
  ASSERT_TRUE(fork.Apply(std::span(&flavor, 1), kNow).ok());
  EXPECT_EQ(fork.Objects(ObjectKind::kResourceFlavor)->size(), 1U);
  EXPECT_TRUE(engine->Objects(ObjectKind::kResourceFlavor)->empty());
}

}  // namespace
}  // namespace muster::testing
