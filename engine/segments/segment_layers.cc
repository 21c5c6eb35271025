// See segment_layers.h.
#include "engine/segments/segment_layers.h"

#include "engine/topology/add_room.h"

namespace muster {

SegmentLayers::SegmentLayers(const TopologyTree& tree, std::span<const LevelSlices> layers,
                             std::vector<std::int32_t> leaves)
    : tree_(tree), layers_(layers.begin(), layers.end()) {
  pods_.resize(tree.depth());
  rooms_.resize(layers_.size());
  over_.resize(layers_.size());
  pods_.back() = std::move(leaves);
  std::size_t below = layers_.size();  // layers at or below the level are those from here on
  for (std::size_t l = tree.depth(); l-- > 0;) {
    if (l + 1 < tree.depth()) {
      const std::vector<std::uint32_t>& parents = tree.levels()[l + 1].parents;
      pods_[l].assign(tree.levels()[l].size(), 0);
      for (std::size_t d = 0; d < parents.size(); ++d) {
        std::int32_t& sum = pods_[l][parents[d]];
        sum = AddRoom(sum, pods_[l + 1][d]);
      }
    }
    if (below == 0 || layers_[below - 1].level != l) continue;
    --below;
    const std::int32_t size = layers_[below].size;
    rooms_[below].reserve(pods_[l].size());
    for (std::int32_t& pods : pods_[l]) {
      rooms_[below].push_back(pods / size);
      over_[below].push_back(pods % size);
      pods = pods / size * size;
    }
  }
}

DomainRange SegmentLayers::Below(std::size_t level, DomainRange range, std::size_t to) const {
  for (; level < to; ++level) {
    const std::vector<std::uint32_t>& first_child = tree_.levels()[level].first_child;
    range = {first_child[range.first], first_child[range.second]};
  }
  return range;
}

}  // namespace muster
