// CountedPlacement: the placement of Placer, from counts that the tree keeps.
//
// Takes what most jobs ask for: no leader, no scorer, no balance, nothing assumed. The rules are
// those of placer.h, step by step, and so is the result.
//
// Method: Where one domain is enough, it is found by one look at each count of its level. Where
// several are needed, the foremost that suffice are kept while all are looked at, so nothing is
// put in order but what is chosen. What follows looks at children of chosen domains alone.
#ifndef MUSTER_ENGINE_PLACING_COUNTED_PLACEMENT_H_
#define MUSTER_ENGINE_PLACING_COUNTED_PLACEMENT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/placing/place_request.h"
#include "engine/placing/placer.h"
#include "engine/topology/topology_tree.h"

namespace muster {

class CountedPlacement {
 public:
  static bool Takes(const TopologyTree& tree, const PlaceRequest& request,
                    const AssumedPods& assumed);
  /// Precondition: Takes. Both must outlive it.
  CountedPlacement(const TopologyTree& tree, const PlaceRequest& request);
  PlaceResult Place();

 private:
  using Domain = std::uint32_t;
  using Range = std::pair<Domain, Domain>;  ///< from the first to before the second
  struct Given {
    Domain domain = 0;
    std::int32_t pods = 0;
  };
  /// What hands out pods, and in which units.
  struct Handing {
    std::size_t level = 0;
    std::int32_t need = 0;  ///< in units
    std::int32_t unit = 1;
    bool most_first = false;  ///< else those with least room come first
    bool fit_last = false;    ///< the last one is the smallest that suffices
  };

  bool LeastFree() const { return request_.spread == Spread::kUnconstrained; }
  /// Of those of the level with room for all slices the one with least; none: none has.
  std::optional<Domain> Holding(std::size_t level) const;
  /// The domains that have most room, for why there is no place.
  void TellBest(PlaceResult& result) const;
  /// Adds what domains of the ranges get to `given`, in any order. False: they have too little.
  bool HandOut(const Handing& how, std::span<const Range> ranges, std::vector<Given>& given) const;
  bool Descend(std::size_t level, std::vector<Given>& given) const;

  const TopologyTree& tree_;
  const PlaceRequest& request_;
  const ShapeCounts& counts_;
  std::size_t slice_level_;
  std::int32_t need_;  ///< in slices
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PLACING_COUNTED_PLACEMENT_H_
