// ReadAhead: rows are read on one thread and taken in on another, which both cost about as much.
//
// The caller's thread takes the rows in, in the order in which they were read; a second thread
// reads, and is gone when ReadAhead returns. Between them lies a ring of a few batches, so that
// memory does not grow with the rows and a slow side makes the other wait.
#ifndef MUSTER_DB_READ_AHEAD_H_
#define MUSTER_DB_READ_AHEAD_H_

#include <functional>

#include "db/store_types.h"
#include "muster/status.h"

namespace muster {

/// What `read(visitor)` would do, if it calls its visitor for rows one by one and ends with the
/// first status that is not OK: the same calls, the same result, the same exceptions. `read` runs
/// on a thread of its own, `visitor` on this one. Without a thread to be had everything runs here.
Status ReadAhead(const std::function<Status(const RowVisitor&)>& read, const RowVisitor& visitor);

}  // namespace muster

#endif  // MUSTER_DB_READ_AHEAD_H_
