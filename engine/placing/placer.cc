// Choosing domains and handing out pods. The order of each step is that of Kueue, because the
// placement follows from it.
#include "engine/placing/placer.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "engine/placing/balanced_placement.h"
#include "engine/placing/counted_placement.h"

namespace muster {

PlaceResult Placer::Place(const PlaceRequest& request, const AssumedPods& assumed) {
  if (counts_ && CountedPlacement::Takes(tree_, request, assumed)) {
    return CountedPlacement(tree_, request).Place();
  }
  request_ = &request;
  wanted_.clear();
  PlaceResult result;
  result.level = request.level;
  result.wanted = request.count / SliceSize();
  result.in_slices = !request.slices.empty();
  if (tree_.depth() == 0) return result;
  CountLeaves(assumed);
  CountParents();
  Found found;
  if (request.balanced && request.spread == Spread::kPreferred) {
    BalancedPlacement balanced(*this);
    if (auto chosen = balanced.Choose()) {
      found = {true, chosen->level, std::move(chosen->domains), 0};
      rooms_ = std::move(chosen->rooms);
    }
  }
  const bool is_balanced = found.found;
  if (!is_balanced) found = Choose(request.level);
  result.most = found.most;
  result.best = std::move(found.best);
  if (!found.found) return result;
  Set set = std::move(found.domains);
  const bool handed_out =
      is_balanced ? DescendBalanced(found.level, set) : Descend(found.level, set);
  if (!handed_out) return result;
  std::sort(set.begin(), set.end());
  const std::size_t leaf_level = tree_.depth() - 1;
  for (const Domain leaf : set) {
    const Room& room = At(leaf_level, leaf);
    if (room.pods > 0) result.workers.push_back({leaf, room.pods});
    if (room.leaders > 0) result.leader.push_back({leaf, room.leaders});
  }
  result.found = true;
  return result;
}

void Placer::SortToStart(std::size_t level, Set& set) const {
  const bool ascending = LeastFree();
  std::sort(set.begin(), set.end(), [&](Domain x, Domain y) {
    const Room& a = At(level, x);
    const Room& b = At(level, y);
    if (a.leaders != b.leaders) return a.leaders > b.leaders;
    if (Wanted(level, x) != Wanted(level, y)) return Wanted(level, x) > Wanted(level, y);
    if (a.score != b.score) return a.score > b.score;
    if (a.slices_beside != b.slices_beside) {
      return ascending ? a.slices_beside < b.slices_beside : a.slices_beside > b.slices_beside;
    }
    if (a.pods_beside != b.pods_beside) return a.pods_beside < b.pods_beside;
    return x < y;
  });
}

void Placer::SortLater(std::size_t level, Set& set) const {
  const bool ascending = LeastFree();
  std::sort(set.begin(), set.end(), [&](Domain x, Domain y) {
    const Room& a = At(level, x);
    const Room& b = At(level, y);
    if (Wanted(level, x) != Wanted(level, y)) return Wanted(level, x) > Wanted(level, y);
    if (a.score != b.score) return a.score > b.score;
    if (a.slices != b.slices) return ascending ? a.slices < b.slices : a.slices > b.slices;
    if (a.pods != b.pods) return a.pods < b.pods;
    return x < y;
  });
}

void Placer::LeaderToFront(std::size_t level, Set& set, std::int32_t need, Unit unit) const {
  std::int64_t all = 0;
  for (const Domain d : set) all += Units(At(level, d), unit);
  const auto bears = std::find_if(set.begin(), set.end(), [&](Domain d) {
    const Room& room = At(level, d);
    return room.leaders > 0 && all - (Units(room, unit) - UnitsBeside(room, unit)) >= need;
  });
  if (bears != set.end()) std::rotate(set.begin(), bears, bears + 1);
}

Placer::Domain Placer::Smallest(std::size_t level, std::span<const Domain> set, std::int32_t need,
                                std::int32_t leaders, Unit unit) const {
  const auto units = [&](Domain d) {
    return leaders > 0 ? UnitsBeside(At(level, d), unit) : Units(At(level, d), unit);
  };
  Domain best = set.front();
  const std::int64_t score = At(level, best).score;
  const double wanted = Wanted(level, best);
  for (const Domain d : set) {
    if (units(d) < need || At(level, d).leaders < leaders || At(level, d).score != score ||
        Wanted(level, d) != wanted) {
      continue;
    }
    if (units(d) < units(best)) best = d;
  }
  return best;
}

std::int64_t Placer::SlicesIn(std::size_t level, std::span<const Domain> set) const {
  std::int64_t all = 0;
  for (const Domain d : set) all += At(level, d).slices;
  return all;
}

bool Placer::HasRoom(std::size_t level, Domain d) const {
  const Room& room = At(level, d);
  return room.leaders > 0 || (level <= SliceLevel() ? room.slices > 0 : room.pods > 0);
}

bool Placer::Want(std::size_t level, std::span<const Domain> set) {
  if (request_->scorer == nullptr) return false;
  std::vector<DomainCandidate> candidates;
  for (const Domain d : set) {
    if (HasRoom(level, d)) candidates.push_back({d, At(level, d).pods});
  }
  if (candidates.size() < 2) return false;
  std::vector<double> scores(candidates.size());
  request_->scorer->Score(level, candidates, scores);
  wanted_.resize(tree_.depth());
  wanted_[level].resize(tree_.levels()[level].size());
  for (std::size_t i = 0; i < scores.size(); ++i) wanted_[level][candidates[i].domain] = scores[i];
  return true;
}

void Placer::WantBelow(std::size_t level, std::span<const Domain> parents) {
  if (request_->scorer == nullptr) return;
  Set open;
  for (const Domain parent : parents) {
    const Set children = ChildrenOf(level, std::span(&parent, 1));
    std::int64_t room = 0;
    for (const Domain child : children) room += At(level + 1, child).pods;
    const Room& given = At(level, parent);
    if (given.leaders > 0 || given.pods < room) {
      open.insert(open.end(), children.begin(), children.end());
    }
  }
  Want(level + 1, open);
}

template <typename IsAllowed>
void Placer::KeepMostWanted(std::size_t level, Set& set, const IsAllowed& allowed) const {
  double best = -std::numeric_limits<double>::infinity();
  for (const Domain d : set) {
    if (allowed(d)) best = std::max(best, Wanted(level, d));
  }
  std::erase_if(set, [&](Domain d) { return allowed(d) && Wanted(level, d) < best; });
}

Placer::Found Placer::Choose(std::size_t level) {
  const std::int32_t need = request_->count / SliceSize();
  const std::int32_t leaders = request_->leader ? 1 : 0;
  Found found{false, level, {}, 0};
  Set set = AllOf(level);
  if (set.empty()) return found;
  const auto holds = [&](Domain d) {
    return At(level, d).slices_beside >= need && At(level, d).leaders >= leaders;
  };
  for (const Domain d : set) found.most = std::max(found.most, At(level, d).slices_beside);
  if (LeastFree()) {
    Set most_wanted = set;
    const bool scored = SlicesIn(level, set) >= need && Want(level, set);
    if (scored) {
      KeepMostWanted(level, most_wanted, [&](Domain d) { return HasRoom(level, d); });
      SortToStart(level, set);
    }
    // Where no domain holds them all and there is no leader, those chosen are sorted later.
    if (scored || leaders > 0 || std::any_of(most_wanted.begin(), most_wanted.end(), holds)) {
      SortToStart(level, most_wanted);
    }
    const auto first = std::find_if(most_wanted.begin(), most_wanted.end(), holds);
    if (first != most_wanted.end()) return {true, level, {*first}, need};
    return ChooseSeveral(level, wanted_.empty() ? std::move(most_wanted) : std::move(set), need);
  }
  bool scored = false;
  if (request_->scorer != nullptr) {
    Set holders;
    std::copy_if(set.begin(), set.end(), std::back_inserter(holders), holds);
    scored = Want(level, holders);
    if (scored) KeepMostWanted(level, set, holds);
    wanted_.clear();  // those that are left of them are alike
  }
  SortToStart(level, set);
  // What the pods prefer may put one in front that is too small; under required another will do,
  // and where a policy has chosen among those that hold all, one of them.
  auto first = set.begin();
  if (scored || (request_->spread == Spread::kRequired && request_->by_affinity)) {
    first = std::find_if(set.begin(), set.end(), holds);
    if (first == set.end()) return found;
  }
  if (holds(*first)) {
    const std::span<const Domain> rest(&*first, static_cast<std::size_t>(set.end() - first));
    Domain best = *first;
    for (const Domain d : rest) {
      // As recorded: under required none that the pods prefer less, under preferred any.
      if (!holds(d) || (request_->spread == Spread::kRequired &&
                        At(level, d).score != At(level, *first).score)) {
        continue;
      }
      if (At(level, d).slices_beside < At(level, best).slices_beside) best = d;
    }
    return {true, level, {best}, need};
  }
  if (request_->spread == Spread::kRequired) {
    for (std::size_t i = 0; i < std::min<std::size_t>(set.size(), 2); ++i) {
      found.best.push_back({set[i], At(level, set[i]).slices_beside});
    }
    return found;
  }
  if (level > 0) return Choose(level - 1);
  return ChooseSeveral(level, std::move(set), need);
}

Placer::Found Placer::ChooseSeveral(std::size_t level, Set set, std::int32_t need) {
  constexpr Unit kSlices{};
  std::int32_t leaders = request_->leader ? 1 : 0;
  Found found{false, level, {}, 0};
  const std::int64_t all = SlicesIn(level, set);
  found.most = static_cast<std::int32_t>(std::min<std::int64_t>(all, need));
  if (wanted_.empty() && all >= need && Want(level, set)) SortToStart(level, set);
  if (leaders > 0) LeaderToFront(level, set, need, kSlices);
  std::size_t next = 0;
  std::int32_t rest = need;
  for (; leaders > 0 && next < set.size() && At(level, set[next]).leaders > 0; ++next) {
    Domain d = set[next];
    if (!LeastFree() && At(level, d).slices_beside >= rest) {
      d = Smallest(level, std::span(set).subspan(next), rest, leaders, kSlices);
    }
    found.domains.push_back(d);
    leaders -= At(level, d).leaders;
    rest -= At(level, d).slices_beside;
  }
  if (leaders > 0) return found;
  set.erase(set.begin(), set.begin() + static_cast<std::ptrdiff_t>(next));
  std::erase_if(set, [&](Domain d) { return At(level, d).slices <= 0; });
  SortLater(level, set);
  for (std::size_t i = 0; rest > 0 && i < set.size(); ++i) {
    Domain d = set[i];
    if (!LeastFree() && At(level, d).slices >= rest) {
      d = Smallest(level, std::span(set).subspan(i), rest, 0, kSlices);
    }
    found.domains.push_back(d);
    rest -= At(level, d).slices;
  }
  found.found = rest <= 0;
  return found;
}

bool Placer::HandOut(std::size_t level, Set& set, std::int32_t count, std::int32_t leaders,
                     Unit unit) {
  std::int32_t rest = count / unit.size;
  if (leaders > 0) LeaderToFront(level, set, rest, unit);
  Set chosen;
  for (std::size_t i = 0; i < set.size() && (rest > 0 || leaders > 0); ++i) {
    Domain d = set[i];
    const Room& first = At(level, d);
    const std::int32_t first_units = leaders > 0 ? UnitsBeside(first, unit) : Units(first, unit);
    if (!LeastFree() && first_units >= rest && first.leaders >= leaders) {
      d = Smallest(level, std::span(set).subspan(i), rest, leaders, unit);
    }
    Room& room = At(level, d);
    const std::int32_t units = leaders > 0 ? UnitsBeside(room, unit) : Units(room, unit);
    const std::int32_t taken = std::min(units, rest);
    const std::int32_t led = std::min(room.leaders, leaders);
    rest -= taken;
    leaders -= led;
    if (taken == 0 && led == 0) continue;
    room.pods = taken * unit.size;
    room.leaders = led;
    chosen.push_back(d);
  }
  set = std::move(chosen);
  return rest == 0 && leaders == 0;
}

Placer::Set Placer::AllOf(std::size_t level) const {
  Set all;
  for (Domain d = 0; d < tree_.levels()[level].size(); ++d) {
    if (tree_.IsThere(level, d)) all.push_back(d);
  }
  return all;
}

Placer::Set Placer::ChildrenOf(std::size_t level, std::span<const Domain> parents) const {
  const std::vector<std::uint32_t>& first_child = tree_.levels()[level].first_child;
  Set children;
  for (const Domain d : parents) {
    for (Domain child = first_child[d]; child < first_child[d + 1]; ++child) {
      if (tree_.IsThere(level + 1, child)) children.push_back(child);
    }
  }
  return children;
}

bool Placer::Descend(std::size_t level, Set& set) {
  const Unit slices{SliceSize(), false};
  const std::int32_t count = request_->count / SliceSize() * SliceSize();
  const std::int32_t leaders = request_->leader ? 1 : 0;
  if (!HandOut(level, set, count, leaders, slices)) return false;
  for (; level < SliceLevel(); ++level) {
    set = ChildrenOf(level, set);
    if (leaders > 0 || SlicesIn(level + 1, set) > count / SliceSize()) Want(level + 1, set);
    SortLater(level + 1, set);
    if (!HandOut(level + 1, set, count, leaders, slices)) return false;
  }
  return DescendInParents(level, set);
}

bool Placer::DescendBalanced(std::size_t level, Set& set) {
  const Unit slices{SliceSize(), false};
  const std::int32_t count = request_->count / SliceSize() * SliceSize();
  if (!HandOut(level, set, count, request_->leader ? 1 : 0, slices)) return false;
  return DescendInParents(level, set);
}

bool Placer::DescendInParents(std::size_t level, Set& set) {
  for (; level + 1 < tree_.depth(); ++level) {
    const std::size_t below = level + 1;
    const bool above_slices = below <= SliceLevel();
    const std::int32_t size = above_slices ? SliceSize() : NextInnerSize(request_->slices, below);
    const Unit unit{size, !above_slices && size == 1};
    WantBelow(level, set);
    Set all;
    for (const Domain parent : set) {
      Set children = ChildrenOf(level, std::span(&parent, 1));
      SortLater(below, children);
      if (!above_slices && size > 1) {
        for (const Domain child : children) {
          Room& room = At(below, child);
          room.slices = room.pods / size;
          room.slices_beside = room.pods_beside / size;
        }
      }
      const Room given = At(level, parent);
      if (!HandOut(below, children, given.pods, given.leaders, unit)) return false;
      all.insert(all.end(), children.begin(), children.end());
    }
    set = std::move(all);
  }
  return true;
}

}  // namespace muster
