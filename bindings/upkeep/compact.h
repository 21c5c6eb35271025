// CompactLedger: what is older than a ledger has to remember leaves it; the rest can still be
// proved, repeated and measured. See db/sqlite/compact.h for what stays.
#ifndef MUSTER_BINDINGS_UPKEEP_COMPACT_H_
#define MUSTER_BINDINGS_UPKEEP_COMPACT_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "db/store_types.h"
#include "muster/status.h"
#include "muster/types.h"

namespace muster {

struct CompactOptions {
  DurationNs keep = 0;  ///< commits stay that are at most so much older than the newest
  std::chrono::milliseconds lock_wait{0};
  /// Called now and then: what is done, and at which of how many commits.
  std::function<void(std::string_view what, std::int64_t done, std::int64_t total)> progress;
};

struct Compacted {
  HistoryBase base;          ///< as it is now
  std::int64_t dropped = 0;  ///< commits; 0: nothing was so old, and nothing was changed
  std::int64_t carried = 0;  ///< events from before the base
};

/// Takes the ledger for writing and looks at all of it first: what is damaged is not compacted.
/// Crash or power cut: the ledger is as before, or compacted. kNotFound, kUnavailable, kDataLoss.
/// O(history); repeats what is dropped.
Result<Compacted> CompactLedger(const std::string& path, const CompactOptions& options);

}  // namespace muster

#endif  // MUSTER_BINDINGS_UPKEEP_COMPACT_H_
