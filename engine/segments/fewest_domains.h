// FewestDomains: which domains have the segments of a gang, on as few of them as there can be.
//
// What is least, in this order: domains of the outermost layer, of the one below, and so on; then
// how uneven they are loaded, in the same order of layers.
//
// Method: over the domains of the innermost layer what is least follows from their room alone
// (even_loads.h). Above it, a table over domains and segments: of all ways to have so many segments
// in the domains looked at so far, the least. What a domain adds for so many is the least below it.
// So it is exact, whatever the room of domains is. Among ways that are alike the one stays that was
// found first, domains with least room being looked at first, then in their order.
//
// A table of more than kMostSteps is not filled: the layer is then looked at alone, as the
// innermost is, and those below it under what was chosen. So the layers down to that one are exact.
#ifndef MUSTER_ENGINE_SEGMENTS_FEWEST_DOMAINS_H_
#define MUSTER_ENGINE_SEGMENTS_FEWEST_DOMAINS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/segments/even_loads.h"
#include "engine/segments/segment_layers.h"

namespace muster {

class FewestDomains {
 public:
  /// By layer the domains taken, then by layer the squares of their loads; compared from the front.
  using Cost = std::array<std::int64_t, 2 * kMostSegmentLayers>;

  static constexpr std::int64_t kMostSteps = std::int64_t{1} << 24;

  /// `layers` must outlive it; `need` of the outermost, at most. O(domains).
  FewestDomains(const SegmentLayers& layers, std::int32_t need);

  /// Whether no layer above was looked at alone.
  bool IsExact(std::size_t layer) const;

  /// What `need` segments of the layer cost in domains of the range. Precondition: there is room.
  /// With one layer O(domains log domains); with more O(domains x need x room) of the layers above,
  /// and no more than kMostSteps for each of these.
  Cost CostOf(std::size_t layer, DomainRange range, std::int32_t need) const;
  /// The segments of each domain, ascending. Precondition: there is room.
  std::vector<Load> Choose(std::size_t layer, DomainRange range, std::int32_t need) const;

 private:
  struct Table;
  /// Whether nothing below the layer counts.
  bool IsAlone(std::size_t layer) const { return alone_[layer]; }
  /// For 0, 1, 2 ... times `step` segments, up to `most` times, which there is room for.
  std::vector<Cost> Costs(std::size_t layer, DomainRange range, std::int32_t most,
                          std::int32_t step) const;
  /// Of the domains that some way to have exactly `need` may take.
  std::vector<Load> Useful(std::size_t layer, DomainRange range, std::int32_t need) const;
  Table Fill(std::size_t layer, std::vector<Load> domains, std::int32_t most) const;
  EvenLoads Even(std::size_t layer, DomainRange range) const;

  const SegmentLayers& layers_;
  std::array<bool, kMostSegmentLayers> alone_{};
};

}  // namespace muster

#endif  // MUSTER_ENGINE_SEGMENTS_FEWEST_DOMAINS_H_
