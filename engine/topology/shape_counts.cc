// See shape_counts.h.
#include "engine/topology/shape_counts.h"

#include <algorithm>
#include <new>
#include <numeric>
#include <utility>

#include "engine/topology/topology_tree.h"

namespace muster {

void LeafLog::Note(std::uint32_t leaf, std::size_t most) noexcept {
  if (noted_.size() >= most) {
    const std::size_t dropped = (noted_.size() + 1) / 2;
    noted_.erase(noted_.begin(), noted_.begin() + static_cast<std::ptrdiff_t>(dropped));
    first_ += dropped;
  }
  try {
    noted_.push_back(leaf);
  } catch (const std::bad_alloc&) {
    NoteAll();
  }
}

void LeafLog::NoteAll() noexcept {
  first_ = now() + 1;
  noted_.clear();
}

std::optional<std::span<const std::uint32_t>> LeafLog::Since(std::uint64_t moment) const {
  if (moment < first_) return std::nullopt;
  return std::span(noted_).subspan(moment - first_);
}

ShapeCounts::ShapeCounts(const PodShape& shape, bool by_host) : shape_(shape), by_host_(by_host) {
  if (!by_host) shape_.filter = {};
  if (shape_.filter.pods == nullptr) return;
  asking_.required_node_affinity = shape_.filter.pods->required_node_affinity;
  shape_.filter.pods = &asking_;
}

bool ShapeCounts::AreOf(const PodShape& shape) const {
  return shape_.empty == shape.empty && shape_.needs.amounts == shape.needs.amounts &&
         shape_.slices == shape.slices && (!by_host_ || shape_.filter.IsLike(shape.filter));
}

void ShapeCounts::Follow(const TopologyTree& tree, const LeafLog& log) {
  const auto noted = log.Since(seen_);
  counted_ = counted_ && noted;
  for (std::size_t i = 0; counted_ && i < noted->size(); ++i) Recount(tree, (*noted)[i]);
  if (!counted_) CountAll(tree);
  seen_ = log.now();
}

std::int32_t ShapeCounts::CountLeaf(const TopologyTree& tree, std::uint32_t leaf) const {
  if (!tree.IsThere(tree.depth() - 1, leaf)) return 0;
  const bool may_differ = by_host_ && (shape_.filter.AsksOfNodes() || tree.IsTainted(leaf));
  if (may_differ && !shape_.filter.Admits(tree.HostOf(leaf))) return 0;
  return PodsIn(shape_.empty ? tree.AloneOf(leaf) : tree.FreeOf(leaf), shape_.needs);
}

void ShapeCounts::CountAll(const TopologyTree& tree) {
  const std::size_t depth = tree.depth();
  const std::size_t slice_level = shape_.slices.empty() ? depth - 1 : shape_.slices.front().level;
  pods_.resize(depth);
  slices_.resize(shape_.slices.empty() ? 0 : slice_level + 1);
  std::vector<std::int32_t>& leaves = pods_.back();
  leaves.resize(tree.leaves().size());
  for (std::uint32_t leaf = 0; leaf < leaves.size(); ++leaf) leaves[leaf] = CountLeaf(tree, leaf);
  in_leaves_ = std::accumulate(leaves.begin(), leaves.end(), std::int64_t{0});
  if (!IsCountable()) return;
  for (std::size_t l = depth - 1; l-- > 0;) {
    const std::int32_t inner = InnerSizeAt(shape_.slices, l + 1);
    const std::vector<std::uint32_t>& parents = tree.levels()[l + 1].parents;
    pods_[l].assign(tree.levels()[l].size(), 0);
    for (std::size_t d = 0; d < parents.size(); ++d) {
      const std::int32_t pods = pods_[l + 1][d];
      pods_[l][parents[d]] += inner == 1 ? pods : pods / inner * inner;
    }
  }
  for (std::size_t l = slices_.size(); l-- > 0;) {
    slices_[l].assign(tree.levels()[l].size(), 0);
    if (l == slice_level) {
      for (std::size_t d = 0; d < slices_[l].size(); ++d) {
        slices_[l][d] = pods_[l][d] / shape_.SliceSize();
      }
    } else {
      const std::vector<std::uint32_t>& parents = tree.levels()[l + 1].parents;
      for (std::size_t d = 0; d < parents.size(); ++d) slices_[l][parents[d]] += slices_[l + 1][d];
    }
  }
  all_ = 0;
  for (const std::int32_t slices : SlicesAt(0)) all_ += slices;
  counted_ = true;  // memory may have run out before
}

void ShapeCounts::Recount(const TopologyTree& tree, std::uint32_t leaf) {
  const std::size_t depth = tree.depth();
  std::int32_t now = CountLeaf(tree, leaf);
  if (pods_.back()[leaf] == now) return;
  in_leaves_ += std::int64_t{now} - pods_.back()[leaf];
  counted_ = IsCountable();
  if (!counted_) return;
  // What a domain counts for its parent, before and after.
  std::uint32_t domain = leaf;
  std::int32_t was = std::exchange(pods_.back()[leaf], now);
  std::int32_t more_slices = 0;
  for (std::size_t l = depth;;) {
    --l;
    if (l + 1 == slices_.size()) {
      const std::int32_t slices = now / shape_.SliceSize();
      more_slices = slices - std::exchange(slices_[l][domain], slices);
    } else if (l < slices_.size()) {
      slices_[l][domain] += more_slices;
    }
    if (l == 0) break;
    const std::int32_t inner = InnerSizeAt(shape_.slices, l);
    const std::int32_t more = now / inner * inner - was / inner * inner;
    domain = tree.levels()[l].parents[domain];
    was = pods_[l - 1][domain];
    now = was + more;
    pods_[l - 1][domain] = now;
  }
  all_ += slices_.empty() ? now - was : more_slices;
}

std::size_t ShapeCounts::bytes() const {
  std::size_t numbers = 0;
  for (const auto& level : pods_) numbers += level.size();
  for (const auto& level : slices_) numbers += level.size();
  return numbers * sizeof(std::int32_t);
}

bool ShapeCounts::AreRight(const TopologyTree& tree) const {
  ShapeCounts again(shape_, by_host_);
  again.CountAll(tree);
  if (in_leaves_ != again.in_leaves_) return false;
  return !IsCountable() || (pods_ == again.pods_ && slices_ == again.slices_ && all_ == again.all_);
}

bool ShapeCache::AreRight(const TopologyTree& tree) {
  return std::all_of(shapes_.begin(), shapes_.end(), [&](const auto& shape) {
    shape->Follow(tree, log_);
    return shape->AreRight(tree);
  });
}

const ShapeCounts& ShapeCache::For(const TopologyTree& tree, const PodShape& wanted) {
  auto at = std::find_if(shapes_.begin(), shapes_.end(),
                         [&](const auto& shape) { return shape->AreOf(wanted); });
  if (at == shapes_.end()) {
    if (shapes_.size() == kMostShapes) shapes_.pop_back();
    at = shapes_.insert(shapes_.end(), std::make_unique<ShapeCounts>(wanted, tree.by_host()));
  }
  std::rotate(shapes_.begin(), at, at + 1);
  shapes_.front()->Follow(tree, log_);
  return *shapes_.front();
}

}  // namespace muster
