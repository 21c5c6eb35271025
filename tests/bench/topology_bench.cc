// Gangs on racks of eighteen hosts: one placement by the number of nodes, after the gang before it
// has come and gone, a node that changes, and a cycle in which the head of every queue is placed.
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/placing/placer.h"
#include "engine/topology/topology_forest.h"
#include "tests/bench/engine_bench.h"
#include "tests/testing/builders.h"

namespace muster::bench {
namespace {

constexpr const char* kBlock = "block";
constexpr const char* kRack = "rack";
constexpr int kHostsPerRack = 18;
constexpr int kRacksPerBlock = 8;
constexpr int kGpusPerHost = 4;
constexpr int kPodsOfGang = 1000;
constexpr int kPodsOfHead = 8;
constexpr TimeNs kStart = testing::kNoon + kSecond * 60;

std::string Padded(const char* prefix, int i) {
  constexpr int kFirst = 1'000'000;  // so that names are in the order of numbers
  return prefix + std::to_string(kFirst + i);
}

Node HostOf(int i) {
  Node node;
  node.name = Padded("n", i);
  node.labels = {{"pool", "gpu"},
                 {kBlock, Padded("b", i / kHostsPerRack / kRacksPerBlock)},
                 {kRack, Padded("r", i / kHostsPerRack)},
                 {std::string(kHostnameLabel), node.name},
                 {"kubernetes.io/arch", "arm64"},
                 {"kubernetes.io/os", "linux"}};
  node.allocatable = {{"cpu", Quantity::Units(144)},
                      {"memory", Quantity::Units(std::int64_t{900} << 30)},
                      {"nvidia.com/gpu", Quantity::Units(kGpusPerHost)},
                      {"pods", Quantity::Units(110)}};
  return node;
}

Topology Racks() {
  return {.name = "racks", .levels = {kBlock, kRack, std::string(kHostnameLabel)}};
}

ResourceFlavor FlavorOfRacks() {
  ResourceFlavor flavor = testing::MakeFlavor("gb200");
  flavor.node_labels = {{"pool", "gpu"}};
  flavor.topology_name = Racks().name;
  return flavor;
}

/// The trees of one flavor, and what they are made of.
struct Hosts {
  explicit Hosts(int count) {
    for (int i = 0; i < count; ++i) {
      Node node = HostOf(i);
      nodes.emplace(node.name, std::move(node));
    }
    forest.Rebuild(flavors, topologies, nodes, {});
  }
  std::map<std::string, Topology> topologies = {{Racks().name, Racks()}};
  std::map<std::string, ResourceFlavor> flavors = {{"gb200", FlavorOfRacks()}};
  std::map<std::string, Node> nodes;
  TopologyForest forest;
};

/// Puts the gang on its hosts and takes it away again, so that there is something to follow.
void UseAndLeave(TopologyForest& forest, const PlaceRequest& request, const PlaceResult& result) {
  const TopologyTree& tree = *forest.Find("gb200");
  PlacedPods placed{"gb200", true, request.needs, {}};
  for (const LeafPods& at : result.workers) placed.pods.emplace_back(tree.KeyOf(at.leaf), at.count);
  forest.Try(std::make_shared<const std::vector<PlacedPods>>(1, std::move(placed)));
  forest.TakeBack(0);
}

enum class Counted : std::uint8_t { kBefore, kNever };

void PlaceGang(benchmark::State& state, int count, Spread spread, Counted counted) {
  Hosts hosts(count);
  PodTemplate pods;
  PlaceRequest request;
  request.filter.pods = &pods;
  request.count = kPodsOfGang;
  request.spread = spread;
  request.level = spread == Spread::kPreferred ? 1 : 2;
  request.needs.names_any = true;
  request.needs.amounts = {{0, 1},
                           {hosts.forest.numbers().Of("cpu"), 36'000},
                           {hosts.forest.numbers().Of("nvidia.com/gpu"), 1}};
  const TopologyTree& tree = *hosts.forest.Find("gb200");
  PlaceResult result = Placer(tree).Place(request, {});
  int round = 0;
  for (auto _ : state) {
    UseAndLeave(hosts.forest, request, result);
    // A toleration that no other round had, of no taint that there is, makes a shape never seen.
    if (counted == Counted::kNever) {
      request.filter.tolerations.resize(1);
      request.filter.tolerations[0].key = std::to_string(++round);
    }
    state.SetIterationTime(CpuSeconds([&] { result = Placer(tree).Place(request, {}); }));
    Require(result.found || count * kGpusPerHost < kPodsOfGang, "the gang has no place");
  }
}

/// So many a timed piece, each of another node.
constexpr int kNodesATime = 100;

void ChangeNodes(benchmark::State& state, int count) {
  Hosts hosts(count);
  int next = 0;
  for (auto _ : state) {
    std::vector<std::pair<Node, Node*>> changed;
    for (int i = 0; i < kNodesATime; ++i) {
      constexpr int kStride = 7919;
      Node& node = hosts.nodes.at(Padded("n", ++next * kStride % count));
      changed.emplace_back(node, &node);
      node.allocatable["cpu"] = Quantity::Units(100 + next % 40);
    }
    state.SetIterationTime(CpuSeconds([&] {
                             for (const auto& [before, now] : changed) {
                               hosts.forest.ChangeNode(&before, *now);
                             }
                           }) /
                           kNodesATime);
  }
}

/// Queues with quota for all of their jobs, and the hosts.
std::vector<Object> ClusterOf(int nodes, int queues) {
  std::vector<Object> objects = {testing::MakeNamespace(), Racks(), FlavorOfRacks()};
  for (int i = 0; i < queues; ++i) {
    objects.push_back(testing::MakeQueue(
        QueueName(i), "", {{.flavor = "gb200", .resource = "nvidia.com/gpu", .nominal = 1'000}},
        {}));
    objects.push_back(testing::MakeLocalQueue(QueueName(i)));
  }
  for (int i = 0; i < nodes; ++i) objects.push_back(HostOf(i));
  return objects;
}

Workload GangOf(const std::string& name, const std::string& queue) {
  Workload job =
      testing::MakeWorkload(name, queue, {{"nvidia.com/gpu", Quantity::Units(1)}}, 0, kPodsOfHead);
  job.pod_sets.at(0).topology.emplace().preferred = kRack;
  return job;
}

void ApplyNode(benchmark::State& state, int count) {
  Engine engine = MakeEngine(ClusterOf(count, 1), Decider::kNative);
  int round = 0;
  for (auto _ : state) {
    Node node = HostOf(++round % count);
    node.allocatable["cpu"] = Quantity::Units(100);
    const std::vector<Object> changed = {node};
    state.SetIterationTime(CpuSeconds([&] { Require(engine.Apply(changed, kStart)); }));
  }
}

void CycleOfHeads(benchmark::State& state, int nodes, int queues) {
  for (auto _ : state) {
    Engine engine = MakeEngine(ClusterOf(nodes, queues), Decider::kNative);
    std::vector<Workload> jobs;
    for (int i = 0; i < queues; ++i) jobs.push_back(GangOf("w" + std::to_string(i), QueueName(i)));
    Require(engine.Submit(jobs, kStart));
    state.SetIterationTime(CpuSeconds([&] {
      Require(Take(engine.RunCycle(kStart)).admitted.size() == jobs.size(), "not all were placed");
    }));
  }
}

using Run = void (*)(benchmark::State&, int);

void Register(const std::string& name, const std::string& unit, const std::vector<int>& sizes,
              int iterations, Run run) {
  for (const int size : sizes) {
    RegisterOne("topology/" + name + std::to_string(size) + unit, Decider::kNative, iterations,
                [=](benchmark::State& state, Decider) { run(state, size); });
  }
}

}  // namespace

void RegisterTopology(Size size) {
  const bool smoke = size == Size::kSmoke;
  const std::vector<int> sizes =
      smoke ? std::vector<int>{300} : std::vector<int>{2'500, 10'000, 100'000};
  const int often = smoke ? 1 : 51;
  Register("1000 pods, preferred rack, on ", " nodes", sizes, often,
           [](benchmark::State& state, int n) {
             PlaceGang(state, n, Spread::kPreferred, Counted::kBefore);
           });
  Register("1000 pods of a new shape, preferred rack, on ", " nodes", sizes, often,
           [](benchmark::State& state, int n) {
             PlaceGang(state, n, Spread::kPreferred, Counted::kNever);
           });
  Register("1000 pods, unconstrained, on ", " nodes", sizes, often,
           [](benchmark::State& state, int n) {
             PlaceGang(state, n, Spread::kUnconstrained, Counted::kBefore);
           });
  Register("a node changes among ", "", sizes, often, ChangeNodes);
  const std::vector<int> clusters = smoke ? std::vector<int>{30} : std::vector<int>{2'500, 10'000};
  Register("apply of a changed node among ", "", clusters, often, ApplyNode);
  Register("1000 heads on ", " nodes", clusters, smoke ? 1 : 3,
           [](benchmark::State& state, int n) { CycleOfHeads(state, n, n >= 1'000 ? 1'000 : 5); });
}

}  // namespace muster::bench
