// SegmentPlacement: places a gang in segments, on the fewest domains of each level, evenly.
//
// Where one domain of a level has to have all (required), or would better (preferred), the one is
// taken in which the segments are on the fewest domains; of those alike the one with least room.
// Below the innermost segments pods go, level by level, to the fewest domains of each, evenly.
//
// No policy is asked which domains it wants, and no node is preferred: the fewest are what was
// asked for. With less pods than whole segments, the last segments are short.
#ifndef MUSTER_ENGINE_SEGMENTS_SEGMENT_PLACEMENT_H_
#define MUSTER_ENGINE_SEGMENTS_SEGMENT_PLACEMENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/placing/placer.h"
#include "engine/segments/fewest_domains.h"
#include "engine/segments/segment_layers.h"
#include "engine/topology/topology_tree.h"

namespace muster {

class SegmentPlacement {
 public:
  /// Precondition: the request is segmented, with levels as LevelConflict wants them and without a
  /// leader. Both must outlive it. `assumed` ascending by leaf.
  SegmentPlacement(const TopologyTree& tree, const PlaceRequest& request,
                   const AssumedPods& assumed);
  /// O(leaves), and what FewestDomains takes.
  PlaceResult Place() const;
  /// Whether Place would find one. O(domains).
  bool HasRoom() const;

 private:
  /// Where all is placed.
  struct Scope {
    DomainRange outermost;             ///< domains of the outermost layer
    std::optional<std::size_t> level;  ///< of the one domain that has all; none: all of the tree
  };
  /// None: there is no room, as `result` then tells.
  std::optional<Scope> FindScope(const FewestDomains& fewest, PlaceResult& result) const;
  /// The domain of the level in which they are on the fewest; none: none has room.
  std::optional<Scope> BestOf(const FewestDomains& fewest, std::size_t level) const;
  void TellBest(PlaceResult& result) const;
  /// Pods by domain of the innermost layer.
  std::vector<Load> ToInnermost(const FewestDomains& fewest, DomainRange scope) const;
  std::vector<Load> ToLeaves(std::vector<Load> loads) const;
  std::vector<SegmentsProof> Prove(const FewestDomains& fewest, const std::vector<Load>& innermost,
                                   const Scope& scope) const;
  /// Segments of a layer that the best `domains` have room for, wherever the scope might have been.
  std::int64_t MostIn(std::size_t layer, std::size_t domains, const Scope& scope) const;
  DomainRange OutermostIn(std::size_t level, std::uint32_t domain) const;
  /// All domains of the outermost layer.
  DomainRange Outermost() const;
  /// Segments of the outermost layer that its domains of the range have room for.
  std::int64_t RoomIn(DomainRange range) const;

  const TopologyTree& tree_;
  const PlaceRequest& request_;
  SegmentLayers layers_;
  std::int32_t need_;  ///< segments of the outermost layer
};

/// "6 x 16 pods on 6 domains of rack: the best 5 have room for 5": why they are on no fewer.
std::string ProofText(const TopologyTree& tree, const std::vector<SegmentsProof>& proof);

}  // namespace muster

#endif  // MUSTER_ENGINE_SEGMENTS_SEGMENT_PLACEMENT_H_
