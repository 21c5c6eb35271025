// SegmentLayers: how many segments each domain has room for, layer by layer.
//
// A segment of a layer is so many pods in one domain of its level, made of whole segments of the
// layer below. What a domain has room for is exact: whatever is below it, taken together, in whole
// segments.
#ifndef MUSTER_ENGINE_SEGMENTS_SEGMENT_LAYERS_H_
#define MUSTER_ENGINE_SEGMENTS_SEGMENT_LAYERS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/model/limits.h"
#include "engine/topology/topology_tree.h"

namespace muster {

inline constexpr std::size_t kMostSegmentLayers = kMaxSliceLayers;

/// Domains of one level, from the first to before the second.
using DomainRange = std::pair<std::uint32_t, std::uint32_t>;

class SegmentLayers {
 public:
  /// `layers` outermost first, each level below and each size a divisor of the one before. `leaves`
  /// by leaf. O(domains).
  SegmentLayers(const TopologyTree& tree, std::span<const LevelSlices> layers,
                std::vector<std::int32_t> leaves);

  std::size_t count() const { return layers_.size(); }
  std::size_t LevelOf(std::size_t layer) const { return layers_[layer].level; }
  std::int32_t SizeOf(std::size_t layer) const { return layers_[layer].size; }
  /// Segments of the next layer that one of `layer` is made of.
  std::int32_t Ratio(std::size_t layer) const {
    return layers_[layer].size / layers_[layer + 1].size;
  }
  /// Of the domains of a layer's level, in its segments.
  std::span<const std::int32_t> RoomAt(std::size_t layer) const { return rooms_[layer]; }
  /// Pods beyond those, for which there is room as well.
  std::span<const std::int32_t> OverAt(std::size_t layer) const { return over_[layer]; }
  /// Pods in whole segments of the layers at and below a level; below all layers pods.
  std::span<const std::int32_t> PodsAt(std::size_t level) const { return pods_[level]; }
  /// The domains of `to`, a level at or below `level`, that are in one of the range.
  DomainRange Below(std::size_t level, DomainRange range, std::size_t to) const;

 private:
  const TopologyTree& tree_;
  std::vector<LevelSlices> layers_;
  std::vector<std::vector<std::int32_t>> pods_;   ///< by level and domain
  std::vector<std::vector<std::int32_t>> rooms_;  ///< by layer and domain
  std::vector<std::vector<std::int32_t>> over_;   ///< likewise
};

}  // namespace muster

#endif  // MUSTER_ENGINE_SEGMENTS_SEGMENT_LAYERS_H_
