// See division.h. A search in depth, podset by podset and flavor by flavor in their order, which
// turns back where the podsets left ask for more than all flavors have left. One that was not
// finished within its steps proves nothing.
#include "engine/cure/division.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/base/amount.h"
#include "engine/model/selector.h"
#include "engine/quota/quota_tree.h"

namespace muster {
namespace {

using Amounts = std::vector<Amount>;

/// Adds what the podset asks for of each resource of the group; false: it asks for none of them.
bool AddAsked(const World& world, const ClusterQueueState& queue, const ResourceGroupState& group,
              const PodSetRequests& pod_set, std::int32_t count, Amounts& sum) {
  bool any = false;
  for (std::size_t r = 0; r < group.resources.size(); ++r) {
    for (const ResourceAmount& request : pod_set.per_pod) {
      if (request.resource != group.resources[r]) continue;
      any = true;
      if (pod_set.effective_count > 0) sum[r] = Add(sum[r], Mul(request.amount, count));
    }
    if (queue.covers_pods && world.names.ResourceName(group.resources[r]) == "pods") {
      any = true;
      sum[r] = Add(sum[r], count);
    }
  }
  return any;
}

bool Exceeds(const Amounts& asked, const Amounts& room) {
  for (std::size_t r = 0; r < asked.size(); ++r) {
    if (asked[r] > room[r]) return true;
  }
  return false;
}

Amounts Sum(const Amounts& a, const Amounts& b) {
  Amounts sum(a.size());
  for (std::size_t r = 0; r < a.size(); ++r) sum[r] = Add(a[r], b[r]);
  return sum;
}

class Divider {
 public:
  explicit Divider(Division& division) : division_(division) {
    const std::size_t resources = division.rooms.empty() ? 0 : division.rooms[0].maximum.size();
    used_.assign(division.rooms.size(), Amounts(resources));
    left_over_.assign(division.demands.size() + 1, Amounts(resources));
    for (std::size_t i = division.demands.size(); i-- > 0;) {
      left_over_[i] = Sum(left_over_[i + 1], division.demands[i].amounts);
    }
  }

  void Divide() {
    Place(0);
    division_.impossible = !any_found_ && steps_ < kMostStepsOfDivision;
  }

 private:
  void Place(std::size_t index) {
    if (index == division_.demands.size()) return Found();
    if (MoreThanIsLeft(left_over_[index])) return;
    const SharedDemand& demand = division_.demands[index];
    for (std::size_t f = 0; f < division_.rooms.size(); ++f) {
      if (steps_ == kMostStepsOfDivision) return;
      ++steps_;
      if (!demand.takes[f]) continue;
      Amounts with = Sum(used_[f], demand.amounts);
      if (Exceeds(with, division_.rooms[f].maximum)) continue;
      with.swap(used_[f]);
      Place(index + 1);
      with.swap(used_[f]);
    }
  }

  bool MoreThanIsLeft(const Amounts& asked) const {
    for (std::size_t r = 0; r < asked.size(); ++r) {
      Amount left = 0;
      for (std::size_t f = 0; f < used_.size(); ++f) {
        left = Add(left, Sub(division_.rooms[f].maximum[r], used_[f][r]));
      }
      if (asked[r] > left) return true;
    }
    return false;
  }

  void Found() {
    any_found_ = true;
    std::vector<Missing> missing;
    Amount amount = 0;
    for (std::size_t f = 0; f < used_.size(); ++f) {
      for (std::size_t r = 0; r < used_[f].size(); ++r) {
        const Amount lacks = Sub(used_[f][r], division_.rooms[f].available[r]);
        if (lacks <= 0) continue;
        missing.push_back({f, r, lacks});
        amount = Add(amount, lacks);
      }
    }
    const auto worth = std::pair(missing.size(), amount);
    if (division_.missing && worth >= least_) return;
    if (!WalkFinds(missing)) return;
    division_.missing = std::move(missing);
    least_ = worth;
  }

  /// Whether each podset's first flavor that has room leaves enough for those after it, as in the
  /// flavor walk, were that much more free.
  bool WalkFinds(const std::vector<Missing>& missing) const {
    std::vector<Amounts> left;
    for (const FlavorRoom& room : division_.rooms) left.push_back(room.available);
    for (const Missing& each : missing) {
      left[each.flavor][each.resource] = Add(left[each.flavor][each.resource], each.amount);
    }
    return std::all_of(division_.demands.begin(), division_.demands.end(),
                       [&](const SharedDemand& demand) {
                         for (std::size_t f = 0; f < left.size(); ++f) {
                           if (!demand.takes[f] || Exceeds(demand.amounts, left[f])) continue;
                           for (std::size_t r = 0; r < left[f].size(); ++r) {
                             left[f][r] = Sub(left[f][r], demand.amounts[r]);
                           }
                           return true;
                         }
                         return false;
                       });
  }

  Division& division_;
  std::vector<Amounts> used_;       ///< by flavor
  std::vector<Amounts> left_over_;  ///< by demand: what it and those after it ask for
  bool any_found_ = false;
  std::pair<std::size_t, Amount> least_;
  int steps_ = 0;
};

FlavorRoom RoomOf(const QuotaTree& tree, const ClusterQueueState& queue,
                  const FlavorOption& option) {
  FlavorRoom room;
  for (const FlavorResourceId pair : option.pairs) {
    const Column column = tree.ColumnOf(pair);
    room.maximum.push_back(tree.Potential(queue.node, column));
    room.available.push_back(std::max<Amount>(0, tree.Available(queue.node, column)));
  }
  return room;
}

/// The podsets that share their flavors, each list under its first.
std::vector<std::vector<std::size_t>> Gangs(const SharedList<PodSet>& pod_sets) {
  const auto name_of = [&](std::size_t p) {
    const auto& topology = pod_sets[p].topology;
    return topology ? std::string_view(topology->pod_set_group) : std::string_view();
  };
  std::vector<std::vector<std::size_t>> gangs;
  for (std::size_t p = 0; p < pod_sets.size(); ++p) {
    const auto same = std::find_if(gangs.begin(), gangs.end(), [&](const auto& gang) {
      return !name_of(p).empty() && name_of(gang[0]) == name_of(p);
    });
    if (same == gangs.end()) {
      gangs.push_back({p});
    } else {
      same->push_back(p);
    }
  }
  return gangs;
}

bool TakesAll(const FlavorOption& option, const SharedList<PodSet>& pod_sets,
              const std::vector<std::size_t>& gang) {
  return option.flavor != nullptr && std::none_of(gang.begin(), gang.end(), [&](std::size_t p) {
           return FlavorMismatch(pod_sets[p].pods, *option.flavor).has_value();
         });
}

}  // namespace

bool Division::HoldsAlone(const SharedDemand& demand, std::size_t flavor) const {
  return demand.takes[flavor] && !Exceeds(demand.amounts, rooms[flavor].maximum);
}

std::vector<Division> DivisionsOf(const World& world, const WorkloadRecord& workload,
                                  std::span<const std::int32_t> counts) {
  const ClusterQueueState& queue = world.queue(workload.queue);
  const SharedList<PodSet>& pod_sets = workload.series().pod_sets;
  const auto gangs = Gangs(pod_sets);
  std::vector<Division> divisions;
  for (std::size_t g = 0; g < queue.groups.size(); ++g) {
    const ResourceGroupState& group = queue.groups[g];
    Division division;
    division.group = g;
    for (const std::vector<std::size_t>& gang : gangs) {
      SharedDemand demand{gang, Amounts(group.resources.size()), {}};
      bool any = false;
      for (const std::size_t p : gang) {
        any |= AddAsked(world, queue, group, workload.pod_sets[p], counts[p], demand.amounts);
      }
      if (!any) continue;
      for (const FlavorOption& option : group.flavors) {
        demand.takes.push_back(TakesAll(option, pod_sets, gang));
      }
      division.demands.push_back(std::move(demand));
    }
    if (division.demands.empty()) continue;
    for (const FlavorOption& option : group.flavors) {
      division.rooms.push_back(RoomOf(world.tree_of(queue), queue, option));
    }
    Divider(division).Divide();
    divisions.push_back(std::move(division));
  }
  return divisions;
}

}  // namespace muster
