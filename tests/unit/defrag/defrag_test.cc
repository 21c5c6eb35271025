// Plans of moves against every set of jobs in small worlds; each is carried out for real.
#include "bindings/defrag/defrag.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/defrag/emptying.h"
#include "bindings/defrag/ground.h"
#include "bindings/lab/read.h"
#include "tests/testing/builders.h"
#include "tests/testing/random_choices.h"

namespace muster::defrag {
namespace {

constexpr const char* kHost = "kubernetes.io/hostname";
constexpr std::int64_t kCores = 4;
constexpr TimeNs kHour = 3600 * kSecond;

Node MakeNode(int rack, int host) {
  Node node;
  node.name = "r" + std::to_string(rack) + "h" + std::to_string(host);
  node.labels = {{"block", "b"}, {"rack", "r" + std::to_string(rack)}, {kHost, node.name}};
  node.allocatable = {{"cpu", Quantity::Units(kCores)}, {"pods", Quantity::Units(20)}};
  return node;
}

Topology Racks() { return {"racks", {"block", "rack", kHost}}; }

/// A world of racks in which jobs of some pods came and partly went.
struct World {
  Engine engine;
  TimeNs now = testing::kNoon;
  int racks = 0;
  int hosts = 0;
};

Workload Job(const std::string& name, std::int64_t cores, std::int32_t pods, bool in_a_rack) {
  Workload job = testing::MakeWorkload(name, "q", testing::Cpu(cores), 0, pods);
  PodSet set = *job.pod_sets.begin();
  set.topology = TopologyRequest();
  if (in_a_rack) {
    set.topology->required = "rack";
  } else {
    set.topology->unconstrained = true;
  }
  job.pod_sets = {set};
  return job;
}

World MakeWorld(testing::Choices& choices, int racks, int hosts, int jobs) {
  World world;
  world.racks = racks;
  world.hosts = hosts;
  ResourceFlavor flavor = testing::MakeFlavor("default");
  flavor.node_labels = {{"block", "b"}};
  flavor.topology_name = "racks";
  std::vector<Object> objects = {testing::MakeNamespace(), Racks(), flavor,
                                 testing::MakeQueue("q", "", {{.nominal = 1000}}),
                                 testing::MakeLocalQueue("q")};
  for (int rack = 0; rack < racks; ++rack) {
    for (int host = 0; host < hosts; ++host) objects.emplace_back(MakeNode(rack, host));
  }
  EXPECT_TRUE(world.engine.Apply(objects, world.now).ok());
  // Twice as many come, and half of them end: holes are left.
  std::vector<Key> there;
  for (int i = 0; i < 2 * jobs; ++i) {
    world.now += choices.Between(1, 5) * kHour;
    // One after another: compilers evaluate arguments in different orders.
    const bool in_a_rack = choices.Flip();
    const auto pods = choices.Between(1, 3);
    const auto cores = choices.Between(1, 4);
    const Workload job = Job("j" + std::to_string(i), cores, pods, in_a_rack);
    EXPECT_TRUE(world.engine.Submit(std::vector<Workload>{job}, world.now).ok());
    const Result<CycleResult> cycle = world.engine.RunCycle(world.now);
    EXPECT_TRUE(cycle.ok());
    if (cycle->admitted.empty()) {
      EXPECT_TRUE(world.engine.Cancel(std::vector<Key>{job.key}, world.now).ok());
    } else {
      there.push_back(job.key);
    }
    if (there.size() > static_cast<std::size_t>(jobs) || choices.OneIn(4)) {
      if (there.empty()) continue;
      const Key key = choices.Pick(there);
      std::erase(there, key);
      EXPECT_TRUE(world.engine.Finish(std::vector<Key>{key}, false, world.now).ok());
      EXPECT_TRUE(world.engine.Cancel(std::vector<Key>{key}, world.now).ok());
    }
  }
  for (const Key& key : there) {
    if (!choices.OneIn(3)) continue;
    WorkloadUpdate update;
    update.workload = key;
    update.checkpointed = world.now;
    EXPECT_TRUE(world.engine.Update(update, world.now).ok());
  }
  world.now += kHour;
  return world;
}

std::vector<WorkloadView> HoldersOf(const Engine& engine) {
  std::vector<WorkloadView> holders;
  for (WorkloadView& each : lab::Read(engine.Workloads())) {
    if (each.phase == WorkloadPhase::kAdmitted) holders.push_back(std::move(each));
  }
  return holders;
}

std::int32_t LargestInARack(const Engine& engine) {
  return places::LargestOf(places::PlacesOf(engine, Racks()), Racks())[1].nodes;
}

/// Node hours: cores of all pods over those of a node, times the hours since start or checkpoint.
double CostOf(const WorkloadView& job, TimeNs now) {
  const PodSet& pods = *job.spec.pod_sets.begin();
  const auto cores = pods.pods.containers.begin()->requests.find("cpu")->second;
  TimeNs begin = 0;
  for (const Condition& each : job.spec.status.conditions) {
    if (each.type == "Admitted") begin = each.since;
  }
  begin = std::max(begin, job.checkpointed);
  return static_cast<double>(now - begin) / static_cast<double>(kHour) * pods.count *
         static_cast<double>(cores.ToAmount("cpu")) / 1000 / kCores;
}

/// Nodes of `cordon` on which no pod of a job stands.
std::int32_t FreeOf(const std::vector<std::string>& cordon,
                    const std::vector<WorkloadView>& holders) {
  std::set<std::string> taken;
  for (const WorkloadView& each : holders) {
    for (const PodSetAssignment& assigned : each.spec.status.admission->pod_sets) {
      for (const TopologyDomain& domain : assigned.topology->domains) {
        taken.insert(domain.values.back());
      }
    }
  }
  return static_cast<std::int32_t>(
      std::count_if(cordon.begin(), cordon.end(),
                    [&taken](const std::string& node) { return !taken.contains(node); }));
}

/// Really does it, with nothing of the library: on how many of the nodes no job stands then, or
/// nothing when a job that ran does not run in the end.
std::optional<std::int32_t> DoTheMoves(const World& world, const std::vector<Key>& jobs,
                                       const std::vector<std::string>& cordon) {
  Engine engine = lab::Read(world.engine.Fork());
  const std::size_t ran = HoldersOf(engine).size();
  std::vector<Object> as_they_were;
  std::vector<Object> cordoned;
  for (const Object& object : lab::Read(engine.Objects(ObjectKind::kNode))) {
    Node node = std::get<Node>(object);
    if (std::find(cordon.begin(), cordon.end(), node.name) == cordon.end()) continue;
    as_they_were.emplace_back(node);
    node.unschedulable = true;
    cordoned.emplace_back(node);
  }
  EXPECT_TRUE(engine.Apply(cordoned, world.now).ok());
  for (const Key& key : jobs) EXPECT_TRUE(engine.Evict(key, "Test", world.now).ok());
  if (!jobs.empty()) {
    EXPECT_TRUE(engine.Evicted(jobs, world.now).ok());
  }
  for (int i = 0; i < 50; ++i) {
    const Result<CycleResult> cycle = engine.RunCycle(world.now);
    EXPECT_TRUE(cycle.ok());
    if (cycle->at_rest) break;
  }
  EXPECT_TRUE(engine.CheckInvariants().ok());
  EXPECT_TRUE(engine.Apply(as_they_were, world.now).ok());
  const std::vector<WorkloadView> holders = HoldersOf(engine);
  if (holders.size() != ran) return std::nullopt;
  return FreeOf(cordon, holders);
}

std::vector<std::string> NodesOfRack(const World& world, int rack) {
  std::vector<std::string> names;
  for (int host = 0; host < world.hosts; ++host) names.push_back(MakeNode(rack, host).name);
  return names;
}

struct Best {
  std::int32_t nodes = 0;
  double cost = 0;
};

/// Every set of jobs with every rack.
Best BestOfAll(const World& world) {
  const std::vector<WorkloadView> jobs = HoldersOf(world.engine);
  Best best{LargestInARack(world.engine), 0};
  for (int rack = 0; rack < world.racks; ++rack) {
    for (std::size_t bits = 1; bits < std::size_t{1} << jobs.size(); ++bits) {
      std::vector<Key> keys;
      double cost = 0;
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        if ((bits >> i & 1) == 0) continue;
        keys.push_back(jobs[i].spec.key);
        cost += CostOf(jobs[i], world.now);
      }
      const auto nodes = DoTheMoves(world, keys, NodesOfRack(world, rack));
      if (!nodes || *nodes < best.nodes) continue;
      if (*nodes > best.nodes || (best.cost > 0 && cost < best.cost)) best = {*nodes, cost};
    }
  }
  return best;
}

/// Looks at every leaf for each step.
std::set<std::size_t> NextOf(const Ground& ground, std::size_t domain,
                             const std::set<std::size_t>& gone) {
  std::optional<std::pair<double, std::set<std::size_t>>> best;
  for (const std::size_t leaf : ground.domains[domain].leaves) {
    std::set<std::size_t> left;
    for (const std::size_t job : ground.leaves[leaf].jobs) {
      if (!gone.contains(job)) left.insert(job);
    }
    if (left.empty() || !ground.AreMovable(left)) continue;
    std::set<std::size_t> with = gone;
    with.insert(left.begin(), left.end());
    const int gain = ground.Untouched(domain, with) - ground.Untouched(domain, gone);
    std::pair step(ground.CostOf(left) / std::max(gain, 1), left);
    if (!best || step < *best) best = std::move(step);
  }
  return best ? best->second : std::set<std::size_t>();
}

TEST(Emptying, TakesTheStepsThatALookAtEveryLeafTakes) {
  int steps = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::RandomChoices choices(seed);
    const World world = MakeWorld(choices, 3, 5, 9);
    const Topology topology = Racks();
    const Ground ground =
        ReadGround(world.engine, world.now, topology, 2, places::PlacesOf(world.engine, topology));
    for (std::size_t domain = 0; domain < ground.domains.size(); ++domain) {
      Emptying emptying(ground, domain);
      std::set<std::size_t> gone;
      for (;; ++steps) {
        const std::set<std::size_t> next = NextOf(ground, domain, gone);
        ASSERT_EQ(emptying.Step(), !next.empty());
        if (next.empty()) break;
        gone.insert(next.begin(), next.end());
        ASSERT_EQ(std::set(emptying.gone().begin(), emptying.gone().end()), gone);
        ASSERT_EQ(emptying.nodes(), ground.Untouched(domain, gone));
        ASSERT_EQ(emptying.HasRoomElsewhere(), ground.HasRoomElsewhere(domain, gone));
        ASSERT_NEAR(emptying.cost(), ground.CostOf(gone), 1e-9);
      }
    }
  }
  EXPECT_GT(steps, 300);
}

TEST(PlanMoves, IsTheBestOfEverySetOfJobsInSmallWorlds) {
  int with_moves = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::RandomChoices choices(seed);
    const World world = MakeWorld(choices, 3, 3, choices.Between(2, 5));
    const Result<Plan> plan = PlanMoves(world.engine, world.now, {});
    ASSERT_TRUE(plan.ok()) << plan.status().message();
    ASSERT_TRUE(plan->exact);
    const Best best = BestOfAll(world);
    ASSERT_EQ(plan->after.nodes, best.nodes);
    ASSERT_NEAR(plan->node_hours, best.cost, 1e-9);
    with_moves += plan->moves.empty() ? 0 : 1;
  }
  EXPECT_GT(with_moves, 15) << "the worlds leave too little to move";
}

TEST(PlanMoves, OfManyJobsGainsWhatItSays) {
  int with_moves = 0;
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::RandomChoices choices(seed);
    const World world = MakeWorld(choices, 8, 4, 22);
    const Result<Plan> plan = PlanMoves(world.engine, world.now, {});
    ASSERT_TRUE(plan.ok()) << plan.status().message();
    EXPECT_EQ(plan->before.nodes, LargestInARack(world.engine));
    if (plan->moves.empty()) continue;
    ++with_moves;
    EXPECT_FALSE(plan->exact);
    EXPECT_GT(plan->after.nodes, plan->before.nodes);
    std::vector<Key> jobs;
    for (const Move& move : plan->moves) jobs.push_back(move.workload);
    EXPECT_EQ(DoTheMoves(world, jobs, plan->cordon), plan->after.nodes);
  }
  EXPECT_GT(with_moves, 8);
}

/// Both find the same in most worlds, and what many jobs are planned by is never better.
TEST(PlanMoves, OfManyJobsIsNearlyAlwaysAsLargeAsOfEverySet) {
  int with_moves = 0;
  int as_large = 0;
  int as_cheap = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    testing::RandomChoices choices(seed);
    const World world = MakeWorld(choices, 4, 3, choices.Between(4, 8));
    const Plan exact = *PlanMoves(world.engine, world.now, {});
    Asked asked;
    asked.most_sets = 0;
    const Plan greedy = *PlanMoves(world.engine, world.now, asked);
    ASSERT_TRUE(exact.exact && !greedy.exact);
    ASSERT_LE(greedy.after.nodes, exact.after.nodes);
    if (exact.moves.empty()) continue;
    ++with_moves;
    if (greedy.after.nodes < exact.after.nodes) continue;
    ++as_large;
    EXPECT_GE(greedy.node_hours, exact.node_hours - 1e-9);
    as_cheap += greedy.node_hours <= exact.node_hours + 1e-9 ? 1 : 0;
  }
  std::cout << as_large << " as large and " << as_cheap << " as cheap of " << with_moves << '\n';
  EXPECT_GT(with_moves, 50);
  EXPECT_GE(as_large * 100, with_moves * 90);
}

TEST(PlanMoves, ForSoManyNodesIsTheCheapest) {
  int cheaper = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    testing::RandomChoices choices(seed);
    const World world = MakeWorld(choices, 3, 3, choices.Between(2, 5));
    const Plan largest = *PlanMoves(world.engine, world.now, {});
    if (largest.after.nodes < largest.before.nodes + 1) continue;
    Asked asked;
    asked.nodes = largest.before.nodes + 1;
    const Plan plan = *PlanMoves(world.engine, world.now, asked);
    EXPECT_GE(plan.after.nodes, asked.nodes);
    EXPECT_LE(plan.node_hours, largest.node_hours);
    cheaper += plan.node_hours < largest.node_hours ? 1 : 0;
  }
  EXPECT_GT(cheaper, 1);
}

TEST(PlanMoves, ChangesNothingAndSaysTheSameAgain) {
  testing::RandomChoices choices(7);
  const World world = MakeWorld(choices, 4, 3, 8);
  const std::string before = *world.engine.StateHash();
  const Plan plan = *PlanMoves(world.engine, world.now, {});
  const Plan again = *PlanMoves(world.engine, world.now, {});
  EXPECT_EQ(*world.engine.StateHash(), before);
  EXPECT_EQ(again.domain, plan.domain);
  EXPECT_EQ(again.tried, plan.tried);
  EXPECT_EQ(again.moves.size(), plan.moves.size());
}

TEST(PlanMoves, NamesWhatIsNotThere) {
  testing::RandomChoices choices(1);
  const World world = MakeWorld(choices, 2, 2, 2);
  const Status topology = PlanMoves(world.engine, world.now, {"rakcs", "", 0, 0}).status();
  EXPECT_EQ(topology.code(), StatusCode::kNotFound);
  EXPECT_EQ(topology.message(), "there is no topology 'rakcs'; there are racks");
  const Status level = PlanMoves(world.engine, world.now, {"", kHost, 0, 0}).status();
  EXPECT_EQ(level.code(), StatusCode::kNotFound);
  EXPECT_EQ(level.message(),
            "topology racks has no level 'kubernetes.io/hostname' above its lowest; it has block, "
            "rack");
  EXPECT_EQ(PlanMoves(Engine(), testing::kNoon, {}).status().message(), "there is no Topology");
}

}  // namespace
}  // namespace muster::defrag
