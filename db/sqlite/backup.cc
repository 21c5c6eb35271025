// SQLite's backup, inside a transaction that holds the moment; then the copy is looked at as any
// ledger is, and only then named.
#include "db/sqlite/backup.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "db/sqlite/chain_reader.h"
#include "db/sqlite/inode_lock.h"
#include "db/sqlite/lock_file.h"

namespace muster {
namespace {

Status CheckFree(const std::string& to) {
  for (const char* suffix : {"", "-wal", "-journal"}) {
    struct stat about = {};
    const std::string path = to + suffix;
    if (lstat(path.c_str(), &about) == 0) {
      return {StatusCode::kFailedPrecondition,
              path + " exists; a backup replaces nothing, so name another file"};
    }
    if (errno != ENOENT) return SystemError("look at", path);
  }
  return Status::Ok();
}

/// The file that becomes the backup, removed unless it did.
class PartialFile {
 public:
  explicit PartialFile(std::string path) : path_(std::move(path)) {}
  ~PartialFile() {
    if (lock_ && !named_) unlink(path_.c_str());
  }
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const std::string& path() const { return path_; }

  /// Makes it, empty and with the permissions of `like`.
  Status Begin(const std::string& like) {
    if (Status status = CheckOneName(path_); !status.ok()) return status;
    Result<InodeLock> lock = InodeLock::Take(path_, "backup " + path_);
    if (!lock.ok()) return lock.status();
    lock_ = std::move(*lock);
    for (const char* suffix : {"-journal", "-wal", "-shm"}) unlink((path_ + suffix).c_str());
    struct stat about = {};
    if (truncate(path_.c_str(), 0) != 0) return SystemError("empty", path_);
    if (stat(like.c_str(), &about) == 0) chmod(path_.c_str(), about.st_mode & 0777);
    return Status::Ok();
  }

  /// Flushes it and gives it its name, for good.
  Status Name(const std::string& to) {
    const int descriptor = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) return SystemError("open", path_);
    const Status flushed = fsync(descriptor) == 0 ? Status::Ok() : SystemError("flush", path_);
    close(descriptor);
    if (!flushed.ok()) return flushed;
    if (Status status = CheckFree(to); !status.ok()) return status;
    if (Move(to) != 0) {
      return errno == EEXIST ? CheckFree(to) : SystemError("rename " + path_ + " to", to);
    }
    named_ = true;
    const Status kept = SyncDirectoryOf(to);
    if (kept.ok()) return kept;
    return {kept.code(), to + " is a whole backup, but a power cut may take its name from it: " +
                             kept.message()};
  }

 private:
  /// Not over another file, where the file system can tell.
  int Move(const std::string& to) const {
    const int moved = renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
    return moved != 0 && errno == EINVAL ? rename(path_.c_str(), to.c_str()) : moved;
  }

  const std::string path_;
  std::optional<InodeLock> lock_;
  bool named_ = false;
};

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
  if (Status status = CheckFree(*place); !status.ok()) return status;
  PartialFile partial(*place + ".partial");
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
