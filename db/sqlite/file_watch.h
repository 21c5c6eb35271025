// FileWatch: notices that files of an open ledger were removed or replaced by others.
//
// Why: a process goes on writing into a file whose name is gone, and all of it is lost at its end;
// and a second writer can lock a lock file made anew.
#ifndef MUSTER_DB_SQLITE_FILE_WATCH_H_
#define MUSTER_DB_SQLITE_FILE_WATCH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace muster {

class FileWatch {
 public:
  /// Remembers which file `path` names now. One that is not there is not watched.
  void Add(const std::string& path);
  /// A path that names no file any more, or another one. One look at the directory a file.
  std::optional<std::string> FirstLost() const;

 private:
  struct Watched {
    std::string path;
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
  };
  std::vector<Watched> files_;
};

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_FILE_WATCH_H_
