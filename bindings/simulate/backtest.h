// Backtest: the past of a ledger once more, under another policy. Under its own it comes to its own
// decisions, all of them.
//
// Method: the calls of the gateway are made again at their times. What a job did (ready, finished,
// gone) is repeated as recorded while it fares as recorded, and else follows its own start after as
// long as it did then. Cycles run when they ran; from the first decision on that differs, also when
// such a job ends, and until nothing changes.
#ifndef MUSTER_BINDINGS_SIMULATE_BACKTEST_H_
#define MUSTER_BINDINGS_SIMULATE_BACKTEST_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/lab/activate.h"
#include "bindings/simulate/past.h"
#include "bindings/simulate/simulate.h"
#include "bindings/simulate/trace.h"

namespace muster::simulate {

struct BacktestOptions {
  std::string resource;    ///< that is counted
  TimeNs since = kNoTime;  ///< figures are from here on, and the candidate decides; kNoTime: begin
  /// What decides from `since` on; unset: the ledger's own policies, as recorded.
  std::optional<lab::Decider> candidate;
};

struct Backtested {
  std::vector<TraceJob> jobs;  ///< by submission; a run of 0: it never finished in the record
  Run run;
  std::vector<JobPast> pasts;  ///< what became of the jobs
  bool same = false;           ///< every job fared as recorded, to the nanosecond
  std::size_t refused = 0;     ///< recorded calls that made no sense any more
  std::size_t endless = 0;     ///< jobs that ran in this run alone, or longer than the record knows
};

/// Finds a policy package by its hash.
using LoadPolicy = std::function<Result<std::shared_ptr<Policy>>(std::string_view hash)>;

/// `watcher` is told how many calls are done. kDataLoss when the ledger's own policies come to
/// something else than recorded. O(history + cycles).
Result<Backtested> Backtest(const Past& past, const BacktestOptions& options,
                            const LoadPolicy& load, const Watcher& watcher = {});

/// Resources that ClusterQueues of the past had quota of.
std::set<std::string> ResourcesOf(const Past& past);

}  // namespace muster::simulate

#endif  // MUSTER_BINDINGS_SIMULATE_BACKTEST_H_
