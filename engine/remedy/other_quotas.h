// OtherQuotas: other quotas in a tree for as long as this lives, to try what they would make of a
// nomination. Afterwards the tree is as it was, with its version and its marks.
#ifndef MUSTER_ENGINE_REMEDY_OTHER_QUOTAS_H_
#define MUSTER_ENGINE_REMEDY_OTHER_QUOTAS_H_

#include <utility>
#include <vector>

#include "engine/quota/quota_tree.h"
#include "muster/views.h"

namespace muster {

class OtherQuotas {
 public:
  /// O(nodes x columns), as Seal. `tree` must outlive it, and every mark on it that is set later
  /// must go before it.
  explicit OtherQuotas(QuotaTree& tree)
      : tree_(tree), cells_(tree.cells_), lendable_(tree.lendable_) {}
  ~OtherQuotas() {
    tree_.cells_ = std::move(cells_);
    tree_.lendable_ = std::move(lendable_);
  }
  OtherQuotas(const OtherQuotas&) = delete;
  OtherQuotas& operator=(const OtherQuotas&) = delete;

  void Set(NodeIndex node, Column column, QuotaField field, Amount value) {
    QuotaCell& cell = tree_.MutableCell(node, column);
    (field == QuotaField::kNominalQuota ? cell.nominal : cell.borrowing_limit) = value;
  }
  /// Works out what follows from them.
  void Seal() {
    tree_.Seal();
    tree_.ChargeCohorts();
  }

 private:
  QuotaTree& tree_;
  std::vector<QuotaCell> cells_;
  std::vector<Amount> lendable_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_REMEDY_OTHER_QUOTAS_H_
