// Compaction: drops the oldest commits of a history, so that what is left can still be proved,
// repeated and understood.
//
// The oldest commit that stays names the hash of the one before it. The state after it is stored,
// for a replay to begin with, and so are the earlier events about what is still there, for usage,
// policies and `describe`.
#ifndef MUSTER_DB_SQLITE_COMPACT_H_
#define MUSTER_DB_SQLITE_COMPACT_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "db/sqlite/connection.h"
#include "db/store_types.h"
#include "muster/journal.h"
#include "muster/status.h"

namespace muster {

struct CompactionPlan {
  std::int64_t first = 0;                         ///< the oldest commit that stays
  std::vector<StateRow> rows;                     ///< the state after it, each with a value
  std::function<bool(const Event& event)> carry;  ///< whether an event before it is kept
};

/// Inside the caller's transaction, without foreign keys. Commit `first` is there, and not the
/// oldest. kDataLoss. O(what is dropped).
Status WriteCompaction(const Connection& connection, const CompactionPlan& plan);

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_COMPACT_H_
