// See least_quota.h.
#include "engine/remedy/least_quota.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/base/amount.h"

namespace muster {
namespace {

Amount LentBy(const QuotaCell& cell) { return Sub(cell.subtree, cell.local); }

Amount ChargedAbove(const QuotaCell& cell) {
  return std::max<Amount>(0, Sub(cell.usage, cell.local));
}

/// The cells of one column from a queue up to the root, of which one value is another.
class PathOfCells {
 public:
  PathOfCells(const QuotaTree& tree, NodeIndex queue, Column column, NodeIndex changed,
              QuotaField field)
      : field_(field) {
    NodeIndex lower = kNoNode;
    for (NodeIndex n = queue; n != kNoNode; n = tree.ParentOf(n)) {
      if (n == changed) changed_ = path_.size();
      QuotaCell beside = tree.cell(n, column);
      if (!path_.empty()) {
        const QuotaCell& below = tree.cell(lower, column);
        beside.subtree = Sub(beside.subtree, LentBy(below));
        beside.usage = Sub(beside.usage, ChargedAbove(below));
      }
      path_.push_back(beside);
      lower = n;
    }
  }

  Amount Value() const {
    const QuotaCell& cell = path_[changed_];
    return field_ == QuotaField::kNominalQuota ? cell.nominal : cell.borrowing_limit;
  }

  /// QuotaTree::Available of the queue, were the value that.
  Amount AvailableWith(Amount value) const {
    std::vector<QuotaCell> cells = path_;
    if (field_ == QuotaField::kNominalQuota) {
      QuotaCell& cell = cells[changed_];
      cell.subtree = Add(cell.subtree, Sub(value, cell.nominal));
    } else {
      cells[changed_].borrowing_limit = value;
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      QuotaCell& cell = cells[i];
      if (i > 0) {
        cell.subtree = Add(cell.subtree, LentBy(cells[i - 1]));
        cell.usage = Add(cell.usage, ChargedAbove(cells[i - 1]));
      }
      if (cell.lending_limit == kNoLimit) continue;
      cell.local = std::max<Amount>(0, Sub(cell.subtree, cell.lending_limit));
    }
    Amount available = Sub(cells.back().subtree, cells.back().usage);
    for (std::size_t i = cells.size() - 1; i-- > 0;) {
      const QuotaCell& cell = cells[i];
      if (cell.borrowing_limit != kNoLimit) {
        const Amount stored = Sub(LentBy(cell), ChargedAbove(cell));
        available = std::min(available, Add(stored, cell.borrowing_limit));
      }
      available = Add(cell.LocalAvailable(), available);
    }
    return available;
  }

 private:
  QuotaField field_;
  std::vector<QuotaCell> path_;  ///< subtree and usage without what comes from below
  std::size_t changed_ = 0;
};

}  // namespace

std::optional<Amount> LeastQuota(const QuotaTree& tree, NodeIndex queue, Column column,
                                 Amount asked, NodeIndex node, QuotaField field) {
  const PathOfCells path(tree, queue, column, node, field);
  const Amount from = path.Value();
  if (field == QuotaField::kBorrowingLimit && from == kNoLimit) return std::nullopt;
  Amount too_low = from;
  Amount enough = from;
  for (Amount more = 1; path.AvailableWith(enough) < asked; more = Add(more, more)) {
    if (enough == kUnlimited) return std::nullopt;
    too_low = enough;
    enough = Add(from, more);
  }
  while (Sub(enough, too_low) > 1) {
    const Amount middle = too_low + (enough - too_low) / 2;
    (path.AvailableWith(middle) < asked ? too_low : enough) = middle;
  }
  if (enough == from || enough == kUnlimited) return std::nullopt;
  return enough;
}

}  // namespace muster
