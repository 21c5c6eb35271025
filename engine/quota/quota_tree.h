// QuotaTree: one cohort tree (or a ClusterQueue of no cohort) with its quotas and usage.
//
// Nodes stand in one array, children after parents, ClusterQueues as leaves; the quota of node n
// for (flavor, resource) column c is one cell. Usage is kept incrementally. A cycle works on the
// tree itself under a UsageMark, which takes back whatever was tried; nothing is ever copied.
//
// Invariants (see engine/README.md):
//   I1 usage(cohort) = sum over children of max(0, usage(child) - localQuota(child))
//   I2 subtreeQuota(cohort) = nominal + sum over children of (subtreeQuota - localQuota)
#ifndef MUSTER_ENGINE_QUOTA_QUOTA_TREE_H_
#define MUSTER_ENGINE_QUOTA_QUOTA_TREE_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/amount.h"
#include "engine/base/ids.h"
#include "engine/base/prefetch.h"
#include "muster/types.h"

namespace muster {

using NodeIndex = std::uint32_t;
using Column = std::uint32_t;
inline constexpr NodeIndex kNoNode = ~NodeIndex{0};
inline constexpr Column kNoColumn = ~Column{0};
inline constexpr Amount kNoLimit = -1;  ///< a borrowing or lending limit that is not set

/// A line of the cache each.
struct alignas(kCacheLine) QuotaCell {
  Amount nominal = 0;
  Amount borrowing_limit = kNoLimit;
  Amount lending_limit = kNoLimit;
  Amount subtree = 0;    ///< own and lent by the subtree: subtreeQuota
  Amount local = 0;      ///< never visible above this node: localQuota
  Amount potential = 0;  ///< the most this node could use with nothing else running
  Amount usage = 0;

  /// What the node keeps to itself and does not use.
  Amount LocalAvailable() const { return std::max<Amount>(0, Sub(local, usage)); }
};

struct QuotaNode {
  std::string name;
  NodeIndex parent = kNoNode;
  QueueId queue;            ///< valid for a ClusterQueue
  bool active = true;       ///< an inactive ClusterQueue counts its quota but is no child (height)
  double weight = 1.0;      ///< fair sharing
  std::int32_t height = 0;  ///< of a cohort: 1 when its children are ClusterQueues only
  std::vector<NodeIndex> child_cohorts;  ///< in name order
  std::vector<NodeIndex> child_queues;   ///< in name order
};

/// How far up a request reaches: 0 within nominal quota, else the height of the lowest cohort whose
/// own quota holds it; `may_reclaim` when something above could give it back.
struct BorrowingLevel {
  std::int32_t level = 0;
  bool may_reclaim = false;
  bool operator==(const BorrowingLevel&) const = default;
};

class QuotaTree {
 public:
  QuotaTree() = default;
  /// A tree over these (flavor, resource) pairs; `resources[c]` is the resource of column c.
  QuotaTree(std::vector<FlavorResourceId> columns, std::vector<ResourceId> resources);

  // ---- building: parents first, then Seal ------------------------------------------------------
  NodeIndex AddNode(QuotaNode node);
  /// Memory for so many nodes.
  void Reserve(std::size_t nodes);
  QuotaCell& MutableCell(NodeIndex n, Column c) { return cells_[n * columns_.size() + c]; }
  /// Computes what follows from the quotas: subtree, local, potential, heights. O(cells).
  void Seal();
  /// Computes the usage of all cohorts from that of the queues (I1). Precondition: Seal was called
  /// since the last change of a quota. O(cells).
  void ChargeCohorts();
  /// Empties the quota cells of a node to be filled again, then Seal and ChargeCohorts; its usage
  /// stays. Precondition: no mark is set.
  void BeginRefill(NodeIndex n, bool active, double weight);

  // ---- shape -----------------------------------------------------------------------------------
  std::size_t size() const { return nodes_.size(); }
  Column columns() const { return static_cast<Column>(columns_.size()); }
  FlavorResourceId ColumnPair(Column c) const { return columns_[c]; }
  ResourceId ColumnResource(Column c) const { return resources_[c]; }
  /// kNoColumn when no node of the tree knows `fr`. O(1).
  Column ColumnOf(FlavorResourceId fr) const {
    return fr.value < column_of_.size() ? column_of_[fr.value] : kNoColumn;
  }
  const QuotaNode& node(NodeIndex n) const { return nodes_[n]; }
  const QuotaCell& cell(NodeIndex n, Column c) const { return cells_[n * columns_.size() + c]; }
  /// Prefetches the cells of the node.
  void PrefetchNode(NodeIndex n) const {
    Prefetch(cells_.data() + CellIndex(n, 0), columns_.size() * sizeof(QuotaCell));
  }
  NodeIndex ParentOf(NodeIndex n) const { return parents_[n]; }
  bool HasParent(NodeIndex n) const { return parents_[n] != kNoNode; }
  /// Whether `ancestor` is `n` or above it. O(depth).
  bool IsAncestor(NodeIndex ancestor, NodeIndex n) const;

  // ---- the quota algebra (quota_algebra.cc); formulas in engine/README.md
  // ------------------------
  Amount LocalAvailable(NodeIndex n, Column c) const { return cell(n, c).LocalAvailable(); }
  /// May be negative when quota was cut below usage. O(depth).
  Amount Available(NodeIndex n, Column c) const;
  Amount Potential(NodeIndex n, Column c) const { return cell(n, c).potential; }
  /// Whether usage + v exceeds the node's own subtree quota (for a ClusterQueue: nominal).
  bool Borrowing(NodeIndex n, Column c, Amount v) const;
  /// Whether its usage exceeds that of any of these pairs. Precondition: the tree knows them.
  bool BorrowsAny(NodeIndex n, std::span<const FlavorResourceId> pairs) const;
  BorrowingLevel LevelOf(NodeIndex n, Column c, Amount v) const;
  void AddUsage(NodeIndex n, Column c, Amount v);
  void RemoveUsage(NodeIndex n, Column c, Amount v);

  /// The same over a whole list; pairs the tree does not know are impossible (tree is rebuilt
  /// first).
  void AddUsage(NodeIndex n, std::span<const Usage> usage);
  void RemoveUsage(NodeIndex n, std::span<const Usage> usage);
  // ---- for those that remember what followed from the usage
  // -----------------------------------------------
  /// Another one whenever the usage has changed for good, or what a search reads beside it; what is
  /// tried under a mark changes nothing. Of one tree from Seal on.
  std::uint64_t version() const { return version_; }
  /// A holder of quota here is another one now, or is ranked otherwise.
  void NoteHolders() { ++version_; }
  /// The cycle after which quota of the tree changed last, -1: none is known. What a workload found
  /// out in that cycle or before is out of date.
  std::int64_t requoted() const { return requoted_; }
  void NoteRequoted(std::int64_t cycle) { requoted_ = std::max(requoted_, cycle); }
  /// Whether the usage is that of the version: nothing is tried.
  bool AsOfVersion() const { return undo_.empty(); }
  /// Says of one cell what its usage would be. Precondition: the tree is marked.
  void Pretend(NodeIndex n, Column c, Amount usage) { SetUsage(MutableCell(n, c), usage); }

  /// Every amount within max(0, Available(n)).
  bool Fits(NodeIndex n, std::span<const Usage> usage) const;

  /// Sum over flavors of the potential of `n` for resource r; see dominant_share.h. O(1).
  Amount Lendable(NodeIndex n, ResourceId r) const;
  /// Distinct resources of the columns, ascending by id.
  std::span<const ResourceId> resources() const { return distinct_resources_; }
  /// The columns of the r-th of them, ascending.
  std::span<const Column> ColumnsOf(std::size_t r) const {
    return std::span(grouped_columns_).subspan(first_of_[r], first_of_[r + 1] - first_of_[r]);
  }
  /// Lendable of the r-th of them. O(1).
  Amount LendableAt(NodeIndex n, std::size_t r) const {
    return lendable_[n * distinct_resources_.size() + r];
  }

 private:
  friend class UsageMark;
  friend class OtherQuotas;
  struct Undo {
    std::size_t cell;
    Amount usage;
  };
  void SetUsage(QuotaCell& cell, Amount usage) {
    if (marks_ > 0) {
      undo_.push_back({static_cast<std::size_t>(&cell - cells_.data()), cell.usage});
    } else {
      ++version_;
    }
    cell.usage = usage;
  }
  std::size_t CellIndex(NodeIndex n, Column c) const { return n * columns_.size() + c; }

  std::vector<FlavorResourceId> columns_;
  std::vector<ResourceId> resources_;
  std::vector<ResourceId> distinct_resources_;
  std::vector<Column> grouped_columns_;  ///< resource by resource
  std::vector<std::size_t> first_of_;    ///< where those of each begin, and the end
  std::vector<Column> column_of_;        ///< by FlavorResourceId
  std::vector<QuotaNode> nodes_;
  std::vector<NodeIndex> parents_;  ///< of the nodes, side by side: each sum walks up
  std::vector<QuotaCell> cells_;    ///< nodes x columns
  std::vector<Amount> lendable_;    ///< nodes x distinct resources
  std::vector<Undo> undo_;
  int marks_ = 0;
  std::uint64_t version_ = 0;
  std::int64_t requoted_ = -1;
};

/// Remembers the usage of a tree and puts it back when it goes out of scope. Marks nest like
/// scopes.
class UsageMark {
 public:
  explicit UsageMark(QuotaTree& tree);
  ~UsageMark();
  /// The other one is a mark of nothing from now on.
  UsageMark(UsageMark&& other) noexcept
      : tree_(std::exchange(other.tree_, nullptr)), size_(other.size_) {}
  UsageMark& operator=(UsageMark&&) = delete;
  /// Takes back everything since the mark was set, now; the mark stays.
  void RollBack();
  /// What was changed since the mark was set stays, as if it were set now. Precondition: the tree
  /// has no other mark.
  void Keep();

 private:
  QuotaTree* tree_;
  std::size_t size_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_QUOTA_QUOTA_TREE_H_
