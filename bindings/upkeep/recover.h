// RecoverLedger: what can be saved of a damaged ledger, in a new one that is whole.
//
// The damaged file is only read. Saved is, in this order of worth:
//   1. the state, with the newest commits behind which nothing is missing, when all rows are whole;
//   2. else the oldest commits before the first damage, with the state that repeating them gives;
//   3. besides, every other commit that is whole, as lines of JSON: what follows a gap can be read,
//      but nothing can be built on it.
// docs/decisions/0046-base-of-a-history.md says why.
#ifndef MUSTER_BINDINGS_UPKEEP_RECOVER_H_
#define MUSTER_BINDINGS_UPKEEP_RECOVER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "db/store_types.h"
#include "muster/status.h"

namespace muster {

/// Numbers of commits, the first and the last.
using CommitRange = std::pair<std::int64_t, std::int64_t>;

struct Recovered {
  HistoryBase base;                  ///< of the new ledger
  LastCommit last;                   ///< in it
  bool repeated = false;             ///< its state was told by repeating its commits, not read
  std::vector<CommitRange> damaged;  ///< commits of which something cannot be read
  std::vector<CommitRange> aside;    ///< whole, but only in the lines of JSON
  std::vector<std::string> lost_policies;  ///< hashes of packages that are damaged
  std::vector<std::string> report;         ///< all of it in sentences, as in the file TO.report
};

struct RecoverOptions {
  /// Called now and then: what is done, and at which of how many commits.
  std::function<void(std::string_view what, std::int64_t done, std::int64_t total)> progress;
};

/// Makes `to`, `to`.report, and `to`.jsonl where commits are set aside; replaces nothing.
/// kFailedPrecondition: one of them exists. kUnavailable: a process holds the ledger, or I/O
/// failed. kDataLoss: nothing can be built of what is left; the message says why, and the lines of
/// JSON are there all the same. O(history).
Result<Recovered> RecoverLedger(const std::string& path, const std::string& to,
                                const RecoverOptions& options = {});

}  // namespace muster

#endif  // MUSTER_BINDINGS_UPKEEP_RECOVER_H_
