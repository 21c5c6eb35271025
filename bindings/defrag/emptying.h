// Emptying: the leaves of one domain freed one after another, each time those that cost least.
#ifndef MUSTER_BINDINGS_DEFRAG_EMPTYING_H_
#define MUSTER_BINDINGS_DEFRAG_EMPTYING_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "bindings/defrag/ground.h"

namespace muster::defrag {

/// `ground` outlives it.
class Emptying {
 public:
  /// Nothing is gone yet. O(pods placed in the domain).
  Emptying(const Ground& ground, std::size_t domain);

  /// Lets the jobs go that stand on some leaf and cost least work for each node that is free with
  /// them, here and on all leaves that the same jobs stand on. False when no leaf is left whose
  /// jobs can all move. O(leaves that share a job with what goes, or with what stands beside it).
  bool Step();

  std::int32_t nodes() const { return nodes_; }  ///< untouched now
  double cost() const { return cost_; }          ///< node hours of what is gone
  /// What is gone, in the order in which it went.
  const std::vector<std::size_t>& gone() const { return gone_; }
  /// False where what is gone from here is more than is free outside the domain.
  bool HasRoomElsewhere() const;

 private:
  using Jobs = std::set<std::size_t>;
  /// Nodes that are free once these are gone, too.
  std::int32_t GainOf(const Jobs& jobs) const;
  void Offer(std::size_t leaf);
  void Withdraw(std::size_t leaf);

  const Ground& ground_;
  const std::size_t domain_;
  std::map<std::size_t, Jobs> left_;                        ///< by leaf, where any stand
  std::map<std::size_t, std::vector<std::size_t>> on_;      ///< leaves of the domain, by job
  std::set<std::pair<double, Jobs>> steps_;                 ///< price of a node, what would go
  std::map<std::size_t, std::pair<double, Jobs>> offered_;  ///< by leaf
  std::vector<std::size_t> gone_;
  ResourceList needed_;  ///< what is gone had here
  std::int32_t nodes_ = 0;
  double cost_ = 0;
};

}  // namespace muster::defrag

#endif  // MUSTER_BINDINGS_DEFRAG_EMPTYING_H_
