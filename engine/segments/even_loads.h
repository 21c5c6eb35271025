// EvenLoads: units over the fewest of some domains, as evenly as their room allows.
//
// Method: the fewest are as many as of those with most room, taken one after the other, suffice.
// These also allow the most even loads, for whatever others have room for, they have. Each load
// then goes to the domain with the smallest room that holds it, the largest load first; of those
// alike to the one of which least is left over.
#ifndef MUSTER_ENGINE_SEGMENTS_EVEN_LOADS_H_
#define MUSTER_ENGINE_SEGMENTS_EVEN_LOADS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace muster {

struct Load {
  std::uint32_t domain = 0;
  std::int32_t units = 0;
  bool operator==(const Load&) const = default;
};

class EvenLoads {
 public:
  /// `rooms` are those of domains from `first` on; `over` has what each has beyond whole units, and
  /// may be empty. O(domains log domains).
  EvenLoads(std::span<const std::int32_t> rooms, std::span<const std::int32_t> over,
            std::uint32_t first);

  /// How many domains it takes. Precondition: `need` is above 0. More than there are: none suffice.
  std::size_t Fewest(std::int64_t need) const;
  /// Units that the best `domains` have room for.
  std::int64_t RoomOf(std::size_t domains) const;
  /// The sum of the squares of the loads, which is least where they are most even. O(domains
  /// taken). Precondition: all together suffice.
  std::int64_t SquaresOf(std::int32_t need) const;
  /// Ascending by domain. Same precondition.
  std::vector<Load> Spread(std::int32_t need) const;

 private:
  /// Largest first.
  std::vector<std::int32_t> LoadsOf(std::int32_t need) const;

  std::vector<Load> ranked_;         ///< domains with room, as units; least room first
  std::vector<std::int64_t> rooms_;  ///< of the best 0, 1, 2 ...
};

}  // namespace muster

#endif  // MUSTER_ENGINE_SEGMENTS_EVEN_LOADS_H_
