// SQLite's backup, inside a transaction that holds the moment; then the copy is looked at as any
// ledger is, and only then named.
#include "db/sqlite/backup.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include <memory>
#include <utility>

#include "db/sqlite/chain_reader.h"
#include "db/sqlite/lock_file.h"
#include "db/sqlite/partial_file.h"

namespace muster {
namespace {

struct FinishBackup {
  void operator()(sqlite3_backup* backup) const { sqlite3_backup_finish(backup); }
};

Status CopyPages(const Connection& source, const Connection& copy, const BackupOptions& options) {
  const std::unique_ptr<sqlite3_backup, FinishBackup> backup(
      sqlite3_backup_init(copy.handle(), "main", source.handle(), "main"));
  if (!backup) return copy.Error(sqlite3_extended_errcode(copy.handle()), "begin to copy into it");
  int code = SQLITE_OK;
  while (code == SQLITE_OK) {
    code = sqlite3_backup_step(backup.get(), options.pages_a_step);
    const std::int64_t total = sqlite3_backup_pagecount(backup.get());
    if (options.progress && (code == SQLITE_OK || code == SQLITE_DONE)) {
      options.progress(total - sqlite3_backup_remaining(backup.get()), total);
    }
  }
  return code == SQLITE_DONE ? Status::Ok() : copy.Error(code, "copy into it");
}

Status Copy(const Connection& source, const std::string& to, const BackupOptions& options,
            ChainTail* tail) {
  Result<Connection> copy = Connection::Open(to, Connection::Mode::kReadWrite, "");
  if (copy.status().code() == StatusCode::kNotFound) {  // as SQLite says of an empty file
    return {StatusCode::kUnavailable, "cannot open " + to + ", which was begun just now"};
  }
  if (!copy.ok()) return copy.status();
  // Whether it is on disk matters at the end only, and until then it may be lost.
  Status status = copy->Run("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;");
  Transaction moment(source);
  if (status.ok()) status = moment.Begin("BEGIN");
  if (!status.ok()) return status;
  const Result<ChainTail> read = ReadTail(source);
  if (!read.ok()) return read.status();
  *tail = *read;
  return CopyPages(source, *copy, options);
}

Result<VerifyReport> CheckCopy(const std::string& path, const ChainTail& tail,
                               const VerifyOptions& options) {
  Result<Connection> copy = Connection::Open(path, Connection::Mode::kStill, "");
  if (!copy.ok()) return copy.status();
  Result<VerifyReport> report = Verify(*copy, options);
  if (!report.ok()) return report;
  if (!report->sound()) {
    return Status(StatusCode::kDataLoss,
                  "no backup was made: the copy " + path +
                      " is damaged, so the ledger is as well, or the disk of the copy: " +
                      report->findings.front());
  }
  const Result<ChainTail> copied = ReadTail(*copy);
  if (!copied.ok()) return copied.status();
  if (copied->hash != tail.hash || copied->last.seq != tail.last.seq) {
    return Status(StatusCode::kInternal, "the copy is of another moment than the ledger was");
  }
  return report;
}

}  // namespace

Result<Backup> BackUp(const Connection& source, const std::string& to,
                      const BackupOptions& options) {
  const auto reached = [&options](std::string_view point) {
    if (options.at_point) options.at_point(point);
  };
  const Result<std::string> place = ResolveDirectory(to);
  if (!place.ok()) return Status(StatusCode::kFailedPrecondition, place.status().message());
  if (Status status = CheckFree(*place, "backup"); !status.ok()) return status;
  PartialFile partial(*place + ".partial", "backup");
  if (Status status = partial.Begin(source.path()); !status.ok()) return status;
  ChainTail tail;
  if (Status status = Copy(source, partial.path(), options, &tail); !status.ok()) return status;
  reached("copied");
  Result<VerifyReport> report = CheckCopy(partial.path(), tail, options.verify);
  if (!report.ok()) return report.status();
  reached("verified");
  if (Status status = partial.Name(*place); !status.ok()) return status;
  reached("named");
  struct stat about = {};
  if (stat(place->c_str(), &about) != 0) return SystemError("look at", *place);
  return Backup{tail.last, about.st_size, std::move(*report)};
}

}  // namespace muster
