// Settings follow db/README.md, which says why each is there. Every code that SQLite returns is
// extended, so the cause of an I/O error (write, flush, read) is in the message.
#include "db/sqlite/connection.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace muster {
namespace {

constexpr int kOldestSqlite = 3'037'000;  // STRICT tables

constexpr const char* kEveryConnection =
    "PRAGMA foreign_keys = ON;"
    "PRAGMA trusted_schema = OFF;"
    "PRAGMA cell_size_check = ON;"
    "PRAGMA mmap_size = 0;"
    "PRAGMA temp_store = MEMORY;";

StatusCode CodeFor(int primary) {
  switch (primary) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return StatusCode::kDataLoss;
    case SQLITE_IOERR:
    case SQLITE_FULL:
    case SQLITE_NOMEM:
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PERM:
    case SQLITE_PROTOCOL:
      return StatusCode::kUnavailable;
    default:
      return StatusCode::kInternal;
  }
}

std::string Explain(sqlite3* handle, int code) {
  const int primary = code & 0xff;
  if (primary == SQLITE_FULL) return "the disk is full";
  if (code == SQLITE_CANTOPEN_SYMLINK) return "it is a symbolic link; name the file itself";
  if (code == SQLITE_READONLY_DIRECTORY) {
    return "its directory may not be written, which is needed even for reading; read a copy of it";
  }
  if (primary == SQLITE_BUSY) return "another process keeps it locked; try again when it is done";
  std::string text = primary == SQLITE_NOMEM ? "out of memory" : sqlite3_errstr(code);
  // A backup's errors are not the handle's.
  const bool known = handle != nullptr && sqlite3_errcode(handle) != SQLITE_OK;
  const char* detail = known ? sqlite3_errmsg(handle) : nullptr;
  if (detail != nullptr && primary != SQLITE_NOMEM && text != detail) {
    text += std::string(": ") + detail;
  }
  text += " (SQLite code " + std::to_string(code);
  const int system = handle == nullptr ? 0 : sqlite3_system_errno(handle);
  if (primary == SQLITE_IOERR && system != 0)
    text += ", " + std::generic_category().message(system);
  return text + ")";
}

/// What running `sql` is about; statements are no words for people.
std::string Doing(std::string_view sql) {
  if (sql.starts_with("PRAGMA")) return "read its settings";
  if (sql.starts_with("SELECT") || sql.starts_with("WITH")) return "read its rows";
  for (const std::string_view writes : {"INSERT", "UPDATE", "DELETE", "REPLACE"}) {
    if (sql.starts_with(writes)) return "write its rows";
  }
  return "run \"" + std::string(sql) + "\"";
}

Status SetSwitch(sqlite3* handle, int which, int on) {
  int now = 0;
  if (sqlite3_db_config(handle, which, on, &now) == SQLITE_OK && now == on) return Status::Ok();
  return {StatusCode::kInternal, "SQLite refuses a safety switch"};
}

Status SetSwitches(sqlite3* handle) {
  struct Switch {
    int which;
    int on;
  };
  for (const Switch s :
       {Switch{SQLITE_DBCONFIG_DEFENSIVE, 1}, Switch{SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
        Switch{SQLITE_DBCONFIG_DQS_DML, 0}, Switch{SQLITE_DBCONFIG_DQS_DDL, 0},
        Switch{SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1}}) {
    if (Status status = SetSwitch(handle, s.which, s.on); !status.ok()) return status;
  }
  return Status::Ok();
}

/// `path` as a URI that says that no process changes the file.
std::string StillUri(const std::string& path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '%' || c == '?' || c == '#') {
      uri += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

}  // namespace

std::string NotALedger(const std::string& path, const std::string& what) {
  return path + " is not a Muster ledger: " + what +
         "; name a ledger, or to begin one a file that is not there yet";
}

bool FileIsThere(const std::string& vfs, const std::string& path) {
  sqlite3_vfs* files = sqlite3_vfs_find(vfs.empty() ? nullptr : vfs.c_str());
  int there = 0;
  if (files == nullptr ||
      files->xAccess(files, path.c_str(), SQLITE_ACCESS_EXISTS, &there) != SQLITE_OK) {
    return false;
  }
  struct stat about = {};
  return there != 0 || (vfs.empty() && stat(path.c_str(), &about) != 0 && errno == EACCES);
}

void Connection::Close::operator()(sqlite3* handle) const { sqlite3_close(handle); }

Result<Connection> Connection::Open(const std::string& path, Mode mode, const std::string& vfs,
                                    std::chrono::milliseconds lock_wait) {
  if (sqlite3_libversion_number() < kOldestSqlite) {
    return Status(StatusCode::kFailedPrecondition,
                  std::string("SQLite 3.37 or newer is needed, this is ") + sqlite3_libversion());
  }
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE;
  const bool still = mode == Mode::kStill;
  flags |= still || mode == Mode::kReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  if (mode == Mode::kCreate) flags |= SQLITE_OPEN_CREATE;
  if (still) flags |= SQLITE_OPEN_URI;
  Connection connection(path, lock_wait);
  if (vfs.empty()) connection.inode_ = NoteOpen(path);
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(still ? StillUri(path).c_str() : path.c_str(), &handle, flags,
                                   vfs.empty() ? nullptr : vfs.c_str());
  connection.handle_.reset(handle);
  if (vfs.empty() && !connection.inode_) connection.inode_ = NoteOpen(path);  // created just now
  if (code == SQLITE_CANTOPEN && mode != Mode::kCreate && !FileIsThere(vfs, path)) {
    return Status(StatusCode::kNotFound, "ledger " + path + " does not exist");
  }
  if (code != SQLITE_OK) return connection.Error(code, "open it");
  connection.WaitForLocks(true);
  if (Status status = SetSwitches(handle); !status.ok()) return status;
  if (Status status = connection.Run(kEveryConnection); !status.ok()) return status;
  return connection;
}

Status Connection::PrepareForWriting(const std::string& synchronous) {
  const std::string settings =
      "PRAGMA page_size = 4096;"
      "PRAGMA journal_mode = WAL;"
      "PRAGMA synchronous = " +
      synchronous +
      ";"
      "PRAGMA wal_autocheckpoint = 0;"
      "PRAGMA journal_size_limit = 67108864;";
  if (Status status = Run(settings.c_str()); !status.ok()) return status;
  // A statement that cannot have WAL keeps the old mode and says nothing.
  sqlite3_stmt* statement = nullptr;
  int code = sqlite3_prepare_v2(handle(), "PRAGMA journal_mode", -1, &statement, nullptr);
  if (code == SQLITE_OK) code = sqlite3_step(statement);
  const auto* mode = code == SQLITE_ROW
                         ? reinterpret_cast<const char*>(sqlite3_column_text(statement, 0))
                         : nullptr;
  const bool wal = mode != nullptr && std::strcmp(mode, "wal") == 0;
  sqlite3_finalize(statement);
  if (wal) return Status::Ok();
  if (code != SQLITE_ROW) return Error(code, "set its journal mode");
  return {StatusCode::kUnavailable,
          "ledger " + path_ + ": this place does not allow a WAL journal"};
}

void Connection::WaitForLocks(bool wait) const {
  sqlite3_busy_timeout(handle(), wait ? static_cast<int>(lock_wait_.count()) : 0);
}

Status Connection::HoldMoment() {
  if (Status status = Run("BEGIN"); !status.ok()) return status;
  holds_moment_ = true;
  // The moment is that of the first reading.
  return Number("SELECT count(*) FROM sqlite_schema").status();
}

void Connection::FoldOnClose() {
  sqlite3_db_config(handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
}

Status Connection::Run(const char* sql) const {
  const int code = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr);
  if (code == SQLITE_OK) return Status::Ok();
  return Error(code, Doing(sql));
}

Result<std::int64_t> Connection::Number(const char* sql) const {
  sqlite3_stmt* statement = nullptr;
  int code = sqlite3_prepare_v2(handle(), sql, -1, &statement, nullptr);
  std::int64_t number = 0;
  if (code == SQLITE_OK) code = sqlite3_step(statement);
  if (code == SQLITE_ROW) number = sqlite3_column_int64(statement, 0);
  const int finish = sqlite3_finalize(statement);
  if (code == SQLITE_ROW || code == SQLITE_DONE) code = finish;
  if (code != SQLITE_OK) return Error(code, Doing(sql));
  return number;
}

Status Connection::Error(int code, std::string_view doing) const {
  disk_full_ = (code & 0xff) == SQLITE_FULL;
  locked_ = (code & 0xff) == SQLITE_BUSY;
  if ((code & 0xff) == SQLITE_NOTADB) {
    return {StatusCode::kDataLoss,
            NotALedger(path_, "it is another kind of file, or its first bytes are damaged")};
  }
  const std::string_view said = handle() == nullptr ? "" : sqlite3_errmsg(handle());
  if ((code & 0xff) == SQLITE_ERROR && said.starts_with("no such ")) {
    return {StatusCode::kDataLoss, "ledger " + path_ + " is damaged: " + std::string(said) +
                                       "; muster ledger recover says what can be saved"};
  }
  return {CodeFor(code & 0xff), "ledger " + path_ + ": cannot " + std::string(doing) + ": " +
                                    Explain(handle_.get(), code)};
}

Transaction::~Transaction() {
  if (!connection_.holds_moment() && sqlite3_get_autocommit(connection_.handle()) == 0) {
    sqlite3_exec(connection_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

Status Transaction::Begin(const char* begin) {
  if (connection_.holds_moment()) {
    if (sqlite3_get_autocommit(connection_.handle()) == 0) return Status::Ok();
    return {StatusCode::kUnavailable, "ledger " + connection_.path() +
                                          ": an error ended the moment that was read; read it "
                                          "again"};
  }
  // Left open by a ROLLBACK that found no memory.
  if (sqlite3_get_autocommit(connection_.handle()) == 0) {
    if (Status status = connection_.Run("ROLLBACK"); !status.ok()) return status;
  }
  return connection_.Run(begin);
}
Status Transaction::Commit() { return connection_.Run("COMMIT"); }

}  // namespace muster
