// When the jobs of a ledger that wait will start, put right by answers about its past.
#ifndef MUSTER_BINDINGS_CLI_WORLD_EXPECTED_STARTS_H_
#define MUSTER_BINDINGS_CLI_WORLD_EXPECTED_STARTS_H_

#include <cstddef>
#include <vector>

#include "bindings/cli/show/eta_view.h"
#include "db/store.h"
#include "muster/status.h"

namespace muster::cli {

struct StartsAsked {
  std::vector<Key> workloads;  ///< empty: all that wait
  TimeNs now = kNoTime;        ///< the ledger's last time where that is later
  std::size_t questions = 40;  ///< about so many jobs of the past are asked about first
  eta::EstimateOptions estimate;
};

/// kNotFound: there is no such workload; kFailedPrecondition: it does not wait.
/// O(history + (questions + 1) x futures x cycles).
Result<ExpectedStarts> ExpectStarts(const StoredHistory& ledger, const StartsAsked& asked);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_EXPECTED_STARTS_H_
