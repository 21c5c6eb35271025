// FollowedLedger: what a store knows of a ledger that it waits for: its rows, or, where a PgStandby
// has them, their digests alone.
#ifndef MUSTER_DB_POSTGRES_FOLLOWED_LEDGER_H_
#define MUSTER_DB_POSTGRES_FOLLOWED_LEDGER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "db/postgres/history.h"
#include "db/postgres/snapshots.h"
#include "db/postgres/standby.h"
#include "db/postgres/state_digests.h"
#include "db/store_types.h"
#include "muster/status.h"

namespace muster {

class FollowedLedger {
 public:
  /// `history` reads the ledger whenever it is called. `standby` may be null.
  FollowedLedger(std::function<PgHistory()> history, PgStandby* standby)
      : history_(std::move(history)), offered_(standby) {}

  /// Up to `head`, while another writes. A standby is told of commits for no longer than a moment,
  /// so that one that lags tries to take the ledger all the same.
  Status KeepUp(const PgHead& head);
  /// Up to `head`, of a ledger that has been taken. A standby for which that takes longer than
  /// rows would is ended.
  Status Finish(const PgHead& head);

  /// The newest commit that it knows of; -1 before it knows anything.
  std::int64_t seq() const { return rows_ ? rows_->last.seq : standby_ ? last_.seq : -1; }
  // Of the newest commit that Finish came to.
  const LastCommit& last() const { return last_; }
  std::int64_t next_event() const { return next_event_; }
  std::int64_t bytes() const { return bytes_; }            ///< as of PgState
  std::int64_t tail_bytes() const { return tail_bytes_; }  ///< as of PgState
  StateDigests TakeDigests() { return std::move(digests_); }
  /// The rows; nullopt where the standby has them, or they were taken.
  std::optional<PgState> TakeRows() { return std::exchange(rows_, std::nullopt); }

 private:
  Status ReadRows(const PgHead& head);
  /// Takes what a writer needs to know from `rows_`.
  void Digest();
  void HandOver();
  /// Tells the standby of commits up to `head`, or for `within` and of one at least.
  Status Tell(const PgHead& head, std::chrono::milliseconds within);
  void EndStandby(const Status& why);

  const std::function<PgHistory()> history_;
  PgStandby* offered_;            // until it has been given the rows
  PgStandby* standby_ = nullptr;  // has all up to `last_`, of which this has only the digests
  std::optional<PgState> rows_;   // else
  LastCommit last_;
  std::int64_t next_event_ = 1;
  std::int64_t bytes_ = 0;
  std::int64_t tail_bytes_ = 0;
  StateDigests digests_;
};

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_FOLLOWED_LEDGER_H_
