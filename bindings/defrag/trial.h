// Trial: moves carried out on a copy of an engine, to see whether they hold.
#ifndef MUSTER_BINDINGS_DEFRAG_TRIAL_H_
#define MUSTER_BINDINGS_DEFRAG_TRIAL_H_

#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "bindings/defrag/defrag.h"
#include "bindings/defrag/ground.h"

namespace muster::defrag {

struct Trial {
  std::vector<places::Largest> largest;  ///< by level, when all is done and nothing is cordoned
  std::vector<Move> moves;               ///< by workload
};

/// On a copy: cordons the nodes of the domain, evicts the jobs, lets their pods be gone and runs
/// cycles until idle, then lifts the cordon. nullopt when a job that held quota before does not
/// hold it then, or when another than these was told to leave. Throws lab::Refused.
/// O(state + cycles).
std::optional<Trial> CarryOut(const Engine& engine, TimeNs now, const Topology& topology,
                              const Ground& ground, std::size_t domain,
                              const std::set<std::size_t>& jobs);

}  // namespace muster::defrag

#endif  // MUSTER_BINDINGS_DEFRAG_TRIAL_H_
