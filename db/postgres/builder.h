// PgBuilder: a new ledger in PostgreSQL made of what another store had.
//
// All of it is one transaction, which ends when everything was verified in it. Commits that come
// from elsewhere have not the rows that they changed, so the state after them is a snapshot that is
// kept for ever.
#ifndef MUSTER_DB_POSTGRES_BUILDER_H_
#define MUSTER_DB_POSTGRES_BUILDER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "db/batches/batch_codec.h"
#include "db/hash_chain.h"
#include "db/postgres/connection.h"
#include "db/postgres/place.h"
#include "db/store.h"
#include "muster/status.h"

namespace muster {

class PgBuilder final : public HistoryBuilder {
 public:
  /// kFailedPrecondition: the ledger is there and not empty. kUnavailable: a writer holds it, or
  /// the database is not there.
  static Result<std::unique_ptr<PgBuilder>> Begin(const std::string& url);
  PgBuilder(const PgBuilder&) = delete;
  PgBuilder& operator=(const PgBuilder&) = delete;

  Status AddCommit(const StoredCommit& commit) override;
  Status AddPolicy(const StoredPolicy& policy) override;
  Status SetState(std::span<const StateRow> rows) override;
  Status SetBase(const HistoryBase& base, std::span<const StateRow> rows,
                 std::span<const CarriedEvent> events) override;
  Result<VerifyReport> Finish(const VerifyOptions& options,
                              const std::function<Status(const VerifyReport&)>& judge) override;

 private:
  PgBuilder(PgPlace place, PgConnection connection)
      : place_(std::move(place)), connection_(std::move(connection)) {}
  Status Claim();
  Status Flush();

  const PgPlace place_;
  PgConnection connection_;  // when it ends, so does what was not committed
  std::vector<BatchCommit> batch_;
  std::int64_t batch_bytes_ = 0;
  std::int64_t last_ = 0;
  std::int64_t cycle_ = 0;  ///< the newest
  ChainHash hash_ = kFirstPrevHash;
  std::uint64_t state_digest_ = 0;  ///< as the newest commit says
  PgBase base_;
};

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_BUILDER_H_
