// ShapeCounts: how many pods of one shape each domain of a tree has room for, kept up to date.
//
// Method: the tree notes the leaves whose room may have changed, in their order. Counts that are
// asked for again look at the leaves noted since, and carry the difference up to the domains above.
// What is tried and taken back notes its leaves both times. Where too many were noted, or domains
// have moved, all is counted anew.
#ifndef MUSTER_ENGINE_TOPOLOGY_SHAPE_COUNTS_H_
#define MUSTER_ENGINE_TOPOLOGY_SHAPE_COUNTS_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/topology/pod_shape.h"

namespace muster {

class TopologyTree;

/// Leaves that have changed. A moment is a number that grows with each note.
class LeafLog {
 public:
  /// At most `most` are kept, above 0; older ones are dropped by halves. Where memory has run out,
  /// all may have changed: what is taken back, also in a destructor, notes its leaves.
  void Note(std::uint32_t leaf, std::size_t most) noexcept;
  /// All may have changed.
  void NoteAll() noexcept;
  std::uint64_t now() const { return first_ + noted_.size(); }
  /// Those noted since; none: it is not known any more.
  std::optional<std::span<const std::uint32_t>> Since(std::uint64_t moment) const;

 private:
  std::uint64_t first_ = 0;  ///< moment before the first that is kept
  std::vector<std::uint32_t> noted_;
};

class ShapeCounts {
 public:
  ShapeCounts(const PodShape& shape, bool by_host);
  ShapeCounts(const ShapeCounts&) = delete;
  ShapeCounts& operator=(const ShapeCounts&) = delete;

  /// Whether they are those of this shape.
  bool AreOf(const PodShape& shape) const;
  /// O(noted leaves x (amounts + depth)), at most O(leaves x amounts).
  void Follow(const TopologyTree& tree, const LeafLog& log);
  /// Whether they are as if all were counted now. O(leaves x amounts).
  bool AreRight(const TopologyTree& tree) const;

  /// Whether all hosts together have room for no more pods than an int32 holds; else nothing below
  /// is to be asked.
  bool IsCountable() const { return in_leaves_ <= std::numeric_limits<std::int32_t>::max(); }
  std::span<const std::int32_t> PodsAt(std::size_t level) const { return pods_[level]; }
  /// Of levels at and above that of slices.
  std::span<const std::int32_t> SlicesAt(std::size_t level) const {
    return slices_.empty() ? pods_[level] : slices_[level];
  }
  /// Slices in the whole tree.
  std::int64_t all() const { return all_; }
  std::size_t bytes() const;

 private:
  std::int32_t CountLeaf(const TopologyTree& tree, std::uint32_t leaf) const;
  void CountAll(const TopologyTree& tree);
  void Recount(const TopologyTree& tree, std::uint32_t leaf);

  PodShape shape_;
  PodTemplate asking_;  ///< what of the shape's own asks for nodes
  bool by_host_ = false;
  bool counted_ = false;
  std::uint64_t seen_ = 0;      ///< moment of the log
  std::int64_t in_leaves_ = 0;  ///< pods
  std::int64_t all_ = 0;
  std::vector<std::vector<std::int32_t>> pods_;    ///< by level and domain
  std::vector<std::vector<std::int32_t>> slices_;  ///< likewise; empty: as pods
};

/// The shapes of a tree that were asked for last. A copy has none: they are counted again.
class ShapeCache {
 public:
  /// So many are kept, whatever the number of shapes. Each takes 4 bytes a node, 8 with slices.
  static constexpr std::size_t kMostShapes = 32;

  ShapeCache() = default;
  ShapeCache(const ShapeCache&) {}
  ShapeCache& operator=(const ShapeCache&) {
    shapes_.clear();
    return *this;
  }
  ShapeCache(ShapeCache&&) = default;
  ShapeCache& operator=(ShapeCache&&) = default;
  ~ShapeCache() = default;

  /// Counts as the tree is now; they hold until the next call of anything here.
  const ShapeCounts& For(const TopologyTree& tree, const PodShape& shape);
  void Note(std::uint32_t leaf, std::size_t leaves) {
    if (!shapes_.empty()) log_.Note(leaf, kLeastNoted + leaves / 2);
  }
  void NoteAll() { log_.NoteAll(); }
  /// Whether all are as if counted anew.
  bool AreRight(const TopologyTree& tree);

 private:
  static constexpr std::size_t kLeastNoted = 64;

  std::vector<std::unique_ptr<ShapeCounts>> shapes_;  ///< the one asked for last in front
  LeafLog log_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_TOPOLOGY_SHAPE_COUNTS_H_
