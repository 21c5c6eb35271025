#include "db/sqlite/lock_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <thread>

namespace muster {
namespace {

std::string DirectoryOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string HolderText() {
  char host[256] = {};
  if (gethostname(host, sizeof(host) - 1) != 0) host[0] = '\0';
  return "process " + std::to_string(getpid()) + " on host " +
         (host[0] == '\0' ? "unknown" : std::string(host)) + "\n";
}

// What the holder wrote. It is empty for the moment between its locking and its writing.
std::string ReadHolder(int descriptor) {
  char text[512];
  const ssize_t size = pread(descriptor, text, sizeof(text), 0);
  std::string_view holder(text, size > 0 ? static_cast<std::size_t>(size) : 0);
  holder = holder.substr(0, holder.find('\n'));
  return holder.empty() ? "another process" : std::string(holder);
}

bool WriteAll(int descriptor, std::string_view text) {
  return ftruncate(descriptor, 0) == 0 &&
         pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()) &&
         fsync(descriptor) == 0;
}

constexpr std::chrono::milliseconds kLookAgain{5};  // a verb holds a ledger for some milliseconds

}  // namespace

bool LockUntil(LockTime until, const std::function<bool()>& lock) {
  while (!lock()) {
    const int error = errno;
    if ((error != EAGAIN && error != EACCES) || std::chrono::steady_clock::now() >= until) {
      errno = error;
      return false;
    }
    std::this_thread::sleep_for(kLookAgain);
  }
  return true;
}

Status SystemError(const std::string& doing, const std::string& path) {
  return {StatusCode::kUnavailable,
          "cannot " + doing + " " + path + ": " + std::generic_category().message(errno)};
}

void LockFile::Release::operator()(const int* descriptor) const {
  // Emptied first: a name in the file always is that of a holder, or of one that was killed.
  [[maybe_unused]] const int emptied = ftruncate(*descriptor, 0);
  close(*descriptor);
  delete descriptor;
}

Result<LockFile> LockFile::Take(const std::string& path, const std::string& subject,
                                LockTime until) {
  const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (descriptor < 0) return SystemError("open the lock file", path);
  struct flock whole_file = {};
  whole_file.l_type = F_WRLCK;
  whole_file.l_whence = SEEK_SET;
  if (!LockUntil(until, [&] { return fcntl(descriptor, F_OFD_SETLK, &whole_file) == 0; })) {
    const bool held = errno == EAGAIN || errno == EACCES;
    const Status status =
        held ? Status(StatusCode::kUnavailable, subject + " is held by " + ReadHolder(descriptor) +
                                                    "; one process at a time may write it")
             : SystemError("lock", path);
    close(descriptor);
    return status;
  }
  LockFile lock;
  lock.descriptor_.reset(new int(descriptor));
  if (!WriteAll(descriptor, HolderText())) return SystemError("write the lock file", path);
  if (Status status = SyncDirectoryOf(path); !status.ok()) return status;
  return lock;
}

bool LockFile::IsHeld(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return errno != ENOENT;
  struct flock whole_file = {};
  whole_file.l_type = F_RDLCK;
  whole_file.l_whence = SEEK_SET;
  const bool held =
      fcntl(descriptor, F_OFD_GETLK, &whole_file) == 0 && whole_file.l_type != F_UNLCK;
  close(descriptor);
  return held;
}

Status SyncDirectoryOf(const std::string& path) {
  const std::string directory = DirectoryOf(path);
  const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return SystemError("open the directory", directory);
  const Status status = fsync(descriptor) == 0 ? Status::Ok() : SystemError("flush", directory);
  close(descriptor);
  return status;
}

Result<std::string> ResolveDirectory(const std::string& path) {
  const std::string directory = DirectoryOf(path);
  char* resolved = realpath(directory.c_str(), nullptr);
  if (resolved == nullptr) {
    return Status(
        errno == ENOENT || errno == ENOTDIR ? StatusCode::kNotFound : StatusCode::kUnavailable,
        "directory " + directory + ": " + std::generic_category().message(errno));
  }
  std::string whole = resolved;
  std::free(resolved);
  if (whole.back() != '/') whole += '/';
  const std::size_t slash = path.rfind('/');
  return whole + (slash == std::string::npos ? path : path.substr(slash + 1));
}

}  // namespace muster
