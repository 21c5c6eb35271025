// See segment_placement.h.
#include "engine/segments/segment_placement.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "engine/base/amount.h"

namespace muster {
namespace {

/// Pods that each leaf has room for, beside what earlier podsets take.
std::vector<std::int32_t> RoomOfLeaves(const TopologyTree& tree, const PlaceRequest& request,
                                       const AssumedPods& assumed) {
  const std::span<const std::int32_t> kept = tree.CountsFor(request).PodsAt(tree.depth() - 1);
  std::vector<std::int32_t> leaves(kept.begin(), kept.end());
  for (const auto& [leaf, amounts] : assumed) {
    if (leaves[leaf] == 0) continue;
    const std::span<const Amount> free = request.empty ? tree.AloneOf(leaf) : tree.FreeOf(leaf);
    std::vector<Amount> left(free.begin(), free.end());
    for (const HostAmount& each : amounts) {
      if (each.resource < left.size()) left[each.resource] = Sub(left[each.resource], each.amount);
    }
    leaves[leaf] = PodsIn(left, request.needs);
  }
  if (request.only_level < 0) return leaves;
  const auto [first, last] =
      tree.LeavesBelow(static_cast<std::size_t>(request.only_level), request.only_domain);
  std::fill(leaves.begin(), leaves.begin() + first, 0);
  std::fill(leaves.begin() + last, leaves.end(), 0);
  return leaves;
}

}  // namespace

SegmentPlacement::SegmentPlacement(const TopologyTree& tree, const PlaceRequest& request,
                                   const AssumedPods& assumed)
    : tree_(tree),
      request_(request),
      layers_(tree, request.slices, RoomOfLeaves(tree, request, assumed)),
      need_(static_cast<std::int32_t>((std::int64_t{request.count} + request.SliceSize() - 1) /
                                      request.SliceSize())) {}

PlaceResult SegmentPlacement::Place() const {
  PlaceResult result;
  result.level = request_.level;
  result.wanted = need_;
  result.in_slices = true;
  result.segment = request_.SliceSize();
  const FewestDomains fewest(layers_, need_);
  const std::optional<Scope> scope = FindScope(fewest, result);
  if (!scope) return result;
  std::vector<Load> loads = ToInnermost(fewest, scope->outermost);
  result.proof = Prove(fewest, loads, *scope);
  for (const Load& each : ToLeaves(std::move(loads))) {
    result.workers.push_back({each.domain, each.units});
  }
  result.most = need_;
  result.found = true;
  return result;
}

bool SegmentPlacement::HasRoom() const {
  if (request_.spread != Spread::kRequired) return RoomIn(Outermost()) >= need_;
  for (std::uint32_t d = 0; d < tree_.levels()[request_.level].size(); ++d) {
    if (RoomIn(OutermostIn(request_.level, d)) >= need_) return true;
  }
  return false;
}

DomainRange SegmentPlacement::Outermost() const {
  return {0, static_cast<std::uint32_t>(layers_.RoomAt(0).size())};
}

std::int64_t SegmentPlacement::RoomIn(DomainRange range) const {
  const std::span<const std::int32_t> rooms = layers_.RoomAt(0);
  std::int64_t room = 0;
  for (std::uint32_t i = range.first; i < range.second; ++i) room += rooms[i];
  return room;
}

DomainRange SegmentPlacement::OutermostIn(std::size_t level, std::uint32_t domain) const {
  return layers_.Below(level, {domain, domain + 1}, layers_.LevelOf(0));
}

std::optional<SegmentPlacement::Scope> SegmentPlacement::FindScope(const FewestDomains& fewest,
                                                                   PlaceResult& result) const {
  if (request_.spread != Spread::kUnconstrained) {
    std::size_t level = request_.level;
    if (const auto best = BestOf(fewest, level)) return best;
    if (request_.spread == Spread::kRequired) {
      TellBest(result);
      return std::nullopt;
    }
    while (level > 0) {
      if (const auto best = BestOf(fewest, --level)) return best;
    }
  }
  const std::int64_t room = RoomIn(Outermost());
  result.level = layers_.LevelOf(0);
  result.most = static_cast<std::int32_t>(std::min<std::int64_t>(room, need_));
  if (room < need_) return std::nullopt;
  return Scope{Outermost(), std::nullopt};
}

std::optional<SegmentPlacement::Scope> SegmentPlacement::BestOf(const FewestDomains& fewest,
                                                                std::size_t level) const {
  std::optional<Scope> best;
  FewestDomains::Cost least{};
  std::int64_t least_room = 0;
  for (std::uint32_t d = 0; d < tree_.levels()[level].size(); ++d) {
    const DomainRange range = OutermostIn(level, d);
    const std::int64_t room = RoomIn(range);
    if (room < need_) continue;
    const FewestDomains::Cost cost = fewest.CostOf(0, range, need_);
    if (best && std::pair(least, least_room) <= std::pair(cost, room)) continue;
    best = Scope{range, level};
    least = cost;
    least_room = room;
  }
  return best;
}

void SegmentPlacement::TellBest(PlaceResult& result) const {
  std::vector<Load> best;
  for (std::uint32_t d = 0; d < tree_.levels()[request_.level].size(); ++d) {
    if (!tree_.IsThere(request_.level, d)) continue;
    const DomainRange range = OutermostIn(request_.level, d);
    const std::int64_t room = RoomIn(range);
    best.push_back({d, static_cast<std::int32_t>(std::min<std::int64_t>(room, need_))});
  }
  std::stable_sort(best.begin(), best.end(),
                   [](const Load& a, const Load& b) { return a.units > b.units; });
  constexpr std::size_t kTold = 2;
  for (std::size_t i = 0; i < std::min(best.size(), kTold); ++i) {
    result.best.push_back({best[i].domain, best[i].units});
  }
  if (!best.empty()) result.most = best.front().units;
}

std::vector<Load> SegmentPlacement::ToInnermost(const FewestDomains& fewest,
                                                DomainRange scope) const {
  std::vector<Load> loads = fewest.Choose(0, scope, need_);
  for (std::size_t layer = 0; layer + 1 < layers_.count(); ++layer) {
    std::vector<Load> below;
    for (const Load& each : loads) {
      const DomainRange range = layers_.Below(
          layers_.LevelOf(layer), {each.domain, each.domain + 1}, layers_.LevelOf(layer + 1));
      const std::vector<Load> chosen =
          fewest.Choose(layer + 1, range, each.units * layers_.Ratio(layer));
      below.insert(below.end(), chosen.begin(), chosen.end());
    }
    loads = std::move(below);
  }
  for (Load& each : loads) each.units *= layers_.SizeOf(layers_.count() - 1);
  return loads;
}

std::vector<Load> SegmentPlacement::ToLeaves(std::vector<Load> loads) const {
  std::int64_t more = std::int64_t{need_} * request_.SliceSize() - request_.count;
  for (; more > 0; loads.pop_back()) {  // segments that are short
    const std::int32_t less =
        static_cast<std::int32_t>(std::min<std::int64_t>(more, loads.back().units));
    loads.back().units -= less;
    more -= less;
    if (loads.back().units > 0) break;
  }
  for (std::size_t level = layers_.LevelOf(layers_.count() - 1); level + 1 < tree_.depth();
       ++level) {
    std::vector<Load> below;
    for (const Load& each : loads) {
      const DomainRange range = layers_.Below(level, {each.domain, each.domain + 1}, level + 1);
      const EvenLoads even(
          layers_.PodsAt(level + 1).subspan(range.first, range.second - range.first), {},
          range.first);
      const std::vector<Load> given = even.Spread(each.units);
      below.insert(below.end(), given.begin(), given.end());
    }
    loads = std::move(below);
  }
  return loads;
}

std::int64_t SegmentPlacement::MostIn(std::size_t layer, std::size_t domains,
                                      const Scope& scope) const {
  const auto most = [&](DomainRange outermost) {
    const DomainRange range = layers_.Below(layers_.LevelOf(0), outermost, layers_.LevelOf(layer));
    return EvenLoads(layers_.RoomAt(layer).subspan(range.first, range.second - range.first), {}, 0)
        .RoomOf(domains);
  };
  if (!scope.level) return most(scope.outermost);
  std::int64_t best = 0;
  for (std::uint32_t d = 0; d < tree_.levels()[*scope.level].size(); ++d) {
    best = std::max(best, most(OutermostIn(*scope.level, d)));
  }
  return best;
}

std::vector<SegmentsProof> SegmentPlacement::Prove(const FewestDomains& fewest,
                                                   const std::vector<Load>& innermost,
                                                   const Scope& scope) const {
  std::vector<SegmentsProof> proof;
  for (std::size_t layer = 0; layer < layers_.count(); ++layer) {
    const std::size_t level = layers_.LevelOf(layer);
    std::set<std::uint32_t> domains;
    for (const Load& each : innermost) {
      std::uint32_t at = each.domain;
      for (std::size_t l = layers_.LevelOf(layers_.count() - 1); l > level; --l) {
        at = tree_.levels()[l].parents[at];
      }
      domains.insert(at);
    }
    proof.push_back({level, layers_.SizeOf(layer),
                     std::int64_t{need_} * (layers_.SizeOf(0) / layers_.SizeOf(layer)),
                     static_cast<std::int32_t>(domains.size()),
                     MostIn(layer, domains.size() - 1, scope), fewest.IsExact(layer)});
  }
  return proof;
}

std::string ProofText(const TopologyTree& tree, const std::vector<SegmentsProof>& proof) {
  std::string text;
  for (const SegmentsProof& each : proof) {
    const std::int32_t fewer = each.domains - 1;
    text += text.empty() ? "" : "; ";
    text += std::to_string(each.segments) + " x " + std::to_string(each.size) + " pods on " +
            std::to_string(each.domains) + (fewer == 0 ? " domain of " : " domains of ") +
            tree.levels()[each.level].label;
    if (fewer == 0) continue;
    if (each.fewer >= each.segments && !each.exact) {
      text += ": fewer were not looked for, as there are too many ways";
    } else if (each.fewer >= each.segments) {
      text += ": no fewer on the fewest of the level above";
    } else if (fewer == 1) {
      text += ": the best has room for " + std::to_string(each.fewer);
    } else {
      text +=
          ": the best " + std::to_string(fewer) + " have room for " + std::to_string(each.fewer);
    }
  }
  return text;
}

}  // namespace muster
