// Reserve: a file that only takes up space, given back when the disk is full, so that what runs can
// still be finished and recorded while an operator makes room.
#ifndef MUSTER_DB_SQLITE_RESERVE_H_
#define MUSTER_DB_SQLITE_RESERVE_H_

#include <cstdint>
#include <string>

#include "muster/status.h"

namespace muster {

inline constexpr std::int64_t kReserveBytes = 1 << 20;

class Reserve {
 public:
  Reserve() = default;
  /// The reserve at `path`; `vfs` may be empty.
  Reserve(std::string vfs, std::string path) : vfs_(std::move(vfs)), path_(std::move(path)) {}

  /// Makes the file `bytes` long; 0 bytes: none. A full disk is no error: there is no reserve then.
  Status Fill(std::int64_t bytes);
  /// Gives the space back; false when there was none to give.
  bool Release();
  bool filled() const { return filled_; }

 private:
  std::string vfs_;
  std::string path_;
  bool filled_ = false;
};

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_RESERVE_H_
