// BalancedPlacement: a preferred placement that gives every domain about as much as the others.
//
// Method: for each set of sibling domains, the pods are placed greedily; what the last domain of
// that gets is a threshold that all others reach too. Domains that cannot reach it are taken out.
// The set with the highest threshold is kept, the fewest of its domains are chosen by a table, each
// gets the threshold, and the rest goes to the front ones.
#ifndef MUSTER_ENGINE_PLACING_BALANCED_PLACEMENT_H_
#define MUSTER_ENGINE_PLACING_BALANCED_PLACEMENT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/placing/placer.h"

namespace muster {

class BalancedPlacement {
 public:
  using Domain = Placer::Domain;
  using Set = Placer::Set;
  using Rooms = std::vector<std::vector<Placer::Room>>;
  struct Chosen {
    std::size_t level = 0;
    Set domains;
    Rooms rooms;  ///< of the placer, as they are to be handed out
  };

  /// Works on the placer's counts, and leaves them as they were.
  explicit BalancedPlacement(Placer& placer);
  /// None: the pods are placed as without it.
  std::optional<Chosen> Choose();

 private:
  struct Greedy {
    bool fits = false;
    std::int32_t taken = 0;
    std::optional<Domain> last_leader;
    std::optional<Domain> last_other;
  };
  struct Candidate {
    Set set;
    Rooms rooms;
    std::int32_t taken = 0;
  };

  Greedy PlaceGreedily(std::size_t level, Set set) const;
  /// Takes from the placer's rooms what cannot reach the threshold.
  void Prune(std::size_t level, const Set& set, std::int32_t threshold);
  void Empty(std::size_t level, Domain d, bool leader_only);
  void Recount(const Set& set);
  void Try(const Set& set);
  /// The fewest domains of the set that have the pods; empty: none.
  Set Fewest(std::size_t level, const Set& set) const;
  std::vector<double> EntropiesOf(const Set& set) const;
  std::optional<Chosen> Give();

  Placer& placer_;
  std::int32_t leaders_;
  std::int32_t need_;      ///< slices
  std::size_t level_;      ///< that is preferred
  std::size_t lower_;      ///< the one whose domains get the threshold
  std::int32_t best_ = 0;  ///< threshold of what is kept
  std::optional<Candidate> kept_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_PLACING_BALANCED_PLACEMENT_H_
