// Through SQLite's VFS, so that the tests' file systems see it and count its bytes.
#include "db/sqlite/reserve.h"

#include <sqlite3.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace muster {
namespace {

/// An open file of a VFS.
class VfsFile {
 public:
  VfsFile(sqlite3_vfs* vfs, const std::string& path)
      : storage_(static_cast<std::size_t>(vfs->szOsFile)),
        file_(reinterpret_cast<sqlite3_file*>(storage_.data())) {
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_SUPER_JOURNAL;
    code_ = vfs->xOpen(vfs, path.c_str(), file_, flags, nullptr);
  }
  ~VfsFile() {
    if (file_->pMethods != nullptr) file_->pMethods->xClose(file_);
  }
  VfsFile(const VfsFile&) = delete;
  VfsFile& operator=(const VfsFile&) = delete;

  int Grow(std::int64_t bytes) {
    sqlite3_int64 size = 0;
    if (code_ == SQLITE_OK) code_ = file_->pMethods->xFileSize(file_, &size);
    if (code_ != SQLITE_OK || size >= bytes) return code_;
    const std::vector<char> zeros(1 << 16);
    while (code_ == SQLITE_OK && size < bytes) {
      const auto step =
          std::min<sqlite3_int64>(static_cast<sqlite3_int64>(zeros.size()), bytes - size);
      code_ = file_->pMethods->xWrite(file_, zeros.data(), static_cast<int>(step), size);
      size += step;
    }
    if (code_ == SQLITE_OK) code_ = file_->pMethods->xSync(file_, SQLITE_SYNC_NORMAL);
    return code_;
  }

 private:
  std::vector<char> storage_;
  sqlite3_file* file_;
  int code_ = SQLITE_OK;
};

sqlite3_vfs* Find(const std::string& vfs) {
  return sqlite3_vfs_find(vfs.empty() ? nullptr : vfs.c_str());
}

}  // namespace

Status Reserve::Fill(std::int64_t bytes) {
  if (bytes == 0) return Status::Ok();
  sqlite3_vfs* vfs = Find(vfs_);
  const int code = VfsFile(vfs, path_).Grow(bytes);
  filled_ = code == SQLITE_OK;
  if (filled_) return Status::Ok();
  vfs->xDelete(vfs, path_.c_str(), 0);
  if ((code & 0xff) == SQLITE_FULL) return Status::Ok();
  return {StatusCode::kUnavailable,
          "ledger reserve " + path_ + " cannot be written: " + sqlite3_errstr(code)};
}

bool Reserve::Release() {
  if (!filled_) return false;
  filled_ = false;
  sqlite3_vfs* vfs = Find(vfs_);
  return vfs->xDelete(vfs, path_.c_str(), 0) == SQLITE_OK;
}

}  // namespace muster
