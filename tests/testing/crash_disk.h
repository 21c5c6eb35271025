// What the parts of CrashVfs share: its disk, its open files, and which of them holds which lock.
//
// Internal to tests/testing/crash_vfs*.cc.
#ifndef MUSTER_TESTS_TESTING_CRASH_DISK_H_
#define MUSTER_TESTS_TESTING_CRASH_DISK_H_

#include <sqlite3.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/testing/crash_vfs.h"

namespace muster::testing {

inline constexpr std::size_t kShmSlots = SQLITE_SHM_NLOCK;

/// Shared memory of one database file: gone with the last connection, as after a restart.
struct SharedMemory {
  std::vector<std::unique_ptr<char[]>> regions;
  int users = 0;
  std::array<int, kShmSlots> shared = {};
  std::array<bool, kShmSlots> exclusive = {};
};

struct FileData {
  int number = 0;
  std::string bytes;
  int shared_locks = 0;
  const void* reserved_by = nullptr;
  const void* pending_by = nullptr;
  const void* exclusive_by = nullptr;
  SharedMemory shm;
};

struct OpenFile {
  sqlite3_file base;
  CrashVfs::Disk* disk;
  std::shared_ptr<FileData>* data;
  int lock;
  bool shm_open;
  std::uint32_t shm_shared;
  std::uint32_t shm_exclusive;
  bool flush_directory;  // at the next sync
};

struct CrashVfs::Disk {
  sqlite3_vfs vfs = {};
  std::string name;
  std::map<std::string, std::shared_ptr<FileData>> files;
  std::vector<DiskOp> record;
  int last_file = 0;
  std::uint64_t random = 1;

  Fault fault;
  bool armed = false;
  bool fired = false;
  std::size_t fault_moment = 0;
  std::int64_t operations = 0;
  std::int64_t space = -1;

  void Note(DiskOp::Kind kind, int file, std::string name_of = {}, std::int64_t number = 0,
            std::string bytes = {}) {
    record.push_back({kind, file, std::move(name_of), number, std::move(bytes)});
  }

  /// Whether this operation is the one that fails, or after it.
  bool Fails(FaultTarget target) {
    if (!armed || (fault.targets & target) == 0) return false;
    const std::int64_t now = operations++;
    const bool fails = now == fault.at || (fault.persistent && now > fault.at);
    if (fails && !fired) fault_moment = record.size();
    fired = fired || fails;
    return fails;
  }

  bool HasRoomFor(const FileData& file, std::int64_t new_size) const {
    if (space < 0) return true;
    std::int64_t used = new_size - static_cast<std::int64_t>(file.bytes.size());
    for (const auto& [path, data] : files) used += static_cast<std::int64_t>(data->bytes.size());
    return used <= space;
  }
};

inline OpenFile* Self(sqlite3_file* file) { return reinterpret_cast<OpenFile*>(file); }
inline FileData& Data(sqlite3_file* file) { return **Self(file)->data; }
inline CrashVfs::Disk& DiskOf(sqlite3_file* file) { return *Self(file)->disk; }
inline CrashVfs::Disk& DiskOf(sqlite3_vfs* vfs) {
  return *static_cast<CrashVfs::Disk*>(vfs->pAppData);
}

inline int ErrorFor(const CrashVfs::Disk& disk, int io_error) {
  return disk.fault.kind == FaultKind::kDiskFull ? SQLITE_FULL : io_error;
}

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_CRASH_DISK_H_
