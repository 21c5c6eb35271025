// CrashVfs: a file system in memory for SQLite that writes down everything done to it, and fails on
// demand. crash_images.h turns the record into the disks a power cut could leave behind.
//
// Behaves like the Unix VFS of SQLite: same locks, shared memory, and device promises (a write
// never harms bytes beside it, nothing else); the first flush of an opened journal also flushes its
// directory.
#ifndef MUSTER_TESTS_TESTING_CRASH_VFS_H_
#define MUSTER_TESTS_TESTING_CRASH_VFS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace muster::testing {

/// File name to content.
using DiskImage = std::map<std::string, std::string>;

/// One thing that was done to the disk.
struct DiskOp {
  enum class Kind {
    kCreate,
    kDelete,
    kWrite,
    kTruncate,
    kSync,
    kSyncFailed,  ///< what was written before is forgotten by the kernel, though still read back
    kSyncDirectory,
    kMark,  ///< nothing: a note by the test, see CrashVfs::Mark
  };
  Kind kind = Kind::kMark;
  int file = 0;             ///< a name that is deleted and created again is another file
  std::string name = {};    ///< of kCreate and kDelete
  std::int64_t number = 0;  ///< offset of kWrite, size of kTruncate, number of kMark
  std::string bytes = {};   ///< of kWrite
};

/// Kinds of operation that can be made to fail, as bits.
enum FaultTarget : unsigned {
  kReads = 1,
  kWrites = 2,
  kSyncs = 4,
  kTruncates = 8,
  kDeletes = 16,
  kOpens = 32,
  kSizes = 64,
  kSharedMemory = 128,
  kEverything = 255,
};
enum class FaultKind {
  kIoError,
  kDiskFull,
  /// Half of what was asked for, then an error, as the Unix VFS reports a read that a device cuts
  /// short. (SQLITE_IOERR_SHORT_READ means the end of the file, and SQLite goes on with zeros.)
  kShortRead,
};
struct Fault {
  FaultKind kind = FaultKind::kIoError;
  unsigned targets = kEverything;
  std::int64_t at = 0;      ///< the first operation of these targets that fails, from 0
  bool persistent = false;  ///< so do all after it
};

class CrashVfs {
 public:
  CrashVfs();  ///< registered under a name of its own
  ~CrashVfs();
  CrashVfs(const CrashVfs&) = delete;
  CrashVfs& operator=(const CrashVfs&) = delete;
  const std::string& name() const;

  /// A machine that has just started with this disk. Every file must be closed.
  void Boot(DiskImage image);
  /// What programs read now, flushed or not.
  DiskImage Visible() const;

  /// The record since construction or the last Boot.
  const std::vector<DiskOp>& record() const;
  void Mark(std::int64_t number);

  void Inject(const Fault& fault);
  void ClearFault();
  /// How many operations of the fault's targets there were since Inject.
  std::int64_t operations() const;
  bool fault_fired() const;
  /// How long the record was when the fault first fired.
  std::size_t fault_moment() const;
  /// No file may grow beyond this many bytes in sum; negative: no limit.
  void LimitSpace(std::int64_t bytes);

  struct Disk;

 private:
  std::unique_ptr<Disk> disk_;
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_CRASH_VFS_H_
