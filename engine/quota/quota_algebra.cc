// The quota algebra: what a node may use, what it borrows, and how usage moves up the tree.
//
// Method: every formula is local to a node and its ancestors, so each function walks one path.
// The part of a node's quota that it does not lend (localQuota) absorbs usage first; only what is
// beyond it is charged to the parent.
#include <algorithm>

#include "engine/base/amount.h"
#include "engine/base/check.h"
#include "engine/quota/quota_tree.h"

namespace muster {

Amount QuotaTree::Available(NodeIndex n, Column c) const {
  const QuotaCell& own = cell(n, c);
  if (!HasParent(n)) return Sub(own.subtree, own.usage);
  Amount from_parent = Available(parents_[n], c);
  if (own.borrowing_limit != kNoLimit) {
    const Amount stored_in_parent = Sub(own.subtree, own.local);
    const Amount used_in_parent = std::max<Amount>(0, Sub(own.usage, own.local));
    const Amount limit = Add(Sub(stored_in_parent, used_in_parent), own.borrowing_limit);
    from_parent = std::min(from_parent, limit);
  }
  return Add(own.LocalAvailable(), from_parent);
}

bool QuotaTree::Borrowing(NodeIndex n, Column c, Amount v) const {
  const QuotaCell& own = cell(n, c);
  return Add(own.usage, v) > own.subtree;
}

bool QuotaTree::BorrowsAny(NodeIndex n, std::span<const FlavorResourceId> pairs) const {
  return std::any_of(pairs.begin(), pairs.end(),
                     [&](FlavorResourceId fr) { return Borrowing(n, ColumnOf(fr), 0); });
}

BorrowingLevel QuotaTree::LevelOf(NodeIndex n, Column c, Amount v) const {
  if (!HasParent(n) || !Borrowing(n, c, v)) return {0, HasParent(n)};
  Amount rest = Sub(v, LocalAvailable(n, c));
  NodeIndex a = parents_[n];
  for (;; a = parents_[a]) {
    if (!Borrowing(a, c, rest)) return {nodes_[a].height, HasParent(a)};
    if (!HasParent(a)) return {nodes_[a].height, false};
    rest = Sub(rest, LocalAvailable(a, c));
  }
}

void QuotaTree::AddUsage(NodeIndex n, Column c, Amount v) {
  for (; v != 0; n = parents_[n]) {
    QuotaCell& own = MutableCell(n, c);
    const Amount local = own.LocalAvailable();
    SetUsage(own, Add(own.usage, v));
    if (!HasParent(n) || v <= local) return;
    v = Sub(v, local);
  }
}

void QuotaTree::RemoveUsage(NodeIndex n, Column c, Amount v) {
  for (; v != 0; n = parents_[n]) {
    QuotaCell& own = MutableCell(n, c);
    const Amount stored_in_parent = Sub(own.usage, own.local);
    SetUsage(own, Sub(own.usage, v));
    if (!HasParent(n) || stored_in_parent <= 0) return;
    v = std::min(v, stored_in_parent);
  }
}

void QuotaTree::AddUsage(NodeIndex n, std::span<const Usage> usage) {
  for (const Usage& u : usage) {
    const Column c = ColumnOf(u.fr);
    MUSTER_CHECK(c != kNoColumn);
    AddUsage(n, c, u.amount);
  }
}

void QuotaTree::RemoveUsage(NodeIndex n, std::span<const Usage> usage) {
  for (const Usage& u : usage) {
    const Column c = ColumnOf(u.fr);
    MUSTER_CHECK(c != kNoColumn);
    RemoveUsage(n, c, u.amount);
  }
}

bool QuotaTree::Fits(NodeIndex n, std::span<const Usage> usage) const {
  for (const Usage& u : usage) {
    const Column c = ColumnOf(u.fr);
    if (u.amount > std::max<Amount>(0, c == kNoColumn ? 0 : Available(n, c))) return false;
  }
  return true;
}

}  // namespace muster
