// Defrag: which jobs would have to start anew elsewhere so that a larger gang of whole nodes has a
// place in one domain, and what they would lose by it. A plan only: nothing is changed.
//
// The moves are those of one domain that is emptied: its nodes are cordoned, the jobs evicted, and
// the engine places them again by its own rules. Repacking inside a domain that is not cordoned is
// not looked for. Each plan that is given was really carried out on a copy of the engine, to the
// end: all that ran before runs again, and nothing else had to leave.
#ifndef MUSTER_BINDINGS_DEFRAG_DEFRAG_H_
#define MUSTER_BINDINGS_DEFRAG_DEFRAG_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bindings/places/places.h"
#include "muster/engine.h"

namespace muster::defrag {

inline constexpr std::size_t kMostSets = 4096;
inline constexpr std::size_t kTriesOfASize = 8;

struct Asked {
  std::string topology;    ///< empty: the only one
  std::string level;       ///< empty: the one above the lowest
  std::int32_t nodes = 0;  ///< the gang that should have a place; 0: as large a one as can be
  std::size_t most_sets = kMostSets;
};

/// A job that is evicted, and starts again elsewhere.
struct Move {
  Key workload;
  std::string cluster_queue;
  ResourceList holds;     ///< all of its pods
  DurationNs lost = 0;    ///< since it started, or since its last checkpoint
  double node_hours = 0;  ///< `lost` times the nodes that it could fill with what it holds most of
  std::map<std::string, std::int32_t> to;  ///< domain above the hosts -> its pods there
};

struct Plan {
  std::string topology;
  std::string level;
  places::Largest before;
  places::Largest after;            ///< once it is carried out; without moves as before
  std::string domain;               ///< that is emptied; empty: there is no plan
  std::vector<std::string> cordon;  ///< nodes of it that take pods now, by name
  std::vector<Move> moves;          ///< by workload
  double node_hours = 0;            ///< of all of them
  bool exact = false;               ///< every set of jobs, for each domain that is emptied
  std::size_t tried = 0;            ///< plans carried out on a copy
};

/// The plan with the largest gang, and among these the least lost work, then the fewest moves. With
/// Asked::nodes the least lost work among those that have a place for so many. Without moves when
/// there is none, or when no move is needed.
///
/// Where sets of jobs times domains are at most Asked::most_sets, all are thought of, the best
/// first; otherwise, in each domain, those that come about by emptying host after host, each time
/// the hosts that cost least work a node, looking ahead to all that the same jobs stand on. Of
/// these at most kTriesOfASize of each size of gang are tried, the cheapest. A search ends after as
/// many tries as 400,000 workloads are in all, but 8 at least and 4096 at most; then it is not
/// exact. kNotFound and kInvalidArgument for topologies and levels that are not there.
/// O(tried x (state + cycles)).
Result<Plan> PlanMoves(const Engine& engine, TimeNs now, const Asked& asked);

}  // namespace muster::defrag

#endif  // MUSTER_BINDINGS_DEFRAG_DEFRAG_H_
