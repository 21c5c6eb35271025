// PostgresReader: looks into a ledger in PostgreSQL, also beside its writer.
#ifndef MUSTER_DB_POSTGRES_POSTGRES_READER_H_
#define MUSTER_DB_POSTGRES_POSTGRES_READER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "db/store.h"
#include "muster/status.h"

namespace muster {

/// Each call sees one moment.
class PostgresReader final : public HistoryReader {
 public:
  /// As PostgresStore::Open takes it. kNotFound when there is no such ledger.
  static Result<std::unique_ptr<PostgresReader>> Open(const std::string& url);
  ~PostgresReader() override;

  Status HoldMoment() override;

  Status LoadWhole(const StateVisitor& visitor) const override;
  Status ReadChain(std::int64_t first, const ChainVisitor& visitor) const override;
  Result<LastCommit> last() const override;
  Result<HistoryBase> base() const override;
  Status LoadBase(const StateVisitor& visitor) const override;
  Status ReadCarried(const CarriedVisitor& visitor) const override;
  Result<StoredPolicy> LoadPolicy(std::string_view hash) const override;
  Result<std::vector<std::string>> PolicyHashes() const override;
  using StoredHistory::Verify;
  Result<VerifyReport> Verify(const VerifyOptions& options) const override;

 private:
  struct State;
  explicit PostgresReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_POSTGRES_READER_H_
