// See counted_placement.h.
#include "engine/placing/counted_placement.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace muster {
namespace {

/// A domain by its place in the order of handing out, which no other has.
struct Ranked {
  std::uint64_t rank = 0;
  std::uint32_t domain = 0;
  std::int32_t units = 0;
  bool operator<(const Ranked& other) const {
    return rank != other.rank ? rank < other.rank : domain < other.domain;
  }
};

/// Of domains that come in any order, the foremost that have so many units together.
class Foremost {
 public:
  explicit Foremost(std::int32_t need) : need_(need) {}

  void Offer(const Ranked& one) {
    if (Suffices() && !(one < Last())) return;
    const bool behind_all = kept_.empty() || kept_.back() < one;
    if (!is_heap_ && !behind_all) {
      std::make_heap(kept_.begin(), kept_.end());
      is_heap_ = true;
    }
    kept_.push_back(one);
    if (is_heap_) std::push_heap(kept_.begin(), kept_.end());
    units_ += one.units;
    while (units_ - Last().units >= need_) {
      units_ -= Last().units;
      DropLast();
    }
  }

  bool Suffices() const { return units_ >= need_; }
  /// Units that the last one is needed for.
  std::int32_t NeededOfLast() const {
    return static_cast<std::int32_t>(need_ - (units_ - Last().units));
  }
  const Ranked& Last() const { return is_heap_ ? kept_.front() : kept_.back(); }
  void DropLast() {
    if (is_heap_) std::pop_heap(kept_.begin(), kept_.end());
    kept_.pop_back();
  }
  std::span<const Ranked> kept() const { return kept_; }

 private:
  std::int64_t need_;
  std::int64_t units_ = 0;
  bool is_heap_ = false;  ///< else they came in order
  std::vector<Ranked> kept_;
};

}  // namespace

bool CountedPlacement::Takes(const TopologyTree& tree, const PlaceRequest& request,
                             const AssumedPods& assumed) {
  if (request.leader || request.scorer != nullptr || request.only_level >= 0 || !assumed.empty() ||
      request.by_affinity || (request.balanced && request.spread == Spread::kPreferred)) {
    return false;
  }
  const std::size_t below = request.slices.empty() ? tree.depth() : request.slices[0].level + 1;
  return request.level < below && request.count >= request.SliceSize() &&
         tree.CountsFor(request).IsCountable();
}

CountedPlacement::CountedPlacement(const TopologyTree& tree, const PlaceRequest& request)
    : tree_(tree),
      request_(request),
      counts_(tree.CountsFor(request)),
      slice_level_(request.slices.empty() ? tree.depth() - 1 : request.slices[0].level),
      need_(request.count / request.SliceSize()) {}

PlaceResult CountedPlacement::Place() {
  PlaceResult result;
  result.level = request_.level;
  result.wanted = need_;
  result.in_slices = !request_.slices.empty();
  std::optional<Domain> one;
  std::size_t level = request_.level;
  if (counts_.all() >= need_) {
    one = Holding(level);
    while (!one && request_.spread == Spread::kPreferred && level > 0) one = Holding(--level);
  }
  std::vector<Given> given;
  if (one) {
    result.most = need_;
    given.push_back({*one, need_ * request_.SliceSize()});
  } else if (request_.spread == Spread::kRequired) {
    TellBest(result);
    return result;
  } else {
    result.most = static_cast<std::int32_t>(std::min<std::int64_t>(counts_.all(), need_));
    const Handing how{level, need_, request_.SliceSize(), !LeastFree(), !LeastFree()};
    const Range all{0, static_cast<Domain>(tree_.levels()[level].size())};
    if (result.most < need_ || !HandOut(how, std::span(&all, 1), given)) return result;
  }
  if (!Descend(level, given)) return result;
  std::sort(given.begin(), given.end(),
            [](const Given& a, const Given& b) { return a.domain < b.domain; });
  result.workers.reserve(given.size());
  for (const Given& each : given) result.workers.push_back({each.domain, each.pods});
  result.found = true;
  return result;
}

std::optional<CountedPlacement::Domain> CountedPlacement::Holding(std::size_t level) const {
  const std::span<const std::int32_t> slices = counts_.SlicesAt(level);
  const std::span<const std::int32_t> pods = counts_.PodsAt(level);
  const bool are_pods = slices.data() == pods.data();
  constexpr std::uint32_t kNone = 1U << 31;  // less than whatever is short of the need wraps to
  std::uint32_t least = kNone;               // beyond the need
  Domain best = 0;
  for (Domain d = 0; d < slices.size(); ++d) {
    const std::uint32_t beyond =
        static_cast<std::uint32_t>(slices[d]) - static_cast<std::uint32_t>(need_);
    if (beyond > least || (beyond == least && (are_pods || pods[d] >= pods[best]))) continue;
    best = d;
    least = beyond;
  }
  return least == kNone ? std::nullopt : std::optional(best);
}

void CountedPlacement::TellBest(PlaceResult& result) const {
  const std::span<const std::int32_t> slices = counts_.SlicesAt(request_.level);
  const std::span<const std::int32_t> pods = counts_.PodsAt(request_.level);
  const auto before = [&](Domain x, Domain y) {
    return std::tuple(-slices[x], pods[x], x) < std::tuple(-slices[y], pods[y], y);
  };
  std::vector<Domain> best;
  for (Domain d = 0; d < slices.size(); ++d) {
    constexpr std::size_t kTold = 2;
    if (!tree_.IsThere(request_.level, d)) continue;
    if (best.size() == kTold && !before(d, best.back())) continue;
    if (best.size() == kTold) best.pop_back();
    best.insert(std::upper_bound(best.begin(), best.end(), d, before), d);
  }
  for (const Domain d : best) result.best.push_back({d, slices[d]});
  if (!best.empty()) result.most = slices[best.front()];
}

bool CountedPlacement::HandOut(const Handing& how, std::span<const Range> ranges,
                               std::vector<Given>& given) const {
  if (how.need <= 0) return true;
  const bool in_slices = how.level <= slice_level_;
  const std::span<const std::int32_t> pods = counts_.PodsAt(how.level);
  const std::span<const std::int32_t> slices =
      in_slices ? counts_.SlicesAt(how.level) : std::span<const std::int32_t>();
  const auto ranked = [&](Domain d) {
    constexpr int kHalf = 32;
    constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
    const std::int32_t first = !in_slices ? 0 : how.most_first ? kMost - slices[d] : slices[d];
    return Ranked{std::uint64_t{static_cast<std::uint32_t>(first)} << kHalf |
                      static_cast<std::uint32_t>(pods[d]),
                  d, in_slices ? slices[d] : pods[d] / how.unit};
  };
  Foremost foremost(how.need);
  // Ranges come in the order of domains, so that one that is no better than the last is behind it.
  const bool by_pods = !in_slices || slices.data() == pods.data();
  const bool most_first = in_slices && how.most_first;
  constexpr std::int32_t kAny = std::numeric_limits<std::int32_t>::max();
  std::int32_t above = 0;
  std::int32_t below = kAny;
  for (const auto& [first, last] : ranges) {
    for (Domain d = first; d < last; ++d) {
      if (pods[d] <= above || pods[d] >= below) continue;
      const Ranked one = ranked(d);
      if (one.units <= 0) continue;
      foremost.Offer(one);
      if (!by_pods || !foremost.Suffices()) continue;
      (most_first ? above : below) = pods[foremost.Last().domain];
    }
  }
  if (!foremost.Suffices()) return false;
  const Ranked last = foremost.Last();
  const std::int32_t rest = foremost.NeededOfLast();
  foremost.DropLast();
  for (const Ranked& each : foremost.kept()) {
    given.push_back({each.domain, each.units * how.unit});
  }
  Ranked best = last;
  if (how.fit_last && best.units > rest) {
    for (const auto& [from, to] : ranges) {
      for (Domain d = from; d < to; ++d) {
        if (slices[d] < rest || slices[d] > best.units) continue;
        const Ranked one = ranked(d);
        if (last < one && (one.units < best.units || one < best)) best = one;
      }
    }
  }
  given.push_back({best.domain, rest * how.unit});
  return true;
}

bool CountedPlacement::Descend(std::size_t level, std::vector<Given>& given) const {
  std::vector<Range> ranges;
  std::vector<Given> above;
  for (; level + 1 < tree_.depth(); ++level) {
    const std::vector<std::uint32_t>& first_child = tree_.levels()[level].first_child;
    above.swap(given);
    given.clear();
    if (level < slice_level_) {
      ranges.clear();
      for (const Given& each : above) {
        ranges.emplace_back(first_child[each.domain], first_child[each.domain + 1]);
      }
      // In the order of labels, so that those alike come in theirs.
      std::sort(ranges.begin(), ranges.end());
      const Handing how{level + 1, need_, request_.SliceSize(), !LeastFree(), !LeastFree()};
      if (!HandOut(how, ranges, given)) return false;
      continue;
    }
    const std::int32_t unit = NextInnerSize(request_.slices, level + 1);
    for (const Given& each : above) {
      const Range children{first_child[each.domain], first_child[each.domain + 1]};
      const Handing how{level + 1, each.pods / unit, unit, false, false};
      if (!HandOut(how, std::span(&children, 1), given)) return false;
    }
  }
  return true;
}

}  // namespace muster
