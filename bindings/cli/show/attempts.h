// The flavors a workload was tried on and the victims that were weighed: parts of every
// explanation.
#ifndef MUSTER_BINDINGS_CLI_SHOW_ATTEMPTS_H_
#define MUSTER_BINDINGS_CLI_SHOW_ATTEMPTS_H_

#include <string_view>
#include <vector>

#include "bindings/cli/io.h"
#include "bindings/cli/json.h"
#include "muster/trace.h"

namespace muster::cli {

/// A row per flavor and resource: requested, available, short by, at most.
void PrintAttempts(const std::vector<FlavorAttempt>& attempts, std::string_view indent, Io& io);
Json AttemptsJson(const std::vector<FlavorAttempt>& attempts);

/// `more`: there are others than these.
void PrintCandidates(const std::vector<CandidateTrace>& candidates, bool more,
                     std::string_view indent, Io& io);
Json CandidatesJson(const std::vector<CandidateTrace>& candidates);

/// The last cycle, entry by entry in the order processed; `focus` is shown at length.
void PrintTrace(const CycleTrace& trace, const Key& focus, Io& io);
Json TraceJson(const CycleTrace& trace);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_ATTEMPTS_H_
