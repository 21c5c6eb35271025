// Bracket: which of several contestants is first, kept while single ones change.
//
// Method: a knockout tree over positions. A contestant that changes plays again only on its way up,
// O(log n) comparisons. Of two that are equal the one at the lower position wins, so the winner is
// the one that a walk over all of them would keep; for that the comparison must be a weak order.
#ifndef MUSTER_ENGINE_BASE_BRACKET_H_
#define MUSTER_ENGINE_BASE_BRACKET_H_

#include <bit>
#include <cstddef>
#include <vector>

namespace muster {

class Bracket {
 public:
  static constexpr std::size_t kNobody = ~std::size_t{0};

  /// A bracket of `size` positions, all empty.
  explicit Bracket(std::size_t size)
      : leaves_(std::bit_ceil(size == 0 ? 1 : size)),
        winners_(size == 0 ? 0 : 2 * leaves_, kNobody) {}

  /// The contestant at `position` has come, gone or changed. `beats(a, b)`: a is strictly better.
  template <typename Beats>
  void Play(std::size_t position, bool present, const Beats& beats) {
    std::size_t node = leaves_ + position;
    winners_[node] = present ? position : kNobody;
    for (node /= 2; node > 0; node /= 2) {
      const std::size_t left = winners_[2 * node];
      const std::size_t right = winners_[2 * node + 1];
      const bool take_right = right != kNobody && (left == kNobody || beats(right, left));
      winners_[node] = take_right ? right : left;
    }
  }
  std::size_t winner() const { return winners_.empty() ? kNobody : winners_[1]; }

 private:
  std::size_t leaves_;
  std::vector<std::size_t>
      winners_;  ///< 1: of all; children of n: 2n and 2n + 1; none without positions
};

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_BRACKET_H_
