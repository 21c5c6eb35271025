// See fewest.h.
#include "engine/certify/fewest.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

#include "engine/base/amount.h"
#include "engine/capacity/quota_trial.h"

namespace muster {
namespace {

class FewestSearch {
 public:
  FewestSearch(QuotaTree& tree, const QuotaLimits& limits, const std::vector<Leaver>& leavers)
      : tree_(tree), limits_(limits), leavers_(leavers) {
    for (const QuotaLimit& limit : limits_.all()) Measure(limit);
    Arrange();
  }

  Fewest Find(std::size_t most) {
    for (std::size_t number = least_; number < most; ++number) {
      if (Exists(0, number)) return {number, Chosen()};
      if (tries_left_ == 0) return {number, {}};
    }
    return {most, {}};
  }

 private:
  /// What each leaver gains a limit, and of the largest gains the sums: of none, of one, ...
  struct Gains {
    std::vector<Amount> of;
    std::vector<Amount> largest;
  };

  void Measure(const QuotaLimit& limit) {
    Gains gains;
    for (const Leaver& leaver : leavers_) {
      gains.of.push_back(limits_.Gain(limit, leaver.queue, leaver.usage));
    }
    std::vector<Amount> sorted = gains.of;
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    gains.largest.push_back(0);
    for (const Amount gain : sorted) gains.largest.push_back(Add(gains.largest.back(), gain));
    const auto enough =
        std::lower_bound(gains.largest.begin(), gains.largest.end(), limits_.Missing(limit));
    const auto least = static_cast<std::size_t>(enough - gains.largest.begin());
    if (least > least_) {
      least_ = least;
      hardest_ = gains_.size();
    }
    gains_.push_back(std::move(gains));
  }

  /// By what they gain the limit that needs most of them; those that are alike side by side.
  void Arrange() {
    order_.resize(leavers_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    if (gains_.empty()) return;
    const std::vector<Amount>& gains = gains_[hardest_].of;
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      if (gains[a] != gains[b]) return gains[a] > gains[b];
      if (leavers_[a].queue != leavers_[b].queue) return leavers_[a].queue < leavers_[b].queue;
      return std::lexicographical_compare(
          leavers_[a].usage.begin(), leavers_[a].usage.end(), leavers_[b].usage.begin(),
          leavers_[b].usage.end(), [](const Usage& one, const Usage& other) {
            return one.fr != other.fr ? one.fr < other.fr : one.amount < other.amount;
          });
    });
    sums_.push_back(0);
    for (const std::size_t each : order_) sums_.push_back(Add(sums_.back(), gains[each]));
    other_.assign(order_.size(), order_.size());
    for (std::size_t i = order_.size(); i-- > 1;) {
      const bool alike = Alike(leavers_[order_[i - 1]], leavers_[order_[i]]);
      other_[i - 1] = alike ? other_[i] : i;
    }
  }

  bool Alike(const Leaver& a, const Leaver& b) const {
    return a.queue == b.queue && a.usage == b.usage &&
           (a.holder == nullptr) == (b.holder == nullptr);
  }

  /// Whether `number` of those from `from` on may be enough, for all that sums say.
  bool MayDo(std::span<const Amount> missing, std::size_t from, std::size_t number) const {
    for (std::size_t i = 0; i < missing.size(); ++i) {
      if (missing[i] <= 0) continue;
      if (gains_[i].largest[number] < missing[i]) return false;
    }
    const Amount sum = sums_[from + number];
    return sum == kUnlimited || sum - sums_[from] >= missing[hardest_];
  }

  /// Whether `number` of those from `from` on, beside those that have been chosen, make room.
  bool Exists(std::size_t from, std::size_t number) {
    if (tries_left_ == 0) return false;
    --tries_left_;
    if (number == 0) return !limits_.AnyMissing();
    std::vector<Amount> missing;
    for (const QuotaLimit& limit : limits_.all()) missing.push_back(limits_.Missing(limit));
    for (std::size_t i = from; i + number <= order_.size(); i = other_[i]) {
      if (!MayDo(missing, i, number)) return false;  // nor do those after it, which gain less
      const Leaver& leaver = leavers_[order_[i]];
      QuotaTrial trial(tree_);
      trial.Release(leaver.queue, leaver.usage);
      chosen_.push_back(leaver.holder);
      if (Exists(i + 1, number - 1)) return true;
      chosen_.pop_back();
      if (tries_left_ == 0) return false;
    }
    return false;
  }

  /// Nothing where some of them are many.
  std::vector<const WorkloadRecord*> Chosen() const {
    const bool known = std::find(chosen_.begin(), chosen_.end(), nullptr) == chosen_.end();
    return known ? chosen_ : std::vector<const WorkloadRecord*>();
  }

  QuotaTree& tree_;
  const QuotaLimits& limits_;
  const std::vector<Leaver>& leavers_;
  std::vector<Gains> gains_;        ///< by limit
  std::vector<std::size_t> order_;  ///< of leavers
  std::vector<std::size_t> other_;  ///< by place in the order, that of the first after it unlike it
  std::vector<Amount> sums_;        ///< what the first gain the hardest limit: none, one, ...
  std::size_t least_ = 1;           ///< fewer cannot do
  std::size_t hardest_ = 0;         ///< the limit that says so
  std::vector<const WorkloadRecord*> chosen_;
  int tries_left_ = kMostSetsTried;
};

}  // namespace

Fewest FindFewest(QuotaTree& tree, const QuotaLimits& limits, const std::vector<Leaver>& leavers,
                  std::size_t most) {
  return FewestSearch(tree, limits, leavers).Find(most);
}

}  // namespace muster
