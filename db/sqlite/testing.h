// Switches for tests only: another file system, weaker settings, stopping at a named point.
#ifndef MUSTER_DB_SQLITE_TESTING_H_
#define MUSTER_DB_SQLITE_TESTING_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace muster {

struct LedgerTesting {
  /// Registered SQLite VFS. With one there is no lock file and no path resolution.
  std::string vfs;
  std::optional<std::string> synchronous;  ///< instead of FULL: "NORMAL", "OFF"
  std::optional<int> checkpoint_pages;
  std::optional<std::int64_t> reserve_bytes;
  std::optional<std::chrono::milliseconds> lock_wait;  ///< instead of kLockWait
  /// Called inside a transaction: "begun", "written" (before COMMIT), "committed" (before OK).
  std::function<void(std::string_view point)> at_point;
};

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_TESTING_H_
