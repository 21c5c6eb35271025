// Section 2 of the reference, formula by formula.
#include "tests/oracle/quota.h"

#include <algorithm>

namespace muster::oracle {
namespace {

Amount Find(const Amounts& amounts, const Fr& fr) {
  const auto found = amounts.find(fr);
  return found == amounts.end() ? 0 : found->second;
}

}  // namespace

std::vector<std::string> Tree::Children(const std::string& node) const {
  std::vector<std::string> children;
  for (const auto& [name, child] : nodes) {
    if (child.parent == node) children.push_back(name);
  }
  return children;
}

// "`nominal`, `BL`, `LL` are the node's own fields (0/nil if not declared)."
Limits Tree::LimitsOf(const std::string& node, const Fr& fr) const {
  const auto& limits = nodes.at(node).limits;
  const auto found = limits.find(fr);
  return found == limits.end() ? Limits{} : found->second;
}

// subtreeQuota(cohort) = nominal + sum over children of (subtreeQuota - localQuota)
Amount Tree::SubtreeQuota(const std::string& node, const Fr& fr) const {
  Amount sum = LimitsOf(node, fr).nominal;
  for (const std::string& child : Children(node)) {
    sum += SubtreeQuota(child, fr) - LocalQuota(child, fr);
  }
  return sum;
}

// localQuota = LL set ? max(0, subtreeQuota - LL) : 0
Amount Tree::LocalQuota(const std::string& node, const Fr& fr) const {
  const std::optional<Amount> lending = LimitsOf(node, fr).lending;
  return lending ? std::max<Amount>(0, SubtreeQuota(node, fr) - *lending) : 0;
}

// usage(cohort) = sum over children of max(0, usage - localQuota)
Amount Tree::Usage(const std::string& node, const Fr& fr) const {
  if (nodes.at(node).is_queue) return Find(nodes.at(node).usage, fr);
  Amount sum = 0;
  for (const std::string& child : Children(node)) {
    sum += std::max<Amount>(0, Usage(child, fr) - LocalQuota(child, fr));
    sum += Find(nodes.at(child).hidden, fr);
  }
  return sum;
}

Amount Tree::LocalAvailable(const std::string& node, const Fr& fr) const {
  return std::max<Amount>(0, LocalQuota(node, fr) - Usage(node, fr));
}

Amount Tree::Available(const std::string& node, const Fr& fr) const {
  const std::string& parent = nodes.at(node).parent;
  if (parent.empty()) return SubtreeQuota(node, fr) - Usage(node, fr);
  const Amount local = LocalQuota(node, fr);
  Amount above = Available(parent, fr);
  if (const auto limit = LimitsOf(node, fr).borrowing) {
    const Amount taken = std::max<Amount>(0, Usage(node, fr) - local);
    above = std::min(above, (SubtreeQuota(node, fr) - local) - taken + *limit);
  }
  return LocalAvailable(node, fr) + above;
}

Amount Tree::Potential(const std::string& node, const Fr& fr) const {
  const std::string& parent = nodes.at(node).parent;
  if (parent.empty()) return SubtreeQuota(node, fr);
  const Amount most = LocalQuota(node, fr) + Potential(parent, fr);
  const auto limit = LimitsOf(node, fr).borrowing;
  return limit ? std::min(most, SubtreeQuota(node, fr) + *limit) : most;
}

// height(cohort) = max(min(number of children, 1), max over child cohorts of height + 1)
int Tree::Height(const std::string& cohort) const {
  int height = 0;
  for (const std::string& child : Children(cohort)) {
    if (nodes.at(child).is_queue && !nodes.at(child).active) continue;
    height = std::max(height, nodes.at(child).is_queue ? 1 : Height(child) + 1);
  }
  return height;
}

Level Tree::BorrowingLevel(const std::string& queue, const Fr& fr, Amount amount) const {
  std::string ancestor = nodes.at(queue).parent;
  const bool borrows = Usage(queue, fr) + amount > LimitsOf(queue, fr).nominal;
  if (!borrows || ancestor.empty()) return {0, !ancestor.empty()};
  Amount rest = amount - LocalAvailable(queue, fr);
  for (;;) {
    const std::string& parent = nodes.at(ancestor).parent;
    if (Usage(ancestor, fr) + rest <= SubtreeQuota(ancestor, fr)) {
      return {Height(ancestor), !parent.empty()};
    }
    if (parent.empty()) return {Height(ancestor), false};
    rest -= LocalAvailable(ancestor, fr);
    ancestor = parent;
  }
}

// "If there is a parent and v > localAvailable, add v - localAvailable to the parent": a negative v
// (only section 4.4's reservation has one) therefore changes the queue and nothing above it.
void Tree::Charge(const std::string& queue, const Amounts& amounts) {
  for (const auto& [fr, amount] : amounts) {
    TreeNode& node = nodes.at(queue);
    const Amount local = LocalQuota(queue, fr);
    const Amount before = std::max<Amount>(0, Usage(queue, fr) - local);
    node.usage[fr] += amount;
    const Amount after = std::max<Amount>(0, Usage(queue, fr) - local);
    if (amount < 0) node.hidden[fr] += before - after;
  }
}

void Tree::Release(const std::string& queue, const Amounts& amounts) {
  for (const auto& [fr, amount] : amounts) nodes.at(queue).usage[fr] -= amount;
}

}  // namespace muster::oracle
