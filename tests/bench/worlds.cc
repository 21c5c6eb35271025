// See worlds.h.
#include "tests/bench/worlds.h"

#include <array>
#include <utility>

#include "bindings/luajit/policy_package.h"
#include "tests/bench/measure.h"
#include "tests/testing/builders.h"
#include "tests/testing/paths.h"

namespace muster::bench {
namespace {

struct Class {
  std::int64_t cpu;
  std::int32_t priority;
};
constexpr Class kLarge{20, 200};
constexpr Class kMedium{5, 100};
constexpr Class kSmall{1, 50};
constexpr std::array<Class, 10> kMix = {kSmall, kSmall, kMedium, kSmall,  kSmall,
                                        kLarge, kSmall, kSmall,  kMedium, kSmall};

const char* PolicyOf(Decider decider) {
  return decider == Decider::kShares ? "dominant-share" : "fifo-priority";
}

}  // namespace

std::string NameOf(Decider decider) {
  switch (decider) {
    case Decider::kNative:
      return "native";
    case Decider::kLua:
      return "Lua";
    case Decider::kShares:
      return "shares in Lua";
  }
  return "";
}

std::string QueueName(int queue) {
  // Equal length, so that the order by name is the order by number.
  std::string digits = std::to_string(queue);
  return "q" + std::string(5 - digits.size(), '0') + digits;
}

void AddQueue(std::vector<Object>& objects, const std::string& queue, const std::string& cohort,
              const QueueShape& shape) {
  objects.push_back(testing::MakeQueue(
      queue, cohort, {{.nominal = shape.nominal, .borrow = shape.borrowing_limit}}, shape.rules));
  objects.push_back(testing::MakeLocalQueue(queue));
}

std::vector<Object> FlatCohorts(int cohorts) {
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default")};
  for (int queue = 0; queue < cohorts * kQueuesPerCohort; ++queue) {
    AddQueue(objects, QueueName(queue), "cohort-" + std::to_string(queue / kQueuesPerCohort),
             QueueShape{});
  }
  return objects;
}

std::vector<Object> DeepTree(const std::vector<int>& below) {
  std::vector<Object> objects = {testing::MakeNamespace(), testing::MakeFlavor("default"),
                                 Cohort{"root", "", {}, 1.0}};
  std::vector<std::string> level = {"root"};
  for (std::size_t depth = 0; depth + 1 < below.size(); ++depth) {
    std::vector<std::string> next;
    for (const std::string& parent : level) {
      for (int i = 0; i < below[depth]; ++i) {
        next.push_back(parent + "-" + std::to_string(i));
        objects.emplace_back(Cohort{next.back(), parent, {}, 1.0});
      }
    }
    level = std::move(next);
  }
  int queues = 0;
  for (const std::string& cohort : level) {
    for (int i = 0; i < below.back(); ++i) {
      AddQueue(objects, QueueName(queues++), cohort, {1, 100, {}});
    }
  }
  return objects;
}

std::vector<Workload> SmallOnes(const std::string& name, int queues, int count,
                                std::int32_t priority, TimeNs created) {
  std::vector<Workload> workloads;
  for (int i = 0; i < count; ++i) {
    workloads.push_back(testing::MakeWorkload(name + std::to_string(i), QueueName(i % queues),
                                              testing::Cpu(1), priority));
    workloads.back().created = created;
  }
  return workloads;
}

std::vector<Workload> MixedBacklog(int queues, int workloads_per_queue) {
  std::vector<Workload> workloads;
  for (int i = 0; i < workloads_per_queue; ++i) {
    const Class& kind = kMix[static_cast<std::size_t>(i) % kMix.size()];
    for (int queue = 0; queue < queues; ++queue) {
      const std::string name = QueueName(queue);
      workloads.push_back(testing::MakeWorkload(name + "-" + std::to_string(i), name,
                                                testing::Cpu(kind.cpu), kind.priority));
      workloads.back().created = testing::kNoon + i * kMillisecond;
    }
  }
  return workloads;
}

Engine MakeEngine(const std::vector<Object>& objects, Decider decider) {
  Engine engine;
  Require(engine.Apply(objects, testing::kNoon));
  if (decider != Decider::kNative) {
    const std::string folder = testing::SourceDir() / "policies" / PolicyOf(decider);
    Require(engine.ActivatePolicy(Take(luajit::LoadPackage(Take(luajit::ReadPackage(folder)))),
                                  testing::kNoon));
  }
  return engine;
}

void RunUntilQuiet(Engine& engine, TimeNs now) {
  // A cycle without heads is not counted, so its number stays that of the one before.
  std::int64_t last = -1;
  for (std::int64_t cycle = 0; cycle != last;) {
    last = cycle;
    cycle = Take(engine.RunCycle(now)).cycle;
  }
}

std::vector<Key> KeysOf(const std::vector<AdmittedWorkload>& admitted) {
  std::vector<Key> keys;
  keys.reserve(admitted.size());
  for (const AdmittedWorkload& workload : admitted) keys.push_back(workload.workload);
  return keys;
}

}  // namespace muster::bench
