// What every store refuses before it takes a commit.
#ifndef MUSTER_DB_COMMIT_CHECK_H_
#define MUSTER_DB_COMMIT_CHECK_H_

#include "muster/journal.h"
#include "muster/status.h"

namespace muster {

/// kInvalidArgument when a row of a workload or an object has a key without a slash.
Status CheckKeys(const Commit& commit);

}  // namespace muster

#endif  // MUSTER_DB_COMMIT_CHECK_H_
