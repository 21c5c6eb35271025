// PostgresStore: the Store in a PostgreSQL database, for gateways that outgrow one machine.
//
// One row of muster_shard says which writer holds a ledger, in which epoch, and where its history
// ends. A group of commits is one statement: it moves this row on, if epoch and end are still the
// writer's own, and adds the group. Nothing else makes it safe, no clock and no lock: a writer that
// was taken over from changes no row, learns so, and stops; nothing that it computed becomes
// durable or visible. The lease only says when another may try. A statement is never cancelled;
// when a connection breaks the outcome is unknown, so the store connects again and looks. Several
// groups may be on their way (GroupsInFlight).
//
// Patterned on the fencing tokens of M. Kleppmann, "How to do distributed locking" (2016).
#ifndef MUSTER_DB_POSTGRES_POSTGRES_STORE_H_
#define MUSTER_DB_POSTGRES_POSTGRES_STORE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "db/postgres/standby.h"
#include "db/standby_turns.h"
#include "db/store.h"
#include "muster/status.h"

namespace muster {

/// Switches for tests only.
struct PostgresTesting {
  /// Leaves the epoch out of the condition of a commit: the fence is down, and must be missed.
  bool without_fence = false;
  /// Unless 0, so many groups are said to be useful to have in flight.
  std::size_t groups = 0;
  /// Called when a store that waits for its ledger has followed up to this commit.
  std::function<void(std::int64_t seq)> followed;
  /// Groups of about so many bytes have their changes sent ahead. Below, a second statement would
  /// cost more than the hashes do.
  std::size_t ahead_from = std::size_t{1} << 14;
  /// Called when the changes of a group were sent, and before its links are.
  std::function<void()> sent_ahead;
};

struct PostgresOptions {
  std::string engine_version = "unknown";  ///< recorded with every commit
  bool create = true;                      ///< makes what is not there; else kNotFound
  /// How long a ledger that another process holds is waited for. Meanwhile its history is
  /// followed, so that taking over needs to read only what came last.
  std::chrono::milliseconds lock_wait{0};
  /// Is told what was followed, if given; must outlive the opening. The store has no rows then.
  PgStandby* standby = nullptr;
  /// Says when there is something to follow, and when the ledger may be taken, if given; else both
  /// are tried again and again. Must outlive the opening.
  StandbyTurns* turns = nullptr;
  /// Unless empty: a folder with a file for each ledger, see KnownHead. kDataLoss where the
  /// database has not the newest commit that was confirmed to this machine.
  std::string heads;
  /// How long a writer that is not heard of keeps its ledger.
  std::chrono::milliseconds lease{3'000};
  /// How long a broken connection is tried again; the first one, too, where `lock_wait` is longer.
  std::chrono::milliseconds reconnect{60'000};
  /// A snapshot is made when this much, and as much as two of the newest, has come since it.
  std::int64_t snapshot_bytes = 8 << 20;
  const PostgresTesting* testing = nullptr;  ///< must outlive the store
};

class PostgresStore final : public Store {
 public:
  /// `url` as libpq takes it; after a # the name of the ledger in the database, "main" without.
  /// kUnavailable: another process holds it (the message names it), or the database is not there.
  /// kDataLoss: damaged. O(rows of current state).
  static Result<std::unique_ptr<PostgresStore>> Open(const std::string& url,
                                                     PostgresOptions options = {});
  /// Close, its result ignored.
  ~PostgresStore() override;
  PostgresStore(const PostgresStore&) = delete;
  PostgresStore& operator=(const PostgresStore&) = delete;

  /// Lets go of the ledger: another may take it at once.
  Status Close() override;

  Result<Ticket> Append(Commit commit) override;
  Status Durable(Ticket ticket) override;
  std::size_t useful_groups() const noexcept override;
  Status Begin(Ticket ticket) override;
  Result<bool> Await(Ticket ticket) override;
  void Wake() noexcept override;

  Status LoadWhole(const StateVisitor& visitor) const override;
  Status ReadChain(std::int64_t first, const ChainVisitor& visitor) const override;
  Result<LastCommit> last() const override;
  Result<HistoryBase> base() const override;
  Status LoadBase(const StateVisitor& visitor) const override;
  Status ReadCarried(const CarriedVisitor& visitor) const override;

  Status StorePolicy(const StoredPolicy& policy) override;
  Result<StoredPolicy> LoadPolicy(std::string_view hash) const override;
  Result<std::vector<std::string>> PolicyHashes() const override;

  using StoredHistory::Verify;
  Result<VerifyReport> Verify(const VerifyOptions& options) const override;
  StoreHealth health() const override;
  bool superseded() const noexcept override;

 private:
  struct State;
  explicit PostgresStore(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_POSTGRES_STORE_H_
