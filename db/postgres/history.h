// PgHistory: what one shard of a PostgreSQL database holds, checked as it is read.
//
// Rows of current state are a snapshot and what the commits after it changed. Each function sees
// the history up to a head that it was given, holds or has read first; what is there is never
// changed, so it is one moment.
#ifndef MUSTER_DB_POSTGRES_HISTORY_H_
#define MUSTER_DB_POSTGRES_HISTORY_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "db/batches/batch_codec.h"
#include "db/hash_chain.h"
#include "db/postgres/connection.h"
#include "db/postgres/snapshots.h"
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

class PgHistory {
 public:
  /// `connection` must outlive it. `name` is for messages.
  PgHistory(PgConnection& connection, std::string shard, std::string name)
      : connection_(connection), shard_(std::move(shard)), name_(std::move(name)) {}

  /// kNotFound when there is no such shard, or no table. kFailedPrecondition: a newer Muster's.
  Result<PgHead> Head() const;
  /// From now on Head is the one of this moment.
  Status Hold();
  /// Commits from `first`, or the oldest there is, up to `head`, in order, each checked. kDataLoss;
  /// `broken`, if given, gets the number of the first commit that is missing or wrong.
  Status Walk(std::int64_t first, const PgHead& head,
              const std::function<Status(BatchCommit& commit)>& visitor,
              std::int64_t* broken = nullptr) const;
  /// The state after `head`: the newest snapshot and what was changed since. O(both).
  Result<PgState> Rows(const PgHead& head) const;
  /// The same from an earlier state on. kDataLoss, too, when the history ends before it.
  Status Follow(const PgHead& head, PgState* state) const;
  /// Walk from commit `last` on, which was there before, or from the first. kDataLoss, too, when
  /// the history ends before it.
  Status WalkOn(std::int64_t last, const PgHead& head,
                const std::function<Status(BatchCommit& commit)>& visitor) const;
  /// That the rows after commit `seq` are not those that it speaks of.
  Status Differs(std::int64_t seq) const;
  Status LoadWhole(const StateVisitor& visitor) const;
  Status ReadChain(std::int64_t first, const ChainVisitor& visitor) const;
  Result<LastCommit> Last() const;
  Result<HistoryBase> Base() const;
  Status LoadBase(const StateVisitor& visitor) const;
  Status ReadCarried(const CarriedVisitor& visitor) const;
  Result<StoredPolicy> LoadPolicy(std::string_view hash) const;
  Result<std::vector<std::string>> PolicyHashes() const;
  Result<VerifyReport> Verify(const VerifyOptions& options) const;

  Status Damaged(const std::string& what) const;

 private:
  PgSnapshots Snapshots() const { return {connection_, shard_}; }
  /// Read once: it never changes.
  Result<PgBase> WholeBase() const;

  PgConnection& connection_;
  const std::string shard_;
  const std::string name_;
  std::optional<PgHead> held_;
  mutable std::optional<PgBase> base_;
};

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_HISTORY_H_
