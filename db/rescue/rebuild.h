// Rebuild: a new ledger made of commits, rows and packages that another one had.
//
// The commits keep their numbers and hashes, so the new history is a part of the old one and can be
// compared with a copy of it. The file is PATH.partial until it was verified.
#ifndef MUSTER_DB_RESCUE_REBUILD_H_
#define MUSTER_DB_RESCUE_REBUILD_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "db/chain_links.h"
#include "db/sqlite/connection.h"
#include "db/sqlite/partial_file.h"
#include "db/sqlite/writer.h"
#include "db/store.h"
#include "muster/status.h"

namespace muster {

class Rebuild final : public HistoryBuilder {
 public:
  /// kFailedPrecondition: `to` exists. kUnavailable. `like` has the permissions that it gets,
  /// `program` is the version of this one.
  static Result<std::unique_ptr<Rebuild>> Begin(const std::string& to, const std::string& like,
                                                const std::string& program);
  Rebuild(const Rebuild&) = delete;
  Rebuild& operator=(const Rebuild&) = delete;

  Status AddCommit(const StoredCommit& commit) override;
  Status AddPolicy(const StoredPolicy& policy) override;
  Status SetState(std::span<const StateRow> rows) override;
  Status SetBase(const HistoryBase& base, std::span<const StateRow> rows,
                 std::span<const CarriedEvent> events) override;
  /// The file gets its name at the end.
  Result<VerifyReport> Finish(const VerifyOptions& options,
                              const std::function<Status(const VerifyReport&)>& judge) override;

 private:
  Rebuild(std::string to, std::string what);
  Status Start(const std::string& program);

  const std::string to_;
  PartialFile file_;
  std::optional<Connection> connection_;
  std::unique_ptr<Transaction> transaction_;
  std::unique_ptr<Writer> writer_;
  std::uint64_t state_digest_ = 0;  ///< as the newest commit says
};

}  // namespace muster

#endif  // MUSTER_DB_RESCUE_REBUILD_H_
