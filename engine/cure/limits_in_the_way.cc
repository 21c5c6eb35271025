// See limits_in_the_way.h. Raises all limits, then takes back one after another what is not needed.
#include "engine/cure/limits_in_the_way.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/base/amount.h"

namespace muster {
namespace {

constexpr std::size_t kMostLendingLimits = 16;

/// The quota algebra of engine/README.md over one column, some of its limits left out.
class WithoutLimits {
 public:
  WithoutLimits(const QuotaTree& tree, Column column, const std::vector<LimitInTheWay>& lifted)
      : tree_(tree), column_(column), lifted_(lifted), nodes_(tree.size()) {
    for (NodeIndex n = static_cast<NodeIndex>(tree.size()); n-- > 0;) {
      const QuotaCell& cell = tree.cell(n, column);
      Sums& own = nodes_[n];
      own.subtree = Add(own.subtree, cell.nominal);
      if (tree.node(n).queue.valid()) own.usage = cell.usage;
      if (cell.lending_limit != kNoLimit && !Lifted(n, true)) {
        own.local = std::max<Amount>(0, Sub(own.subtree, cell.lending_limit));
      }
      if (!tree.HasParent(n)) continue;
      Sums& parent = nodes_[tree.ParentOf(n)];
      parent.subtree = Add(parent.subtree, Sub(own.subtree, own.local));
      parent.usage = Add(parent.usage, std::max<Amount>(0, Sub(own.usage, own.local)));
    }
  }

  Amount Most(NodeIndex n, Horizon horizon) const {
    return horizon == Horizon::kEver ? Potential(n) : Available(n);
  }

 private:
  struct Sums {
    Amount subtree = 0;
    Amount local = 0;
    Amount usage = 0;
  };

  bool Lifted(NodeIndex n, bool lending) const {
    return std::any_of(lifted_.begin(), lifted_.end(), [&](const LimitInTheWay& limit) {
      return limit.node == n && limit.lending == lending;
    });
  }
  Amount BorrowingLimit(NodeIndex n) const {
    return Lifted(n, false) ? kNoLimit : tree_.cell(n, column_).borrowing_limit;
  }
  Amount Potential(NodeIndex n) const {
    const Sums& own = nodes_[n];
    if (!tree_.HasParent(n)) return own.subtree;
    const Amount most = Add(own.local, Potential(tree_.ParentOf(n)));
    const Amount limit = BorrowingLimit(n);
    return limit == kNoLimit ? most : std::min(most, Add(own.subtree, limit));
  }
  Amount Available(NodeIndex n) const {
    const Sums& own = nodes_[n];
    if (!tree_.HasParent(n)) return Sub(own.subtree, own.usage);
    const Amount free = std::max<Amount>(0, Sub(own.local, own.usage));
    const Amount above = Available(tree_.ParentOf(n));
    const Amount limit = BorrowingLimit(n);
    if (limit == kNoLimit) return Add(free, above);
    const Amount used_above = std::max<Amount>(0, Sub(own.usage, own.local));
    const Amount lent = Sub(Sub(own.subtree, own.local), used_above);
    return Add(free, std::min(above, Add(lent, limit)));
  }

  const QuotaTree& tree_;
  const Column column_;
  const std::vector<LimitInTheWay>& lifted_;
  std::vector<Sums> nodes_;
};

/// Those between the queue and the root, and those of others that keep something to themselves.
std::vector<LimitInTheWay> Limits(const QuotaTree& tree, NodeIndex queue, Column column,
                                  Horizon horizon) {
  std::vector<LimitInTheWay> limits;
  for (NodeIndex n = queue; tree.HasParent(n); n = tree.ParentOf(n)) {
    if (tree.cell(n, column).borrowing_limit != kNoLimit) limits.push_back({n, false});
  }
  const std::size_t most = limits.size() + kMostLendingLimits;
  for (NodeIndex n = 0; n < tree.size() && limits.size() < most; ++n) {
    const QuotaCell& cell = tree.cell(n, column);
    if (cell.lending_limit == kNoLimit || tree.IsAncestor(n, queue)) continue;
    const Amount kept = horizon == Horizon::kEver ? cell.local : cell.LocalAvailable();
    if (kept > 0) limits.push_back({n, true});
  }
  return limits;
}

}  // namespace

std::vector<LimitInTheWay> LimitsInTheWay(const QuotaTree& tree, NodeIndex queue, Column column,
                                          Amount asked, Horizon horizon) {
  const auto enough = [&](const std::vector<LimitInTheWay>& lifted) {
    return asked <= WithoutLimits(tree, column, lifted).Most(queue, horizon);
  };
  std::vector<LimitInTheWay> needed = Limits(tree, queue, column, horizon);
  if (!enough(needed)) return {};
  for (std::size_t i = needed.size(); i-- > 0;) {
    std::vector<LimitInTheWay> fewer = needed;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (enough(fewer)) needed = std::move(fewer);
  }
  return needed;
}

}  // namespace muster
