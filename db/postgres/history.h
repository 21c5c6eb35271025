// PgHistory: what one shard of a PostgreSQL database holds, checked as it is read.
//
// Rows of current state are not stored by themselves: they are what the commits changed, one after
// the other. Each function sees the history up to a head that it was given or has read first;
// what is there is never changed, so it is one moment.
#ifndef MUSTER_DB_POSTGRES_HISTORY_H_
#define MUSTER_DB_POSTGRES_HISTORY_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "db/hash_chain.h"
#include "db/postgres/batch_codec.h"
#include "db/postgres/connection.h"
#include "db/store_types.h"
#include "muster/status.h"

namespace muster {

/// The row of muster_shard.
struct PgHead {
  std::int64_t epoch = 0;
  std::int64_t seq = 0;  ///< newest commit
  ChainHash hash = kFirstPrevHash;
  std::string holder;
};

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

class PgHistory {
 public:
  /// `connection` must outlive it. `name` is for messages.
  PgHistory(PgConnection& connection, std::string shard, std::string name)
      : connection_(connection), shard_(std::move(shard)), name_(std::move(name)) {}

  /// kNotFound when there is no such shard, or no table.
  Result<PgHead> Head() const;
  /// Commits from `first` up to `head`, in order, each checked. kDataLoss; `broken`, if given, gets
  /// the number of the first commit that is missing or wrong.
  Status Walk(std::int64_t first, const PgHead& head,
              const std::function<Status(BatchCommit& commit)>& visitor,
              std::int64_t* broken = nullptr) const;
  /// The newest commit and everything it is built on.
  Result<std::map<RowPlace, StateRow>> Rows(const PgHead& head, LastCommit* last = nullptr) const;
  Status Load(const RowVisitor& visitor) const;
  Status ReadCommits(std::int64_t first, const CommitVisitor& visitor) const;
  Result<LastCommit> Last() const;
  Result<StoredPolicy> LoadPolicy(std::string_view hash) const;
  Result<std::vector<std::string>> PolicyHashes() const;
  Result<VerifyReport> Verify(const VerifyOptions& options) const;

  Status Damaged(const std::string& what) const;

 private:
  PgConnection& connection_;
  const std::string shard_;
  const std::string name_;
};

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_HISTORY_H_
