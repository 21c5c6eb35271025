// See quota_limits.h.
#include "engine/certify/quota_limits.h"

#include <algorithm>
#include <iterator>

#include "engine/base/amount.h"

namespace muster {

QuotaLimits::QuotaLimits(const QuotaTree& tree, NodeIndex queue, std::span<const Usage> demand)
    : tree_(tree) {
  for (NodeIndex n = queue; n != kNoNode; n = tree_.ParentOf(n)) way_.push_back(n);
  for (const Usage& usage : demand) {
    if (usage.amount <= 0) continue;
    const Column column = tree_.ColumnOf(usage.fr);
    for (std::size_t step = 0; step < way_.size(); ++step) {
      const NodeIndex node = way_[step];
      QuotaLimit limit{step, node, column, QuotaField::kNominalQuota, usage.amount};
      if (tree_.HasParent(node)) {
        if (tree_.cell(node, column).borrowing_limit == kNoLimit) continue;
        limit.field = QuotaField::kBorrowingLimit;
      }
      if (Missing(limit) > 0) limits_.push_back(limit);
    }
  }
}

Amount QuotaLimits::Missing(const QuotaLimit& limit) const {
  const QuotaCell& cell = tree_.cell(limit.node, limit.column);
  Amount available = 0;
  if (limit.field == QuotaField::kNominalQuota) {
    available = Sub(cell.subtree, cell.usage);
  } else {
    const Amount used_above = std::max<Amount>(0, Sub(cell.usage, cell.local));
    const Amount from_above = Sub(Sub(cell.subtree, cell.local), used_above);
    available = Add(cell.LocalAvailable(), Add(from_above, cell.borrowing_limit));
  }
  for (std::size_t step = limit.step; step-- > 0;) {
    available = Add(available, tree_.LocalAvailable(way_[step], limit.column));
  }
  return Sub(limit.demand, available);
}

bool QuotaLimits::AnyMissing() const {
  return std::any_of(limits_.begin(), limits_.end(),
                     [this](const QuotaLimit& limit) { return Missing(limit) > 0; });
}

Amount QuotaLimits::Gain(const QuotaLimit& limit, NodeIndex queue,
                         std::span<const Usage> usage) const {
  Amount gain = 0;
  for (const Usage& each : usage) {
    if (tree_.ColumnOf(each.fr) == limit.column) gain = each.amount;
  }
  for (NodeIndex n = queue; gain > 0; n = tree_.ParentOf(n)) {
    const auto joins = std::find(way_.begin(), way_.end(), n);
    if (joins != way_.end()) {
      const auto step = static_cast<std::size_t>(std::distance(way_.begin(), joins));
      return step <= limit.step ? gain : 0;
    }
    const QuotaCell& cell = tree_.cell(n, limit.column);
    gain = std::min(gain, std::max<Amount>(0, Sub(cell.usage, cell.local)));
  }
  return 0;
}

}  // namespace muster
