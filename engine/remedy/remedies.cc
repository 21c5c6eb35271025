// See remedies.h. Candidates come from the quota algebra, one flavor and one place at a time; a
// nomination on the tried quotas judges them, so that what else decides has its say.
#include "engine/remedy/remedies.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/base/amount.h"
#include "engine/cure/division.h"
#include "engine/remedy/least_quota.h"
#include "engine/remedy/other_quotas.h"

namespace muster {
namespace {

/// One value to be tried.
struct CellRaise {
  NodeIndex node = kNoNode;
  Column column = kNoColumn;
  QuotaField field = QuotaField::kNominalQuota;
  Amount to = 0;
};
using CellRaises = std::vector<CellRaise>;

class RemedyFinder {
 public:
  RemedyFinder(World& world, const WorkloadRecord& workload, const std::function<bool()>& fits)
      : world_(world),
        queue_(world.queue(workload.queue)),
        tree_(world.capacity.tree(queue_.tree)),
        fits_(fits) {}

  std::vector<Remedy> Find(const std::vector<Division>& divisions) {
    std::vector<CellRaises> all = {{}};
    for (const Division& division : divisions) {
      if (HasRoom(division)) continue;
      std::vector<CellRaises> longer;
      for (const CellRaises& ways : WaysOf(division)) {
        for (const CellRaises& before : all) {
          if (longer.size() == kMostRemedies) break;
          longer.push_back(before);
          longer.back().insert(longer.back().end(), ways.begin(), ways.end());
        }
      }
      all = std::move(longer);
    }
    std::vector<Remedy> remedies;
    for (const CellRaises& raises : all) {
      if (!raises.empty() && IsProven(raises)) remedies.push_back(RemedyOf(raises));
    }
    return remedies;
  }

 private:
  /// So much has to be there of one resource of one flavor.
  struct Need {
    std::size_t flavor = 0;
    std::size_t resource = 0;
    Amount asked = 0;
  };

  /// Whether the resource group is not what it lacks.
  static bool HasRoom(const Division& division) {
    if (division.demands.size() > 1) return division.missing && division.missing->empty();
    const SharedDemand& demand = division.demands.front();
    for (std::size_t f = 0; f < division.rooms.size(); ++f) {
      if (demand.takes[f] && NeedsIn(division, demand, f).empty()) return true;
    }
    return false;
  }

  static std::vector<Need> NeedsIn(const Division& division, const SharedDemand& demand,
                                   std::size_t flavor) {
    std::vector<Need> needs;
    for (std::size_t r = 0; r < demand.amounts.size(); ++r) {
      if (demand.amounts[r] <= division.rooms[flavor].available[r]) continue;
      needs.push_back({flavor, r, demand.amounts[r]});
    }
    return needs;
  }

  /// Ways to have room in one resource group.
  std::vector<CellRaises> WaysOf(const Division& division) const {
    std::vector<CellRaises> ways;
    if (division.demands.size() == 1) {
      const SharedDemand& demand = division.demands.front();
      for (std::size_t f = 0; f < division.rooms.size(); ++f) {
        if (demand.takes[f]) AddWays(division.group, NeedsIn(division, demand, f), ways);
      }
    } else if (division.missing) {
      std::vector<Need> needs;
      for (const Missing& each : *division.missing) {
        const Amount free = division.rooms[each.flavor].available[each.resource];
        needs.push_back({each.flavor, each.resource, Add(free, each.amount)});
      }
      AddWays(division.group, needs, ways);
    }
    return ways;
  }

  /// In the queue itself and above it: a place alone that does for all the needs.
  void AddWays(std::size_t group, const std::vector<Need>& needs,
               std::vector<CellRaises>& ways) const {
    for (NodeIndex n = queue_.node; n != kNoNode; n = tree_.ParentOf(n)) {
      for (const QuotaField field : {QuotaField::kNominalQuota, QuotaField::kBorrowingLimit}) {
        if (auto raises = RaisesAt(n, field, group, needs)) ways.push_back(*std::move(raises));
      }
    }
  }

  std::optional<CellRaises> RaisesAt(NodeIndex node, QuotaField field, std::size_t group,
                                     const std::vector<Need>& needs) const {
    CellRaises raises;
    for (const Need& need : needs) {
      const FlavorOption& option = queue_.groups[group].flavors[need.flavor];
      const Column column = tree_.ColumnOf(option.pairs[need.resource]);
      const QuotaCell& cell = tree_.cell(node, column);
      // A cohort that has no quota of its own there is no place to look at.
      const bool has_own = tree_.node(node).queue.valid() || cell.nominal > 0;
      if (field == QuotaField::kNominalQuota && !has_own) return std::nullopt;
      const auto to = LeastQuota(tree_, queue_.node, column, need.asked, node, field);
      if (!to) return std::nullopt;
      raises.push_back({node, column, field, *to});
    }
    return raises;
  }

  bool IsProven(const CellRaises& raises) const {
    if (!FitsWith(raises)) return false;
    for (std::size_t i = 0; i < raises.size(); ++i) {
      CellRaises less = raises;
      --less[i].to;
      if (FitsWith(less)) return false;
    }
    return true;
  }

  bool FitsWith(const CellRaises& raises) const {
    OtherQuotas quotas(tree_);
    for (const CellRaise& each : raises) quotas.Set(each.node, each.column, each.field, each.to);
    quotas.Seal();
    return fits_();
  }

  Remedy RemedyOf(const CellRaises& raises) const {
    Remedy remedy;
    for (const CellRaise& each : raises) {
      const QuotaNode& node = tree_.node(each.node);
      const QuotaCell& cell = tree_.cell(each.node, each.column);
      const FlavorResourceId pair = tree_.ColumnPair(each.column);
      const bool nominal = each.field == QuotaField::kNominalQuota;
      remedy.raises.push_back({node.queue.valid() ? ObjectKind::kClusterQueue : ObjectKind::kCohort,
                               node.name, each.field,
                               world_.names.FlavorName(world_.names.FlavorOf(pair)),
                               world_.names.ResourceName(world_.names.ResourceOf(pair)),
                               nominal ? cell.nominal : cell.borrowing_limit, each.to});
    }
    return remedy;
  }

  World& world_;
  const ClusterQueueState& queue_;
  QuotaTree& tree_;
  const std::function<bool()>& fits_;
};

/// More pods than that have no flavor with room for them, even without other podsets.
std::int32_t MostByQuota(const World& world, const WorkloadRecord& workload, std::size_t pod_set) {
  const ClusterQueueState& queue = world.queue(workload.queue);
  const QuotaTree& tree = world.tree_of(queue);
  const PodSetRequests& pods = workload.pod_sets[pod_set];
  Amount most = pods.effective_count - 1;
  for (const ResourceGroupState& group : queue.groups) {
    Amount best = 0;
    for (const FlavorOption& option : group.flavors) {
      Amount here = most;
      for (std::size_t r = 0; r < group.resources.size(); ++r) {
        for (const ResourceAmount& request : pods.per_pod) {
          if (request.resource != group.resources[r] || request.amount <= 0) continue;
          const Amount left = tree.Available(queue.node, tree.ColumnOf(option.pairs[r]));
          here = std::min(here, std::max<Amount>(0, left) / request.amount);
        }
      }
      best = std::max(best, here);
    }
    most = std::min(most, best);
  }
  return static_cast<std::int32_t>(most);
}

}  // namespace

std::vector<Remedy> FindRemedies(World& world, const WorkloadRecord& workload,
                                 std::span<const std::int32_t> counts,
                                 const std::function<bool()>& fits) {
  return RemedyFinder(world, workload, fits).Find(DivisionsOf(world, workload, counts));
}

std::vector<MostPods> FindMostPods(const World& world, const WorkloadRecord& workload,
                                   const std::function<bool(std::span<const std::int32_t>)>& fits) {
  std::vector<std::int32_t> counts;
  for (const PodSetRequests& pod_set : workload.pod_sets) {
    counts.push_back(pod_set.effective_count);
  }
  std::vector<MostPods> most;
  for (std::size_t p = 0; p < counts.size(); ++p) {
    const std::int32_t asked = counts[p];
    counts[p] = MostByQuota(world, workload, p);
    for (std::int32_t tried = 0; counts[p] > 0 && tried < kMostPodsTried; --counts[p], ++tried) {
      if (!fits(counts)) continue;
      most.push_back({workload.series().pod_sets[p].name, counts[p], asked});
      break;
    }
    counts[p] = asked;
  }
  return most;
}

}  // namespace muster
