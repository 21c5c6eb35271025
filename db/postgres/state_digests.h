// StateDigests: the digest of every row of current state, and their sum, which each commit says.
#ifndef MUSTER_DB_POSTGRES_STATE_DIGESTS_H_
#define MUSTER_DB_POSTGRES_STATE_DIGESTS_H_

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>

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
  /// In `key_`.
  const std::string& KeyOf(const StateRow& row);

  std::unordered_map<std::string, std::uint64_t> digests_;  // by table and key; looked up only
  std::uint64_t sum_ = 0;
  std::string key_;
  FieldBuffer fields_;
};

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_STATE_DIGESTS_H_
