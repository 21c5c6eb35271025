// See dominant_share.h for the formula.
#include "engine/quota/dominant_share.h"

#include <algorithm>
#include <limits>

#include "engine/base/amount.h"

namespace muster {
namespace {

Amount OveruseOf(const QuotaCell& cell) {
  return std::max<Amount>(0, Sub(cell.usage, cell.subtree));
}

}  // namespace

double DominantShare::Value() const {
  if (ratio == 0) return 0;
  return weight == 0 ? std::numeric_limits<double>::infinity() : ratio / weight;
}

Amount Overuse(const QuotaTree& tree, NodeIndex n, ResourceId resource) {
  Amount over = 0;
  for (Column c = 0; c < tree.columns(); ++c) {
    if (tree.ColumnResource(c) != resource) continue;
    over = Add(over, OveruseOf(tree.cell(n, c)));
  }
  return over;
}

double OveruseRatio(Amount over, Amount lendable) {
  if (over <= 0 || lendable <= 0) return 0;
  return static_cast<double>(over) * 1000.0 / static_cast<double>(lendable);
}

DominantShare ShareOf(const QuotaTree& tree, NodeIndex n) {
  DominantShare share{0, tree.node(n).weight, false};
  if (!tree.HasParent(n)) return share;
  for (std::size_t r = 0; r < tree.resources().size(); ++r) {
    Amount over = 0;
    for (const Column c : tree.ColumnsOf(r)) over = Add(over, OveruseOf(tree.cell(n, c)));
    if (over <= 0) continue;
    share.borrowing = true;
    const Amount lendable = tree.LendableAt(tree.ParentOf(n), r);
    share.ratio = std::max(share.ratio, OveruseRatio(over, lendable));
  }
  return share;
}

int CompareShares(const DominantShare& a, const DominantShare& b) {
  if (a.IsInfinite() && b.IsInfinite()) return a.ratio < b.ratio ? -1 : a.ratio > b.ratio;
  if (a.IsInfinite() || b.IsInfinite()) return a.IsInfinite() ? 1 : -1;
  const double x = a.Value();
  const double y = b.Value();
  return x < y ? -1 : x > y;
}

}  // namespace muster
