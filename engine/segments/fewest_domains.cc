// See fewest_domains.h.
#include "engine/segments/fewest_domains.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/base/amount.h"

namespace muster {
namespace {

using Cost = FewestDomains::Cost;

constexpr std::int64_t kImpossible = std::numeric_limits<std::int64_t>::max();

bool IsPossible(const Cost& cost) { return cost[0] != kImpossible; }

/// One domain more with so many segments.
void AddDomain(Cost& cost, std::size_t layer, std::int64_t segments) {
  cost[layer] += 1;
  cost[kMostSegmentLayers + layer] += segments * segments;
}

Cost Sum(const Cost& a, const Cost& b) {
  Cost sum;
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = a[i] + b[i];
  return sum;
}

}  // namespace

struct FewestDomains::Table {
  std::vector<Load> domains;  ///< with their room, in the order they are looked at
  std::vector<Cost> least;    ///< by segments, over all of them
  /// By domain and segments, how many of these it has; 0: those before it have all.
  std::vector<std::vector<std::int32_t>> taken;
};

FewestDomains::FewestDomains(const SegmentLayers& layers, std::int32_t need) : layers_(layers) {
  std::int64_t segments = need;  // of the layer, that a table of it may be asked for
  for (std::size_t layer = 0; layer < layers.count(); ++layer) {
    alone_[layer] = layer + 1 == layers.count();
    if (alone_[layer]) break;
    const std::span<const std::int32_t> rooms = layers.RoomAt(layer);
    const std::int64_t largest = rooms.empty() ? 0 : *std::max_element(rooms.begin(), rooms.end());
    const std::int64_t room = std::min(largest, segments);
    const std::int64_t ways = Mul(segments, static_cast<std::int64_t>(rooms.size()));
    const auto below = static_cast<std::int64_t>(layers.RoomAt(layer + 1).size());
    alone_[layer] = Mul(Add(ways, below), room) > kMostSteps;
    segments = Mul(room, layers.Ratio(layer));
  }
}

bool FewestDomains::IsExact(std::size_t layer) const {
  return std::none_of(alone_.begin(), alone_.begin() + static_cast<std::ptrdiff_t>(layer),
                      [](bool alone) { return alone; });
}

EvenLoads FewestDomains::Even(std::size_t layer, DomainRange range) const {
  const std::size_t count = range.second - range.first;
  return {layers_.RoomAt(layer).subspan(range.first, count),
          layers_.OverAt(layer).subspan(range.first, count), range.first};
}

std::vector<Cost> FewestDomains::Costs(std::size_t layer, DomainRange range, std::int32_t most,
                                       std::int32_t step) const {
  std::vector<Cost> costs(static_cast<std::size_t>(most) + 1, Cost{});
  if (!IsAlone(layer)) {
    const std::vector<Cost> all = Fill(layer, Useful(layer, range, 0), most * step).least;
    for (std::size_t n = 1; n < costs.size(); ++n) {
      costs[n] = all[n * static_cast<std::size_t>(step)];
    }
    return costs;
  }
  const EvenLoads even = Even(layer, range);
  for (std::int32_t n = 1; n <= most; ++n) {
    Cost& cost = costs[static_cast<std::size_t>(n)];
    cost[layer] = static_cast<std::int64_t>(even.Fewest(n * step));
    cost[kMostSegmentLayers + layer] = even.SquaresOf(n * step);
  }
  return costs;
}

std::vector<Load> FewestDomains::Useful(std::size_t layer, DomainRange range,
                                        std::int32_t need) const {
  const std::span<const std::int32_t> rooms = layers_.RoomAt(layer);
  // Beside it, the best of the others have room for no more than the best of all.
  std::int64_t beside = 0;
  if (need > 0) {
    const EvenLoads even = Even(layer, range);
    beside = even.RoomOf(even.Fewest(need) - 1);
  }
  std::vector<Load> useful;
  for (std::uint32_t d = range.first; d < range.second; ++d) {
    if (rooms[d] > 0 && rooms[d] + beside >= need) useful.push_back({d, rooms[d]});
  }
  const std::span<const std::int32_t> over = layers_.OverAt(layer);
  std::stable_sort(useful.begin(), useful.end(), [&](const Load& a, const Load& b) {
    return std::pair(a.units, over[a.domain]) < std::pair(b.units, over[b.domain]);
  });
  return useful;
}

FewestDomains::Table FewestDomains::Fill(std::size_t layer, std::vector<Load> domains,
                                         std::int32_t most) const {
  Table table;
  Cost impossible{};
  impossible[0] = kImpossible;
  const auto count = static_cast<std::size_t>(most) + 1;
  table.least.assign(count, impossible);
  table.least[0] = {};
  const std::int32_t ratio = layers_.Ratio(layer);
  for (const Load& domain : domains) {
    std::vector<std::int32_t>& taken = table.taken.emplace_back(count, 0);
    const std::int32_t room = std::min(domain.units, most);
    const DomainRange below = layers_.Below(
        layers_.LevelOf(layer), {domain.domain, domain.domain + 1}, layers_.LevelOf(layer + 1));
    std::vector<Cost> own = Costs(layer + 1, below, room, ratio);
    for (std::int32_t n = 1; n <= room; ++n) AddDomain(own[static_cast<std::size_t>(n)], layer, n);
    for (std::size_t n = count; n-- > 1;) {
      const std::size_t most_here = std::min(n, static_cast<std::size_t>(room));
      for (std::size_t here = 1; here <= most_here; ++here) {
        const Cost& before = table.least[n - here];
        if (!IsPossible(before)) continue;
        const Cost cost = Sum(before, own[here]);
        if (!(cost < table.least[n])) continue;
        table.least[n] = cost;
        taken[n] = static_cast<std::int32_t>(here);
      }
    }
  }
  table.domains = std::move(domains);
  return table;
}

Cost FewestDomains::CostOf(std::size_t layer, DomainRange range, std::int32_t need) const {
  if (!IsAlone(layer)) return Fill(layer, Useful(layer, range, need), need).least.back();
  const EvenLoads even = Even(layer, range);
  Cost cost{};
  cost[layer] = static_cast<std::int64_t>(even.Fewest(need));
  cost[kMostSegmentLayers + layer] = even.SquaresOf(need);
  return cost;
}

std::vector<Load> FewestDomains::Choose(std::size_t layer, DomainRange range,
                                        std::int32_t need) const {
  if (IsAlone(layer)) return Even(layer, range).Spread(need);
  const Table table = Fill(layer, Useful(layer, range, need), need);
  std::vector<Load> loads;
  std::int32_t rest = need;
  for (std::size_t i = table.domains.size(); i-- > 0 && rest > 0;) {
    const std::int32_t here = table.taken[i][static_cast<std::size_t>(rest)];
    if (here == 0) continue;
    loads.push_back({table.domains[i].domain, here});
    rest -= here;
  }
  std::sort(loads.begin(), loads.end(),
            [](const Load& a, const Load& b) { return a.domain < b.domain; });
  return loads;
}

}  // namespace muster
