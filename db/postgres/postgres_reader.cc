#include "db/postgres/postgres_reader.h"

#include <utility>

#include "db/hash_chain.h"
#include "db/postgres/connection.h"
#include "db/postgres/history.h"
#include "db/postgres/place.h"

namespace muster {

struct PostgresReader::State {
  State(const PgPlace& place, PgConnection opened)
      : connection(std::move(opened)), history(connection, place.shard, place.shown) {}

  PgConnection connection;
  PgHistory history;
};

PostgresReader::PostgresReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
PostgresReader::~PostgresReader() = default;

Result<std::unique_ptr<PostgresReader>> PostgresReader::Open(const std::string& url) {
  if (Status status = PrepareHashing(); !status.ok()) return status;
  const Result<PgPlace> place = PlaceFrom(url);
  if (!place.ok()) return place.status();
  Result<PgConnection> opened = PgConnection::Open(place->url);
  if (!opened.ok()) return opened.status();
  std::unique_ptr<PostgresReader> reader(
      new PostgresReader(std::make_unique<State>(*place, std::move(*opened))));
  if (const Result<PgHead> head = reader->state_->history.Head(); !head.ok()) {
    return head.status();
  }
  return reader;
}

Status PostgresReader::HoldMoment() { return state_->history.Hold(); }
Status PostgresReader::LoadWhole(const StateVisitor& visitor) const {
  return state_->history.LoadWhole(visitor);
}
Status PostgresReader::ReadChain(std::int64_t first, const ChainVisitor& visitor) const {
  return state_->history.ReadChain(first, visitor);
}
Result<LastCommit> PostgresReader::last() const { return state_->history.Last(); }
Result<HistoryBase> PostgresReader::base() const { return state_->history.Base(); }
Status PostgresReader::LoadBase(const StateVisitor& visitor) const {
  return state_->history.LoadBase(visitor);
}
Status PostgresReader::ReadCarried(const CarriedVisitor& visitor) const {
  return state_->history.ReadCarried(visitor);
}
Result<StoredPolicy> PostgresReader::LoadPolicy(std::string_view hash) const {
  return state_->history.LoadPolicy(hash);
}
Result<std::vector<std::string>> PostgresReader::PolicyHashes() const {
  return state_->history.PolicyHashes();
}
Result<VerifyReport> PostgresReader::Verify(const VerifyOptions& options) const {
  return state_->history.Verify(options);
}

}  // namespace muster
