// The program's own names are found before those of the C library, by its other libraries, too.
#include "tests/testing/failing_files.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>

namespace muster::testing {
namespace {

using Call = FailingFiles::Call;

constinit thread_local bool counting = false;
constinit Call failing = Call::kOpen;
constinit std::int64_t fails_at = 0;
constinit std::int64_t made = 0;
constinit int error_number = 0;
constinit bool lasts = false;
constinit bool was_refused = false;

bool Refuse(Call call) {
  if (!counting || call != failing) return false;
  const std::int64_t number = ++made;
  if (number < fails_at || (number > fails_at && !lasts)) return false;
  was_refused = true;
  errno = error_number;
  return true;
}

template <typename... Args>
long Do(Call call, long number, Args... args) {
  return Refuse(call) ? -1 : syscall(number, args...);
}

}  // namespace

void FailingFiles::Arm(Call call, std::int64_t at, int error, bool from_then_on) {
  failing = call;
  fails_at = at;
  made = 0;
  error_number = error;
  lasts = from_then_on;
  was_refused = false;
}
bool FailingFiles::refused() { return was_refused; }
FailingFiles::While::While() { counting = true; }
FailingFiles::While::~While() { counting = false; }

namespace {

int Open(const char* path, int flags, mode_t mode) {
  return static_cast<int>(Do(Call::kOpen, SYS_openat, AT_FDCWD, path, flags, mode));
}

}  // namespace
}  // namespace muster::testing

using muster::testing::Do;
using Call = muster::testing::FailingFiles::Call;

// Libraries find only what the program shows.
#pragma GCC visibility push(default)
// NOLINTBEGIN(cert-dcl50-cpp,readability-inconsistent-declaration-parameter-name): as they are in C
extern "C" {

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return muster::testing::Open(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return muster::testing::Open(path, flags, mode);
}
ssize_t read(int file, void* bytes, size_t size) {
  return Do(Call::kRead, SYS_read, file, bytes, size);
}
ssize_t pread64(int file, void* bytes, size_t size, off64_t at) {
  return Do(Call::kRead, SYS_pread64, file, bytes, size, at);
}
ssize_t write(int file, const void* bytes, size_t size) {
  return Do(Call::kWrite, SYS_write, file, bytes, size);
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  return Do(Call::kWrite, SYS_pwrite64, file, bytes, size, at);
}
int fsync(int file) { return static_cast<int>(Do(Call::kSync, SYS_fsync, file)); }
int fdatasync(int file) { return static_cast<int>(Do(Call::kSync, SYS_fdatasync, file)); }
int truncate(const char* path, off_t size) noexcept {
  return static_cast<int>(Do(Call::kTruncate, SYS_truncate, path, size));
}
int ftruncate(int file, off_t size) noexcept {
  return static_cast<int>(Do(Call::kTruncate, SYS_ftruncate, file, size));
}
int ftruncate64(int file, off64_t size) noexcept {
  return static_cast<int>(Do(Call::kTruncate, SYS_ftruncate, file, size));
}
int rename(const char* from, const char* to) noexcept {
  return static_cast<int>(Do(Call::kRename, SYS_rename, from, to));
}
int renameat2(int from_in, const char* from, int to_in, const char* to,
              unsigned int flags) noexcept {
  return static_cast<int>(Do(Call::kRename, SYS_renameat2, from_in, from, to_in, to, flags));
}
}
// NOLINTEND(cert-dcl50-cpp,readability-inconsistent-declaration-parameter-name)
#pragma GCC visibility pop
