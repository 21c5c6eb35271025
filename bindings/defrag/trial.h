// Trial: moves carried out on a copy of an engine, to see whether they hold.
#ifndef MUSTER_BINDINGS_DEFRAG_TRIAL_H_
#define MUSTER_BINDINGS_DEFRAG_TRIAL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "bindings/defrag/defrag.h"
#include "bindings/defrag/ground.h"

namespace muster::defrag {

struct Trial {
  places::Largest largest;  ///< of the ground's level, when all is done and nothing is cordoned
  std::vector<Move> moves;  ///< by workload
};

class Trials {
 public:
  /// All must outlive it, and stay as they are. Throws lab::Refused. O(workloads).
  Trials(const Engine& engine, TimeNs now, const Topology& topology, const Ground& ground);

  /// On a copy: cordons the nodes of the domain, evicts the jobs, lets their pods be gone and runs
  /// cycles until idle, then lifts the cordon. nullopt when a job that held quota before does not
  /// hold it then, when another than these was told to leave, or when the largest gang has less
  /// than so many nodes. Throws lab::Refused. O(state + cycles).
  std::optional<Trial> CarryOut(std::size_t domain, const std::set<std::size_t>& jobs,
                                std::int32_t nodes) const;

 private:
  const Engine& engine_;
  const TimeNs now_;
  const Topology& topology_;
  const Ground& ground_;
  const std::set<Key> held_;  ///< which hold quota before anything moves
};

}  // namespace muster::defrag

#endif  // MUSTER_BINDINGS_DEFRAG_TRIAL_H_
