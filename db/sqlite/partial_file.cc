#include "db/sqlite/partial_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "db/sqlite/lock_file.h"

namespace muster {

Status CheckFree(const std::string& to, const std::string& what) {
  for (const char* suffix : {"", "-wal", "-journal"}) {
    struct stat about = {};
    const std::string path = to + suffix;
    if (lstat(path.c_str(), &about) == 0) {
      return {StatusCode::kFailedPrecondition,
              path + " exists; a " + what + " replaces nothing, so name another file"};
    }
    if (errno != ENOENT) return SystemError("look at", path);
  }
  return Status::Ok();
}

PartialFile::~PartialFile() {
  if (lock_ && !named_) unlink(path_.c_str());
}

Status PartialFile::Begin(const std::string& like) {
  if (Status status = CheckOneName(path_); !status.ok()) return status;
  Result<InodeLock> lock = InodeLock::Take(path_, what_ + " " + path_);
  if (!lock.ok()) return lock.status();
  lock_ = std::move(*lock);
  for (const char* suffix : {"-journal", "-wal", "-shm"}) unlink((path_ + suffix).c_str());
  struct stat about = {};
  if (truncate(path_.c_str(), 0) != 0) return SystemError("empty", path_);
  if (stat(like.c_str(), &about) == 0) chmod(path_.c_str(), about.st_mode & 0777);
  return Status::Ok();
}

Status PartialFile::Name(const std::string& to) {
  const int descriptor = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return SystemError("open", path_);
  const Status flushed = fsync(descriptor) == 0 ? Status::Ok() : SystemError("flush", path_);
  close(descriptor);
  if (!flushed.ok()) return flushed;
  if (Status status = CheckFree(to, what_); !status.ok()) return status;
  if (Move(to) != 0) {
    return errno == EEXIST ? CheckFree(to, what_) : SystemError("rename " + path_ + " to", to);
  }
  named_ = true;
  const Status kept = SyncDirectoryOf(to);
  if (kept.ok()) return kept;
  return {kept.code(),
          to + " is whole, but a power cut may take its name from it: " + kept.message()};
}

// Not over another file, where the file system can tell.
int PartialFile::Move(const std::string& to) const {
  const int moved = renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
  return moved != 0 && errno == EINVAL ? rename(path_.c_str(), to.c_str()) : moved;
}

}  // namespace muster
