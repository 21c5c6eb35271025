// PgStandby: is told of a ledger that a store waits for, so that what is made of it is there when
// the store has taken the ledger.
#ifndef MUSTER_DB_POSTGRES_STANDBY_H_
#define MUSTER_DB_POSTGRES_STANDBY_H_

#include <functional>
#include <string_view>
#include <vector>

#include "db/batches/batch_codec.h"
#include "db/store_types.h"
#include "muster/journal.h"
#include "muster/status.h"

namespace muster {

/// Called by the thread that opens the store. What it answers other than OK, or throws, ends it,
/// and the store keeps the rows itself, as without one.
class PgStandby {
 public:
  using FindPolicy = std::function<Result<StoredPolicy>(std::string_view hash)>;
  virtual ~PgStandby() = default;

  /// Once, before any commit: `rows` is the state after `last`, each with a value, in Load's order.
  /// `find` looks packages up, and may be called until the store is open or could not be.
  virtual Status Begin(const LastCommit& last, std::vector<StateRow> rows, FindPolicy find) = 0;
  /// Each commit after that, once and in order. It is the ledger's: its hash, and the digest of the
  /// state that its rows come to, were checked.
  virtual Status Follow(const BatchCommit& commit) = 0;
  /// It is told of nothing more: `why` is what it answered, or that it was too late.
  virtual void End(const Status& why) noexcept = 0;
};

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_STANDBY_H_
