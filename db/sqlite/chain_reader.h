// The history as it was stored, checked link by link while it is read.
//
// Each function runs in a transaction that the caller began, so that what it reads fits together.
#ifndef MUSTER_DB_SQLITE_CHAIN_READER_H_
#define MUSTER_DB_SQLITE_CHAIN_READER_H_

#include <cstdint>

#include "db/chain_links.h"
#include "db/hash_chain.h"
#include "db/sqlite/connection.h"
#include "db/store_types.h"
#include "muster/status.h"

namespace muster {

/// End of the history: where the next commit is added.
struct ChainTail {
  LastCommit last;
  ChainHash hash = kFirstPrevHash;
  std::int64_t next_event = 1;
  std::uint64_t state_digest = 0;  ///< sum of the digests of all rows of current state
};

/// The end of the history as stored, without looking at what is before it. O(log commits).
Result<ChainTail> ReadTail(const Connection& connection);

/// Commits from `first`, or the oldest that the base names, on, each recomputed and compared with
/// its stored hash, its predecessor and its place. kDataLoss at the first that is missing or
/// differs; its number goes to `broken`, if given.
Status WalkChain(const Connection& connection, std::int64_t first, const ChainVisitor& visitor,
                 std::int64_t* broken = nullptr);

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_CHAIN_READER_H_
