#include "db/sqlite/wal_mark.h"

#include <sqlite3.h>

#include <cstring>
#include <optional>

namespace muster {
namespace {

// https://www.sqlite.org/fileformat.html, section 4.
constexpr std::int64_t kHeaderBytes = 32;
constexpr std::int64_t kSaltOffset = 16;
constexpr std::int64_t kFrameBytes = 24 + 4096;

sqlite3_file* LogOf(const Connection& connection) {
  sqlite3_file* file = nullptr;
  const int code = sqlite3_file_control(connection.handle(), "main", SQLITE_FCNTL_JOURNAL_POINTER,
                                        static_cast<void*>(&file));
  return code == SQLITE_OK && file != nullptr && file->pMethods != nullptr ? file : nullptr;
}

std::optional<std::uint64_t> ReadSalt(sqlite3_file* log) {
  std::uint64_t salt = 0;
  const int code = log->pMethods->xRead(log, &salt, sizeof(salt), kSaltOffset);
  if (code != SQLITE_OK) return std::nullopt;
  return salt;
}

}  // namespace

Status WalMark::Confirm(const Connection& connection, std::int64_t frames) {
  frames_ = frames;
  if (frames <= 0) return Status::Ok();
  sqlite3_file* log = LogOf(connection);
  const std::optional<std::uint64_t> salt = log == nullptr ? std::nullopt : ReadSalt(log);
  if (salt) {
    salt_ = *salt;
    return Status::Ok();
  }
  frames_ = -1;
  return connection.Error(SQLITE_IOERR_READ, "read its log");
}

void WalMark::CutBack(const Connection& connection) const {
  sqlite3_file* log = LogOf(connection);
  if (frames_ < 0 || log == nullptr) return;
  sqlite3_int64 size = 0;
  if (log->pMethods->xFileSize(log, &size) != SQLITE_OK || size == 0) return;
  std::int64_t keep = 0;
  if (frames_ > 0) {
    const std::optional<std::uint64_t> salt = ReadSalt(log);
    if (!salt) return;
    // Another salt: the failed commit began the log anew, which SQLite does only once all of the
    // old one is in the main file.
    if (*salt == salt_) keep = kHeaderBytes + frames_ * kFrameBytes;
  }
  if (size > keep) log->pMethods->xTruncate(log, keep);
}

std::int64_t WalMark::bytes() const {
  return frames_ > 0 ? kHeaderBytes + frames_ * kFrameBytes : 0;
}

}  // namespace muster
