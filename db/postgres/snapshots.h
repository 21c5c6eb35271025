// Snapshots: states that opening begins with, so that it need not add up the whole history.
//
// A snapshot is the rows after one commit, in parts of about a megabyte. It says nothing new: the
// commits say it too, and its digests must add up to what its commit says. So any process may write
// one at any time, and two that write the same one write the same.
#ifndef MUSTER_DB_POSTGRES_SNAPSHOTS_H_
#define MUSTER_DB_POSTGRES_SNAPSHOTS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/batches/batch_codec.h"
#include "db/hash_chain.h"
#include "db/postgres/connection.h"
#include "db/store_types.h"
#include "muster/journal.h"
#include "muster/status.h"

namespace muster {

/// Rows of current state, ordered as Load gives them.
struct RowPlace {
  StateRow::Table table;
  std::string first;  ///< of its key, up to the first slash where the table has two parts
  std::string rest;
  auto operator<=>(const RowPlace&) const = default;
};
RowPlace PlaceOf(const StateRow& row);
/// Of a row with a value, as in every store.
std::uint64_t DigestOf(const StateRow& row, FieldBuffer* fields);

/// About the bytes that a row takes.
std::int64_t SizeOf(const StateRow& row);

struct PgState {
  LastCommit last;              ///< the state is that after it
  std::int64_t next_event = 1;  ///< once that commit has been read
  std::uint64_t digest = 0;     ///< sum of the rows' digests
  std::int64_t bytes = 0;       ///< of the snapshot
  std::int64_t tail_bytes = 0;  ///< about what was added to it since
  std::map<RowPlace, StateRow> rows;
};

class PgSnapshots {
 public:
  /// `connection` must outlive it.
  PgSnapshots(PgConnection& connection, std::string_view shard)
      : connection_(connection), shard_(shard) {}

  /// Numbers of the commits after which there is one, in order.
  Result<std::vector<std::int64_t>> Seqs() const;
  /// kNotFound when there is none, or it was dropped meanwhile. kDataLoss when it cannot be read.
  /// That its digest is what its commit says is for the caller to check.
  Result<PgState> Read(std::int64_t seq) const;
  /// The newest up to `seq`; an empty state when there is none.
  Result<PgState> Newest(std::int64_t seq) const;
  /// In the caller's transaction. What another has written is left. Of `last` only the number and
  /// the cycle are kept.
  Status Write(const LastCommit& last, std::span<const StateRow> rows, bool kept) const;
  /// Drops all but the two newest and those that are kept.
  Status DropOld() const;

  /// Where the history begins: with commit 1 when nothing else is said. kDataLoss.
  Result<PgBase> Base() const;
  Status WriteBase(const PgBase& base) const;

 private:
  PgConnection& connection_;
  const std::string shard_;
};

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_SNAPSHOTS_H_
