// Building a quota tree, and taking tried usage back.
#include "engine/quota/quota_tree.h"

#include <algorithm>
#include <utility>

#include "engine/base/amount.h"
#include "engine/base/check.h"
#include "engine/base/sort_once.h"

namespace muster {

QuotaTree::QuotaTree(std::vector<FlavorResourceId> columns, std::vector<ResourceId> resources)
    : columns_(std::move(columns)), resources_(std::move(resources)) {
  MUSTER_CHECK(columns_.size() == resources_.size());
  for (Column c = 0; c < columns_.size(); ++c) {
    const std::uint32_t fr = columns_[c].value;
    if (fr >= column_of_.size()) column_of_.resize(fr + 1, kNoColumn);
    column_of_[fr] = c;
  }
  distinct_resources_ = resources_;
  SortOnce(distinct_resources_);
  for (const ResourceId resource : distinct_resources_) {
    first_of_.push_back(grouped_columns_.size());
    for (Column c = 0; c < columns_.size(); ++c) {
      if (resources_[c] == resource) grouped_columns_.push_back(c);
    }
  }
  first_of_.push_back(grouped_columns_.size());
}

void QuotaTree::Reserve(std::size_t nodes) {
  nodes_.reserve(nodes);
  parents_.reserve(nodes);
  cells_.reserve(nodes * columns_.size());
}

NodeIndex QuotaTree::AddNode(QuotaNode node) {
  const auto index = static_cast<NodeIndex>(nodes_.size());
  if (node.parent != kNoNode) {
    MUSTER_CHECK(node.parent < index);
    QuotaNode& parent = nodes_[node.parent];
    (node.queue.valid() ? parent.child_queues : parent.child_cohorts).push_back(index);
  }
  parents_.push_back(node.parent);
  nodes_.push_back(std::move(node));
  cells_.resize(nodes_.size() * columns_.size());
  return index;
}

void QuotaTree::Seal() {
  for (QuotaCell& cell : cells_) cell.subtree = 0;
  // Children stand after their parents: backwards is bottom-up, forwards is top-down.
  for (NodeIndex n = static_cast<NodeIndex>(nodes_.size()); n-- > 0;) {
    QuotaNode& node = nodes_[n];
    for (Column c = 0; c < columns_.size(); ++c) {
      QuotaCell& cell = MutableCell(n, c);
      cell.subtree = Add(cell.subtree, cell.nominal);  // children have added their share already
      cell.local = cell.lending_limit == kNoLimit
                       ? 0
                       : std::max<Amount>(0, Sub(cell.subtree, cell.lending_limit));
      if (node.parent != kNoNode) {
        QuotaCell& above = MutableCell(node.parent, c);
        above.subtree = Add(above.subtree, Sub(cell.subtree, cell.local));
      }
    }
    if (node.queue.valid()) continue;
    const auto is_active = [&](NodeIndex child) { return nodes_[child].active; };
    const bool has_child =
        !node.child_cohorts.empty() ||
        std::any_of(node.child_queues.begin(), node.child_queues.end(), is_active);
    node.height = has_child ? 1 : 0;
    for (NodeIndex child : node.child_cohorts) {
      node.height = std::max(node.height, nodes_[child].height + 1);
    }
  }
  lendable_.assign(nodes_.size() * distinct_resources_.size(), 0);
  for (NodeIndex n = 0; n < nodes_.size(); ++n) {
    for (Column c = 0; c < columns_.size(); ++c) {
      QuotaCell& cell = MutableCell(n, c);
      cell.potential = cell.subtree;
      if (nodes_[n].parent != kNoNode) {
        cell.potential = Add(cell.local, this->cell(nodes_[n].parent, c).potential);
        if (cell.borrowing_limit != kNoLimit) {
          cell.potential = std::min(cell.potential, Add(cell.subtree, cell.borrowing_limit));
        }
      }
      const auto r =
          std::lower_bound(distinct_resources_.begin(), distinct_resources_.end(), resources_[c]) -
          distinct_resources_.begin();
      Amount& lendable = lendable_[n * distinct_resources_.size() + static_cast<std::size_t>(r)];
      lendable = Add(lendable, cell.potential);
    }
  }
}

void QuotaTree::ChargeCohorts() {
  for (NodeIndex n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].queue.valid()) continue;
    for (Column c = 0; c < columns_.size(); ++c) MutableCell(n, c).usage = 0;
  }
  for (NodeIndex n = static_cast<NodeIndex>(nodes_.size()); n-- > 0;) {
    if (parents_[n] == kNoNode) continue;
    for (Column c = 0; c < columns_.size(); ++c) {
      const QuotaCell& cell = this->cell(n, c);
      QuotaCell& above = MutableCell(parents_[n], c);
      above.usage = Add(above.usage, std::max<Amount>(0, Sub(cell.usage, cell.local)));
    }
  }
}

void QuotaTree::BeginRefill(NodeIndex n, bool active, double weight) {
  MUSTER_CHECK(marks_ == 0);
  nodes_[n].active = active;
  nodes_[n].weight = weight;
  for (Column c = 0; c < columns_.size(); ++c) {
    QuotaCell& cell = MutableCell(n, c);
    cell.nominal = 0;
    cell.borrowing_limit = kNoLimit;
    cell.lending_limit = kNoLimit;
  }
}

bool QuotaTree::IsAncestor(NodeIndex ancestor, NodeIndex n) const {
  while (n != ancestor && n != kNoNode) n = parents_[n];
  return n == ancestor;
}

Amount QuotaTree::Lendable(NodeIndex n, ResourceId r) const {
  const auto it = std::lower_bound(distinct_resources_.begin(), distinct_resources_.end(), r);
  MUSTER_CHECK(it != distinct_resources_.end() && *it == r);
  return lendable_[n * distinct_resources_.size() +
                   static_cast<std::size_t>(it - distinct_resources_.begin())];
}

UsageMark::UsageMark(QuotaTree& tree) : tree_(&tree), size_(tree.undo_.size()) { ++tree.marks_; }

UsageMark::~UsageMark() {
  if (tree_ == nullptr) return;
  RollBack();
  --tree_->marks_;
}

void UsageMark::RollBack() {
  while (tree_->undo_.size() > size_) {
    const QuotaTree::Undo undo = tree_->undo_.back();
    tree_->undo_.pop_back();
    tree_->cells_[undo.cell].usage = undo.usage;
  }
}

void UsageMark::Keep() {
  MUSTER_CHECK(tree_->marks_ == 1);
  if (!tree_->undo_.empty()) ++tree_->version_;
  tree_->undo_.clear();
}

}  // namespace muster
