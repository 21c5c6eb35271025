// An open-file-description lock on one byte far behind the end of the file, where SQLite locks
// nothing. The kernel drops it when the process ends.
#include "db/sqlite/inode_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "db/sqlite/lock_file.h"

namespace muster {
namespace {

constexpr off_t kLockedByte = off_t{1} << 46;

using Inode = std::pair<dev_t, ino_t>;

/// What this process does with a file.
struct Use {
  int users = 0;  ///< OpenInodes
  /// Descriptors without a lock, by whether they may write: used again, closed with the last user.
  std::vector<int> idle[2];
};

std::mutex uses_mutex;

std::map<Inode, Use>& Uses() {
  static auto* const uses = new std::map<Inode, Use>;  // outlives every static ledger
  return *uses;
}

struct flock LockedByte(short type) {
  struct flock byte = {};
  byte.l_type = type;
  byte.l_whence = SEEK_SET;
  byte.l_start = kLockedByte;
  byte.l_len = 1;
  return byte;
}

bool Lock(int descriptor, short type) {
  struct flock byte = LockedByte(type);
  return fcntl(descriptor, F_OFD_SETLK, &byte) == 0;
}

bool IsMountPoint(const std::string& path) {
  struct statx about = {};
  if (statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &about) != 0) {
    return false;
  }
  return (about.stx_attributes_mask & about.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

}  // namespace

class OpenInode {
 public:
  explicit OpenInode(const struct stat& about) : inode_(about.st_dev, about.st_ino) {
    const std::lock_guard lock(uses_mutex);
    ++Uses()[inode_].users;
  }
  ~OpenInode() {
    const std::lock_guard lock(uses_mutex);
    const auto use = Uses().find(inode_);
    if (--use->second.users > 0) return;
    for (const std::vector<int>& idle : use->second.idle) {
      for (const int descriptor : idle) close(descriptor);
    }
    Uses().erase(use);
  }
  OpenInode(const OpenInode&) = delete;
  OpenInode& operator=(const OpenInode&) = delete;

  /// An idle descriptor of the file, -1 when there is none.
  int TakeIdle(bool writes) const {
    const std::lock_guard lock(uses_mutex);
    std::vector<int>& idle = Uses()[inode_].idle[writes ? 1 : 0];
    if (idle.empty()) return -1;
    const int descriptor = idle.back();
    idle.pop_back();
    return descriptor;
  }
  /// It is closed once nothing of this process uses the file.
  void GiveIdle(int descriptor, bool writes) const {
    const std::lock_guard lock(uses_mutex);
    Uses()[inode_].idle[writes ? 1 : 0].push_back(descriptor);
  }

 private:
  const Inode inode_;
};

std::shared_ptr<OpenInode> NoteOpen(const std::string& path) {
  struct stat about = {};
  if (stat(path.c_str(), &about) != 0) return nullptr;
  return std::make_shared<OpenInode>(about);
}

namespace {

/// A descriptor of the file at `path`, given back at the end.
class Borrowed {
 public:
  static Result<Borrowed> Open(const std::string& path, bool writes) {
    if (std::shared_ptr<OpenInode> open = NoteOpen(path)) {
      if (const int idle = open->TakeIdle(writes); idle >= 0) return Borrowed(idle, writes, open);
    }
    const int flags = (writes ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    const int descriptor = open(path.c_str(), flags, 0644);
    struct stat about = {};
    if (descriptor < 0 || fstat(descriptor, &about) != 0) return SystemError("open", path);
    return Borrowed(descriptor, writes, std::make_shared<OpenInode>(about));
  }
  ~Borrowed() {
    if (inode_) inode_->GiveIdle(descriptor_, writes_);
  }
  Borrowed(Borrowed&&) = default;
  Borrowed& operator=(Borrowed&&) = delete;

  int get() const { return descriptor_; }

 private:
  Borrowed(int descriptor, bool writes, std::shared_ptr<OpenInode> inode)
      : descriptor_(descriptor), writes_(writes), inode_(std::move(inode)) {}

  int descriptor_;
  bool writes_;
  std::shared_ptr<OpenInode> inode_;
};

/// Whether any process holds the InodeLock of the file.
bool IsHeld(const std::string& path) {
  const Result<Borrowed> file = Borrowed::Open(path, /*writes=*/false);
  struct flock byte = LockedByte(F_RDLCK);
  return file.ok() && fcntl(file->get(), F_OFD_GETLK, &byte) == 0 && byte.l_type != F_UNLCK;
}

class Held {
 public:
  explicit Held(Borrowed file) : file_(std::move(file)) {}
  ~Held() { Lock(file_.get(), F_UNLCK); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 private:
  const Borrowed file_;
};

}  // namespace

Result<InodeLock> InodeLock::Take(const std::string& path, const std::string& subject,
                                  LockTime until) {
  Result<Borrowed> file = Borrowed::Open(path, /*writes=*/true);
  if (!file.ok()) return file.status();
  if (!LockUntil(until, [&] { return Lock(file->get(), F_WRLCK); })) {
    if (errno != EAGAIN && errno != EACCES) return SystemError("lock", path);
    return Status(StatusCode::kUnavailable,
                  subject +
                      " is held by a process that opened it under another name, or whose "
                      "lock file is gone; one process at a time may write it");
  }
  InodeLock lock;
  lock.held_ = std::make_shared<Held>(std::move(*file));
  return lock;
}

bool IsWrittenElsewhere(const std::string& path) {
  // A writer takes the lock of the name first and lets it go last. It may just have done so, so
  // the file is looked at again.
  return IsHeld(path) && !LockFile::IsHeld(path + ".lock") && IsHeld(path);
}

std::optional<FileMoment> StillMoment(const std::string& path) {
  struct stat about = {};
  const bool logged = stat((path + "-wal").c_str(), &about) == 0 && about.st_size > 0;
  if (logged || stat(path.c_str(), &about) != 0 || IsHeld(path)) return std::nullopt;
  return FileMoment{about.st_dev, about.st_ino, about.st_size,
                    about.st_mtim.tv_sec * 1'000'000'000 + about.st_mtim.tv_nsec};
}

Status CheckOneName(const std::string& path) {
  struct stat about = {};
  if (lstat(path.c_str(), &about) != 0) return Status::Ok();
  if (S_ISLNK(about.st_mode)) {
    return {StatusCode::kInvalidArgument, path + " is a symbolic link; name the file itself"};
  }
  if (!S_ISREG(about.st_mode)) {
    return {StatusCode::kInvalidArgument, path + " is not a regular file"};
  }
  if (about.st_nlink > 1) {
    return {StatusCode::kInvalidArgument,
            path + " has " + std::to_string(about.st_nlink) +
                " names (hard links), and its log lies beside only one of them; remove the others"};
  }
  if (IsMountPoint(path)) {
    return {StatusCode::kInvalidArgument,
            path + " is mounted as a single file, away from its log; mount the folder it is in"};
  }
  return Status::Ok();
}

}  // namespace muster
