// WalMark: how much of the log is confirmed, so that a failed commit can be cut off again.
//
// Why: when a flush fails, the kernel keeps the written pages but forgets that the disk lacks them.
// A later opening would find the unconfirmed commit in the page cache, build on it, flush with
// success - and lose both, and all that follows, at the next power cut. So what was not confirmed
// is taken off the log at once.
#ifndef MUSTER_DB_SQLITE_WAL_MARK_H_
#define MUSTER_DB_SQLITE_WAL_MARK_H_

#include <cstdint>

#include "db/sqlite/connection.h"
#include "muster/status.h"

namespace muster {

class WalMark {
 public:
  /// The first `frames` pages of the log are confirmed; 0: everything is in the main file.
  /// kUnavailable when the log cannot be read: then nothing may be added to it either.
  Status Confirm(const Connection& connection, std::int64_t frames);
  /// Cuts the log back to what was confirmed. Does nothing when that is not known for certain.
  void CutBack(const Connection& connection) const;

  std::int64_t bytes() const;

 private:
  std::int64_t frames_ = -1;  // -1: not known
  std::uint64_t salt_ = 0;    // of the log's header: a log begun anew has another
};

}  // namespace muster

#endif  // MUSTER_DB_SQLITE_WAL_MARK_H_
