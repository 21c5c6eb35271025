// One transaction, in a file that no other process knows yet: whether it is on disk matters at the
// end.
#include "db/rescue/rebuild.h"

#include <utility>

#include "db/sqlite/base.h"
#include "db/sqlite/lock_file.h"
#include "db/sqlite/migrate.h"
#include "db/sqlite/verify.h"

namespace muster {

Rebuild::Rebuild(std::string to, std::string what)
    : to_(std::move(to)), file_(to_ + ".partial", std::move(what)) {}

Result<std::unique_ptr<Rebuild>> Rebuild::Begin(const std::string& to, const std::string& like,
                                                const std::string& program) {
  if (Status status = PrepareHashing(); !status.ok()) return status;
  const Result<std::string> place = ResolveDirectory(to);
  if (!place.ok()) return Status(StatusCode::kFailedPrecondition, place.status().message());
  if (Status status = CheckFree(*place, "new ledger"); !status.ok()) return status;
  std::unique_ptr<Rebuild> rebuild(new Rebuild(*place, "new ledger"));
  if (Status status = rebuild->file_.Begin(like); !status.ok()) return status;
  if (Status status = rebuild->Start(program); !status.ok()) return status;
  return rebuild;
}

Status Rebuild::Start(const std::string& program) {
  Result<Connection> opened = Connection::Open(file_.path(), Connection::Mode::kCreate, "");
  if (!opened.ok()) return opened.status();
  connection_ = std::move(*opened);
  Status status = connection_->Run(
      "PRAGMA page_size = 4096; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;");
  if (status.ok()) status = Migrate(*connection_, 0, program);
  transaction_ = std::make_unique<Transaction>(*connection_);
  if (status.ok()) status = transaction_->Begin("BEGIN IMMEDIATE");
  if (!status.ok()) return status;
  Result<std::unique_ptr<Writer>> writer = Writer::Create(*connection_, program);
  if (!writer.ok()) return writer.status();
  writer_ = std::move(*writer);
  return Status::Ok();
}

Status Rebuild::AddCommit(const StoredCommit& commit) {
  state_digest_ = commit.state_digest;
  return writer_->AddCommit(commit);
}

Status Rebuild::AddPolicy(const StoredPolicy& policy) { return writer_->WritePolicy(policy); }

Status Rebuild::SetState(std::span<const StateRow> rows) {
  const Result<std::uint64_t> sum = writer_->AddRows(rows);
  if (!sum.ok()) return sum.status();
  if (*sum == state_digest_) return Status::Ok();
  return {StatusCode::kDataLoss, "the rows are not those that the newest commit speaks of"};
}

Status Rebuild::SetBase(const HistoryBase& base, std::span<const StateRow> rows,
                        std::span<const CarriedEvent> events) {
  return WriteBase(*connection_, base, rows, events);
}

Result<VerifyReport> Rebuild::Finish(const VerifyOptions& options,
                                     const std::function<Status(const VerifyReport&)>& judge) {
  writer_.reset();
  Status status = transaction_->Commit();
  transaction_.reset();
  if (!status.ok()) return status;
  Result<VerifyReport> report = Verify(*connection_, options);
  connection_.reset();
  if (!report.ok()) return report;
  if (status = judge(*report); !status.ok()) return status;
  if (status = file_.Name(to_); !status.ok()) return status;
  return report;
}

}  // namespace muster
