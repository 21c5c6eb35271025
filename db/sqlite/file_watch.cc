#include "db/sqlite/file_watch.h"

#include <sys/stat.h>

#include <cerrno>

namespace muster {

void FileWatch::Add(const std::string& path) {
  struct stat about = {};
  if (stat(path.c_str(), &about) == 0) files_.push_back({path, about.st_dev, about.st_ino});
}

std::optional<std::string> FileWatch::FirstLost() const {
  for (const Watched& file : files_) {
    struct stat about = {};
    if (stat(file.path.c_str(), &about) == 0) {
      if (about.st_dev != file.device || about.st_ino != file.inode) return file.path;
    } else if (errno == ENOENT || errno == ENOTDIR) {
      return file.path;
    }
  }
  return std::nullopt;
}

}  // namespace muster
