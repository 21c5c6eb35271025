// StateDigests: the digest of every row of current state, and their sum, which each commit says.
//
// A row is known by a hash of its table and key (TextHash). Two that had the same would make the
// sum wrong, so that a sound ledger would be called damaged; damage is never hidden by it.
#ifndef MUSTER_DB_POSTGRES_STATE_DIGESTS_H_
#define MUSTER_DB_POSTGRES_STATE_DIGESTS_H_

#include <tsl/robin_map.h>

#include <cstdint>
#include <span>
#include <string>

#include "db/digests/text_hash.h"
#include "db/hash_chain.h"
#include "db/postgres/snapshots.h"
#include "muster/journal.h"

namespace muster {

class StateDigests {
 public:
  StateDigests() = default;
  /// Those of the rows of `state`, whose sum it knows. O(rows).
  explicit StateDigests(const PgState& state);

  /// What a commit changed. O(rows).
  void Add(std::span<const StateRow> rows);
  std::uint64_t sum() const { return sum_; }

 private:
  TextHash HashOf(const StateRow& row);
  /// Sets the digest of a row; what was its digest before, 0 where there was none.
  std::uint64_t Replace(const TextHash& row, std::uint64_t digest);
  std::uint64_t Remove(const TextHash& row);

  tsl::robin_map<TextHash, std::uint64_t, TextHash::Place> digests_;  // looked up only
  std::uint64_t sum_ = 0;
  std::string key_;
  FieldBuffer fields_;
};

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_STATE_DIGESTS_H_
