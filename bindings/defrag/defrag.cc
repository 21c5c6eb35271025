// Candidates are sorted by what they promise; the first that holds when it is carried out is best.
#include "bindings/defrag/defrag.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <variant>

#include "bindings/defrag/emptying.h"
#include "bindings/defrag/ground.h"
#include "bindings/defrag/trial.h"
#include "bindings/lab/read.h"
#include "engine/base/join.h"

namespace muster::defrag {
namespace {

constexpr std::size_t kMostJobsOfSets = 20;  // beyond, their sets are not even counted
// A try takes some microseconds for each workload, so these are a second or a few.
constexpr std::size_t kMostWorkloadsOfTries = 400'000;
constexpr std::size_t kLeastTries = 8;
constexpr std::size_t kMostTries = 4096;

struct Candidate {
  std::size_t domain = 0;
  std::set<std::size_t> jobs;  ///< empty: Candidates::JobsOf knows
  std::size_t count = 0;       ///< of the jobs
  std::int32_t nodes = 0;      ///< untouched in the domain once they are gone
  double cost = 0;
};

/// The best first. With `wanted` nodes, all that have as many are as good in this.
bool Better(const Candidate& a, const Candidate& b, std::int32_t wanted) {
  const std::int32_t of_a = wanted > 0 ? 0 : a.nodes;
  const std::int32_t of_b = wanted > 0 ? 0 : b.nodes;
  if (of_a != of_b) return of_a > of_b;
  return std::tuple(a.cost, a.count, a.domain, a.jobs) <
         std::tuple(b.cost, b.count, b.domain, b.jobs);
}

class Candidates {
 public:
  Candidates(const Ground& ground, std::int32_t least) : ground_(ground), least_(least) {}

  /// Every set of movable jobs, with each domain.
  void AddAllSets(std::span<const std::size_t> movable) {
    for (std::size_t domain = 0; domain < ground_.domains.size(); ++domain) {
      for (std::size_t bits = 1; bits < std::size_t{1} << movable.size(); ++bits) {
        std::set<std::size_t> jobs;
        for (std::size_t i = 0; i < movable.size(); ++i) {
          if ((bits >> i & 1) != 0) jobs.insert(movable[i]);
        }
        Add(domain, std::move(jobs));
      }
    }
  }

  /// Those of one domain that come about by emptying leaf after leaf, while there is room for what
  /// goes.
  void AddGreedy(std::size_t domain) {
    Emptying emptying(ground_, domain);
    while (emptying.Step() && emptying.HasRoomElsewhere()) {
      if (emptying.nodes() < least_) continue;
      all_.push_back({domain, {}, emptying.gone().size(), emptying.nodes(), emptying.cost()});
    }
    gone_[domain] = emptying.gone();
  }

  /// Of AddGreedy only the number of jobs is kept: each set has the one before it in itself.
  std::set<std::size_t> JobsOf(const Candidate& candidate) const {
    if (!candidate.jobs.empty()) return candidate.jobs;
    const std::span<const std::size_t> gone(gone_.at(candidate.domain));
    const auto first = gone.first(candidate.count);
    return {first.begin(), first.end()};
  }

  /// The best first.
  std::vector<Candidate> Sorted(std::int32_t wanted) const {
    std::vector<Candidate> sorted = all_;
    std::sort(sorted.begin(), sorted.end(),
              [wanted](const Candidate& a, const Candidate& b) { return Better(a, b, wanted); });
    return sorted;
  }

 private:
  void Add(std::size_t domain, std::set<std::size_t> jobs) {
    const std::int32_t nodes = ground_.Untouched(domain, jobs);
    if (nodes < least_ || !ground_.HasRoomElsewhere(domain, jobs)) return;
    const double cost = ground_.CostOf(jobs);
    const std::size_t count = jobs.size();
    all_.push_back({domain, std::move(jobs), count, nodes, cost});
  }

  const Ground& ground_;
  const std::int32_t least_;
  std::vector<Candidate> all_;
  std::map<std::size_t, std::vector<std::size_t>> gone_;  ///< by domain, as Emptying says it
};

Result<Topology> TopologyNamed(const Engine& engine, const std::string& name) {
  const std::vector<Object> topologies = lab::Read(engine.Objects(ObjectKind::kTopology));
  if (name.empty() && topologies.size() == 1) return std::get<Topology>(topologies.front());
  std::vector<std::string> names;
  for (const Object& object : topologies) {
    const auto& topology = std::get<Topology>(object);
    if (topology.name == name) return topology;
    names.push_back(topology.name);
  }
  if (names.empty()) return Status(StatusCode::kNotFound, "there is no Topology");
  if (!name.empty()) {
    return Status(StatusCode::kNotFound,
                  "there is no topology '" + name + "'; there are " + Join(names));
  }
  return Status(StatusCode::kInvalidArgument, "name one of the topologies " + Join(names));
}

/// How many levels a domain of the level named has above it, with itself.
Result<std::size_t> DepthOf(const Topology& topology, const std::string& level) {
  const std::span<const std::string> above(topology.levels.data(), topology.levels.size() - 1);
  if (above.empty()) {
    return Status(StatusCode::kInvalidArgument,
                  "topology " + topology.name + " has no level above its lowest");
  }
  if (level.empty()) return above.size();
  const auto found = std::find(above.begin(), above.end(), level);
  if (found != above.end()) return static_cast<std::size_t>(found - above.begin()) + 1;
  return Status(StatusCode::kNotFound, "topology " + topology.name + " has no level '" + level +
                                           "' above its lowest; it has " + Join(above, ", "));
}

std::size_t TriesOf(std::size_t workloads) {
  return std::clamp(kMostWorkloadsOfTries / std::max<std::size_t>(workloads, 1), kLeastTries,
                    kMostTries);
}

Plan Search(const Engine& engine, TimeNs now, const Asked& asked, const Topology& topology,
            std::size_t depth) {
  Plan plan;
  plan.topology = topology.name;
  plan.level = topology.levels[depth - 1];
  const std::vector<places::Place> domains = places::PlacesOf(engine, topology);
  plan.before = places::LargestOf(domains, topology)[depth - 1];
  plan.after = plan.before;
  if (asked.nodes > 0 && plan.before.nodes >= asked.nodes) return plan;
  const Ground ground = ReadGround(engine, now, topology, depth, domains);
  std::vector<std::size_t> movable;
  for (std::size_t job = 0; job < ground.jobs.size(); ++job) {
    if (ground.jobs[job].movable) movable.push_back(job);
  }
  Candidates candidates(ground, std::max(asked.nodes, plan.before.nodes + 1));
  plan.exact = movable.size() <= kMostJobsOfSets &&
               (std::size_t{1} << movable.size()) * ground.domains.size() <= asked.most_sets;
  if (plan.exact) candidates.AddAllSets(movable);
  for (std::size_t d = 0; d < ground.domains.size() && !plan.exact; ++d) candidates.AddGreedy(d);
  std::map<std::int32_t, std::size_t> tries;
  const std::size_t most_tries = TriesOf(ground.workloads);
  const Trials trials(engine, now, topology, ground);
  for (const Candidate& each : candidates.Sorted(asked.nodes)) {
    if (!plan.exact && tries[each.nodes]++ >= kTriesOfASize) continue;
    if (plan.tried == most_tries) {
      plan.exact = false;
      break;
    }
    ++plan.tried;
    std::optional<Trial> trial = trials.CarryOut(each.domain, candidates.JobsOf(each), each.nodes);
    if (!trial) continue;
    plan.after = std::move(trial->largest);
    plan.domain = Join(ground.domains[each.domain].values, "/");
    plan.cordon = ground.NodesOf(each.domain);
    plan.moves = std::move(trial->moves);
    plan.node_hours = each.cost;
    break;
  }
  return plan;
}

}  // namespace

Result<Plan> PlanMoves(const Engine& engine, TimeNs now, const Asked& asked) {
  try {
    const Result<Topology> topology = TopologyNamed(engine, asked.topology);
    if (!topology.ok()) return topology.status();
    const Result<std::size_t> depth = DepthOf(*topology, asked.level);
    if (!depth.ok()) return depth.status();
    return Search(engine, now, asked, *topology, *depth);
  } catch (const lab::Refused& refused) {
    return refused.status();
  }
}

}  // namespace muster::defrag
