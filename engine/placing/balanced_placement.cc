// See balanced_placement.h.
#include "engine/placing/balanced_placement.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "engine/topology/add_room.h"

namespace muster {

BalancedPlacement::BalancedPlacement(Placer& placer)
    : placer_(placer),
      leaders_(placer.request_->leader ? 1 : 0),
      need_(placer.request_->count / placer.SliceSize()),
      level_(placer.request_->level),
      lower_(level_ < placer.SliceLevel() ? level_ + 1 : level_) {}

BalancedPlacement::Greedy BalancedPlacement::PlaceGreedily(std::size_t level, Set set) const {
  Greedy greedy;
  std::int32_t rest = need_;
  std::int32_t leaders = leaders_;
  placer_.SortToStart(level, set);
  std::size_t next = 0;
  for (; leaders > 0 && next < set.size() && placer_.At(level, set[next]).leaders > 0; ++next) {
    const Placer::Room& room = placer_.At(level, set[next]);
    leaders -= room.leaders;
    rest -= room.slices_beside;
    greedy.last_leader = set[next];
    ++greedy.taken;
  }
  if (leaders > 0) return greedy;
  set.erase(set.begin(), set.begin() + static_cast<std::ptrdiff_t>(next));
  placer_.SortLater(level, set);
  for (std::size_t i = 0; rest > 0 && i < set.size(); ++i) {
    const Placer::Room& room = placer_.At(level, set[i]);
    if (room.slices <= 0) break;
    rest -= room.slices;
    greedy.last_other = set[i];
    ++greedy.taken;
  }
  greedy.fits = rest <= 0;
  return greedy;
}

void BalancedPlacement::Empty(std::size_t level, Domain d, bool leader_only) {
  Placer::Room& room = placer_.At(level, d);
  room.leaders = 0;
  room.pods_beside = 0;
  room.slices_beside = 0;
  if (!leader_only) {
    room.pods = 0;
    room.slices = 0;
  }
  if (level + 1 >= placer_.tree_.depth()) return;
  for (const Domain child : placer_.ChildrenOf(level, std::span(&d, 1))) {
    Empty(level + 1, child, leader_only);
  }
}

void BalancedPlacement::Prune(std::size_t level, const Set& set, std::int32_t threshold) {
  for (const Domain d : set) {
    const Placer::Room& room = placer_.At(level, d);
    if (room.slices < threshold) {
      Empty(level, d, false);
    } else if (room.leaders > 0 && room.slices_beside < threshold) {
      Empty(level, d, true);
    }
  }
}

void BalancedPlacement::Recount(const Set& set) {
  for (const Domain d : set) {
    Placer::Room sum;
    std::optional<std::int32_t> least_pods;
    std::optional<std::int32_t> least_slices;
    for (const Domain child : placer_.ChildrenOf(level_, std::span(&d, 1))) {
      const Placer::Room& room = placer_.At(level_ + 1, child);
      sum.pods = AddRoom(sum.pods, room.pods);
      sum.slices = AddRoom(sum.slices, room.slices);
      sum.score += room.score;
      if (room.leaders == 0) continue;
      sum.leaders = std::max(sum.leaders, room.leaders);
      const std::int32_t pods = room.pods - room.pods_beside;
      const std::int32_t slices = room.slices - room.slices_beside;
      least_pods = std::min(least_pods.value_or(pods), pods);
      least_slices = std::min(least_slices.value_or(slices), slices);
    }
    if (leaders_ == 0 || sum.leaders > 0) {
      sum.pods_beside = sum.pods - least_pods.value_or(0);
      sum.slices_beside = sum.slices - least_slices.value_or(0);
    }
    placer_.At(level_, d) = sum;
  }
}

void BalancedPlacement::Try(const Set& set) {
  const Rooms as_counted = placer_.rooms_;
  const Set lower = lower_ == level_ ? set : placer_.ChildrenOf(level_, set);
  const Greedy first = PlaceGreedily(lower_, lower);
  if (!first.fits || first.taken == 0) return;
  std::int32_t threshold = need_ / first.taken;
  if (first.last_leader) {
    threshold = std::min(threshold, placer_.At(lower_, *first.last_leader).slices_beside);
  }
  if (first.last_other) {
    threshold = std::min(threshold, placer_.At(lower_, *first.last_other).slices);
  }
  if (threshold < best_) return;
  const auto greedy_above = [&] {
    Prune(lower_, lower, threshold);
    // Also where slices are of this level: children have none, so no domain is kept.
    if (level_ + 1 < placer_.tree_.depth()) {
      Recount(set);
      Prune(level_, set, threshold);
    }
    return PlaceGreedily(level_, set);
  };
  Greedy greedy = greedy_above();
  if (!greedy.fits && leaders_ > 0 && first.last_other) {
    placer_.rooms_ = as_counted;
    const std::int32_t smaller =
        std::min(threshold, placer_.At(lower_, *first.last_other).slices_beside);
    if (smaller > 0 && smaller < threshold && smaller >= best_) {
      threshold = smaller;
      greedy = greedy_above();
    }
  }
  const bool better = threshold > best_ ||
                      (threshold == best_ && best_ > 0 && kept_ && greedy.taken < kept_->taken);
  if (greedy.fits && better) {
    best_ = threshold;
    kept_ = Candidate{set, placer_.rooms_, greedy.taken};
  }
  placer_.rooms_ = as_counted;
}

std::vector<double> BalancedPlacement::EntropiesOf(const Set& set) const {
  std::vector<double> entropies;
  for (const Domain d : set) {
    const Set children = placer_.ChildrenOf(level_, std::span(&d, 1));
    double all = 0;
    for (const Domain child : children) all += placer_.At(level_ + 1, child).pods;
    double entropy = 0;
    for (const Domain child : children) {
      const double part = placer_.At(level_ + 1, child).pods / (all > 0 ? all : 1);
      if (part > 0) entropy -= part * std::log2(part);
    }
    entropies.push_back(entropy);
  }
  return entropies;
}

BalancedPlacement::Set BalancedPlacement::Fewest(std::size_t level, const Set& set) const {
  const Greedy greedy = PlaceGreedily(level, set);
  if (!greedy.fits) return {};
  using State = std::tuple<std::int32_t, std::int64_t>;  // leaders and pods left
  const auto most = static_cast<std::size_t>(greedy.taken);
  std::vector<std::map<State, Set>> ways(most + 1);  // by number taken
  ways[0][{leaders_, need_ * placer_.SliceSize()}] = {};
  for (const Domain d : set) {
    const Placer::Room& room = placer_.At(level, d);
    for (std::size_t taken = most; taken-- > 0;) {
      for (const auto& [state, way] : ways[taken]) {
        const auto [leaders, pods] = state;
        if (leaders <= 0 && pods <= 0) continue;
        const auto extend = [&, &taken_so_far = way](State next) {
          if (ways[taken + 1].contains(next)) return;
          Set longer = taken_so_far;
          longer.push_back(d);
          ways[taken + 1].emplace(next, std::move(longer));
        };
        if (leaders > 0 && room.leaders > 0) {
          extend({leaders - room.leaders, pods - room.pods_beside});
        }
        if (room.slices > 0) extend({leaders, pods - room.pods});
      }
    }
  }
  const Set* best = nullptr;
  std::int64_t nearest = 0;
  for (const auto& [state, way] : ways[most]) {
    const auto [leaders, pods] = state;
    if (leaders > 0 || pods > 0) continue;
    if (best == nullptr || pods > nearest) {
      best = &way;
      nearest = pods;
    }
  }
  return best == nullptr ? Set() : *best;
}

std::optional<BalancedPlacement::Chosen> BalancedPlacement::Give() {
  placer_.rooms_ = kept_->rooms;
  Set lower = kept_->set;
  if (lower_ != level_) {
    const std::vector<double> entropies = EntropiesOf(kept_->set);
    std::vector<std::size_t> order(kept_->set.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
      const Placer::Room& a = placer_.At(level_, kept_->set[x]);
      const Placer::Room& b = placer_.At(level_, kept_->set[y]);
      if (a.leaders != b.leaders) return a.leaders > b.leaders;
      if (a.slices_beside != b.slices_beside) return a.slices_beside > b.slices_beside;
      if (entropies[x] != entropies[y]) return entropies[x] > entropies[y];
      return kept_->set[x] < kept_->set[y];
    });
    Set sorted;
    for (const std::size_t i : order) sorted.push_back(kept_->set[i]);
    const Set parents = Fewest(level_, sorted);
    if (parents.empty()) return std::nullopt;
    lower = placer_.ChildrenOf(level_, parents);
  }
  std::sort(lower.begin(), lower.end());
  Set chosen = Fewest(lower_, lower);
  const auto number = static_cast<std::int32_t>(chosen.size());
  if (chosen.empty() || need_ < std::int64_t{best_} * number) return std::nullopt;
  placer_.SortToStart(lower_, chosen);
  std::int32_t more = need_ - best_ * number;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    Placer::Room& room = placer_.At(lower_, chosen[i]);
    const std::int32_t most = i == 0 && leaders_ > 0 ? room.slices_beside : room.slices;
    const std::int32_t extra = std::max(0, std::min(more, most - best_));
    more -= extra;
    room.slices = best_ + extra;
    room.slices_beside = room.slices;
    room.pods = room.slices * placer_.SliceSize();
    room.pods_beside = room.pods;
  }
  if (more > 0) return std::nullopt;
  return Chosen{lower_, std::move(chosen), placer_.rooms_};
}

std::optional<BalancedPlacement::Chosen> BalancedPlacement::Choose() {
  const Rooms as_counted = placer_.rooms_;
  if (level_ == 0) {
    Try(placer_.AllOf(0));
  } else {
    for (const Domain parent : placer_.AllOf(level_ - 1)) {
      Try(placer_.ChildrenOf(level_ - 1, std::span(&parent, 1)));
    }
  }
  std::optional<Chosen> chosen;
  if (kept_) chosen = Give();
  placer_.rooms_ = as_counted;
  return chosen;
}

}  // namespace muster
