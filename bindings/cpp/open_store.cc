#include "bindings/cpp/open_store.h"

#include <utility>

#include "db/postgres/place.h"
#include "db/postgres/postgres_reader.h"
#include "db/postgres/postgres_store.h"
#include "db/sqlite/ledger.h"
#include "db/sqlite/read_only_ledger.h"

namespace muster {
namespace {

/// An opened store of one kind as one of any kind.
template <typename To, typename From>
Result<std::unique_ptr<To>> AnyKind(Result<std::unique_ptr<From>> opened) {
  if (!opened.ok()) return opened.status();
  return std::unique_ptr<To>(*std::move(opened));
}

}  // namespace

Result<std::unique_ptr<Store>> OpenStore(const std::string& path, const DurableOptions& options,
                                         PgStandby* standby) {
  if (IsPostgres(path)) {
    if (options.relaxed) {
      return Status(StatusCode::kInvalidArgument,
                    "relaxed is for a ledger in a file; a database says synchronous_commit itself");
    }
    PostgresOptions postgres;
    postgres.engine_version = MUSTER_VERSION;
    postgres.create = options.create;
    postgres.lock_wait = options.lock_wait;
    postgres.standby = standby;
    postgres.turns = options.turns;
    postgres.heads = options.heads;
    return AnyKind<Store>(PostgresStore::Open(path, postgres));
  }
  if (!options.heads.empty()) {
    return Status(StatusCode::kInvalidArgument, "heads are for a ledger in a database");
  }
  LedgerOptions ledger;
  ledger.engine_version = MUSTER_VERSION;
  ledger.durability = options.relaxed ? Durability::kRelaxed : Durability::kFull;
  ledger.lock_wait = options.lock_wait;
  ledger.testing = options.testing;
  return AnyKind<Store>(Ledger::Open(path, options.create ? OpenMode::kCreate : OpenMode::kExisting,
                                     std::move(ledger)));
}

Result<std::unique_ptr<HistoryReader>> OpenHistory(const std::string& path) {
  if (IsPostgres(path)) return AnyKind<HistoryReader>(PostgresReader::Open(path));
  return AnyKind<HistoryReader>(ReadOnlyLedger::Open(path));
}

bool IsDatabase(std::string_view path) { return IsPostgres(path); }

bool IsLedgerName(std::string_view name) { return IsPgName(name); }

std::string ShownPlace(const std::string& path) {
  if (!IsPostgres(path)) return path;
  const Result<PgPlace> place = PlaceFrom(path);
  return place.ok() ? place->shown : path.substr(0, path.find("://")) + "://...";
}

}  // namespace muster
