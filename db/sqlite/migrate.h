// Migrations: how the file of an older Muster becomes one of this version. Forward only.
#ifndef MUSTER_DB_SQLITE_MIGRATE_H_
#define MUSTER_DB_SQLITE_MIGRATE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "db/sqlite/connection.h"
#include "muster/status.h"

namespace muster {

/// One file of db/sqlite/migrations: brings a ledger from version - 1 to `version`.
struct Migration {
  std::int64_t version = 0;
  std::string_view sql;  ///< ends with PRAGMA user_version = `version`
};

/// All of them, compiled in; versions are 1, 2, 3, ...
std::span<const Migration> Migrations();
/// The version that this program writes.
std::int64_t NewestVersion();

/// Version from which on rows of `meta` have a digest.
inline constexpr std::int64_t kMetaDigestVersion = 2;
/// The first in which a commit keeps its command.
inline constexpr std::int64_t kCommandVersion = 3;
/// The first whose history may begin later than with the first commit.
inline constexpr std::int64_t kBaseVersion = 6;
/// Key of the row of `meta` that names the program that made a version.
std::string MetaKey(std::int64_t version);

/// Applies what comes after `version`, each in a transaction of its own, and notes in `meta` which
/// program did it. After an error the file is at the last version that was completed.
Status Migrate(const Connection& connection, std::int64_t version, const std::string& program);

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_MIGRATE_H_
